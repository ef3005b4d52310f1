"""What the players of a pairing reported about its result, for the forms of the page and of the desk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games import labels as game_labels
from tournaments.formats.core import Pairing
from tournaments.selectors import labels
from tournaments.state import State


@dataclass(frozen=True, slots=True)
class ClaimPlayer:
    """A player of the pairing: entrant number and name."""

    number: int
    name: str


@dataclass(frozen=True, slots=True)
class ResultClaim:
    """A result reported by a player: the winner, and the points of the winner and of the loser."""

    by: ClaimPlayer
    winner: ClaimPlayer
    won: float
    lost: float

    @property
    def score(self) -> str:
        return f"{game_labels.points(self.won)}–{game_labels.points(self.lost)}"


@dataclass(frozen=True, slots=True)
class PairingClaims:
    """A pairing without a result, with its reports. `viewer` is the viewer's entrant number, if they play in it."""

    key: str
    mark: str
    length: int
    sides: tuple[ClaimPlayer, ClaimPlayer]
    viewer: int | None = None
    claim: ResultClaim | None = None
    counterclaim: ResultClaim | None = None
    best_of: int = 1  # of a whole series, whose points are matches

    @property
    def claimed_by_viewer(self) -> bool:
        """Whether the viewer reported the current claim."""
        return self.claim is not None and self.claim.by.number == self.viewer

    @property
    def opponent(self) -> ClaimPlayer | None:
        """The viewer's opponent."""
        return next((side for side in self.sides if side.number != self.viewer), None) if self.viewer else None

    @property
    def claims(self) -> tuple[ResultClaim, ...]:
        return tuple(claim for claim in (self.claim, self.counterclaim) if claim is not None)


def pairing_claims(
    state: State, pairing: Pairing, names: Mapping[int, str], viewer: int | None = None
) -> PairingClaims:
    """The pairing of two known players, for `templates/tournaments/_report.html` (as `report`) and the desk."""
    first, second = pairing.entrants
    sides = (ClaimPlayer(first, names[first]), ClaimPlayer(second, names[second]))
    players = {side.number: side for side in sides}
    report = state.report(pairing)
    claim = counterclaim = None
    if report is not None and {report.by, report.winner} <= players.keys():
        claim = _claim(players[report.by], players[report.winner], report.points, first)
        if report.against is not None and report.against[0] in players:
            other = next(side for side in sides if side.number != report.by)
            counterclaim = _claim(other, players[report.against[0]], report.against[1], first)
    return PairingClaims(
        key=pairing.key,
        mark=labels.pairing_mark(pairing.key),
        length=state.length(pairing),
        sides=sides,
        viewer=viewer if viewer in players else None,
        claim=claim,
        counterclaim=counterclaim,
        best_of=state.series.length_of(pairing),
    )


def _claim(by: ClaimPlayer, winner: ClaimPlayer, points: tuple[float, float], first: int) -> ResultClaim:
    won, lost = points if winner.number == first else (points[1], points[0])
    return ResultClaim(by, winner, won, lost)
