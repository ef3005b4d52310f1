"""The socket of the talk at a match. The room is chosen by the server, from the session and the match row."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from django.utils import translation

from accounts.errors import Refused
from games.consumers.base import CLOSE_NOT_FOUND, CLOSE_TOO_LARGE, CLOSE_TOO_MANY, PlayConsumer, id_of, parse
from games.database import in_db
from games.engine import Json
from games.errors import NotFound
from games.errors import Refused as BadFrame
from talk import frames, notify
from talk.selectors.rooms import Talk, pulse_of, talk_of
from talk.services import message_say

WHOLE_LOOK = 10
"""At every so many heartbeats all is read anew; at the others one number says whether anything was said meanwhile."""
SPREAD = 3000
"""Milliseconds over which those who only watch look again when a match ends: there can be a thousand of them."""


class TalkConsumer(PlayConsumer):
    """One reader of the talk at one match, who may write too. Any other frame of his is a heartbeat."""

    user_id: int | None = None
    talk: Talk | None = None

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
        """Read one frame. Whatever is wrong with it is said, and nothing else happens."""
        frame_id: str | None = None
        try:
            if not self.credit():
                await self.refuse(BadFrame("too_many"), None)
                await self.close(CLOSE_TOO_MANY)
                return
            frame = parse(text_data)
            frame_id = id_of(frame)
            if frame.get("t") == "say":
                await self.speak(frame)
            elif frame.get("t") == "ping":
                await self.beat()
                await self.say({"t": "pong"})
            else:
                raise BadFrame("unknown_command")
        except Refused as refusal:
            await self.refuse(refusal, frame_id)
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
        await self.say({"t": "ack", "id": frame["id"], "message": message.pk})

    async def beat(self) -> None:
        """Look for what a lost message would have said: cheaply, for a thousand readers do it each half minute."""
        before, self.pulse = self.pulse, await in_db(pulse_of, match_id=self.match_id)
        self.beats += 1
        if self.pulse != before or self.beats % WHOLE_LOOK == 0:
            await self.look_again(news=True)

    async def look_again(self, *, after: int = 0, news: bool = False) -> None:
        """Read what there is for this reader now, and be in the groups of his rooms before it is read.

        With `news` only what this page lacks is said: nothing, as a rule.
        """
        before = self.talk
        try:
            while True:
                self.talk = talk = await in_db(talk_of, match_id=self.match_id, user_id=self.user_id, after=after)
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
        await self.say(fresh)

    @staticmethod
    def _rights(talk: Talk) -> tuple[Any, ...]:
        why = talk.hearer.refusal
        return talk.hearer.rooms, talk.hearer.may, talk.hearer.over, why.code if why else ""

    async def _be_in(self, talk: Talk) -> bool:
        """Be in the groups of these rooms and in no others; whether one was joined, so that it must be read again."""
        ever = {notify.room_group(self.match_id, room): room in talk.hearer.rooms for room in ("players", "watchers")}
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

    async def talk_said(self, message: Json) -> None:
        """Somebody said something. What is not for this reader stops here too."""
        said = message["said"]
        if not self.hears(said):
            return
        self.known.add(said["id"])
        with translation.override(self.language()):
            await self.say({"t": "said", **frames.line(said, self.user_id)})

    async def talk_gone(self, message: Json) -> None:
        said = message["said"]
        if self.hears(said):
            self.gone = self.gone | {said["id"]}
            await self.say({"t": "gone", "id": said["id"]})

    async def talk_again(self, message: Json) -> None:
        await self.look_again()

    async def talk_over(self, message: Json) -> None:
        """The match is over. Its players look at once; the others take turns."""
        if self.talk is not None and self.talk.hearer.seat is None:
            await asyncio.sleep(secrets.randbelow(SPREAD) / 1000)
        await self.look_again()

    def hears(self, said: Json) -> bool:
        """Whether this reader may and wants to read it."""
        if self.talk is None:
            return False
        hearer = self.talk.hearer
        if said["room"] not in hearer.rooms or said["by_id"] in hearer.unheard:
            return False
        mine = said["by_id"] == self.user_id
        phrases_only = hearer.wishes.level == "phrases" and said["room"] == "watchers"
        return mine or bool(said["phrase"]) or not phrases_only


def _after(scope: Mapping[str, Any]) -> int:
    """The `after` of a socket's address: the last message that its page has, or 0."""
    value = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("after", [""])[0]
    return int(value) if value.isascii() and value.isdigit() and len(value) <= 14 else 0
