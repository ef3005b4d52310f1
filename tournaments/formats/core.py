"""The protocol of a format, and the values that formats use. Pure: no Django, no clock, no chance.

The state of a tournament is the fold of its events (`tournaments.fold`); a format turns what happened so far - its
`History` - into every pairing that exists, resolved as far as is known. The same history always gives the same
pairings, so a bracket can be rebuilt from its events at any time.

Entrants are numbers from 1, in the order of their registration. An entrant who withdrew keeps their place: matches
that they have not played are lost by walkover. A slot that nobody can come to (a bye, the loser of a bye, the loser of
a double walkover) is *empty*: whoever meets an empty slot goes on without a match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import wraps
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

Entrant: TypeAlias = int
Key: TypeAlias = str  # of a pairing: "main-2-1", section, round and number; never changes
# What a result belongs to: a pairing and its two entrants, a first; or (older events) a pairing, whoever meets there.
ResultKey: TypeAlias = Key | tuple[Key, Entrant, Entrant]

How = Literal["played", "walkover", "withdrawn"]
PairingState = Literal["waiting", "ready", "done", "bye", "absent", "void"]


class Invalid(ValueError):
    """A configuration or a round that is impossible: `code` says why, with `params` for its sentence."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


# Where the entrants of a pairing come from


@dataclass(frozen=True, slots=True)
class Seed:
    """The n-th of the drawn order, counted from 1."""

    n: int


@dataclass(frozen=True, slots=True)
class WinnerOf:
    key: Key


@dataclass(frozen=True, slots=True)
class LoserOf:
    key: Key


@dataclass(frozen=True, slots=True)
class Placed:
    """The entrant at a place of a group or division that is fully played. `Placed("group-1", 2)`: the runner-up."""

    section: str
    place: int


@dataclass(frozen=True, slots=True)
class Bye:
    """No entrant."""


Source: TypeAlias = Seed | WinnerOf | LoserOf | Placed | Bye


@dataclass(frozen=True, slots=True)
class Slot:
    """One side of a pairing: an entrant, empty, or not known yet (no entrant, and not empty)."""

    source: Source
    entrant: Entrant | None = None
    is_empty: bool = False

    @property
    def known(self) -> bool:
        return self.is_empty or self.entrant is not None


@dataclass(frozen=True, slots=True)
class PairingReason:
    """Why two entrants meet: a code with its parameters; the pages put it into words.

    Codes: `host` (of an exhibition), `seeded` (a, b: places in the draw), `fed` (from: keys), `table` (round: of a
    Berger table), `placed`, `board` and `series` (of a part of a fixture), of Swiss pairings `fold` (score), `floated`
    (scores: both), `rematch` (times), `bye` (score, had), `forced` (by the director), and of an arena `free` (points:
    both) and `waited`, a rematch because nobody else was free.
    """

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """How a pairing ended. `points` are those of a, then of b, if known.

    No winner is a double walkover, which both lose, or if it was played a draw: only team matches have draws.

    `match` is the id of the match on this site that it comes from, `why` the reason of the director who decided or
    `corrected` it. `loser_present`: the loser of a walkover is there, and plays on in the consolation.
    """

    winner: Entrant | None
    points: tuple[float, float] | None = None
    how: How = "played"
    match: str = ""
    why: str = ""
    corrected: bool = field(default=False, compare=False)
    loser_present: bool = False

    @property
    def drawn(self) -> bool:
        return self.winner is None and self.how == "played"

    def reversed(self) -> Result:
        """The same result with the points of b first."""
        return self if self.points is None else replace(self, points=(self.points[1], self.points[0]))


def set_result(results: dict[ResultKey, Result], key: Key, a: Entrant, b: Entrant, result: Result) -> None:
    """Store the result of two entrants at a pairing, in both orders; a later one replaces it."""
    results[key, a, b] = result
    results[key, b, a] = result.reversed()


def result_of(results: Mapping[ResultKey, Result], key: Key, a: Entrant | None, b: Entrant | None) -> Result | None:
    """The result of two entrants at a pairing, with a's points first; None if only others played there."""
    if a is None or b is None:
        return None
    found = results.get((key, a, b)) or results.get(key)
    return found if found is not None and found.winner in (None, a, b) else None


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two slots that meet, in a round of a section, `number`-th from the top.

    `waiting`: an entrant is not known yet; `ready`: both are, and there is no result; `done`: there is a result,
    perhaps one that follows from a withdrawal; `bye`: one entrant goes on without a match; `absent`: an entrant does
    not play this round at their own request; `void`: nobody comes here, or it is not needed.
    """

    key: Key
    section: str
    round: int
    number: int
    a: Slot
    b: Slot
    state: PairingState
    why: PairingReason
    result: Result | None = None

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        return tuple(slot.entrant for slot in (self.a, self.b) if slot.entrant is not None)

    @property
    def winner(self) -> Entrant | None:
        """The entrant who goes on, with or without a match."""
        if self.state == "bye":
            return next(iter(self.entrants), None)
        return self.result.winner if self.result else None

    @property
    def loser(self) -> Entrant | None:
        """The entrant who lost, if the other one won."""
        if self.state != "done" or self.winner is None:
            return None
        return next((entrant for entrant in self.entrants if entrant != self.winner), None)


@dataclass(frozen=True, slots=True)
class Round:
    """The pairs of a round that is decided while the tournament runs, with their reasons; recorded as an event.

    `absent` are those who asked for a bye in it.
    """

    section: str
    round: int
    pairs: tuple[tuple[Entrant, Entrant], ...]
    bye: Entrant | None = None
    whys: tuple[PairingReason, ...] = ()  # of each pair, then of the bye if there is one
    absent: tuple[Entrant, ...] = ()


@dataclass(frozen=True, slots=True)
class MissedRounds:
    """The rounds before a late entry: lost, or (`half`) half a point each."""

    rounds: int = 0
    half: bool = False

    @property
    def points(self) -> float:
        return self.rounds / 2 if self.half else 0


EntrantPair: TypeAlias = tuple[Entrant, Entrant]

# The usual order of the tie-breaks (ruling E7): where everybody meets everybody, direct encounter decides first.
_USUAL_ORDER = ("wins", "buchholz-cut", "buchholz", "sonneborn-berger", "direct", "points")
_USUAL_ORDER_OF_ROUND_ROBINS = ("wins", "direct", "sonneborn-berger", "points")
_ROUND_ROBINS = ("round-robin", "groups", "league")
# Of teams (ruling E20), then those of the format.
_USUAL_START_OF_TEAMS = ("match-points", "boards")


def usual_tie_breaks(format_key: str, boards: int = 0) -> tuple[str, ...]:
    """The order of the tie-breaks in a format where the director chose none; `boards` of a team match, 0: no teams."""
    order = _USUAL_ORDER_OF_ROUND_ROBINS if format_key in _ROUND_ROBINS else _USUAL_ORDER
    if not boards:
        return order
    return (*_USUAL_START_OF_TEAMS, *(name for name in order if name not in ("wins", "points")))


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a format. Each format reads those that concern it."""

    format: str
    consolation: Literal["none", "simple", "progressive"] = "none"
    last_chance: bool = False
    third_place: bool = False  # knockout without a consolation: the losers of the semi-finals meet
    byes: Literal["top", "drawn"] = "top"
    rounds: int = 0  # Swiss and X-losses: their number; round robin: how many of the table (0: all)
    legs: int = 1  # round robin: how often two entrants meet
    losses: int = 2  # X-losses: so many losses put an entrant out
    groups: int = 0
    advance: int = 2  # from each group
    divisions: int = 1
    moving: int = 1  # promoted and relegated per division
    minutes: int = 0  # arena: how long players are paired
    half_byes: int = 0  # Swiss: how many byes at a player's request are worth half a point
    boards: int = 0  # of a team match, where the entrants are teams; 0: they are players
    best_of: int = 1  # how many matches decide a pairing (tournaments.series); 1: a single one
    best_of_rounds: int = 0  # of a bracket: so many last rounds are played like that; 0: all of them
    tie_breaks: tuple[str, ...] = ()  # in the director's order; none: the usual ones of the format

    def __post_init__(self) -> None:
        if not self.tie_breaks:
            object.__setattr__(self, "tie_breaks", usual_tie_breaks(self.format, self.boards))

    @property
    def unplayed_boards(self) -> int:
        """The board points of a team match that is won without playing: the smallest majority (ruling E20)."""
        return self.boards // 2 + 1 if self.boards else 0

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Config:
        """The config in `value`, without unknown keys. Raises Invalid("config")."""
        known = {name: value[name] for name in cls.__dataclass_fields__ if name in value}
        if "tie_breaks" in known:
            known["tie_breaks"] = tuple(known["tie_breaks"])
        try:
            config = cls(**known)
        except TypeError as error:
            raise Invalid("config") from error
        numbers = (config.rounds, config.legs, config.losses, config.groups, config.advance, config.divisions)
        if (
            config.consolation not in ("none", "simple", "progressive")
            or config.byes not in ("top", "drawn")
            or not all(
                type(number) is int and number >= 0
                for number in (
                    *numbers,
                    config.moving,
                    config.minutes,
                    config.half_byes,
                    config.boards,
                    config.best_of,
                    config.best_of_rounds,
                )
            )
            or not all(isinstance(name, str) for name in (config.format, *config.tie_breaks))
        ):
            raise Invalid("config")
        return config


@dataclass(frozen=True, slots=True)
class History:
    """What happened so far, as formats see it.

    `order` is the draw: the entrants from the first seed. `results` are those entered or played (`result_of`); `rounds`
    the recorded pairs of formats that pair while they run, in order; `withdrawn` the entrants who withdrew at any time;
    `late` those who entered after the draw, last in `order`. `together` are the pairs that the director wants in the
    next round, `apart` those that the director never wants. `byes` are the rounds that entrants asked not to play.

    Of an arena: `paused` are the entrants who pause, `free_since` says since when the others wait for an opponent, and
    `closed` whether pairing has ended.
    """

    order: tuple[Entrant, ...]
    results: Mapping[ResultKey, Result] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    withdrawn: frozenset[Entrant] = frozenset()
    late: Mapping[Entrant, MissedRounds] = field(default_factory=dict)
    together: tuple[EntrantPair, ...] = ()
    apart: tuple[EntrantPair, ...] = ()
    byes: Mapping[Entrant, frozenset[int]] = field(default_factory=dict)
    paused: frozenset[Entrant] = frozenset()
    free_since: Mapping[Entrant, datetime] = field(default_factory=dict)
    closed: bool = False
    cache: dict[object, Any] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )  # see `cached_on_history`


Value = TypeVar("Value")


def cached_on_history(
    compute: Callable[[Any, Config, History], Value],
) -> Callable[[Any, Config, History], Value]:
    """Decorate a method of a format so that its value is cached on the history.

    A page needs the pairings, the tables made from them, and whether all is over: a round robin of 128 has 8,128.
    """

    @wraps(compute)
    def cached(self: Any, config: Config, history: History) -> Value:
        key = (compute, self, config)
        if key not in history.cache:
            history.cache[key] = compute(self, config, history)
        value: Value = history.cache[key]
        return value

    return cached


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of a table: `values` are the tie-breaks in the director's order, by name."""

    place: int  # shared where no tie-break decides
    entrant: Entrant
    section: str = ""
    played: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0
    values: tuple[tuple[str, float], ...] = ()
    note: str = ""  # "promoted", "relegated", "advances", "out"


class Format(Protocol):
    """One format. Every method is a pure function of the config and the history."""

    key: str
    # How pages draw it: "bracket", "table" (Swiss, X-losses), "cross" (everybody meets), "both" or "arena".
    sections: str
    takes_bye_requests: bool  # whether players may ask not to play a round
    at_once: bool  # whether an entrant plays all pairings at the same time, and not one after another
    # Whether who is free is paired all the time, while players come and go; else there are rounds.
    pairs_free_players: bool
    needs_accounts: bool  # whether it is played on this site only, by players with accounts

    def check(self, config: Config, entrants: int) -> None:
        """Raises Invalid(code, **params): too_few, too_many, rounds, groups, divisions, losses, tie_breaks ..."""

    def pairings(self, config: Config, history: History) -> tuple[Pairing, ...]:
        """Every pairing that exists, by section, round and number, resolved as far as is known."""

    def next_round(self, config: Config, history: History) -> Round | None:
        """The round to record now, of formats that pair while they run: None while one is played, and at the end.

        Raises Invalid: pairs_forced, pairs_forbidden (`entrants`: those left without an opponent).
        """

    def standings(self, config: Config, history: History) -> tuple[Standing, ...]:
        """The tables, or the order of finish as far as it is known: the champion first."""

    def over(self, config: Config, history: History) -> bool:
        """Whether nothing is left to play."""
