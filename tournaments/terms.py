"""The terms of a tournament: format, game, match lengths, clocks, pace, conditions of entry. Pure values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from tournaments.formats.core import Config, Invalid

Pace = Literal["flow", "hand", "timed"]
Venue = Literal["online", "board", "both"]
Seeding = Literal["drawn", "hand"]
Entry = Literal["all", "password", "invited"]
PACES, VENUES, SEEDINGS, ENTRIES = get_args(Pace), get_args(Venue), get_args(Seeding), get_args(Entry)

LONGEST = 99  # points


@dataclass(frozen=True, slots=True)
class Terms:
    """The settings of a tournament, except its name and dates.

    `lengths` are points by round of the main section, the last one for all later rounds; `side_lengths` the same for
    the other sections (empty: as the main one). `clocks` and `hours` go by round, too; without them `clock` and
    `round_hours` (0: no deadline) are for all. `pace`: `flow` opens a pairing as soon as both are known, `hand` waits
    for the director round by round, `timed` opens a round every `round_minutes` (the first at the start).
    `no_show_minutes` is how late a player may be (0: no limit): then a penalty point every `penalty_minutes`, and as
    many as the match is long lose it.

    Players may register who know the password or have the link, or everybody (`entry`; the link also replaces the
    password); members of the club (`club_only`); ratings of the game from `rating_from` to `rating_to` (0: no bound);
    until `closes_minutes` before the start (0: until the draw).
    """

    config: Config
    variant: str = "backgammon"
    options: Mapping[str, Any] = field(default_factory=dict)
    clock: str = "club"
    rated: bool = True
    venue: Venue = "both"
    seeding: Seeding = "drawn"
    lengths: tuple[int, ...] = (7,)
    side_lengths: tuple[int, ...] = ()
    pace: Pace = "flow"
    round_minutes: int = 0
    round_hours: int = 0
    clocks: tuple[str, ...] = ()
    hours: tuple[int, ...] = ()
    no_show_minutes: int = 0
    penalty_minutes: int = 5
    check_in: bool = False  # only entrants who are checked in are drawn
    entry: Entry = "all"
    club_only: bool = False
    rating_from: int = 0
    rating_to: int = 0
    closes_minutes: int = 0

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Terms:
        """The terms in `value`, as `as_json` writes them. Raises Invalid: config, terms."""
        names = {name: value[name] for name in cls.__dataclass_fields__ if name in value and name != "config"}
        for name in ("lengths", "side_lengths", "clocks", "hours"):
            if name in names:
                names[name] = tuple(names[name])
        terms = cls(config=Config.read(value.get("config", {})), **names)
        if not terms.lengths or not all(_points(n) for n in (*terms.lengths, *terms.side_lengths)):
            raise Invalid("lengths")
        return terms

    def as_json(self) -> dict[str, Any]:
        """The terms as JSON."""
        out: dict[str, Any] = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "config"}
        out["config"] = {name: getattr(self.config, name) for name in self.config.__dataclass_fields__}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in out.items()} | {
            "config": {
                name: list(value) if isinstance(value, tuple) else value for name, value in out["config"].items()
            }
        }

    def length(self, section: str, round_: int) -> int:
        """The points of a match in a round of a section."""
        if section in ("final", "third"):
            return self.lengths[-1]
        lengths = self.side_lengths if self.side_lengths and not is_main(section) else self.lengths
        return lengths[min(round_, len(lengths)) - 1]

    def clock_of(self, round_: int) -> str:
        """The clock preset of a round."""
        return self.clocks[min(round_, len(self.clocks)) - 1] if self.clocks else self.clock

    def hours_of(self, round_: int) -> int:
        """The deadline of a round in hours; 0: none."""
        return self.hours[min(round_, len(self.hours)) - 1] if self.hours else self.round_hours


def is_main(section: str) -> bool:
    """Whether the rounds of a section open at their own time: not in a consolation, a losers' bracket or a final."""
    names = ("main", "swiss", "losses", "league", "arena", "exhibition")
    return section in names or section.startswith(("group-", "division-"))


def _points(value: object) -> bool:
    return type(value) is int and 1 <= value <= LONGEST
