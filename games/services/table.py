"""A match under lock: the working copy that one transaction reads, steps and writes back."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from games import clocks, dice, notify, replay
from games.database import now
from games.engine import SIDES, Side
from games.errors import NotFound, Refused
from games.events import build, milliseconds, state_of
from games.models import Action, Game, Match, Seat
from games.registry import ILLEGAL, RULES
from games.services import ratings, rows
from games.signals import match_finished


class Table:
    """A locked match row with its seats, its state and the actions that this transaction adds."""

    def __init__(self, match: Match, seats: list[Seat], state: replay.State, *, moment: datetime) -> None:
        self.match = match
        self.seats = seats
        self.state = state
        self.moment = moment  # read after the lock, so that waiting for it costs nobody time
        self.before = match.version
        self.added: list[Action] = []
        self.clock = clocks.restore(match.clock) if match.clock else None

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
        seats, moment = rows.seats_and_clock(match_id)
        return cls(match, seats, state_of(match), moment=moment)

    @classmethod
    def start(cls, match: Match, seats: list[Seat]) -> Table:
        """Begin play in a match whose second seat was just taken (its row is locked)."""
        state = replay.start(RULES[match.variant], match.length, match.options)
        table = cls(match, seats, state, moment=now())
        table.clock = table.preset.clock(match.length)
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

    def expire(self) -> None:
        """Carry out a passed deadline: missing rollers are held, or the flag falls (ruling "Match clock")."""
        if self.state.opening:
            for side in SIDES:
                if side not in self.state.ready:
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

    def act(self, side: Side, text: str, *, client_id: str | None, element: str) -> None:
        """A player's action and everything that follows from it without him. Raises Refused."""
        try:
            canonical = self.state.canonical(side, text)
            self.spend()
            self.step(side, canonical, client_id=client_id, asked=text, element=element)
        except replay.Impossible as error:
            raise Refused(error.code, ruling=error.ruling) from error
        except ILLEGAL as error:
            raise Refused(
                getattr(error, "code", "illegal"),
                ruling=getattr(error, "ruling", ""),
                params=dict(getattr(error, "params", {})),
            ) from error
        self.follow(fresh=canonical != "roll")

    def follow(self, *, fresh: bool = True) -> None:
        """What the server does next by itself: the dice that are asked for, and passes when nothing can be played."""
        while True:
            if self.state.needs_dice:
                self.match.roll_index += 1
                rolled = dice.roll(self.match.pk, self.match.roll_index, self._elements())
                self.step("chance", "dice {}{}".format(*rolled))
            elif self.state.result is None and self.state.position.auto:
                self.step("server", self.state.position.auto)
                fresh = True
            else:
                break
        if self.clock is not None:
            self.clock = self.clock.turn(self.state.on_clock, fresh=fresh)

    def spend(self) -> None:
        """Take the time since the clock was last set from the side whose time runs."""
        if self.clock is not None and self.clock.running is not None and self.match.clock_at is not None:
            self.clock = self.clock.spend(self.clock.running, milliseconds(self.match.clock_at, self.moment))

    def step(self, actor: str, text: str, *, client_id: str | None = None, asked: str = "", element: str = "") -> None:
        """One action: the state after it, and its row. Raises what the state raises."""
        game = self.state.game
        state = self.state.after(actor, text)
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
                self.clock = self.preset.clock(self.match.length)

    # Writing back

    def commit(self) -> None:
        """Write rows and snapshot, and tell the table after the commit. All of it or nothing."""
        match, state = self.match, self.state
        if self.added and self.added[0].client_id:
            self.added[0].answer = match.version
        waiting_since = match.flag_at if state.opening and self._was_opening() else None
        match.snapshot = state.snapshot()
        match.clock = self.clock.snapshot() if self.clock else None
        match.clock_at = self.moment
        match.flag_at = waiting_since or self._deadline()
        match.bot_at = self.moment if self.bots_due() else None
        if state.result is not None:
            self._finish(state.result)
        rows.actions_insert(self.added)
        rows.match_update(match)
        if state.result is not None:
            ratings.match_rate(match, self.seats)
        self.tell()

    def tell(self) -> None:
        """Give the event to the sockets and the bots once the transaction is committed."""
        event = build(self.match, self.seats, self.state, moment=self.moment, before=self.before, actions=self.added)
        notify.match_event(self.match.pk, event)
        if self.match.bot_at is not None:
            notify.bot_called(self.match.pk)
        if self.state.result is not None:
            match_id = self.match.pk
            transaction.on_commit(lambda: _announce_finished(match_id))
            notify.lobby_changed()

    def bots_due(self) -> list[Seat]:
        """The bots for whom the match waits."""
        return [seat for seat in self.seats if seat.user and seat.user.is_bot and self.state.awaits(seat.side)]  # type: ignore[arg-type]

    def _was_opening(self) -> bool:
        return bool(self.added) and all(row.text == "roll" for row in self.added)

    def _deadline(self) -> datetime | None:
        if self.state.result is not None:
            return None
        if self.state.opening:
            return self.moment + timedelta(seconds=settings.DICE_OPENING_WAIT)
        left = self.clock.left if self.clock else None
        return None if left is None else self.moment + timedelta(milliseconds=left)

    def _finish(self, result: replay.Result) -> None:
        match = self.match
        match.status = Match.Status.OVER
        match.winner = result.winner or ""
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
