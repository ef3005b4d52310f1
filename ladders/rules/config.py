"""The rules of one ladder as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

KINDS = ("rating", "challenge", "season", "hill")

#: The settings that mean something on each kind of ladder, in the order in which they are read.
FIELDS: dict[str, tuple[str, ...]] = {
    "rating": ("active_days",),
    "challenge": (
        "rule",
        "range",
        "accept_hours",
        "play_days",
        "on_no_answer",
        "on_not_played",
        "rematch_days",
        "immunity_hours",
        "freeze_days",
        "drop_days",
        "drop_places",
        "vacation_days",
        "most_out",
        "most_in",
    ),
    "season": (
        "points_win",
        "points_loss",
        "bonus_higher",
        "best_of",
        "against_same",
        "accept_hours",
        "play_days",
        "on_no_answer",
        "on_not_played",
        "vacation_days",
        "most_out",
        "most_in",
    ),
    "hill": ("accept_hours", "play_days", "freeze_days", "vacation_days"),
}

CHOICES: dict[str, tuple[str, ...]] = {
    "kind": KINDS,
    "rule": ("leapfrog", "swap"),
    "on_no_answer": ("forfeit", "drop"),
    "on_not_played": ("forfeit_challenger", "forfeit_defender", "drop"),
    "newcomers": ("bottom",),
}

# whole numbers: (least, most)
BOUNDS: dict[str, tuple[int, int]] = {
    "active_days": (1, 3650),
    "range": (0, 1000),
    "accept_hours": (1, 24 * 60),
    "play_days": (1, 90),
    "rematch_days": (0, 365),
    "immunity_hours": (0, 24 * 60),
    "freeze_days": (0, 3650),
    "drop_days": (0, 3650),
    "drop_places": (0, 1000),
    "vacation_days": (0, 365),
    "most_out": (1, 20),
    "most_in": (1, 20),
    "points_win": (0, 1000),
    "points_loss": (0, 1000),
    "bonus_higher": (0, 1000),
    "best_of": (0, 1000),
    "against_same": (0, 1000),
}

USUAL: dict[str, dict[str, Any]] = {
    "season": {"most_out": 3, "most_in": 3, "on_no_answer": "drop", "on_not_played": "drop"},
}


class BadConfig(ValueError):
    """An unknown setting, or an impossible value. `field` names the setting."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings of a ladder; hours and days are whole, and 0 switches a rule off (rulings L1 to L12)."""

    kind: str = "challenge"
    active_days: int = 90  # rating: inactive players are not listed
    rule: str = "leapfrog"
    range: int = 3  # how many places above one may challenge; 0 is anybody above
    accept_hours: int = 48
    play_days: int = 7
    on_no_answer: str = "forfeit"
    on_not_played: str = "forfeit_challenger"
    rematch_days: int = 7
    immunity_hours: int = 72
    freeze_days: int = 30
    drop_days: int = 45
    drop_places: int = 3
    vacation_days: int = 21  # a season
    most_out: int = 1
    most_in: int = 1
    newcomers: str = "bottom"
    points_win: int = 3
    points_loss: int = 1
    bonus_higher: int = 1
    best_of: int = 0  # the best results of each that count; 0 is all
    against_same: int = 3  # the matches against the same opponent that count; 0 is all

    @classmethod
    def of(cls, mapping: Mapping[str, Any]) -> Config:
        """Read settings; those that are missing have the defaults of that kind of ladder. Raises BadConfig."""
        known = {field.name for field in fields(cls)}
        for name, value in mapping.items():
            if name not in known:
                raise BadConfig(str(name))
            if name in CHOICES:
                good = isinstance(value, str) and value in CHOICES[name]
            else:
                least, most = BOUNDS[name]
                good = type(value) is int and least <= value <= most
            if not good:
                raise BadConfig(name)
        return cls(**{**USUAL.get(mapping.get("kind", "challenge"), {}), **mapping})

    def as_json(self) -> dict[str, Any]:
        """Every setting of this kind of ladder, and its kind: Config.of reads the same again."""
        everything = asdict(self)
        return {name: everything[name] for name in ("kind", *FIELDS[self.kind])}

    @property
    def freezes(self) -> bool:
        """Whether inactive places freeze (L6)."""
        return self.kind in ("challenge", "hill") and self.freeze_days > 0

    @property
    def drops(self) -> bool:
        """Whether inactive players drop (L6)."""
        return self.kind == "challenge" and self.drop_days > 0 and self.drop_places > 0
