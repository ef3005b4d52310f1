"""The API of the analysis: report cards, error rates, questions, the trainer, the position of the day.

What the line below does not name is answered 409.
"""

from accounts.api.errors import refused_with

refused_with(403, "report_not_yours", "errors_hidden")
