"""A pairing as the forms of its result show it: the two, the length, and the stories that were told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games import words as play_words
from tournaments.fold import State
from tournaments.formats.core import Pairing
from tournaments.selectors import words


@dataclass(frozen=True, slots=True)
class Player:
    """One of the two: his number as an entrant, and his name."""

    number: int
    name: str


@dataclass(frozen=True, slots=True)
class Story:
    """What one of the two told: who won and the score, the winner's points first."""

    by: Player
    winner: Player
    won: float
    lost: float

    @property
    def score(self) -> str:
        return f"{play_words.points(self.won)}–{play_words.points(self.lost)}"


@dataclass(frozen=True, slots=True)
class Reporting:
    """A pairing that waits for its result. `me` is the number of who looks, if he is one of the two."""

    key: str
    mark: str
    length: int
    sides: tuple[Player, Player]
    me: int | None = None
    told: Story | None = None
    against: Story | None = None

    @property
    def mine(self) -> bool:
        """Whether who looks told the story that stands."""
        return self.told is not None and self.told.by.number == self.me

    @property
    def rival(self) -> Player | None:
        """Whom the one who looks plays."""
        return next((side for side in self.sides if side.number != self.me), None) if self.me else None

    @property
    def stories(self) -> tuple[Story, ...]:
        return tuple(story for story in (self.told, self.against) if story is not None)


def reporting(state: State, pairing: Pairing, names: Mapping[int, str], me: int | None = None) -> Reporting:
    """The pairing of two known players, for `templates/tournaments/_report.html` (as `report`) and the desk."""
    first, second = pairing.entrants
    sides = (Player(first, names[first]), Player(second, names[second]))
    of = {side.number: side for side in sides}
    report = state.report(pairing)
    told = against = None
    if report is not None and {report.by, report.winner} <= of.keys():
        told = _story(of[report.by], of[report.winner], report.points, first)
        if report.against is not None and report.against[0] in of:
            other = next(side for side in sides if side.number != report.by)
            against = _story(other, of[report.against[0]], report.against[1], first)
    return Reporting(
        key=pairing.key,
        mark=words.mark(pairing.key),
        length=state.rules.length(pairing.section, pairing.round),
        sides=sides,
        me=me if me in of else None,
        told=told,
        against=against,
    )


def _story(by: Player, winner: Player, points: tuple[float, float], first: int) -> Story:
    won, lost = points if winner.number == first else (points[1], points[0])
    return Story(by, winner, won, lost)
