"""Consolation brackets, simple or progressive, and the last chance after them: for entrants who lose early.

The builders take the rows of the section before and return their own; none if fewer than two entrants can come there.
"""

from __future__ import annotations

from collections.abc import Sequence

from .bracket import CONSOLATION, LAST_CHANCE, Feed, Row, first_losers, interleave, losers, row, rows_to_final, winners
from .core import Bye


def simple(main: Sequence[Row]) -> list[Row]:
    """A bracket for those who lose their first match: in round 1, or in round 2 after a bye.

    The losers of neighbours meet, and an entrant who had a bye takes the place of the loser that the bye did not have:
    so nobody has two byes in a row, and nobody meets an earlier opponent again.
    """
    feeds = first_losers(main[0], main[1]) if len(main) > 1 else losers(main[0])
    return _knock_out(CONSOLATION, feeds)


def progressive(main: Sequence[Row]) -> list[Row]:
    """A bracket for the losers of every round of the main bracket before its semi-finals.

    The losers of round 1 meet first; then those of each later round meet the entrants left here, and the winners meet
    among themselves before the next losers come in. Later rounds come in from the bottom up and from the top down by
    turns, so that earlier opponents meet again as late as possible. Up to 8 entrants this is the simple consolation.
    """
    feeding = main[:-2]
    if len(feeding) < 2:
        return simple(main)
    rows = [row(CONSOLATION, 1, losers(feeding[0]))]
    for number, later in enumerate(feeding[1:]):
        if number:
            rows.append(row(CONSOLATION, len(rows) + 1, winners(rows[-1])))
        dropping = losers(later)
        rows.append(
            row(CONSOLATION, len(rows) + 1, interleave(winners(rows[-1]), dropping if number % 2 else dropping[::-1]))
        )
    return rows + rows_to_final(rows[-1])[1:]


def last_chance(consolation: Sequence[Row]) -> list[Row]:
    """A knock-out of those who lose early in the consolation.

    After a simple one these are the losers of their first match there. After a progressive one they are the losers of
    its first two rounds, in which the losers of main rounds 1 and 2 come in; after a bye in the second, of the third.
    """
    if len(consolation) < 2:
        return []
    if len(consolation[1]) < len(consolation[0]):
        return _knock_out(LAST_CHANCE, first_losers(consolation[0], consolation[1]))
    first, second = losers(consolation[0]), first_losers(consolation[1], consolation[2])
    if all(isinstance(feed, Bye) for feed in first):
        return _knock_out(LAST_CHANCE, second)
    half = len(second) // 2
    # Halves are swapped: otherwise a loser of round 1 would first meet somebody who may have beaten them already.
    return _knock_out(LAST_CHANCE, interleave(first, second[half:] + second[:half]))


def _knock_out(section: str, feeds: Sequence[Feed]) -> list[Row]:
    entrants = sum(not isinstance(feed, Bye) for feed in feeds)
    return rows_to_final(row(section, 1, feeds)) if entrants > 1 else []
