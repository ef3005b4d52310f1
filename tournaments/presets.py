"""Presets for a new tournament: answers to its form, which the director can change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

WEEK = 7 * 24  # hours


@dataclass(frozen=True, slots=True)
class Preset:
    """A type of tournament: its name, its facts in a line, and its answers to `TournamentForm` beside the defaults."""

    key: str
    name: str | Promise
    facts: str | Promise
    answers: Mapping[str, Any] = field(default_factory=dict)


PRESETS: Mapping[str, Preset] = {
    preset.key: preset
    for preset in (
        Preset(
            "thursday",
            _("Weekly club tournament"),
            _("Matches to 5, progressive consolation, 2 min per point + 12 s"),
            {"format": "knockout", "consolation": "progressive", "lengths": "5"},
        ),
        Preset(
            "swiss",
            _("Swiss"),
            _("4 rounds, matches to 5, nobody is eliminated"),
            {"format": "swiss", "rounds": 4, "lengths": "5", "pace": "hand", "check_in": True},
        ),
        Preset(
            "double",
            _("Double elimination"),
            _("Matches to 7, out after two losses"),
            {"format": "double", "lengths": "7", "side_lengths": "5"},
        ),
        Preset(
            "round-robin",
            _("Round robin"),
            _("Matches to 3, everyone plays everyone"),
            {"format": "round-robin", "lengths": "3"},
        ),
        Preset(
            "league",
            _("League"),
            _("Two divisions, one round a week, matches to 7"),
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
        Preset(
            "teams",
            _("Team league"),
            _("Teams of 4, home and away, matches to 7"),
            {
                "format": "round-robin",
                "boards": 4,
                "legs": 2,
                "lengths": "7",
                "seeding": "hand",
                "pace": "hand",
            },
        ),
        Preset(
            "arena",
            _p("format", "Arena"),
            _("One hour online, matches to 1, join and pause at any time"),
            {"format": "arena", "minutes": 60, "lengths": "1", "clock": "blitz"},
        ),
        Preset(
            "knockout",
            _("Knockout 7/9/11/13"),
            _("Longer matches towards the final"),
            {"format": "knockout", "lengths": "7, 9, 11, 13"},
        ),
        Preset(
            "exhibition",
            _("Simultaneous exhibition"),
            _("One host against all, matches to 3 over the board, not rated"),
            {"format": "exhibition", "lengths": "3", "venue": "board", "seeding": "hand", "rated": False},
        ),
        Preset(
            "series",
            _("Knockout, best of 3"),
            _("Each pairing is the best of 3 matches to 3"),
            {"format": "knockout", "best_of": 3, "lengths": "3"},
        ),
    )
}
DEFAULT_PRESET = next(iter(PRESETS.values()))

# Options of the game that tournaments play otherwise than casual matches (ruling "Damas", 8).
TOURNAMENT_OPTIONS: Mapping[str, Any] = {"mode": "obligatoria"}
