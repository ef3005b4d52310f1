"""The API of tournaments, seasons and club nights. Thin: parse, call one service or selector, answer.

What the lines below do not name is answered 409.
"""

from accounts.api.errors import refused_with

refused_with(403, "not_director", "not_club_director", "not_club_owner", "not_yours", "members_only")
refused_with(404, "no_tournament", "no_template", "no_recurrence", "no_season")
