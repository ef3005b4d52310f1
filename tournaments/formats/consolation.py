"""A second chance for those who lose early: the consolation, simple or progressive, and the last chance after it.

The builders take the rows of the section before and return their own, none if fewer than two can ever come there.
"""

from __future__ import annotations

from collections.abc import Sequence

from .bracket import Feed, Row, beside, first_losers, losers, onward, row, winners
from .core import Bye

SECTION = "consolation"
LAST = "last"


def simple(main: Sequence[Row]) -> list[Row]:
    """For those who lose their first match: in round 1, or in round 2 after a bye.

    The losers of neighbours meet, and who had a bye takes the place of the loser whom that bye did not have: so nobody
    rests twice running, and nobody meets again whom he met before.
    """
    feeds = first_losers(main[0], main[1]) if len(main) > 1 else losers(main[0])
    return _knock_out(SECTION, feeds)


def progressive(main: Sequence[Row]) -> list[Row]:
    """For the losers of every round of the main bracket before its semi-finals.

    Those of round 1 begin among themselves; then those of each later round meet, one by one, who is left here, and the
    winners meet among themselves before the next come. The later rounds come in from the bottom up and from the top
    down by turns, so that it takes long until two who met meet again. Up to 8 entrants that is the simple consolation.
    """
    feeding = main[:-2]
    if len(feeding) < 2:
        return simple(main)
    rows = [row(SECTION, 1, losers(feeding[0]))]
    for number, later in enumerate(feeding[1:]):
        if number:
            rows.append(row(SECTION, len(rows) + 1, winners(rows[-1])))
        dropping = losers(later)
        rows.append(row(SECTION, len(rows) + 1, beside(winners(rows[-1]), dropping if number % 2 else dropping[::-1])))
    return rows + onward(rows[-1])[1:]


def last_chance(consolation: Sequence[Row]) -> list[Row]:
    """A knock-out of those who lose early in the consolation.

    After a simple one that is who loses his first match there. After a progressive one it is who loses in its first two
    rounds, in which the losers of main rounds 1 and 2 come in; after a bye in the second, in the third.
    """
    if len(consolation) < 2:
        return []
    if len(consolation[1]) < len(consolation[0]):
        return _knock_out(LAST, first_losers(consolation[0], consolation[1]))
    first, second = losers(consolation[0]), first_losers(consolation[1], consolation[2])
    if all(isinstance(feed, Bye) for feed in first):
        return _knock_out(LAST, second)
    half = len(second) // 2
    # Halves swapped, or a loser of round 1 would begin against somebody who could have beaten him already.
    return _knock_out(LAST, beside(first, second[half:] + second[:half]))


def _knock_out(section: str, feeds: Sequence[Feed]) -> list[Row]:
    coming = sum(not isinstance(feed, Bye) for feed in feeds)
    return onward(row(section, 1, feeds)) if coming > 1 else []
