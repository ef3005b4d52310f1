"""What a seat gives for the dice beside its rolls: its hand, its nonce, the element of an opening (ruling V).

None of it is an action: the version of the match stays, and the same thing given twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction

from games.dice.hands import Hands, Unfit
from games.engine import Side
from games.errors import Refused, Stale
from games.services.play import CLIENT_ID, ELEMENT
from games.services.table import Table


def dice_hand(*, match_id: str, user_id: int | None, end: str, commit: str) -> int:
    """The end of a seat's chain, and the commitment to its nonce; gives the version of the match.

    Raises NotFound, Refused: element, not_seated, not_live, match_over, dice_none, dice_hand, dice_held, dice_not_now.
    """
    _check(end, commit)
    return _give(match_id, user_id, lambda hands, side: hands.give(side, end, commit))


def dice_reveal(*, match_id: str, user_id: int | None, nonce: str, element: str) -> int:
    """The nonce of a seat and its element for the first roll, once no hand is missing; gives the version.

    Raises NotFound, Refused: as `dice_hand`, dice_early, dice_nonce, element_wrong.
    """
    _check(nonce, element)
    return _give(match_id, user_id, lambda hands, side: hands.reveal(side, nonce, element))


def dice_deposit(*, match_id: str, user_id: int | None, element: str) -> int:
    """The element of a seat for the opening roll that comes; gives the version.

    Raises NotFound, Refused: as `dice_hand`, dice_early, element_wrong.
    """
    _check(element)
    return _give(match_id, user_id, lambda hands, side: hands.put(side, element))


def dice_give(*, match_id: str, user_id: int | None, given: Mapping[str, Any]) -> int:
    """One frame `dice` of docs/protocol.md: `end` and `commit`, or `nonce` and `c`, or `c` alone.

    Raises as the three above, and Refused("bad_id").
    """
    client_id = given.get("id")
    if not isinstance(client_id, str) or not CLIENT_ID.fullmatch(client_id):
        raise Refused("bad_id")
    if "end" in given:
        return dice_hand(match_id=match_id, user_id=user_id, end=given["end"], commit=given.get("commit", ""))
    if "nonce" in given:
        return dice_reveal(match_id=match_id, user_id=user_id, nonce=given["nonce"], element=given.get("c", ""))
    return dice_deposit(match_id=match_id, user_id=user_id, element=given.get("c", ""))


def _give(match_id: str, user_id: int | None, take: Callable[[Hands, Side], Hands]) -> int:
    late = False
    with transaction.atomic():
        table = Table.lock(match_id)
        side: Side = table.seat_of(user_id).side  # type: ignore[assignment]
        if table.overdue():
            table.expire()
            table.commit()
            late = True
        else:
            _taken(table, side, take)
    if late:
        raise Stale
    return table.match.version


def _taken(table: Table, side: Side, take: Callable[[Hands, Side], Hands]) -> None:
    if table.hands is None:
        raise Refused("dice_none", ruling="V")
    try:
        given = take(table.hands, side)
    except Unfit as error:
        raise Refused(error.code, ruling="V") from error
    if given == table.hands:  # a retry
        return
    if table.state.result is not None:
        raise Refused("match_over")
    if not table.state.opening:
        raise Refused("dice_not_now", ruling="V")
    table.give(given)


def _check(*values: object) -> None:
    if not all(isinstance(value, str) and ELEMENT.fullmatch(value) for value in values):
        raise Refused("element", ruling="V")
