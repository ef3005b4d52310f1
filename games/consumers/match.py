"""The socket at a match: one function for each typed frame (games.frames), which calls one service and answers.

The seat comes from the session and the match row, never from a frame. The answer to an act leaves after its commit.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, ClassVar

from django.db import DatabaseError
from django.utils import translation
from structlog.contextvars import bind_contextvars

from accounts.web.unwritable import is_unwritable
from games import events, frames, heartbeat_batch, metrics, notify, services, traces
from games.channel_layer import LocalFirstChannelLayer
from games.connections import close_codes
from games.consumers.base import CLOSE_TOO_LARGE, CLOSE_TOO_MANY, PlayConsumer
from games.database import in_db
from games.engine import SIDES, Json, Side
from games.errors import NotFound, Refused, Stale, ViewerBlocked
from games.event_loop import per_event_loop
from games.group_read import GroupRead, NotWanted
from games.live.group_commit import current_group_commit
from games.live.ordinary_act import ActRequest
from games.selectors import match_state
from games.selectors.heartbeats import MatchHeartbeat
from games.services import presence, web_processes

log = logging.getLogger(__name__)

GREETING_DELAY = 0.2  # seconds until a player greets a newcomer
STILL_HERE = 3.0  # seconds until a client whose frame waits for the database hears so; its page gives up after eight
EVENT_KINDS = {"match.event": "event", "match.state": "state"}
"""The messages of a group that hold an event, and the frames that they become."""
SYNC_ACTIONS = 100  # in one `actions`: with the state they stay below 64 KiB


_states = per_event_loop(lambda: GroupRead[match_state.Viewing, match_state.StateOfMatch](match_state.match_events))
_time_back = per_event_loop(lambda: GroupRead[web_processes.Player, timedelta](web_processes.give_back))


class MatchConsumer(PlayConsumer):
    """One viewer of one match: a player or a spectator."""

    kind = "match"
    dead_after = 25.0  # its client sends a heartbeat every 4 s; a hidden page may not, but answers a `pong`
    ask_after = 5.5  # so that a hidden page is heard before it counts as away (games.absence)
    side: Side | None = None
    version = 0  # the highest that this viewer was told: no heartbeat says a lower one
    greeted = False  # with the state of the match
    version_sent = 0  # of the last event or state; a heartbeat may know a later one
    stamp, stamped_at = 0, 0.0  # of the last `pong`, and when it left
    changes, changes_read = 0, 0  # of the match beside its actions: that were announced, and before the last read
    acknowledged: tuple[frames.AcknowledgedFrame, int] | None = None  # the last frame, and the version of its `ack`

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # None once they are done: a task that has ended still holds half a kilobyte.
        self.greeting: asyncio.Task[None] | None = None
        self.pong: asyncio.Task[None] | None = None  # that waits for its heartbeat
        self.rtts_ms: tuple[int, ...] = ()  # the last three: the shortest counts (games.lag_compensation)

    @property
    def group(self) -> str:
        """Everybody at this match."""
        return notify.match_group(self.match_id)

    @property
    def seats_group(self) -> str:
        """Its players."""
        return notify.seats_group(self.match_id)

    async def connect(self) -> None:
        self.match_id: str = self.scope["url_route"]["kwargs"]["match_id"]
        bind_contextvars(match=self.match_id)  # in what is logged from here on, for this socket
        self.user_id: int | None = self.visit.user_id
        self.present: dict[str, bool] = dict.fromkeys(SIDES, False)
        await self.accept()
        if isinstance(self.channel_layer, LocalFirstChannelLayer):
            self.channel_layer.set_direct(self.channel_name, self._take)
        # Join before reading, so that nothing falls between the state and the first event.
        await self.channel_layer.group_add(self.group, self.channel_name)
        if self.user_id is not None and web_processes.others_are_lost():
            await self._give_time_back(self.user_id)
        if self.gone or not await self.send_state_or_close():
            return
        if self.side is not None:
            await self.channel_layer.group_add(self.seats_group, self.channel_name)
            await self.channel_layer.group_send(self.group, {"type": "match.hello", "side": self.side})
        # Only players are asked who is here: a thousand spectators who greet one another are a million greetings.
        await self.channel_layer.group_send(self.seats_group, {"type": "match.who"})

    async def _give_time_back(self, user_id: int) -> None:
        """Give a player back what the loss of a process took; not while nothing can be written, when nobody plays."""
        try:
            await _time_back().ask((self.match_id, user_id), lambda: not self.gone)
        except NotWanted:
            return
        except DatabaseError as error:
            if not is_unwritable(error):
                raise
            log.warning("no time was given back: %s", error)

    async def disconnect(self, code: int) -> None:
        if hasattr(self, "match_id"):
            await self.channel_layer.group_discard(self.group, self.channel_name)
            for task in (self.greeting, self.pong):
                if task is not None:
                    task.cancel()
            if self.side is not None:
                await self.channel_layer.group_discard(self.seats_group, self.channel_name)
                await self.channel_layer.group_send(self.group, {"type": "match.goodbye", "side": self.side})

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Parse one frame and hand it to its function. Whatever is wrong with it is refused and changes nothing."""
        frame_id: str | None = None
        try:
            if not self.has_credit():
                await self.send_refusal(Refused("too_many"), None, version=self.version)
                await self.close(CLOSE_TOO_MANY)
                return
            if self.side is not None:
                presence.seat_seen(self.match_id, self.user_id)
            decoded = frames.decode(text_data)
            frame_id = frames.id_of(decoded)
            frame = frames.parse_match_frame(decoded)
            if self.acknowledged is not None and frame == self.acknowledged[0]:  # sent again while the first one waited
                await self.send_ack(*self.acknowledged)
                return
            if isinstance(frame, frames.Ping | frames.Lag):  # answered from memory
                await self.COMMANDS[type(frame)](self, frame)
                return
            self.still_here = self._say_still_here_later()
            try:
                await self.COMMANDS[type(frame)](self, frame)
            finally:
                self.still_here.cancel()
        except Stale as refusal:
            await self.send_refusal(refusal, frame_id, version=self.version)
            await self.send_state_or_close()
        except Refused as refusal:
            await self.send_refusal(refusal, frame_id, version=self.version)
            if refusal.code == "too_large":
                await self.close(CLOSE_TOO_LARGE)
            elif isinstance(refusal, ViewerBlocked):
                await self.close(close_codes.BLOCKED)

    def refusal_fields(self) -> Json:
        return {"version": self.version}

    # Commands

    async def act(self, frame: frames.Act, trace: traces.Trace | None = None) -> None:
        if traces.active is not None and trace is None:
            received = self.last_frame_at
            with traces.active.act(self.match_id, frame.action, source="frame", received_at=received) as trace:
                await self.act(frame, trace)
            return
        answer = await current_group_commit().act(
            ActRequest(
                match_id=self.match_id,
                user_id=self.user_id,
                action=frame.action,
                client_id=frame.id,
                after=frame.after,
                element=frame.element,
                rtt_ms=min(self.rtts_ms, default=0),
                trace=trace,
            )
        )
        await self.send_ack(frame, answer.version)
        metrics.ACK_SECONDS.observe(time.monotonic() - self.last_frame_at)
        if trace is not None:
            trace.answered(answer.version)

    async def claim(self, frame: frames.Claim) -> None:
        answer = await in_db(services.match_claim, match_id=self.match_id, user_id=self.user_id, client_id=frame.id)
        await self.send_ack(frame, answer.version)

    async def adjourn(self, frame: frames.Adjourn) -> None:
        answer = await in_db(services.match_adjourn, match_id=self.match_id, user_id=self.user_id, client_id=frame.id)
        await self.send_ack(frame, answer.version)

    async def go_on(self, frame: frames.GoOn) -> None:
        answer = await in_db(services.match_go_on, match_id=self.match_id, user_id=self.user_id)
        await self.send_ack(frame, answer.version)

    async def dice(self, frame: frames.DiceFrame) -> None:
        version = await in_db(services.dice_give, match_id=self.match_id, user_id=self.user_id, frame=frame)
        await self.send_ack(frame, version)

    async def order(self, frame: frames.Order) -> None:
        answer = await in_db(
            services.match_order,
            match_id=self.match_id,
            user_id=self.user_id,
            client_id=frame.id,
            order=frame.order,
            after=frame.after,
        )
        await self.send_ack(frame, answer.version)

    async def sync(self, frame: frames.Sync) -> None:
        event, side = await in_db(
            match_state.match_sync, match_id=self.match_id, user_id=self.user_id, after=frame.after, most=SYNC_ACTIONS
        )
        self._tell(event["version"])
        await self.send_frame(events.for_viewer(event, side, "actions"))

    async def why(self, frame: frames.Why) -> None:
        version, refusal = await in_db(
            match_state.explain_half_move,
            match_id=self.match_id,
            side=self.side,
            path=frame.path,
            attempt=frame.attempt,
        )
        with translation.override(self.language):
            reason = refusal.as_json() if refusal else {"code": None, "ruling": "", "text": ""}
        await self.send_frame({"t": "why", "id": frame.id, "version": version, **reason})

    async def ping(self, frame: frames.Ping) -> None:
        """Answer from memory, or as soon as the heartbeat is read: an act that comes meanwhile does not wait for it."""
        if (heartbeat := heartbeat_batch.current_batch().known(self.match_id, self.user_id)) is not None:
            await self._send_pong(heartbeat)
        elif self.pong is None or self.pong.done():
            self.pong = asyncio.create_task(self._read_pong())

    async def _read_pong(self) -> None:
        try:
            heartbeat = await heartbeat_batch.current_batch().ask(self.match_id, self.user_id)
        except NotFound as refusal:
            async with self.one_at_a_time:
                await self.send_refusal(refusal, None, version=self.version)
            return
        except Exception as error:  # the client hears nothing, and connects again
            log.warning("a heartbeat was not read: %s", error)
            return
        async with self.one_at_a_time:
            await self._send_pong(heartbeat)
        self.pong = None

    async def _send_pong(self, heartbeat: MatchHeartbeat) -> None:
        self.stamp, self.stamped_at = self.stamp + 1, time.monotonic()
        await self.send_frame({**self._pong(heartbeat), "stamp": self.stamp})

    def _pong(self, heartbeat: MatchHeartbeat) -> Json:
        self._tell(heartbeat.version)
        return {"t": "pong", **heartbeat.as_json(), "version": self.version}

    def _say_still_here_later(self) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(STILL_HERE, self._say_still_here)

    def _say_still_here(self) -> None:
        """Send a heartbeat from memory: those that the client asks for stand behind its frame, which is not done."""
        self.still_here = self._say_still_here_later()
        heartbeat = heartbeat_batch.current_batch().known(self.match_id, self.user_id)
        if heartbeat is not None:  # without a stamp, whose way back would wait, too
            self.pong = asyncio.create_task(self.send_frame(self._pong(heartbeat)))

    async def lag(self, frame: frames.Lag) -> None:
        """The stamp of the last `pong` is back: that was one round trip. Any other is ignored."""
        if frame.stamp == self.stamp and self.stamped_at:
            self.rtts_ms = (*self.rtts_ms[-2:], int((time.monotonic() - self.stamped_at) * 1000))
            self.stamped_at = 0.0

    COMMANDS: ClassVar[dict[type, Callable[[Any, Any], Awaitable[None]]]] = {
        frames.Act: act,
        frames.Claim: claim,
        frames.Adjourn: adjourn,
        frames.GoOn: go_on,
        frames.DiceCommit: dice,
        frames.DiceReveal: dice,
        frames.DiceDeposit: dice,
        frames.DiceOrder: dice,
        frames.Order: order,
        frames.Sync: sync,
        frames.Why: why,
        frames.Ping: ping,
        frames.Lag: lag,
    }

    async def ask_heartbeat(self) -> None:
        if self.greeted:  # or a heartbeat from memory would be older than what this player has seen elsewhere
            await self.ping(frames.Ping())

    # From the group

    def _take(self, message: Json) -> bool:
        """Send an event at once, even while an act of this socket is being committed. The first state comes before."""
        self.changes += message["type"] == "match.changed"
        kind = EVENT_KINDS.get(message["type"])
        if kind is None or self.buffers is None or not self.greeted:
            return False
        if not self.closed and message["event"]["version"] >= self.version_sent:
            self._tell_event(message["event"]["version"])
            self.send_now(events.text_for_viewer(message, self.side, kind))
            self._expect_act()
        return True

    async def match_event(self, message: Json) -> None:
        if message["event"]["version"] < self.version_sent:  # it waited while the state was read, which is later
            return
        self._tell_event(message["event"]["version"])
        await self.send_text(events.text_for_viewer(message, self.side, EVENT_KINDS[message["type"]]))

    match_state = match_event

    async def match_changed(self, message: Json) -> None:
        if self.changes == 0 or self.changes > self.changes_read:  # else a state was read since: of many, one is read
            await self.send_state_or_close()

    async def match_viewer_check(self, message: Json) -> None:
        """A block was made between a player and `user_id`: a spectator may have lost the right to watch."""
        if self.user_id == message["user_id"] and self.side is None:
            await self.send_state_or_close()

    async def match_hello(self, message: Json) -> None:
        """A player is present."""
        await self._send_presence(message["side"], True)

    async def match_who(self, message: Json) -> None:
        """A newcomer asks who is present: a player answers in a moment, once for all who ask meanwhile."""
        if self.greeting is None or self.greeting.done():
            self.greeting = asyncio.create_task(self._greet())

    async def _greet(self) -> None:
        await asyncio.sleep(GREETING_DELAY)
        await self.channel_layer.group_send(self.group, {"type": "match.hello", "side": self.side})
        self.greeting = None

    async def match_goodbye(self, message: Json) -> None:
        await self._send_presence(message["side"], False)
        if message["side"] == self.side:  # the same seat in another tab is still present
            await self.channel_layer.group_send(self.group, {"type": "match.hello", "side": self.side})

    async def _send_presence(self, side: str, present: bool) -> None:
        if self.present[side] != present:
            self.present[side] = present
            await self.send_frame({"t": "presence", "version": self.version, **self.present})

    # Sending

    async def send_ack(self, frame: frames.AcknowledgedFrame, version: int) -> None:
        if frame.id is not None:
            self.acknowledged = (frame, version)
        self._tell(version)
        await self.send_frame({"t": "ack", "id": frame.id, "version": version})

    def _tell(self, version: int) -> None:
        self.version = max(self.version, version)

    def _tell_event(self, version: int) -> None:
        self._tell(version)
        self.version_sent = version

    async def send_state_or_close(self) -> bool:
        """Send the state, or close the socket of a viewer who may not see it; whether it stays open."""
        try:
            await self.send_state()
        except NotWanted:
            return False
        except NotFound as refusal:
            await self.close(close_codes.BLOCKED if isinstance(refusal, ViewerBlocked) else close_codes.NOT_FOUND)
            return False
        return True

    async def send_state(self) -> None:
        changes = self.changes
        event, self.side = await _states().ask((self.match_id, self.user_id), lambda: not self.gone)
        self.greeted, self.changes_read = True, changes
        if event["version"] >= self.version_sent:  # or an event was sent meanwhile, with all that the state has
            self._tell_event(event["version"])
            await self.send_frame(events.for_viewer(event, self.side, "state"))
        self._expect_act()

    def _expect_act(self) -> None:
        """A player is here, who acts next or after the opponent: the match is read before that, if need be."""
        if self.side is not None:
            current_group_commit().expect(self.match_id, self.version)
