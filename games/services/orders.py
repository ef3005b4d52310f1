"""Giving and taking back orders by correspondence (`games.orders`; ruling "Match clock").

An order is no action: the version of the match stays, and only its own player is told of it. What it leads to are
actions of his seat like any others. The row lock decides between an order and the act that it is about.
"""

from __future__ import annotations

from django.db import transaction

from games import orders
from games.engine import Side
from games.errors import Refused, Stale
from games.services.play import Answer, check_id
from games.services.table import Table


def match_order(
    *, match_id: str, user_id: int | None, client_id: object, order: object, after: int | None = None
) -> Answer:
    """Give an order or take one back; the version after it, which is a later one where something was due already.

    The same `client_id` again gets its first answer. What is answered to a double is said of the position that was
    seen: `after` has to be its version. Raises NotFound, Stale, Refused: bad_id, bad_order, bad_version, id_reused,
    not_seated, not_live, match_over, orders_live, order_double.
    """
    check_id(client_id)
    if order not in orders.TEXTS:
        raise Refused("bad_order")
    late = False
    with transaction.atomic():
        table = Table.lock(match_id)
        side: Side = table.seat_of(user_id).side  # type: ignore[assignment]
        try:
            first = table.orders.of(side).first(str(client_id), str(order))
        except orders.Reused as error:
            raise Refused("id_reused") from error
        if first is not None:
            return Answer(first)
        if late := table.overdue():
            table.expire()
            table.commit()
        else:
            _give(table, side, str(client_id), str(order), after)
    if late:
        raise Stale
    return Answer(table.match.version)


def _give(table: Table, side: Side, client_id: str, order: str, after: int | None) -> None:
    if table.state.result is not None:
        raise Refused("match_over")
    if not table.preset.slow:
        raise Refused("orders_live", ruling="T")
    version, game = table.match.version, table.state.game
    if order in (*orders.NOW, *orders.GAME):
        if after is None:
            raise Refused("bad_version")
        if after != version:
            raise Stale
        if order not in orders.possible(table.state, side):
            raise Refused("order_double", ruling="T")
    mine = table.orders.of(side).given(order, version=version, game=game).heard(client_id, order, version)
    table.order(table.orders.put(side, mine))
