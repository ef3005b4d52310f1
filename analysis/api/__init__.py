"""The API of the analysis: reports, error rates, questions, the trainer, the position of the day.

What the line below does not name is answered 409.
"""

from accounts.api.errors import register_statuses

register_statuses(403, "report_not_yours", "errors_hidden")
