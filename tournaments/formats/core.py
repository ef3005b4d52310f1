"""What a format is asked for, and the values that it speaks in. Pure: no Django, no clock, no chance.

A tournament is a fold of its events (`tournaments.fold`); a format turns what happened so far - its `History` - into
every pairing that exists, resolved as far as is known. The same history always gives the same pairings, so a bracket
can be rebuilt from its events at any time.

Entrants are numbers from 1, in the order of their registration. An entrant who withdrew keeps his place: what he has
not played is lost by walkover. A place that nobody can come to (a bye, the loser of a bye, the loser of a double
walkover) holds a *ghost*: whoever meets a ghost goes on without a match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

Entrant: TypeAlias = int
Key: TypeAlias = str  # of a pairing: "main-2-1", section, round and number, the same for ever
# What a result is told of: a pairing and its two, a first; or (older events) the pairing, whoever meets there.
Told: TypeAlias = Key | tuple[Key, Entrant, Entrant]

How = Literal["played", "walkover", "withdrawn"]
PairingState = Literal["waiting", "ready", "done", "bye", "void"]


class Invalid(ValueError):
    """A tournament that cannot be: `code` says why, `params` what it speaks of."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


# Where the two of a pairing come from


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
    """Who ends at a place of a group or division, once all of it is played. `Placed("group-1", 2)`: the runner-up."""

    section: str
    place: int


@dataclass(frozen=True, slots=True)
class Bye:
    """Nobody."""


Source: TypeAlias = Seed | WinnerOf | LoserOf | Placed | Bye


@dataclass(frozen=True, slots=True)
class Slot:
    """One side of a pairing: an entrant, a ghost, or somebody not known yet (no entrant and no ghost)."""

    source: Source
    entrant: Entrant | None = None
    ghost: bool = False

    @property
    def known(self) -> bool:
        return self.ghost or self.entrant is not None


@dataclass(frozen=True, slots=True)
class Why:
    """Why these two meet: a code with what it speaks of; the pages put it into words.

    Codes: `seeded` (a, b: places in the draw), `fed` (from: keys), `table` (round: of a Berger table), `placed`, and of
    Swiss pairings `fold` (score), `floated` (scores: both), `rematch` (times), `bye` (score, had), `forced` (by the
    director).
    """

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """How a pairing ended. No winner is a double walkover: both lose. `points` are those of a, then of b, if known.

    `match` is the id of the match on this site that it comes from, `why` the reason of a director who decided it, or
    `corrected` it.
    """

    winner: Entrant | None
    points: tuple[float, float] | None = None
    how: How = "played"
    match: str = ""
    why: str = ""
    corrected: bool = field(default=False, compare=False)

    def turned(self) -> Result:
        """The same as b's rival sees it: with the points of b first."""
        return self if self.points is None else replace(self, points=(self.points[1], self.points[0]))


def tell(results: dict[Told, Result], key: Key, a: Entrant, b: Entrant, result: Result) -> None:
    """Keep the result of these two at a pairing, in whichever order they stand there; a later one takes its place."""
    results[key, a, b] = result
    results[key, b, a] = result.turned()


def result_of(results: Mapping[Told, Result], key: Key, a: Entrant | None, b: Entrant | None) -> Result | None:
    """What these two played at a pairing, with a's points first. What others played there says nothing of them."""
    if a is None or b is None:
        return None
    found = results.get((key, a, b)) or results.get(key)
    return found if found is not None and found.winner in (None, a, b) else None


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two slots that meet, in a round of a section, `number`-th from the top.

    `waiting`: somebody is not known yet; `ready`: both are, and no result; `done`: with a result, perhaps one that
    follows from a withdrawal; `bye`: one goes on without a match; `void`: nobody comes here, or it is not needed.
    """

    key: Key
    section: str
    round: int
    number: int
    a: Slot
    b: Slot
    state: PairingState
    why: Why
    result: Result | None = None

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        return tuple(slot.entrant for slot in (self.a, self.b) if slot.entrant is not None)

    @property
    def winner(self) -> Entrant | None:
        """Who goes on, played or not."""
        if self.state == "bye":
            return next(iter(self.entrants), None)
        return self.result.winner if self.result else None

    @property
    def loser(self) -> Entrant | None:
        """Who lost here, when one did and the other won."""
        if self.state != "done" or self.winner is None:
            return None
        return next((entrant for entrant in self.entrants if entrant != self.winner), None)


@dataclass(frozen=True, slots=True)
class Round:
    """The pairs of a round that is decided while the tournament runs, with their reasons; recorded as an event."""

    section: str
    round: int
    pairs: tuple[tuple[Entrant, Entrant], ...]
    bye: Entrant | None = None
    whys: tuple[Why, ...] = ()  # one a pair, then one for the bye if there is one


@dataclass(frozen=True, slots=True)
class Missed:
    """The rounds that a late entrant was not there for: lost, or (`half`) half a point each."""

    rounds: int = 0
    half: bool = False

    @property
    def points(self) -> float:
        return self.rounds / 2 if self.half else 0


Two: TypeAlias = tuple[Entrant, Entrant]


@dataclass(frozen=True, slots=True)
class Config:
    """What the director chose about the shape. Each format reads what concerns it."""

    format: str
    consolation: Literal["none", "simple", "progressive"] = "none"
    last_chance: bool = False
    byes: Literal["top", "drawn"] = "top"
    rounds: int = 0  # Swiss and X-losses: how many; round robin: how many of the table (0: all)
    legs: int = 1  # round robin: how often each two meet
    losses: int = 2  # X-losses: who has that many is out
    groups: int = 0
    advance: int = 2  # how many of each group go on
    divisions: int = 1
    moving: int = 1  # promoted and relegated a division
    tie_breaks: tuple[str, ...] = ("wins", "buchholz-cut", "buchholz", "sonneborn-berger", "direct", "points")

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Config:
        """The config in `value`; keys that no format reads are passed over. Raises Invalid("config")."""
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
            or not all(type(number) is int and number >= 0 for number in (*numbers, config.moving))
            or not all(isinstance(name, str) for name in (config.format, *config.tie_breaks))
        ):
            raise Invalid("config")
        return config


@dataclass(frozen=True, slots=True)
class History:
    """What happened so far, as formats see it.

    `order` is the draw: the entrants from the first seed. `results` are those entered or played (`result_of`); `rounds`
    the recorded pairs of formats that pair while they run, in order; `withdrawn` who left, whenever it was; `late` who
    came after the draw, last in `order`. `together` are the pairs that the director wants in the next round, `apart`
    those that he never wants.
    """

    order: tuple[Entrant, ...]
    results: Mapping[Told, Result] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    withdrawn: frozenset[Entrant] = frozenset()
    late: Mapping[Entrant, Missed] = field(default_factory=dict)
    together: tuple[Two, ...] = ()
    apart: tuple[Two, ...] = ()
    made: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)  # see `once`


Made = TypeVar("Made")


def once(make: Callable[[Any, Config, History], Made]) -> Callable[[Any, Config, History], Made]:
    """A method of a format that keeps with a history what it made of it.

    A page asks for the pairings, for the tables made of them, and whether all is over: 128 who all meet have 8,128.
    """

    @wraps(make)
    def kept(self: Any, config: Config, history: History) -> Made:
        key = (make, self, config)
        if key not in history.made:
            history.made[key] = make(self, config, history)
        found: Made = history.made[key]
        return found

    return kept


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of a table: `values` are the tie-breaks in the director's order, by name."""

    place: int  # shared by those whom nothing parts
    entrant: Entrant
    section: str = ""
    played: int = 0
    wins: int = 0
    losses: int = 0
    values: tuple[tuple[str, float], ...] = ()
    note: str = ""  # "promoted", "relegated", "advances", "out"


class Format(Protocol):
    """One format. Every method is a pure function of the config and the history."""

    key: str
    sections: str  # how pages draw it: "bracket", "table" (Swiss, X-losses), "cross" (everybody meets) or "both"

    def check(self, config: Config, entrants: int) -> None:
        """Raises Invalid(code, **params): too_few, too_many, rounds, groups, divisions, losses, tie_breaks ..."""

    def pairings(self, config: Config, history: History) -> tuple[Pairing, ...]:
        """Every pairing that exists, by section, round and number, resolved as far as is known."""

    def next_round(self, config: Config, history: History) -> Round | None:
        """The round to record now, of formats that pair while they run: None while one is played, and at the end.

        Raises Invalid: pairs_forced, pairs_forbidden (`entrants`: whom they leave without a rival).
        """

    def standings(self, config: Config, history: History) -> tuple[Standing, ...]:
        """The tables, or the order of finish as far as it is known: the champion first."""

    def over(self, config: Config, history: History) -> bool:
        """Whether nothing is left to play."""


def key_of(section: str, round_: int, number: int) -> Key:
    return f"{section}-{round_}-{number}"


def settle(
    *,
    section: str,
    round_: int,
    number: int,
    a: Slot,
    b: Slot,
    why: Why,
    results: Mapping[Told, Result],
    withdrawn: frozenset[Entrant],
) -> Pairing:
    """A pairing in its state: the one place that knows byes, ghosts and what a withdrawal means.

    A recorded result of these two stands whatever happened later; what others played here, before a correction brought
    these two, does not concern them.
    """
    key = key_of(section, round_, number)

    def built(state: PairingState, result: Result | None = None) -> Pairing:
        return Pairing(key, section, round_, number, a, b, state, why, result)

    if not (a.known and b.known):
        return built("waiting")
    if a.ghost and b.ghost:
        return built("void")
    if a.ghost or b.ghost:
        return built("bye")
    result = result_of(results, key, a.entrant, b.entrant)
    if result is not None:
        return built("done", result)
    there = [slot.entrant for slot in (a, b) if slot.entrant not in withdrawn]
    if len(there) == 2:
        return built("ready")
    return built("done", Result(there[0] if there else None, how="withdrawn"))


def winner_slot(source: WinnerOf, pairing: Pairing) -> Slot:
    """The slot that the winner of `pairing` fills."""
    if pairing.state in ("waiting", "ready"):
        return Slot(source)
    return Slot(source, pairing.winner, ghost=pairing.winner is None)


def loser_slot(source: LoserOf, pairing: Pairing) -> Slot:
    """The slot that the loser of `pairing` fills; nobody loses a bye, and after a double walkover nobody comes."""
    if pairing.state in ("waiting", "ready"):
        return Slot(source)
    return Slot(source, pairing.loser, ghost=pairing.loser is None)


def ordered(pairings: Sequence[Pairing]) -> tuple[Pairing, ...]:
    """By round and number within each section, the sections in the order of their first pairing."""
    sections = list(dict.fromkeys(pairing.section for pairing in pairings))
    return tuple(sorted(pairings, key=lambda one: (sections.index(one.section), one.round, one.number)))
