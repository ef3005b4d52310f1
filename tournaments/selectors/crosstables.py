"""Crosstables: of a round robin by opponent, and of rounds that are paired one by one by round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournaments.formats.core import Entrant, Pairing
from tournaments.selectors.pairing_cards import TournamentSnapshot

MOST_CELLS = 1600  # of a crosstable that is shown without a request: 40 players who all meet


@dataclass(frozen=True, slots=True)
class CrosstableEntry:
    """A pairing in a cell of a crosstable, seen from the player of its row.

    `opponent` is the opponent's row with the sign of the result (`+5`), where the column does not say it; `words` is
    the text for screen readers. `state`: won, lost, live, open, bye or none.
    """

    state: str
    words: str
    opponent: str = ""
    text: str = ""
    href: str = ""


Cell = tuple[CrosstableEntry, ...] | None  # None: where a player would meet himself
Cells = Mapping[Entrant, tuple[Cell, ...]]


def opponent_cells(snapshot: TournamentSnapshot, players: Sequence[Entrant], pairings: Sequence[Pairing]) -> Cells:
    """The results of each player against every other, in the order of `players`; several legs share a cell."""
    met: dict[tuple[Entrant, Entrant], list[CrosstableEntry]] = {}
    for pairing in pairings:
        if len(pairing.entrants) == 2:
            for player, other in (pairing.entrants, pairing.entrants[::-1]):
                met.setdefault((player, other), []).append(_entry(snapshot, pairing, player, other))
    return {
        player: tuple(None if other == player else tuple(met.get((player, other), ())) for other in players)
        for player in players
    }


def round_cells(snapshot: TournamentSnapshot, players: Sequence[Entrant], pairings: Sequence[Pairing]) -> Cells:
    """The results of each player by round, with the opponent's row: `+5`, `−2`, a bye, or not paired."""
    row = {entrant: number for number, entrant in enumerate(players, start=1)}
    rounds = sorted({pairing.round for pairing in pairings})
    at = {(entrant, pairing.round): pairing for pairing in pairings for entrant in pairing.entrants}
    idle = (CrosstableEntry("none", _("not paired")),)
    found: dict[Entrant, tuple[Cell, ...]] = {}
    for player in players:
        cells: list[Cell] = []
        for number in rounds:
            pairing = at.get((player, number))
            if pairing is None:
                cells.append(idle)
            elif len(pairing.entrants) < 2:
                cells.append((CrosstableEntry("bye", _("bye"), text=_("bye"), href=snapshot.link_to(pairing)),))
            else:
                other = next(entrant for entrant in pairing.entrants if entrant != player)
                cells.append((_entry(snapshot, pairing, player, other, row[other]),))
        found[player] = tuple(cells)
    return found


def _entry(
    snapshot: TournamentSnapshot, pairing: Pairing, player: Entrant, other: Entrant, row: int | None = None
) -> CrosstableEntry:
    state, status, points = snapshot.card_state(pairing)
    own, opponent_points = points if pairing.a.entrant == player else points[::-1]
    score = f"{own}–{opponent_points}" if own else ""
    opponent = snapshot.name(other, pairing)
    if state == "done":
        drawn = pairing.result is not None and pairing.result.drawn
        sign, state, sentence = ("−", "lost", _("lost to %(opponent)s"))
        if pairing.winner == player:
            sign, state, sentence = ("+", "won", _("won against %(opponent)s"))
        elif drawn:
            sign, state, sentence = ("=", "open", _("drew with %(opponent)s"))
        sentence = sentence % {"opponent": opponent}
        unplayed = pgettext("cell of a table", "w.o.") if pairing.result and pairing.result.how != "played" else ""
        text = score or (unplayed if row is not None else sign)
    else:
        sentence = _("against %(opponent)s") % {"opponent": opponent}
        sign, state = "", "live" if state == "live" else "open"
        text = score if state == "live" else ""
    return CrosstableEntry(
        state=state,
        words=", ".join(part for part in (sentence, score, status) if part),
        opponent="" if row is None else f"{sign}{row}",
        text=text,
        href=snapshot.link_to(pairing),
    )


def round_headings(pairings: Sequence[Pairing]) -> tuple[tuple[str, str], ...]:
    """The column headings of a crosstable by round: short, long."""
    return tuple(
        (str(number), _("Round %(n)s") % {"n": number}) for number in sorted({pairing.round for pairing in pairings})
    )


def player_headings(names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The column headings of a crosstable by opponent: the row's number, the name."""
    return tuple((str(number), name) for number, name in enumerate(names, start=1))
