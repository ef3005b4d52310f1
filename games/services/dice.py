"""What a seat gives for the dice beside its rolls: its hand, its nonce, the element of an opening, an order to roll
for it (ruling V).

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


def dice_order(
    *, match_id: str, user_id: int | None, order: object, element: str = "", unless_double: object = False
) -> int:
    """Roll for this seat from now on, or no more; gives the version, which is a later one if its roll was due.

    By correspondence alone. Each ordered roll uses up an `element` that was left for it; a held seat needs none. With
    `unless_double` a turn at which its player could double is left to him.
    Raises NotFound, Stale, Refused: bad_frame, element, not_seated, not_live, match_over, dice_none, order_live,
    dice_early, element_wrong.
    """
    if not isinstance(order, bool) or not isinstance(unless_double, bool):
        raise Refused("bad_frame")
    if element != "":
        _check(element)
    return _at_table(match_id, user_id, lambda table, side: _order(table, side, order, element, unless_double))


def _order(table: Table, side: Side, order: bool, element: str, unless_double: bool) -> None:
    given = _fitting(table, lambda hands: hands.order(side, order, element, unless_double=unless_double))
    if not table.preset.slow:
        raise Refused("order_live", ruling="V")
    if given != table.hands:
        _unfinished(table)
        table.order(given)


def dice_give(*, match_id: str, user_id: int | None, given: Mapping[str, Any]) -> int:
    """One frame `dice` of docs/protocol.md: `order`, or `end` and `commit`, or `nonce` and `c`, or `c` alone.

    Raises as the four above, and Refused("bad_id").
    """
    client_id = given.get("id")
    if not isinstance(client_id, str) or not CLIENT_ID.fullmatch(client_id):
        raise Refused("bad_id")
    if "order" in given:
        unless_double = given.get("unless_double", False)
        return dice_order(
            match_id=match_id,
            user_id=user_id,
            order=given["order"],
            element=given.get("c", ""),
            unless_double=unless_double,
        )
    if "end" in given:
        return dice_hand(match_id=match_id, user_id=user_id, end=given["end"], commit=given.get("commit", ""))
    if "nonce" in given:
        return dice_reveal(match_id=match_id, user_id=user_id, nonce=given["nonce"], element=given.get("c", ""))
    return dice_deposit(match_id=match_id, user_id=user_id, element=given.get("c", ""))


def _give(match_id: str, user_id: int | None, take: Callable[[Hands, Side], Hands]) -> int:
    return _at_table(match_id, user_id, lambda table, side: _taken(table, side, take))


def _at_table(match_id: str, user_id: int | None, do: Callable[[Table, Side], None]) -> int:
    """The version of the match after `do`, unless a passed deadline comes before it."""
    late = False
    with transaction.atomic():
        table = Table.lock(match_id)
        side: Side = table.seat_of(user_id).side  # type: ignore[assignment]
        if table.overdue():
            table.expire()
            table.commit()
            late = True
        else:
            do(table, side)
    if late:
        raise Stale
    return table.match.version


def _taken(table: Table, side: Side, take: Callable[[Hands, Side], Hands]) -> None:
    given = _fitting(table, lambda hands: take(hands, side))
    if given == table.hands:  # a retry
        return
    _unfinished(table)
    if not table.state.opening:
        raise Refused("dice_not_now", ruling="V")
    table.give(given)


def _fitting(table: Table, take: Callable[[Hands], Hands]) -> Hands:
    if table.hands is None:
        raise Refused("dice_none", ruling="V")
    try:
        return take(table.hands)
    except Unfit as error:
        raise Refused(error.code, ruling="V") from error


def _unfinished(table: Table) -> None:
    if table.state.result is not None:
        raise Refused("match_over")


def _check(*values: object) -> None:
    if not all(isinstance(value, str) and ELEMENT.fullmatch(value) for value in values):
        raise Refused("element", ruling="V")
