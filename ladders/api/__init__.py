"""The API of ladders. Thin: parse, call one service or selector, answer.

Every refusal that the line below does not name is answered with 409.
"""

from accounts.api.errors import register_statuses

register_statuses(403, "ladder_not_director")
