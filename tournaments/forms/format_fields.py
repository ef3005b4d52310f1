"""Which fields of the form of a tournament belong to which formats, and which field shows which refusal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournaments import teams
from tournaments.formats.registry import FORMATS

# The fields that belong to some formats only. The page shows them with these formats; for all others their values
# are ignored.
FORMATS_BY_FIELD: Mapping[str, tuple[str, ...]] = {
    "consolation": ("knockout",),
    "last_chance": ("knockout",),
    "third_place": ("knockout",),
    "byes": ("knockout", "double", "groups"),
    "side_lengths": ("knockout", "double"),
    "rounds": ("swiss",),
    "half_byes": ("swiss",),
    "minutes": ("arena",),
    "boards": teams.FORMATS,
    "best_of": tuple(key for key, format_ in FORMATS.items() if not format_.pairs_free_players),
    "best_of_rounds": ("knockout", "double", "groups"),
    "table_rounds": ("round-robin", "losses"),
    "legs": ("round-robin", "groups", "league"),
    "losses": ("losses",),
    "groups": ("groups",),
    "advance": ("groups",),
    "divisions": ("league",),
    "moving": ("league",),
    "tie_breaks": ("swiss", "losses", "round-robin", "groups", "league"),
}
# The field that shows a refusal, by its code; all other refusals stand above the form.
FIELD_BY_REFUSAL = {
    "timezone": "timezone",
    "starts_at": "starts_at",
    "lengths": "lengths",
    "length": "lengths",
    "variant": "variant",
    "clock": "clock",
    "too_few": "capacity",
    "too_many": "capacity",
    "rounds": "rounds",
    "groups": "groups",
    "divisions": "divisions",
    "losses": "losses",
    "legs": "legs",
    "third_place": "third_place",
    "advance": "advance",
    "moving": "moving",
    "tie_breaks": "tie_break_1",
    "tie_breaks_all_meet": "tie_break_1",
    "team_boards": "boards",
    "team_format": "boards",
    "team_pace": "pace",
    "teams_or_players": "boards",
    "series_length": "best_of",
    "series_teams": "best_of",
    "series_arena": "best_of",
    "exhibition_clock": "clock",
    "arena_minutes": "minutes",
    "arena_length": "lengths",
    "arena_clock": "clock",
}
# What an arena (ruling E26) leaves no choice about.
ARENA_ANSWERS: Mapping[str, Any] = {
    "venue": "online",
    "pace": "flow",
    "check_in": False,
    "round_hours": 0,
    "no_show_minutes": 0,
    "closes_minutes": 0,
    "late_from": None,
}
