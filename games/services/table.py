"""A match under lock: the working copy that one transaction reads, steps and writes back."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from games import clocks, dice, notify, orders, replay
from games.database import now
from games.dice import hands
from games.dice.record import roller
from games.engine import SIDES, Side
from games.errors import NotFound, Refused
from games.events import build, milliseconds, start_at, state_of
from games.models import Action, Game, Match, Seat
from games.registry import ILLEGAL
from games.services import chains, outage, ratings, rows, turns
from games.services.away import away_until
from games.signals import match_finished

REMIND_BEFORE = timedelta(hours=24)
SAME_TURN = ("roll", "offer-draw", "reject")  # after these the one whose turn it was has what was left of his delay


class Table:
    """A locked match row with its seats, its state and the actions that this transaction adds."""

    def __init__(self, match: Match, seats: list[Seat], state: replay.State, *, moment: datetime) -> None:
        self.match = match
        self.seats = seats
        self.state = state
        self.moment = moment  # read after the lock, so that waiting for it costs nobody time
        self.before = match.version
        self.was: replay.State | None = state  # None: the match begins
        self.added: list[Action] = []
        self.clock = clocks.restore(match.clock) if match.clock else None
        self.hands = hands.restore(match.dice) if match.dice else None
        self.orders = orders.restore(match.orders)

    @classmethod
    def lock(cls, match_id: str) -> Table:
        """Lock the row of a match that has been played or is in play. Raises NotFound, Refused("not_live").

        Two statements: the lock, and then what must be read after it (the seats and the database's clock).
        """
        match = rows.match_lock(match_id)
        if match is None:
            raise NotFound
        if not match.snapshot:
            raise Refused("not_live")
        seats, moment, alive = rows.seats_and_clock(match_id)
        table = cls(match, seats, state_of(match), moment=moment)
        table.put_off(outage.lost(alive, match.clock_at, moment))
        return table

    @classmethod
    def start(cls, match: Match, seats: list[Seat]) -> Table:
        """Begin play in a match whose second seat was just taken (its row is locked), with the points of its seats."""
        points = {seat.side: seat.points for seat in seats}
        state = start_at(match, (points["white"], points["black"]))
        table = cls(match, seats, state, moment=now())
        table.was = None
        table.clock = table.preset.clock(match.length)
        table.hands = chains.begin(match, seats)
        match.status = Match.Status.LIVE
        match.started_at = table.moment
        _game_create(match, state, table.moment)
        table.follow()
        return table

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

    # Steps

    def overdue(self) -> bool:
        """Whether a deadline has passed: a flag, or the wait at an opening roll."""
        return self.match.flag_at is not None and self.moment >= self.match.flag_at

    @property
    def late(self) -> timedelta:
        """How long ago the deadline was."""
        return timedelta(0) if self.match.flag_at is None else self.moment - self.match.flag_at

    def expire(self) -> None:
        """Carry out a passed deadline: missing rollers are held, or the flag falls (ruling "Match clock")."""
        if self.state.opening:
            late = self._late()
            if self.preset.slow and len(late) == 1:  # the other one has done his part, days ago
                self.step("server", f"flag {late[0]}")
            else:
                for side in late:
                    self.step("server", f"hold {side}")
            self.follow()
        elif (side_out := self.state.on_clock) is not None:
            self.spend()
            self.step("server", f"flag {side_out}")
            self.follow()

    def stop(self) -> None:
        """End the match without a winner: its organisers called it off."""
        self.spend()
        self.step("server", "stop")
        self.follow()

    def pause(self, text: str = "pause", *, client_id: str | None = None, **about: Any) -> None:
        """Stop both clocks until `resume`; `about` is what is kept of it. Raises `replay.Impossible`."""
        self.spend()
        self.step("server", text, client_id=client_id, asked=text)
        self.clock = self.clock and self.clock.pause()
        self.match.pause = {**about, "at": self.moment.isoformat()}

    def resume(self) -> None:
        """Go on as it was; an opening has its whole wait again, and both count as here. Raises `replay.Impossible`."""
        self.step("server", "resume")
        Seat.objects.filter(match=self.match).update(seen_at=self.moment)
        self.clock = self.clock and self.clock.resume()
        self.follow(fresh=False)

    def act(self, side: Side, text: str, *, client_id: str | None, element: str, trip: int = 0) -> None:
        """A player's action and everything that follows from it without him. Raises Refused.

        `trip` is the measured way of his frames there and back, in milliseconds: its cost is given back to him.
        """
        try:
            canonical = self.state.canonical(side, text)
            self.spend(trip=trip if self.clock and self.clock.running == side else 0)
            self.step(side, canonical, client_id=client_id, asked=text, element=element)
        except replay.Impossible as error:
            raise Refused(error.code, ruling=error.ruling) from error
        except hands.Unfit as error:
            raise Refused(error.code, ruling="V") from error
        except ILLEGAL as error:
            raise Refused(
                getattr(error, "code", "illegal"),
                ruling=getattr(error, "ruling", ""),
                params=dict(getattr(error, "params", {})),
            ) from error
        self.follow(fresh=canonical not in SAME_TURN)

    def follow(self, *, fresh: bool = True) -> None:
        """What the server does next by itself: the dice that are asked for, what players by correspondence have
        ordered, and passes when nothing can be played."""
        while True:
            if self.state.needs_dice:
                self._throw()
            elif (ordered := self._ordered()) is not None:
                side, text, element = ordered
                said = text not in SAME_TURN  # a roll is told as any other: who ordered it may order the next one, too
                self.step(side, text, element=element, asked=orders.ORDERED if said else "")
                fresh = fresh or said
            elif self.state.result is None and self.state.position.auto:
                self.step("server", self.state.position.auto)
                fresh = True
            else:
                break
        if self.clock is not None:
            self.clock = self.clock.turn(self.state.on_clock, fresh=fresh)

    def spend(self, *, trip: int = 0) -> None:
        """Take the time since the clock was last set from the side whose time runs, but for what lag has cost it."""
        if self.clock is not None and self.clock.running is not None and self.match.clock_at is not None:
            used = milliseconds(self.match.clock_at, self.moment)
            self.clock = self.clock.spend(self.clock.running, used, trip=trip)

    def put_off(self, gap: timedelta) -> None:
        """Let the time that runs begin later by `gap`, and end later."""
        match = self.match
        if gap and match.flag_at is not None and match.clock_at is not None:
            match.clock_at, match.flag_at = match.clock_at + gap, match.flag_at + gap

    def step(self, actor: str, text: str, *, client_id: str | None = None, asked: str = "", element: str = "") -> None:
        """One action: the state after it, and its row. Raises what the state raises."""
        game = self.state.game
        state = self.state.after(actor, text)
        if (rolling := roller(actor, text)) is not None:
            element = self._put_down(rolling, element)
        self.match.version += 1
        self.added.append(
            Action(
                match=self.match,
                n=self.match.version,
                game_number=game,
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
        before, self.state = self.state, state
        if state.closed is not before.closed:
            self._game_ended(game)

    def _ordered(self) -> tuple[Side, str, str] | None:
        """What is to be done, by correspondence, on an order: by which side, the action, the dice element."""
        if not self.preset.slow:
            return None
        doubled = bool(self.added) and self.added[-1].text == "double"
        return orders.due(self.state, self.orders, self.hands, version=self.match.version, doubled=doubled)

    def _put_down(self, side: Side, element: str) -> str:
        """What a seat gives for its roll, as the row keeps it: without an element it is held from now on."""
        if self.hands is None:
            return element
        self.hands = self.hands.opened(side) if self.state.opening else self.hands.rolled(side, element)
        return self.hands.of(side).deposit or ""

    def _throw(self) -> None:
        """The next dice: from the chains, or from the system where nothing can be proved."""
        match, rollers = self.match, self.state.position.rollers
        match.roll_index += 1
        chain = None if self.hands is None or dice.scripted() else chains.of(match.pk)
        if self.hands is not None and chain is not None and match.roll_index <= chain.length:
            thrown = self.hands.throw(match.pk, chain, i=match.roll_index, rollers=rollers)
            self.hands = thrown.hands
            self.step("chance", "dice {}{}".format(*thrown.dice), element=thrown.s)
            self.added[-1].proof = thrown.proof
        else:
            rolled = dice.roll(match.pk, match.roll_index, self._elements())
            self.hands = self.hands and self.hands.shown(rollers)
            self.step("chance", "dice {}{}".format(*rolled))

    def _elements(self) -> dict[Side, str]:
        return {row.actor: row.element for row in self.added if row.actor in SIDES and row.element}  # type: ignore[misc]

    def _game_ended(self, number: int) -> None:
        ended = self.state.ended or {}
        Game.objects.filter(match=self.match, number=number).update(
            winner=ended.get("winner") or "",
            points=ended.get("points", 0),
            kind=ended.get("kind", ""),
            ended_at=self.moment,
        )
        for seat in self.seats:
            seat.points = self.state.score.points(seat.side)  # type: ignore[arg-type]
            seat.save(update_fields=["points"])
        if self.state.result is None:
            _game_create(self.match, self.state, self.moment)
            if self.preset.each_game:
                full = self.preset.clock(self.match.length)
                self.clock = self.clock.anew(full) if self.clock and full else full

    # Writing back

    def commit(self) -> None:
        """Write rows and snapshot, and tell the table after the commit. All of it or nothing."""
        match, state = self.match, self.state
        if self.added and self.added[0].client_id:
            self.added[0].answer = match.version
        waiting = match.flag_at if state.opening and self._was_opening() else None
        match.snapshot = state.snapshot()
        match.dice = self.hands.snapshot() if self.hands else None
        doubled = any(row.text == "double" for row in self.added)
        match.orders = self.orders.after(state, version=match.version, doubled=doubled).snapshot()
        match.clock = self.clock.snapshot() if self.clock else None
        match.pause = match.pause if state.paused else None
        self._set_deadline(waiting)
        match.bot_at = self.moment if self.bots_due() else None
        if state.result is not None:
            self._finish(state.result)
        rows.actions_insert(self.added)
        rows.match_update(match)
        if state.result is not None:
            ratings.match_rate(match, self.seats)
        self.tell()

    def give(self, given: hands.Hands) -> None:
        """Write what a seat gave for the dice. No action, so the version stays; the table is told the state.

        When the last hand is there, the wait of the opening begins anew: the nonces are still to be shown.
        """
        match = self.match
        complete = self.hands is not None and given.ready and not self.hands.ready
        self.hands, match.dice = given, given.snapshot()
        if complete:
            self._set_deadline()
        match.save(update_fields=["dice", "clock_at", "flag_at", "remind_at"])
        notify.match_state(match.pk, build(match, self.seats, self.state, moment=self.moment))

    def order(self, given: hands.Hands | orders.Book) -> None:
        """Write what a seat has ordered; what is due already is done at once.

        The table is not told of an order: its owner asks for the state, and nobody else may know of it.
        """
        if isinstance(given, orders.Book):
            self.orders, self.match.orders = given, given.snapshot()
        else:
            self.hands, self.match.dice = given, given.snapshot()
        if self._ordered() is None:
            self.match.save(update_fields=["dice", "orders"])
            return
        self.spend()
        self.follow(fresh=False)
        self.commit()

    def reckon(self) -> None:
        """Set the clock anew because a player went on vacation or is back. No action; the table is told the state."""
        match = self.match
        left = None
        if self.state.opening and match.flag_at is not None and match.clock_at is not None:
            left = match.flag_at - max(match.clock_at, self.moment)
        self.spend()
        match.clock = self.clock.snapshot() if self.clock else None
        self._set_deadline(left=left)
        match.save(update_fields=["clock", "clock_at", "flag_at", "remind_at"])
        notify.match_state(match.pk, build(match, self.seats, self.state, moment=self.moment))

    def tell(self) -> None:
        """Give the event to the sockets and the bots once the transaction is committed."""
        event = build(self.match, self.seats, self.state, moment=self.moment, before=self.before, actions=self.added)
        notify.match_event(self.match.pk, event)
        if self.match.bot_at is not None:
            notify.bot_called(self.match.pk)
        for seat in self._due(house=False):
            notify.user_told(seat.user_id or 0, {"t": "turn", "id": self.match.pk, "version": self.match.version})
        if self.preset.slow:
            acted = {row.actor for row in self.added}
            turns.tell(self.match, self.seats, was=self.was, state=self.state, acted=acted)
        if self.state.result is not None:
            match_id = self.match.pk
            transaction.on_commit(lambda: _announce_finished(match_id))
            notify.lobby_changed()

    def bots_due(self) -> list[Seat]:
        """The house's bots for whom the match waits."""
        return self._due(house=True)

    def _due(self, *, house: bool) -> list[Seat]:
        """The bots for whom the match waits: those that the house moves, or those of members, who are told."""
        bots = (seat for seat in self.seats if seat.user and seat.user.is_bot and seat.user.is_house_bot is house)
        return [seat for seat in bots if self.state.awaits(seat.side)]  # type: ignore[arg-type]

    def _was_opening(self) -> bool:
        return bool(self.added) and all(row.text == "roll" for row in self.added)

    def _late(self) -> list[Side]:
        """Who is to roll for the opening, and could: a seat that waits for the rival's hand is not late."""
        late = [side for side in SIDES if side not in self.state.ready]
        return [side for side in late if self.hands is None or not hands.spared(self.hands, side)]

    def _set_deadline(self, deadline: datetime | None = None, *, left: timedelta | None = None) -> None:
        """When the time that runs now began, and when it is over: later, while its player is on vacation."""
        match, match.clock_at = self.match, self.moment
        if self.preset.slow and (awaited := [seat.user_id for seat in self.seats if self._runs(seat)]):
            match.clock_at = away_until(awaited, self.moment) or self.moment
        left = self._left() if left is None else left
        match.flag_at = deadline or (None if left is None else match.clock_at + left)
        remind_at = match.flag_at - REMIND_BEFORE if self.preset.slow and match.flag_at else None
        match.remind_at = remind_at if remind_at and remind_at > self.moment else None

    def _runs(self, seat: Seat) -> bool:
        return seat.side in self._late() if self.state.opening else seat.side == self.state.on_clock

    def _left(self) -> timedelta | None:
        """How long the time that runs now may last."""
        if self.state.result is not None or self.state.paused:
            return None
        if self.state.opening:
            days = self.clock.delay if self.clock and self.preset.slow else 0
            return timedelta(milliseconds=days) or timedelta(seconds=settings.DICE_OPENING_WAIT)
        left = self.clock.left if self.clock else None
        return None if left is None else timedelta(milliseconds=left)

    def _finish(self, result: replay.Result) -> None:
        match = self.match
        match.status = Match.Status.OVER
        match.winner = result.winner or ""
        chains.close(match)
        match.ended_by = result.by
        match.ended_at = self.moment
        if result.by != Match.EndedBy.SCORE:
            # Nobody won the game that was going on: the match ended over its head.
            Game.objects.filter(match=match, number=self.state.game).update(ended_at=self.moment, kind=result.by)
        for seat in self.seats:
            seat.won = None if result.winner is None else seat.side == result.winner
            seat.ended_at = self.moment
            seat.save(update_fields=["won", "ended_at"])


def _game_create(match: Match, state: replay.State, moment: datetime) -> None:
    Game.objects.create(match=match, number=state.game, score_before=state.score.view(), started_at=moment)


def _announce_finished(match_id: str) -> None:
    match_finished.send_robust(sender=Match, match_id=match_id)
