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

WHOLE_LOOK = 10
"""Every so many heartbeats the whole chat is read again; at the others one number tells whether it has changed."""
SPREAD = 3000
"""Milliseconds over which spectators reload when a match ends: there can be a thousand of them."""


class ChatConsumer(PlayConsumer):
    """One reader of the chat of one match, who may also write. Any other frame is a heartbeat."""

    kind = "talk"
    user_id: int | None = None
    talk: ChatHistory | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.groups_in: set[str] = set()
        self.known: set[int] = set()  # the messages that this page has
        self.gone: set[int] = set()  # those of them that were removed
        self.beats, self.pulse = 0, (0, 0)

    async def connect(self) -> None:
        self.match_id: str = self.scope["url_route"]["kwargs"]["match_id"]
        self.user_id = getattr(self.scope.get("user"), "pk", None)
        await self.accept()
        await self._join(notify.table_group(self.match_id))
        if self.user_id is not None:
            await self._join(notify.person_group(self.user_id))
        await self.look_again(after=_after(self.scope))

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
                await self.speak(frame)
            elif frame.get("t") == "ping":
                await self.beat()
                await self.send_frame({"t": "pong"})
            else:
                raise BadFrame("unknown_command")
        except Refused as refusal:
            await self.send_refusal(refusal, frame_id)
            if refusal.code == "too_large":
                await self.close(CLOSE_TOO_LARGE)

    async def speak(self, frame: Json) -> None:
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
        before, self.pulse = self.pulse, await in_db(latest_change, match_id=self.match_id)
        self.beats += 1
        if self.pulse != before or self.beats % WHOLE_LOOK == 0:
            await self.look_again(news=True)

    async def look_again(self, *, after: int = 0, news: bool = False) -> None:
        """Read the chat as this reader may see it now, after joining the groups of their rooms.

        With `news` only what this page lacks is sent: usually nothing.
        """
        before = self.talk
        try:
            while True:
                self.talk = talk = await in_db(chat_history, match_id=self.match_id, user_id=self.user_id, after=after)
                if not await self._be_in(talk):
                    break
        except NotFound:
            await self.close(CLOSE_NOT_FOUND)
            return
        changed = before is None or self._rights(talk) != self._rights(before)
        with translation.override(self.language()):
            fresh = {**talk.frame(known=self.known if news else ()), "anew": not news and after == 0}
        if news and not changed and not fresh["messages"] and set(fresh["gone"]) <= self.gone:
            return
        self.known |= {line["id"] for line in fresh["messages"]}
        self.gone = set(fresh["gone"])
        await self.send_frame(fresh)

    @staticmethod
    def _rights(talk: ChatHistory) -> tuple[Any, ...]:
        why = talk.viewer.refusal
        return talk.viewer.rooms, talk.viewer.may, talk.viewer.over, why.code if why else ""

    async def _be_in(self, talk: ChatHistory) -> bool:
        """Be in the groups of these rooms and in no others; whether one was joined, so that it must be read again."""
        ever = {notify.room_group(self.match_id, room): room in talk.viewer.rooms for room in ("players", "watchers")}
        joined = False
        for group, inside in ever.items():
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

    async def chat_posted(self, message: Json) -> None:
        """Send a new message, unless this reader may not see it."""
        said = message["message"]
        if not self.hears(said):
            return
        self.known.add(said["id"])
        with translation.override(self.language()):
            await self.send_frame({"t": "said", **frames.message_line(said, self.user_id)})

    async def chat_removed(self, message: Json) -> None:
        said = message["message"]
        if self.hears(said):
            self.gone = self.gone | {said["id"]}
            await self.send_frame({"t": "gone", "id": said["id"]})

    async def chat_reload(self, message: Json) -> None:
        await self.look_again()

    async def chat_over(self, message: Json) -> None:
        """Reload when the match is over: its players at once, spectators spread over time."""
        if self.talk is not None and self.talk.viewer.seat is None:
            await asyncio.sleep(secrets.randbelow(SPREAD) / 1000)
        await self.look_again()

    def hears(self, said: Json) -> bool:
        """Whether this reader may and wants to read it."""
        if self.talk is None:
            return False
        viewer = self.talk.viewer
        if said["room"] not in viewer.rooms or said["by_id"] in viewer.muted_ids:
            return False
        mine = said["by_id"] == self.user_id
        phrases_only = viewer.preferences.level == "phrases" and said["room"] == "watchers"
        return mine or bool(said["phrase"]) or not phrases_only


def _after(scope: Mapping[str, Any]) -> int:
    """The `after` of a socket's address: the last message that its page has, or 0."""
    value = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("after", [""])[0]
    return int(value) if value.isascii() and value.isdigit() and len(value) <= 14 else 0
