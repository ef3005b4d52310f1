"""A match under lock: the working copy that one transaction reads, steps and writes back.

Each service takes the same four steps: `lock` the row and check who acts, `act` (or another step), then `commit`,
which saves the rows and announces the event to the sockets after the commit of the transaction.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from games import clocks, orders, replay, take_back
from games.database import now
from games.dice import match_dice
from games.dice.match_dice import MatchDice
from games.dice.transcript import roller
from games.engine import SIDES, Side
from games.errors import NotFound, Refused
from games.events import milliseconds, start_state_at, state_of
from games.models import Action, Match, Seat, practice_side
from games.registry import ILLEGAL
from games.services import (
    announcements,
    deadlines,
    dice_chains,
    dice_rolls,
    game_results,
    match_sql,
    outage,
    ratings,
    web_processes,
)
from games.services.take_back import state_before

SAME_TURN = ("roll", "offer-draw", "reject")
"""Actions after which the turn goes on, with what is left of its delay."""


class LockedMatch:
    """A locked match row with its seats, its state and the actions that this transaction adds."""

    def __init__(self, match: Match, seats: list[Seat], state: replay.State, *, moment: datetime) -> None:
        self.match = match
        self.seats = seats
        self.state = state
        self.moment = moment  # read after the lock, so that waiting for it costs no player time
        self.alive: datetime | None = None  # the last heartbeat of the site
        self.version_before = match.version
        self.state_before: replay.State | None = state  # None: the match begins
        self.actions: list[Action] = []
        self.clock: clocks.Clock | None
        self.dice: MatchDice | None
        self.orders: orders.MatchOrders
        self.clock, self.dice, self.orders = self.decoded()

    def decoded(self) -> tuple[clocks.Clock | None, MatchDice | None, orders.MatchOrders]:
        """What the columns of the match decode to: the clock, the dice and the orders."""
        match = self.match
        return (
            clocks.restore(match.clock) if match.clock else None,
            match_dice.restore(match.dice) if match.dice else None,
            orders.restore(match.orders),
        )

    @classmethod
    def lock(cls, match_id: str) -> LockedMatch:
        """Lock the row of a match that has been played or is in play. Raises NotFound, Refused("not_live").

        Two statements: the lock, and then what must be read after it (the seats and the database's clock).
        """
        match = match_sql.match_lock(match_id)
        if match is None:
            raise NotFound
        if not match.snapshot:
            raise Refused("not_live")
        seats, moment, alive = match_sql.seats_and_clock(match_id)
        locked = cls(match, seats, state_of(match), moment=outage.never_before(alive, moment))
        locked.alive = alive
        locked.extend_deadline(outage.time_lost(alive, match.clock_at, locked.moment))
        if locked.is_overdue:
            locked.extend_deadline(web_processes.time_lost(match, locked.moment))
        return locked

    @classmethod
    def begin(cls, match: Match, seats: list[Seat]) -> LockedMatch:
        """Begin play in a match whose second seat was just taken (its row is locked), with the points of its seats."""
        points = {seat.side: seat.points for seat in seats}
        state = start_state_at(match, (points["white"], points["black"]))
        locked = cls(match, seats, state, moment=now())
        locked.state_before = None
        locked.clock = locked.preset.clock(match.length)
        locked.dice = dice_chains.begin(match, seats)
        match.status = Match.Status.LIVE
        match.started_at = locked.moment
        game_results.game_create(match, state, locked.moment)
        locked.run_automatic_actions()
        return locked

    # Guard

    @property
    def preset(self) -> clocks.ClockPreset:
        """The clock that the players agreed on."""
        return clocks.PRESETS[self.match.clock_preset]

    def seat_of(self, user_id: int | None) -> Seat:
        """The seat of a user. Raises Refused("not_seated")."""
        for seat in self.seats:
            if user_id is not None and seat.user_id == user_id:
                return seat
        raise Refused("not_seated")

    @property
    def is_overdue(self) -> bool:
        """Whether a deadline has passed: a flag, or the wait at an opening roll."""
        return self.match.flag_at is not None and self.moment >= self.match.flag_at

    @property
    def served_at_deadline(self) -> bool:
        """Whether a heartbeat came since the deadline: until then the site may have died before it."""
        return self.alive is None or (self.match.flag_at is not None and self.alive >= self.match.flag_at)

    @property
    def overdue_by(self) -> timedelta:
        """How long ago the deadline was."""
        return timedelta(0) if self.match.flag_at is None else self.moment - self.match.flag_at

    # Apply

    def act(self, side: Side, text: str, *, client_id: str | None, element: str, rtt_ms: int = 0) -> None:
        """Apply a player's action and everything that follows from it automatically. Raises Refused.

        `rtt_ms` is the measured round trip of the player's frames: its cost is given back to them.
        """
        if (play := take_back.play_of(text)) is not None:
            self.take_back(side, play, client_id=client_id)
            return
        try:
            canonical = self.state.canonical(side, text)
            self.charge_clock(rtt_ms=rtt_ms if self.clock and self.clock.running == side else 0)
            self.step(side, canonical, client_id=client_id, asked=text, element=element)
        except replay.PlayRefused as error:
            raise Refused(error.code, ruling=error.ruling) from error
        except match_dice.DiceRefused as error:
            raise Refused(error.code, ruling="V") from error
        except ILLEGAL as error:
            raise Refused(
                getattr(error, "code", "illegal"),
                ruling=getattr(error, "ruling", ""),
                params=dict(getattr(error, "params", {})),
            ) from error
        self.run_automatic_actions(fresh=canonical not in SAME_TURN)

    def take_back(self, side: Side, play: int, *, client_id: str | None) -> None:
        """Return to the state before the player's last play, with the same dice to play (ruling B17).

        The clock goes on, and so do the dice: what is rolled later is rolled anew. Raises Refused: match_over, paused,
        take_back_practice, take_back_none.
        """
        if self.state.result is not None:
            raise Refused("match_over")
        if self.state.paused:
            raise Refused("paused", ruling="T")
        if practice_side(self.match, self.seats) != side:
            raise Refused("take_back_practice", ruling="B17")
        if play == take_back.SPENT or play != self.match.open_play:
            raise Refused("take_back_none", ruling="B17")
        self.charge_clock()
        self._record(side, text := take_back.action_of(play), client_id=client_id, asked=text)
        self.state = self._state_before(play)
        self.match.open_play = take_back.SPENT
        self.match.taken_back += 1
        self.run_automatic_actions()

    def _state_before(self, play: int) -> replay.State:
        return state_before(self.match, play)

    def expire(self) -> None:
        """Carry out a passed deadline: missing rollers are held, or the flag falls (ruling "Match clock")."""
        if self.state.opening:
            late = deadlines.late_sides(self.state, self.dice)
            if self.preset.slow and len(late) == 1:  # the other player has rolled, days ago
                self.step("server", f"flag {late[0]}")
            else:
                for side in late:
                    self.step("server", f"hold {side}")
            self.run_automatic_actions()
        elif (side_out := self.state.on_clock) is not None:
            self.charge_clock()
            self.step("server", f"flag {side_out}")
            self.run_automatic_actions()

    def stop(self) -> None:
        """End the match without a winner: its organisers called it off."""
        self.charge_clock()
        self.step("server", "stop")
        self.run_automatic_actions()

    def pause(self, text: str = "pause", *, client_id: str | None = None, **about: Any) -> None:
        """Stop both clocks until `resume`; `about` is stored with the pause. Raises `replay.PlayRefused`."""
        self.charge_clock()
        self.step("server", text, client_id=client_id, asked=text)
        self.clock = self.clock and self.clock.pause()
        self.match.pause = {**about, "at": self.moment.isoformat()}

    def resume(self) -> None:
        """Resume play; an opening has its whole wait again, and both count as present. Raises `replay.PlayRefused`."""
        self.step("server", "resume")
        Seat.objects.filter(match=self.match).update(seen_at=self.moment)
        self.clock = self.clock and self.clock.resume()
        self.run_automatic_actions(fresh=False)

    def run_automatic_actions(self, *, fresh: bool = True) -> None:
        """Apply what the server does next without a player: the dice that are asked for, what players by
        correspondence have ordered, and passes when nothing can be played."""
        while True:
            if self.state.needs_dice:
                self._roll_dice()
            elif (ordered := self._due_order()) is not None:
                side, text, element = ordered
                # A roll is recorded as any other: a player who ordered it may order the next one, too.
                changes_turn = text not in SAME_TURN
                self.step(side, text, element=element, asked=orders.ORDERED if changes_turn else "")
                fresh = fresh or changes_turn
            elif self.state.result is None and self.state.position.auto:
                self.step("server", self.state.position.auto)
                fresh = True
            else:
                break
        if self.clock is not None:
            self.clock = self.clock.turn(self.state.on_clock, fresh=fresh)

    def step(self, actor: str, text: str, *, client_id: str | None = None, asked: str = "", element: str = "") -> None:
        """Apply one action: the state after it, and its row. Raises what the state raises."""
        game = self.state.game
        state = self.state.after(actor, text)
        if (side := roller(actor, text)) is not None:
            self.dice, element = dice_rolls.give_element(self.dice, side, element, opening=self.state.opening)
        self._record(actor, text, client_id=client_id, asked=asked, element=element)
        before, self.state = self.state, state
        if practice_side(self.match, self.seats) == actor:
            self.match.open_play = take_back.next_play(self.match.open_play, n=self.match.version, text=text)
        if state.closed is not before.closed:
            self.match.open_play = None
            self._end_game(game)

    def _record(self, actor: str, text: str, *, client_id: str | None, asked: str, element: str = "") -> None:
        """Add an action of the present game."""
        self.match.version += 1
        self.actions.append(
            Action(
                match=self.match,
                n=self.match.version,
                game_number=self.state.game,
                actor=actor,
                text=text,
                client_id=client_id,
                asked=asked[:200],
                element=element,
                at=self.moment,
                white_ms=self.clock.white if self.clock else None,
                black_ms=self.clock.black if self.clock else None,
            )
        )

    def _due_order(self) -> tuple[Side, str, str] | None:
        """What an order by correspondence demands now: the side, its action, the dice element for it."""
        if not self.preset.slow:
            return None
        doubled = bool(self.actions) and self.actions[-1].text == "double"
        return orders.due_action(self.state, self.orders, self.dice, version=self.match.version, doubled=doubled)

    def _roll_dice(self) -> None:
        self.match.roll_index += 1
        rolled = dice_rolls.roll_next(
            self.match.pk,
            self.match.roll_index,
            match_dice=self.dice,
            rollers=self.state.position.rollers,
            elements={side: row.element for side in SIDES for row in self.actions if row.actor == side and row.element},
        )
        self.dice = rolled.match_dice
        self.step("chance", rolled.text, element=rolled.element)
        self.actions[-1].proof = rolled.proof

    def _end_game(self, number: int) -> None:
        game_results.game_end(self.match, self.seats, self.state, number, self.moment)
        if self.state.result is None:
            game_results.game_create(self.match, self.state, self.moment)
            if self.preset.each_game:
                full = self.preset.clock(self.match.length)
                self.clock = self.clock.next_game(full) if self.clock and full else full

    # Time

    def charge_clock(self, *, rtt_ms: int = 0) -> None:
        """Take the time since the clock was last set from the side whose time runs, but for what lag has cost it."""
        if self.clock is not None and self.clock.running is not None and self.match.clock_at is not None:
            used = milliseconds(self.match.clock_at, self.moment)
            self.clock = self.clock.spend(self.clock.running, used, rtt_ms=rtt_ms)

    def extend_deadline(self, gap: timedelta) -> None:
        """Let the running time begin later by `gap`, and end later."""
        match = self.match
        if gap and match.flag_at is not None and match.clock_at is not None:
            match.clock_at, match.flag_at = match.clock_at + gap, match.flag_at + gap

    def recompute_clock(self) -> None:
        """Set the clock anew because a player went on vacation or is back. No action; the state is announced."""
        match = self.match
        left = None
        if self.state.opening and match.flag_at is not None and match.clock_at is not None:
            left = match.flag_at - max(match.clock_at, self.moment)
        self.charge_clock()
        match.clock = self.clock.snapshot() if self.clock else None
        self._set_deadline(left=left)
        match.save(update_fields=["clock", "clock_at", "flag_at", "remind_at"])
        self._announce_state()

    def _set_deadline(self, flag_at: datetime | None = None, *, left: timedelta | None = None) -> None:
        """When the running time began, and when it is over: later, while its player is on vacation."""
        match, match.clock_at = self.match, self.moment
        if self.preset.slow and (awaited := [seat.user_id for seat in self.seats if self._time_runs(seat)]):
            match.clock_at = deadlines.vacation_until(awaited, self.moment) or self.moment
        left = deadlines.time_left(self.state, self.clock, self.preset) if left is None else left
        match.flag_at = flag_at or (None if left is None else match.clock_at + left)
        match.remind_at = deadlines.reminder_time(self.preset, match.flag_at, self.moment)

    def _time_runs(self, seat: Seat) -> bool:
        if self.state.opening:
            return seat.side in deadlines.late_sides(self.state, self.dice)
        return seat.side == self.state.on_clock

    # Save

    def commit(self) -> None:
        """Save rows and snapshot, and announce the event after the commit. All of it or nothing."""
        self._save()
        self._announce()

    def _save(self) -> None:
        self.prepare_row()
        match, state = self.match, self.state
        if state.result is not None:
            game_results.match_end(match, self.seats, state, state.result, self.moment)
        match_sql.actions_insert(self.actions)
        match_sql.match_update(match)
        if state.result is not None:
            ratings.match_rate(match, self.seats)

    def prepare_row(self) -> None:
        """Set the columns of the match to what its actions have led to; nothing is written yet."""
        match, state = self.match, self.state
        if self.actions and self.actions[0].client_id:
            self.actions[0].answer = match.version
        opening_deadline = match.flag_at if state.opening and self._only_rolled() else None
        match.snapshot = state.snapshot()
        match.dice = self.dice.snapshot() if self.dice else None
        doubled = any(row.text == "double" for row in self.actions)
        match.orders = self.orders.after(state, version=match.version, doubled=doubled).snapshot()
        match.clock = self.clock.snapshot() if self.clock else None
        match.pause = match.pause if state.paused else None
        self._set_deadline(opening_deadline)
        match.bot_at = self.moment if announcements.bots_due(self.seats, state, house=True) else None

    def _only_rolled(self) -> bool:
        """Whether this transaction adds nothing but rolls: at an opening its deadline stays."""
        return bool(self.actions) and all(row.text == "roll" for row in self.actions)

    def save_dice(self, dice: MatchDice) -> None:
        """Save what a seat gave for the dice. No action, so the version stays; the state is announced.

        When the last hand is there, the wait of the opening begins anew: the nonces are still to be shown.
        """
        match = self.match
        complete = self.dice is not None and dice.ready and not self.dice.ready
        self.dice, match.dice = dice, dice.snapshot()
        if complete:
            self._set_deadline()
        match.save(update_fields=["dice", "clock_at", "flag_at", "remind_at"])
        self._announce_state()

    def save_order(self, order: MatchDice | orders.MatchOrders) -> None:
        """Save what a seat has ordered; what is due already is done at once.

        An order is not announced: its owner asks for the state, and nobody else may know of it.
        """
        if isinstance(order, orders.MatchOrders):
            self.orders, self.match.orders = order, order.snapshot()
        else:
            self.dice, self.match.dice = order, order.snapshot()
        if self._due_order() is None:
            self.match.save(update_fields=["dice", "orders"])
            return
        self.charge_clock()
        self.run_automatic_actions(fresh=False)
        self.commit()

    # Announce

    def _announce(self) -> None:
        announcements.announce_event(
            self.match,
            self.seats,
            self.state,
            moment=self.moment,
            version_before=self.version_before,
            state_before=self.state_before,
            actions=self.actions,
        )

    def _announce_state(self) -> None:
        announcements.announce_state(self.match, self.seats, self.state, moment=self.moment)


def match_step(
    match_id: str, user_id: int | None, step: Callable[[LockedMatch, Side], None]
) -> tuple[LockedMatch, bool]:
    """Run a player's `step` in one transaction, unless a passed deadline comes first; the match, and whether one did.

    `step` commits what it changes. Raises NotFound, Refused: not_live, not_seated, and what `step` raises.
    """
    with transaction.atomic():
        locked = LockedMatch.lock(match_id)
        side = locked.seat_of(user_id).side
        expired = locked.is_overdue
        if expired:
            locked.expire()
            locked.commit()
        else:
            step(locked, side)
    return locked, expired
