"""Orders by correspondence: what the site does for a seat as soon as it can be done, as its player asked beforehand.

There are three: the answer to a double, that forced plays are made for the player, and that the site rolls for them
(that one is stored with the dice, `games.dice.match_dice`). They are private to the seat: nobody else may know of one
before it is carried out. Pure; one text for each order, the same on the wire, in the row and in tests:

- ``double take``, ``double drop``: the answer, if the opponent doubles at the very version that was seen;
- ``double take game``, ``double drop game``: the answer to the next double of this game, whenever it comes;
- ``double ask``: no answer beforehand; ``forced on``, ``forced off``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from games import replay
from games.dice.match_dice import MatchDice
from games.engine import SIDES, Json, Side, opponent

ORDERED = "ordered"
"""The `Action.asked` of an action that the site made for a seat on its player's order."""
ANSWERS_NOW = ("double take", "double drop")
ANSWERS_THIS_GAME = ("double take game", "double drop game")
ORDER_TEXTS = (*ANSWERS_NOW, *ANSWERS_THIS_GAME, "double ask", "forced on", "forced off")
REMEMBERED = 8  # the last orders of a seat whose ids are remembered, so that a retry changes nothing


class OrderIdReused(Exception):
    """The id of an order stands for another one."""


@dataclass(frozen=True, slots=True)
class SeatOrders:
    """The orders of one seat. `double` is the text of its answer, given in game `game` at version `seen`.

    `forced` is None until its player has chosen about forced plays; `remembered` are the last orders: id, text, and the
    version of the match after each.
    """

    double: str | None = None
    game: int = 0
    seen: int = 0
    forced: bool | None = None
    remembered: tuple[tuple[str, str, int], ...] = ()

    def with_order(self, text: str, *, version: int, game: int) -> SeatOrders:
        """These orders and another one."""
        if text.startswith("forced"):
            return replace(self, forced=text == "forced on")
        return replace(self, double=None if text == "double ask" else text, game=game, seen=version)

    def answer(self, *, version: int, game: int) -> str | None:
        """The answer of the seat to a double that is made at this version: ``take``, ``drop``, or none."""
        stands = self.double is not None and self.game == game
        stands = stands and (self.double in ANSWERS_THIS_GAME or self.seen == version)
        return self.double.split()[1] if self.double and stands else None

    def without_lapsed(self, *, version: int, game: int) -> SeatOrders:
        """These orders without an answer that no longer stands at this version."""
        return self if self.answer(version=version, game=game) else replace(self, double=None)

    def first_answer(self, client_id: str, text: str) -> int | None:
        """The version that an order with this id was answered with already. Raises OrderIdReused."""
        for known, order, version in self.remembered:
            if known == client_id:
                if order != text:
                    raise OrderIdReused
                return version
        return None

    def remember(self, client_id: str, text: str, version: int) -> SeatOrders:
        """These orders with the id of the one that was just carried out."""
        return replace(self, remembered=(*self.remembered, (client_id, text, version))[-REMEMBERED:])

    def snapshot(self) -> Json:
        """JSON from which `restore` makes equal orders; rows keep the remembered ones under ``told``."""
        return {
            "double": self.double,
            "game": self.game,
            "seen": self.seen,
            "forced": self.forced,
            "told": [list(each) for each in self.remembered],
        }

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any]) -> SeatOrders:
        """The orders that `snapshot` was taken of."""
        fields = {name: value for name, value in snapshot.items() if name != "told"}
        return cls(**fields, remembered=tuple((known, text, version) for known, text, version in snapshot["told"]))


@dataclass(frozen=True, slots=True)
class MatchOrders:
    """The orders of both seats."""

    white: SeatOrders = SeatOrders()
    black: SeatOrders = SeatOrders()

    def of(self, side: Side) -> SeatOrders:
        return self.white if side == "white" else self.black

    def with_seat(self, side: Side, orders: SeatOrders) -> MatchOrders:
        return replace(self, white=orders) if side == "white" else replace(self, black=orders)

    def after(self, state: replay.State, *, version: int, doubled: bool) -> MatchOrders:
        """The orders that still stand after an act; a double that was made uses up both answers."""
        if state.result is not None:
            return MatchOrders(*(SeatOrders(remembered=self.of(side).remembered) for side in SIDES))
        if doubled:
            return MatchOrders(*(replace(self.of(side), double=None) for side in SIDES))
        return MatchOrders(*(self.of(side).without_lapsed(version=version, game=state.game) for side in SIDES))

    def snapshot(self) -> Json | None:
        """JSON from which `restore` makes an equal value; None without any order."""
        return None if self == MatchOrders() else {side: self.of(side).snapshot() for side in SIDES}


def restore(snapshot: Mapping[str, Any] | None) -> MatchOrders:
    """The orders that `snapshot` was taken of."""
    if snapshot is None:
        return MatchOrders()
    return MatchOrders(*(SeatOrders.restore(snapshot[side]) for side in SIDES))


def possible_answers(state: replay.State, side: Side) -> list[str]:
    """The answers to a double that `side` can order now: at this version, where the opponent is to double or roll; for
    this game, while the opponent has the cube or can get it without `side`."""
    if state.result is not None or state.paused:
        return []
    cube = state.position.view(None).get("cube")
    game = cube is not None and not cube["dead"] and cube["offered"] is None and cube["owner"] != side
    now = "double" in state.may(opponent(side))
    return [*(ANSWERS_NOW if now else ()), *(ANSWERS_THIS_GAME if game else ())]


def due_action(
    state: replay.State, orders: MatchOrders, match_dice: MatchDice | None, *, version: int, doubled: bool
) -> tuple[Side, str, str] | None:
    """The action that an order demands now: its side, its text, and the dice element that was left for it.

    `doubled`: the action that led to this version was a double. An open offer is always left to its player.
    """
    if state.result is not None or state.paused or state.offer is not None:
        return None
    for side in SIDES:
        may, seat_orders = state.may(side), orders.of(side)
        answer = seat_orders.answer(version=version - 1, game=state.game) if doubled else None
        if answer in may:
            return side, str(answer), ""
        if "roll" in may and match_dice is not None and match_dice.is_ordered(side, double="double" in may):
            return side, "roll", match_dice.of(side).left or ""
        if seat_orders.forced and (play := forced_play(state, side)) is not None:
            return side, play, ""
    return None


def forced_play(state: replay.State, side: Side) -> str | None:
    """The one play that `side` has, where there is nothing else to decide; never the claim of a draw."""
    if state.position.turn != side or "move" not in state.may(side) or "claim-draw" in state.position.draws(side):
        return None
    plays = list(state.position.actions())
    return plays[0] if len(plays) == 1 else None


def view(state: replay.State, side: Side, orders: SeatOrders) -> Json:
    """The orders of a seat as its own player may see them (docs/protocol.md), and the answers they can order now."""
    return {"double": orders.double, "forced": orders.forced, "may": possible_answers(state, side)}
