"""The API of tournaments, weekends, seasons and recurring events. Thin: parse, call one service or selector, answer.

Refusals that are not named below are answered 409.
"""

from accounts.api.errors import register_statuses

register_statuses(
    403,
    "not_director",
    "not_referee",
    "not_official",
    "not_club_director",
    "not_club_owner",
    "not_weekend_official",
    "not_weekend_director",
    "not_organizer",
    "not_yours",
    "members_only",
)
register_statuses(404, "no_tournament", "no_template", "no_recurrence", "no_season", "no_weekend", "no_record")
