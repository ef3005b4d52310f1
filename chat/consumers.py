"""The chat socket of a match. The server chooses the room, from the session and the match row."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from django.utils import translation

from accounts.errors import Refused
from chat import frames, notify
from chat.selectors.messages import ChatHistory, chat_history, latest_change
from chat.services import message_say
from games.consumers.base import CLOSE_NOT_FOUND, CLOSE_TOO_LARGE, CLOSE_TOO_MANY, PlayConsumer
from games.database import in_db
from games.engine import Json
from games.errors import NotFound
from games.errors import Refused as BadFrame
from games.frames import decode, id_of

FULL_RELOAD_EVERY = 10
"""Every so many heartbeats the whole chat is read again; at the others one number tells whether it has changed."""
SPREAD = 3000
"""Milliseconds over which spectators reload when a match ends: there can be a thousand of them."""


class ChatConsumer(PlayConsumer):
    """One reader of the chat of one match, who may also write. Any other frame is a heartbeat."""

    kind = "talk"
    user_id: int | None = None
    history: ChatHistory | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.groups_in: set[str] = set()
        self.known: set[int] = set()  # the messages that this page has
        self.removed_ids: set[int] = set()  # those of them that were removed
        self.beats, self.latest = 0, (0, 0)

    async def connect(self) -> None:
        self.match_id: str = self.scope["url_route"]["kwargs"]["match_id"]
        self.user_id = self.visit.user_id
        await self.accept()
        await self._join(notify.table_group(self.match_id))
        if self.user_id is not None:
            await self._join(notify.person_group(self.user_id))
        await self.send_history(after=_after(self.scope))

    async def disconnect(self, code: int) -> None:
        for group in self.groups_in:
            await self.channel_layer.group_discard(group, self.channel_name)
        self.groups_in = set()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Read one frame. An invalid frame is refused and changes nothing."""
        frame_id: str | None = None
        try:
            if not self.has_credit():
                await self.send_refusal(BadFrame("too_many"), None)
                await self.close(CLOSE_TOO_MANY)
                return
            frame = decode(text_data)
            frame_id = id_of(frame)
            if frame.get("t") == "say":
                await self.post_message(frame)
            elif frame.get("t") == "ping":
                await self.beat()
                await self.send_frame({"t": "pong"})
            else:
                raise BadFrame("unknown_command")
        except Refused as refusal:
            await self.send_refusal(refusal, frame_id)
            if refusal.code == "too_large":
                await self.close(CLOSE_TOO_LARGE)

    async def post_message(self, frame: Json) -> None:
        message = await in_db(
            message_say,
            match_id=self.match_id,
            user_id=self.user_id,
            client_id=frame.get("id", ""),
            text=frame.get("text", ""),
            phrase=frame.get("phrase", ""),
        )
        await self.send_frame({"t": "ack", "id": frame["id"], "message": message.pk})

    async def beat(self) -> None:
        """Look for news that a lost message would have brought: cheaply: a thousand readers do it every 30 s."""
        before, self.latest = self.latest, await in_db(latest_change, match_id=self.match_id)
        self.beats += 1
        if self.latest != before or self.beats % FULL_RELOAD_EVERY == 0:
            await self.send_history(news=True)

    async def send_history(self, *, after: int = 0, news: bool = False) -> None:
        """Read the chat as this reader may see it now, after joining the groups of their rooms.

        With `news` only what this page lacks is sent: usually nothing.
        """
        before = self.history
        try:
            while True:
                self.history = history = await in_db(
                    chat_history, match_id=self.match_id, user_id=self.user_id, after=after
                )
                if not await self._update_groups(history):
                    break
        except NotFound:
            await self.close(CLOSE_NOT_FOUND)
            return
        changed = before is None or self._rights(history) != self._rights(before)
        with translation.override(self.language):
            fresh = {**history.frame(known=self.known if news else ()), "anew": not news and after == 0}
        if news and not changed and not fresh["messages"] and set(fresh["gone"]) <= self.removed_ids:
            return
        self.known |= {line["id"] for line in fresh["messages"]}
        self.removed_ids = set(fresh["gone"])
        await self.send_frame(fresh)

    @staticmethod
    def _rights(history: ChatHistory) -> tuple[Any, ...]:
        why = history.viewer.refusal
        return history.viewer.rooms, history.viewer.may, history.viewer.over, why.code if why else ""

    async def _update_groups(self, history: ChatHistory) -> bool:
        """Join the groups of the readable rooms and leave the others; return whether one was joined."""
        membership = {
            notify.room_group(self.match_id, room): room in history.viewer.rooms for room in ("players", "watchers")
        }
        joined = False
        for group, inside in membership.items():
            if inside and group not in self.groups_in:
                await self._join(group)
                joined = True
            elif not inside and group in self.groups_in:
                self.groups_in.discard(group)
                await self.channel_layer.group_discard(group, self.channel_name)
        return joined

    async def _join(self, group: str) -> None:
        await self.channel_layer.group_add(group, self.channel_name)
        self.groups_in.add(group)

    # From the groups

    async def chat_posted(self, event: Json) -> None:
        """Send a new message, unless this reader may not see it."""
        message = event["message"]
        if not self.can_see(message):
            return
        self.known.add(message["id"])
        with translation.override(self.language):
            await self.send_frame({"t": "said", **frames.message_line(message, self.user_id)})

    async def chat_removed(self, event: Json) -> None:
        message = event["message"]
        if self.can_see(message):
            self.removed_ids = self.removed_ids | {message["id"]}
            await self.send_frame({"t": "gone", "id": message["id"]})

    async def chat_reload(self, message: Json) -> None:
        await self.send_history()

    async def chat_over(self, message: Json) -> None:
        """Reload when the match is over: its players at once, spectators spread over time."""
        if self.history is not None and self.history.viewer.seat is None:
            await asyncio.sleep(secrets.randbelow(SPREAD) / 1000)
        await self.send_history()

    def can_see(self, message: Json) -> bool:
        """Whether this reader may and wants to read a message."""
        if self.history is None:
            return False
        viewer = self.history.viewer
        if message["room"] not in viewer.rooms or message["by_id"] in viewer.muted_ids:
            return False
        own = message["by_id"] == self.user_id
        phrases_only = viewer.preferences.level == "phrases" and message["room"] == "watchers"
        return own or bool(message["phrase"]) or not phrases_only


def _after(scope: Mapping[str, Any]) -> int:
    """The `after` of a socket's address: the last message that its page has, or 0."""
    value = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("after", [""])[0]
    return int(value) if value.isascii() and value.isdigit() and len(value) <= 14 else 0
