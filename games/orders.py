"""Orders by correspondence: what the site does for a seat as soon as it can be done, as its player said beforehand.

There are three: what he answers to a double, that forced plays are made for him, and that the site rolls for him (what
that needs lies with the dice, `games.dice.hands`). They are the seat's alone: nobody else may know of one before it is
carried out. Pure; one text for each order, the same on the wire, in the row and in tests:

- ``double take``, ``double drop``: the answer, if the rival doubles at the very version that was seen;
- ``double take game``, ``double drop game``: the answer to the next double of this game, whenever it comes;
- ``double ask``: no answer beforehand; ``forced on``, ``forced off``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from games import replay
from games.dice.hands import Hands
from games.engine import SIDES, Json, Side, rival

ORDERED = "ordered"
"""What stands as `Action.asked` where the site acted for a seat on its player's order."""
NOW = ("double take", "double drop")
GAME = ("double take game", "double drop game")
TEXTS = (*NOW, *GAME, "double ask", "forced on", "forced off")
KEPT = 8  # the last orders of a seat whose ids are remembered, so that a retry changes nothing


class Reused(Exception):
    """The id of an order stands for another one."""


@dataclass(frozen=True, slots=True)
class Orders:
    """The orders of one seat. `double` is the text of its answer, given in game `game` at version `seen`.

    `forced` is None until its player has said anything about forced plays; `told` are his last orders: id, text, and
    the version of the match after each.
    """

    double: str | None = None
    game: int = 0
    seen: int = 0
    forced: bool | None = None
    told: tuple[tuple[str, str, int], ...] = ()

    def given(self, text: str, *, version: int, game: int) -> Orders:
        """These orders and another one."""
        if text.startswith("forced"):
            return replace(self, forced=text == "forced on")
        return replace(self, double=None if text == "double ask" else text, game=game, seen=version)

    def answer(self, *, version: int, game: int) -> str | None:
        """What the seat answers to a double that is made at this version: ``take``, ``drop``, or nothing."""
        stands = self.double is not None and self.game == game and (self.double in GAME or self.seen == version)
        return self.double.split()[1] if self.double and stands else None

    def lapsed(self, *, version: int, game: int) -> Orders:
        """These orders without an answer that no longer stands at this version."""
        return self if self.answer(version=version, game=game) else replace(self, double=None)

    def first(self, client_id: str, text: str) -> int | None:
        """The version that an order with this id was answered with already. Raises Reused."""
        for known, order, version in self.told:
            if known == client_id:
                if order != text:
                    raise Reused
                return version
        return None

    def heard(self, client_id: str, text: str, version: int) -> Orders:
        """The id of the order that was just carried out is remembered."""
        return replace(self, told=(*self.told, (client_id, text, version))[-KEPT:])

    def snapshot(self) -> Json:
        kept = {name: getattr(self, name) for name in self.__slots__}
        return {**kept, "told": [list(each) for each in self.told]}


@dataclass(frozen=True, slots=True)
class Book:
    """The orders of both seats."""

    white: Orders = Orders()
    black: Orders = Orders()

    def of(self, side: Side) -> Orders:
        return self.white if side == "white" else self.black

    def put(self, side: Side, orders: Orders) -> Book:
        return replace(self, white=orders) if side == "white" else replace(self, black=orders)

    def after(self, state: replay.State, *, version: int, doubled: bool) -> Book:
        """The orders that still stand after an act; a double that was made has done with both answers."""
        if state.result is not None:
            return Book(*(Orders(told=self.of(side).told) for side in SIDES))
        if doubled:
            return Book(*(replace(self.of(side), double=None) for side in SIDES))
        return Book(*(self.of(side).lapsed(version=version, game=state.game) for side in SIDES))

    def snapshot(self) -> Json | None:
        """JSON from which `restore` makes an equal book; None where nobody has ordered anything."""
        return None if self == Book() else {side: self.of(side).snapshot() for side in SIDES}


def restore(snapshot: Mapping[str, Any] | None) -> Book:
    """The book that `snapshot` was taken of."""
    if snapshot is None:
        return Book()
    seats = (snapshot[side] for side in SIDES)
    return Book(*(Orders(**{**seat, "told": tuple(tuple(each) for each in seat["told"])}) for seat in seats))


def possible(state: replay.State, side: Side) -> list[str]:
    """What `side` can say now of a double: at this version, where the rival is to double or roll; for this game, while
    the rival has the cube or can get it without `side`."""
    if state.result is not None or state.paused:
        return []
    cube = state.position.view(None).get("cube")
    game = cube is not None and not cube["dead"] and cube["offered"] is None and cube["owner"] != side
    return [*(NOW if "double" in state.may(rival(side)) else ()), *(GAME if game else ())]


def due(
    state: replay.State, book: Book, hands: Hands | None, *, version: int, doubled: bool
) -> tuple[Side, str, str] | None:
    """What is to be done now on an order: whose it is, the action, and the dice element that was left for it.

    `doubled`: the action that led to this version was a double. An open offer is always left to its player.
    """
    if state.result is not None or state.paused or state.offer is not None:
        return None
    for side in SIDES:
        may, orders = state.may(side), book.of(side)
        answer = orders.answer(version=version - 1, game=state.game) if doubled else None
        if answer in may:
            return side, str(answer), ""
        if "roll" in may and hands is not None and hands.ordered(side, double="double" in may):
            return side, "roll", hands.of(side).left or ""
        if orders.forced and (play := forced(state, side)) is not None:
            return side, play, ""
    return None


def forced(state: replay.State, side: Side) -> str | None:
    """The one play that `side` has, where there is nothing else to decide; never the claim of a draw."""
    if state.position.turn != side or "move" not in state.may(side) or "claim-draw" in state.position.draws(side):
        return None
    plays = list(state.position.actions())
    return plays[0] if len(plays) == 1 else None


def view(state: replay.State, side: Side, orders: Orders) -> Json:
    """The orders of a seat as its own player may see them (docs/protocol.md), and what he can say of a double now."""
    return {"double": orders.double, "forced": orders.forced, "may": possible(state, side)}
