"""Giving and withdrawing orders by correspondence (`games.orders`; ruling "Match clock").

An order is no action: the version of the match stays, and only its own player is notified of it. What it leads to are
actions of their seat like any others. The row lock decides between an order and the act that it is about.
"""

from __future__ import annotations

from django.db import transaction

from games import orders
from games.engine import Side
from games.errors import Refused, Stale
from games.frames import check_order
from games.services.locked_match import LockedMatch
from games.services.play import Answer


def match_order(
    *, match_id: str, user_id: int | None, client_id: object, order: object, after: int | None = None
) -> Answer:
    """Give an order or withdraw one; the version after it, which is a later one where something was due already.

    The same `client_id` again gets its first answer. The answer to a double refers to the position that was seen:
    `after` has to be its version. Raises NotFound, Stale, Refused: bad_id, bad_order, bad_version, id_reused,
    not_seated, not_live, match_over, orders_live, order_double.
    """
    checked_id, text = check_order(client_id=client_id, order=order)
    with transaction.atomic():
        locked = LockedMatch.lock(match_id)
        side = locked.seat_of(user_id).side
        try:
            first = locked.orders.of(side).first_answer(checked_id, text)
        except orders.OrderIdReused as error:
            raise Refused("id_reused") from error
        if first is not None:
            return Answer(first)
        if expired := locked.is_overdue:
            locked.expire()
            locked.commit()
        else:
            _give(locked, side, checked_id, text, after)
    if expired:
        raise Stale
    return Answer(locked.match.version)


def _give(locked: LockedMatch, side: Side, client_id: str, order: str, after: int | None) -> None:
    if locked.state.result is not None:
        raise Refused("match_over")
    if not locked.preset.slow:
        raise Refused("orders_live", ruling="T")
    version, game = locked.match.version, locked.state.game
    if order in (*orders.ANSWERS_NOW, *orders.ANSWERS_THIS_GAME):
        if after is None:
            raise Refused("bad_version")
        if after != version:
            raise Stale
        if order not in orders.possible_answers(locked.state, side):
            raise Refused("order_double", ruling="T")
    seat_orders = locked.orders.of(side).with_order(order, version=version, game=game)
    seat_orders = seat_orders.remember(client_id, order, version)
    locked.save_order(locked.orders.with_seat(side, seat_orders))
