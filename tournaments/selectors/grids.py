"""Who met whom: the grid of a table in which everybody meets, and that of rounds that are paired one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournaments.formats.core import Entrant, Pairing
from tournaments.selectors.cards import Sheet

MOST_CELLS = 1600  # of one grid on a page that nobody asked for it: 40 players who all meet


@dataclass(frozen=True, slots=True)
class Played:
    """A pairing in a cell of a grid, seen from the player of its row.

    `rival` is his row and with it the sign of the result (`+5`), where the column does not say it; `words` is what is
    read out. `state`: won, lost, live, open, bye or none.
    """

    state: str
    words: str
    rival: str = ""
    text: str = ""
    href: str = ""


Cell = tuple[Played, ...] | None  # None: where a player would meet himself
Cells = Mapping[Entrant, tuple[Cell, ...]]


def crossed(sheet: Sheet, players: Sequence[Entrant], pairings: Sequence[Pairing]) -> Cells:
    """What each did against each other one, in the order of `players`; several legs stand in one cell."""
    met: dict[tuple[Entrant, Entrant], list[Played]] = {}
    for pairing in pairings:
        if len(pairing.entrants) == 2:
            for one, other in (pairing.entrants, pairing.entrants[::-1]):
                met.setdefault((one, other), []).append(_played(sheet, pairing, one, other))
    return {
        one: tuple(None if other == one else tuple(met.get((one, other), ())) for other in players) for one in players
    }


def by_rounds(sheet: Sheet, players: Sequence[Entrant], pairings: Sequence[Pairing]) -> Cells:
    """What each did in every round, with the row of his rival: `+5`, `−2`, a bye, or not paired."""
    row = {entrant: number for number, entrant in enumerate(players, start=1)}
    rounds = sorted({pairing.round for pairing in pairings})
    at = {(entrant, pairing.round): pairing for pairing in pairings for entrant in pairing.entrants}
    idle = (Played("none", _("not paired")),)
    found: dict[Entrant, tuple[Cell, ...]] = {}
    for one in players:
        cells: list[Cell] = []
        for number in rounds:
            pairing = at.get((one, number))
            if pairing is None:
                cells.append(idle)
            elif len(pairing.entrants) < 2:
                cells.append((Played("bye", _("bye"), text=_("bye"), href=sheet.href(pairing)),))
            else:
                other = next(entrant for entrant in pairing.entrants if entrant != one)
                cells.append((_played(sheet, pairing, one, other, row[other]),))
        found[one] = tuple(cells)
    return found


def _played(sheet: Sheet, pairing: Pairing, one: Entrant, other: Entrant, row: int | None = None) -> Played:
    state, status, points = sheet.said(pairing)
    own, his = points if pairing.a.entrant == one else points[::-1]
    score = f"{own}–{his}" if own else ""
    rival = sheet.name(other)
    if state == "done":
        won = pairing.winner == one
        said = (_("won against %(rival)s") if won else _("lost to %(rival)s")) % {"rival": rival}
        sign, state = ("+", "won") if won else ("−", "lost")
        unplayed = pgettext("cell of a table", "w.o.") if pairing.result and pairing.result.how != "played" else ""
        text = score or (unplayed if row is not None else sign)
    else:
        said = _("against %(rival)s") % {"rival": rival}
        sign, state = "", "live" if state == "live" else "open"
        text = score if state == "live" else ""
    return Played(
        state=state,
        words=", ".join(part for part in (said, score, status) if part),
        rival="" if row is None else f"{sign}{row}",
        text=text,
        href=sheet.href(pairing),
    )


def titles(pairings: Sequence[Pairing]) -> tuple[tuple[str, str], ...]:
    """The heads of a grid by rounds: short, long."""
    return tuple(
        (str(number), _("Round %(n)s") % {"n": number}) for number in sorted({pairing.round for pairing in pairings})
    )


def name_heads(names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The heads of a grid in which everybody meets: the number of the row, the name."""
    return tuple((str(number), name) for number, name in enumerate(names, start=1))
