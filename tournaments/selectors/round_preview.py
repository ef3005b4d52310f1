"""The next round before it is published: the proposed pairs, or those that the director made of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from accounts.models import User
from tournaments.errors import Refused
from tournaments.formats.core import Entrant, EntrantPair, Invalid, PairingReason, Round, Seed
from tournaments.formats.swiss import changed_round
from tournaments.roles import DeskAct
from tournaments.selectors import labels
from tournaments.selectors.director_desk import DirectorDesk, director_desk
from tournaments.selectors.tournament_status import unpairable_reason

PAIRS = re.compile(r"\d{1,5}-\d{1,5}(?:\.\d{1,5}-\d{1,5}){0,255}")


@dataclass(frozen=True, slots=True)
class PreviewSide:
    """A player of a pair: entrant number, name and wins so far."""

    number: Entrant
    name: str
    wins: int


@dataclass(frozen=True, slots=True)
class PreviewPair:
    """A pair of the round and its reason; without a second player it is the bye. `met`: how often they met before."""

    sides: tuple[PreviewSide, ...]
    reason: str
    met: int
    changed: bool


@dataclass(frozen=True, slots=True)
class RoundPreview:
    """The round as it would be published; `code` is what the page sends (`1-4.2-3`)."""

    desk: DirectorDesk
    round: Round
    pairs: list[PreviewPair]
    code: str

    @property
    def changed(self) -> bool:
        return any(pair.changed for pair in self.pairs)


def round_preview(
    *, tournament_id: str, user: User, code: str = "", bye: int = 0, swapped: Sequence[int] = ()
) -> RoundPreview:
    """The next round with these pairs (`code`: as proposed), after two players have changed places.

    Raises NotFound, Refused: not_director, round_unknown, round_unfinished, round_pairs, and why it cannot be paired.
    """
    desk = director_desk(tournament_id=tournament_id, user=user, act=DeskAct.RUN_ROUNDS)
    try:
        proposed = desk.state.next_round() if desk.state.phase == "running" else None
    except Invalid as error:
        raise Refused(error.code, params={"names": unpairable_reason(error, desk.names)}) from error
    if proposed is None:
        raise Refused("round_unfinished" if desk.open_pairings else "round_unknown")
    round_ = proposed
    if code:
        try:
            round_ = changed_round(proposed, pairs_of(code), bye or None)
        except Invalid as error:
            raise Refused(error.code) from error
    if len(swapped) == 2:
        round_ = changed_round(proposed, *_swap(round_, *swapped))
    text = ".".join(f"{a}-{b}" for a, b in round_.pairs)
    return RoundPreview(desk, round_, _rows(desk, round_), text)


def pairs_of(code: str) -> list[EntrantPair]:
    """The pairs of `1-4.2-3`; none for anything else."""
    if not PAIRS.fullmatch(code):
        return []
    both = (pair.split("-") for pair in code.split("."))
    return [(int(a), int(b)) for a, b in both]


def _swap(round_: Round, first: Entrant, second: Entrant) -> tuple[list[EntrantPair], Entrant | None]:
    """The pairs and the bye after two players have changed places."""
    other = {first: second, second: first}
    bye = None if round_.bye is None else other.get(round_.bye, round_.bye)
    return [(other.get(a, a), other.get(b, b)) for a, b in round_.pairs], bye


def _rows(desk: DirectorDesk, round_: Round) -> list[PreviewPair]:
    wins = {line.entrant: line.wins for line in desk.state.standings}
    met = Counter(frozenset(pairing.entrants) for pairing in desk.state.pairings)

    def side(number: Entrant) -> PreviewSide:
        return PreviewSide(number, desk.names[number], wins.get(number, 0))

    groups: list[tuple[Entrant, ...]] = [*round_.pairs, *([(round_.bye,)] if round_.bye is not None else [])]
    return [
        PreviewPair(
            tuple(side(number) for number in group),
            labels.reason_label(why, Seed(0), Seed(0)),
            met[frozenset(group)] if len(group) == 2 else 0,
            why == PairingReason("forced"),
        )
        for group, why in zip(groups, round_.whys, strict=True)
    ]
