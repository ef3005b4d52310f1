"""The tournaments that a director starts from: a form filled in, which he then changes as he likes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

WEEK = 7 * 24  # hours


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A kind of evening: its name, its facts in a line, and its answers to `TournamentForm` that are not the usual."""

    key: str
    name: str | Promise
    facts: str | Promise
    answers: Mapping[str, Any] = field(default_factory=dict)


BLUEPRINTS: Mapping[str, Blueprint] = {
    one.key: one
    for one in (
        Blueprint(
            "thursday",
            _("Thursday"),
            _("5 points, progressive consolation, 2 min a point + 12 s"),
            {"format": "knockout", "consolation": "progressive", "lengths": "5", "check_in": True},
        ),
        Blueprint(
            "swiss",
            _("Swiss"),
            _("4 rounds to 5: everybody plays all of them"),
            {"format": "swiss", "rounds": 4, "lengths": "5", "pace": "hand", "check_in": True},
        ),
        Blueprint(
            "double",
            _("Double elimination"),
            _("to 7: who has lost twice is out"),
            {"format": "double", "lengths": "7", "side_lengths": "5"},
        ),
        Blueprint(
            "round-robin",
            _("Round robin"),
            _("to 3: everybody meets everybody"),
            {"format": "round-robin", "lengths": "3"},
        ),
        Blueprint(
            "league",
            _("League"),
            _("two divisions, a week a round, to 7"),
            {
                "format": "league",
                "lengths": "7",
                "divisions": 2,
                "moving": 1,
                "seeding": "hand",
                "pace": "timed",
                "round_minutes": WEEK * 60,
                "round_hours": WEEK,
            },
        ),
        Blueprint(
            "knockout",
            _("Knock-out 7/9/11/13"),
            _("matches grow longer towards the final"),
            {"format": "knockout", "lengths": "7, 9, 11, 13"},
        ),
    )
}
USUAL = next(iter(BLUEPRINTS.values()))

# What is played in tournaments where it is not what a club evening plays, by option (ruling "Damas", 8).
TOURNAMENT_OPTIONS: Mapping[str, Any] = {"mode": "obligatoria"}
