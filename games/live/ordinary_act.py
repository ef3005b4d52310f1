"""One act on a folded match, in memory: what `games.services.match_act` does between reading and writing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime

from games import clocks, orders
from games.dice.match_dice import MatchDice
from games.engine import Json
from games.errors import Refused
from games.events import build_event
from games.live.folded_matches import FoldedMatch, Stamp
from games.models import Match
from games.replay import State
from games.services import dice_rolls, outage
from games.services.locked_match import LockedMatch
from games.traces import Trace


class NotOrdinary(Exception):
    """This act is for `games.services.match_act`: it does more than to add actions to a match, or it is refused."""


@dataclass(frozen=True, slots=True)
class ActRequest:
    """An act that a player sent: the parameters of `games.services.match_act`, and its trace if acts are traced."""

    match_id: str
    user_id: int | None
    action: str
    client_id: str
    after: int | None
    element: str
    rtt_ms: int
    trace: Trace | None = field(default=None, compare=False)

    def as_parameters(self) -> Json:
        return {name: getattr(self, name) for name in self.__slots__ if name != "trace"}


class OrdinaryAct(LockedMatch):
    """The working copy of a folded match for one act, which adds actions and ends no game.

    `moment` is the database's, `alive` the last heartbeat of the site.
    """

    def __init__(
        self, folded: FoldedMatch, *, moment: datetime, alive: datetime | None, trace: Trace | None = None
    ) -> None:
        self.before, self.trace = folded, trace
        super().__init__(folded.row(), folded.seats, folded.state, moment=outage.never_before(alive, moment))
        self.alive = alive
        self.extend_deadline(outage.time_lost(alive, self.match.clock_at, self.moment))

    def decoded(self) -> tuple[clocks.Clock | None, MatchDice | None, orders.MatchOrders]:
        return self.before.clock, self.before.dice, self.before.orders

    def _end_game(self, number: int) -> None:
        raise NotOrdinary

    def _state_before(self, play: int) -> State:
        raise NotOrdinary

    def _roll_dice(self) -> None:
        if dice_rolls.needs_database(self.match.pk, self.match.roll_index + 1, self.dice):
            raise NotOrdinary
        super()._roll_dice()

    def folded(self, stamp: Stamp) -> FoldedMatch:
        """The match after the act, whose row is written and has this stamp."""
        return replace(
            self.before,
            stamp=stamp,
            match=self.match,
            state=self.state,
            clock=self.clock,
            dice=self.dice,
            orders=self.orders,
        )

    def event(self) -> Json:
        """The event for everybody at the match."""
        return build_event(
            self.match,
            self.seats,
            self.state,
            moment=self.moment,
            before=self.version_before,
            actions=self.actions,
        )


def carry_out(request: ActRequest, folded: FoldedMatch, *, moment: datetime, alive: datetime | None) -> OrdinaryAct:
    """Carry out an act in memory. Raises NotOrdinary, and then nothing has changed."""
    act = OrdinaryAct(folded, moment=moment, alive=alive, trace=request.trace)
    if not _is_ordinary(act, request):
        raise NotOrdinary
    try:
        side = act.seat_of(request.user_id).side
        act.act(side, request.action, client_id=request.client_id, element=request.element, rtt_ms=request.rtt_ms)
    except Refused as error:
        raise NotOrdinary from error
    if act.state.result is not None:
        raise NotOrdinary
    act.prepare_row()
    return act


def _is_ordinary(act: OrdinaryAct, request: ActRequest) -> bool:
    return (
        act.match.status == Match.Status.LIVE
        and request.after in (None, act.match.version)
        and not act.preset.slow
        and not act.is_overdue
        and all(seat.user is not None and (not seat.user.is_bot or seat.user.is_house_bot) for seat in act.seats)
    )
