"""The socket of a screen with many boards (`/ws/wall/`): the server chooses them, or the client names those it wants.

It joins the groups of the matches that it shows, and passes on what any spectator sees of them: small frames, at most
two a second a board, the last one wins. What is lost heals by the versions in `pong`.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar
from urllib.parse import parse_qs

import orjson
from channels.consumer import get_handler_name
from django.utils import translation

from accounts import ties
from games import notify, pulses, wall, words
from games.consumers.base import CLOSE_TOO_LARGE, CLOSE_TOO_MANY, PlayConsumer, id_of, parse
from games.consumers.match import MatchConsumer
from games.database import in_db
from games.doors import registry
from games.engine import Json
from games.errors import NotFound, Refused
from games.loops import of_loop
from games.registry import RULES
from games.selectors.wall import Candidate, Wish, boards, candidates

log = logging.getLogger(__name__)

LOOK = 3.0  # seconds between two looks at what is played
TIES = 30.0  # seconds between two looks at who is kept from whom
AWAITED = 9.0  # seconds between two looks for matches that were asked for and are not there yet
MOST_WISHES = 64  # kinds of walls that are remembered in one process
_ID = re.compile(r"[A-Za-z0-9]{1,16}")
_PAGE = re.compile(r"/[a-z]{1,20}/[A-Za-z0-9-]{1,40}/")


class Showcase:
    """What the walls of an event loop share: a thousand of them ask the database once every few seconds."""

    def __init__(self) -> None:
        self._found: dict[Wish, tuple[float, asyncio.Task[list[Candidate]]]] = {}

    async def candidates(self, wish: Wish, moment: float) -> list[Candidate]:
        """What could be shown; as it was at most `LOOK` seconds ago. Raises what the database raises."""
        asked_at, task = self._found.get(wish, (-LOOK, None))
        if task is None or moment - asked_at >= LOOK or (task.done() and task.exception() is not None):
            task = asyncio.create_task(in_db(candidates, wish))
            self._found[wish] = (moment, task)
            while len(self._found) > MOST_WISHES:
                self._found.pop(next(iter(self._found)))
        return await asyncio.shield(task)

    def watched(self) -> Counter[str]:
        """The spectators of each match at this process: where there are several, a sample of all."""
        doors = (door for door in registry.here().open if isinstance(door, MatchConsumer))
        return Counter(door.match_id for door in doors if door.side is None)


here = of_loop(Showcase)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address of a wall asks for; `ids` are named boards, `tv` one large board with the next beside it."""

    wish: Wish = field(default_factory=Wish)
    followed: bool = False
    ids: tuple[str, ...] = ()
    tv: bool = False


def asked_by(scope: Mapping[str, Any]) -> Asked:
    """The query of a socket's address; what it does not know is passed over."""
    said = {key: values[0] for key, values in parse_qs(scope.get("query_string", b"").decode("latin-1")).items()}
    game, page = said.get("game", ""), said.get("from", "")
    wish = Wish(game if game in RULES else "", page if _PAGE.fullmatch(page) else "")
    return Asked(wish, said.get("of") == "followed", named(said.get("ids", "").split(",")), said.get("show") == "tv")


def named(ids: Iterable[object]) -> tuple[str, ...]:
    """The first `MOST` of these that can be the ids of matches."""
    good = (one for one in ids if isinstance(one, str) and _ID.fullmatch(one))
    return tuple(dict.fromkeys(good))[: wall.MOST]


class WallConsumer(PlayConsumer):
    """One screen. `shown` are its boards in their places, `told` the versions that it was told of."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.asked = Asked()
        self.shown: list[str] = []
        self.told: dict[str, int] = {}
        self.ended: dict[str, float] = {}
        self.channel: wall.Channel | None = None
        self.pace: wall.Pace[tuple[str, int, str]] = wall.Pace()
        self.apart: frozenset[int] = frozenset()
        self.tied_at, self.awaited_at = -TIES, -AWAITED
        self.looking: asyncio.Task[None] | None = None
        self.sending: asyncio.Task[None] | None = None
        self.turn = asyncio.Lock()  # one change of what is shown at a time

    async def connect(self) -> None:
        self.user_id: int | None = getattr(self.scope.get("user"), "pk", None)
        self.asked = asked_by(self.scope)
        await self.accept()
        await self.review(first=True)
        self.looking = asyncio.create_task(self._review_on())

    async def disconnect(self, code: int) -> None:
        for task in (self.looking, self.sending):
            if task is not None:
                task.cancel()
        for match_id in self.told:
            await self.channel_layer.group_discard(notify.match_group(match_id), self.channel_name)

    async def dispatch(self, message: Json) -> None:
        """As ever; what else is said at a table (who comes and goes) is not for walls."""
        if message["type"].startswith("match.") and not hasattr(self, get_handler_name(message)):
            return
        await super().dispatch(message)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        frame_id: str | None = None
        try:
            if not self.credit():
                await self.refuse(Refused("too_many"), None)
                await self.close(CLOSE_TOO_MANY)
                return
            frame = parse(text_data)
            frame_id = id_of(frame)
            command = self.COMMANDS.get(frame["t"]) if isinstance(frame.get("t"), str) else None
            if command is None:
                raise Refused("unknown_command")
            await command(self, frame)
        except Refused as refusal:
            await self.refuse(refusal, frame_id)
            if refusal.code == "too_large":
                await self.close(CLOSE_TOO_LARGE)

    # Commands

    async def ping(self, frame: Json) -> None:
        """The versions in the database: who has an older one asks for that board again."""
        shown = list(self.shown)
        found = await asyncio.gather(*(self._version(one) for one in shown))
        versions = {one: version for one, version in zip(shown, found, strict=True) if version is not None}
        await self.say({"t": "pong", "versions": versions})

    async def _version(self, match_id: str) -> int | None:
        """All boards of all walls that beat within a moment are one question."""
        try:
            return (await pulses.here().ask(match_id, None)).version
        except NotFound:
            return None

    async def again(self, frame: Json) -> None:
        """These boards as they are now, of those that are shown."""
        ids = frame.get("ids")
        if not isinstance(ids, list):
            raise Refused("bad_frame")
        for one in await in_db(boards, [each for each in named(ids) if each in self.shown], user_id=self.user_id):
            await self._say_board(one)

    async def show(self, frame: Json) -> None:
        """These boards, the first 16 of those that this viewer may see; without any the server chooses again."""
        ids = frame.get("ids", [])
        if not isinstance(ids, list):
            raise Refused("bad_frame")
        self.asked = replace(self.asked, ids=named(ids))
        self.awaited_at = -AWAITED
        await self.review(first=True)

    COMMANDS: ClassVar[dict[str, Callable[[Any, Json], Awaitable[None]]]] = {"ping": ping, "again": again, "show": show}

    # From the groups

    async def match_event(self, message: Json) -> None:
        """Something happened on a board; a state that changed without an action comes in the same way."""
        event = message["event"]
        match_id, version = event["match"]["id"], event["version"]
        if version < self.told.get(match_id, version + 1):
            return  # a board that went, or a word that was overtaken
        text = message.get("wall")
        if text is None:
            text = message["wall"] = orjson.dumps({"t": "board", **wall.board(event)}).decode()  # once for all walls
        if event["match"]["status"] == "over":
            self.ended.setdefault(match_id, time.monotonic())
        self.pace.offer(match_id, (match_id, version, text))
        await self._send_due()

    match_state = match_event

    async def _send_due(self) -> None:
        """Say what may be said now, and come back for the rest."""
        for match_id, version, text in self.pace.due(time.monotonic()):
            if match_id in self.shown and version >= self.told.get(match_id, version + 1):
                self.told[match_id] = version
                await self.say_text(text)
        waits = self.pace.wait(time.monotonic()) is not None
        if waits and (self.sending is None or self.sending.done()):
            self.sending = asyncio.create_task(self._send_later())

    async def _send_later(self) -> None:
        while (wait := self.pace.wait(time.monotonic())) is not None and not self.closed:
            await asyncio.sleep(wait)
            await self._send_due()

    # Choosing

    async def _review_on(self) -> None:
        while not self.closed:
            await asyncio.sleep(LOOK)
            try:
                await self.review()
            except Exception as error:  # the database is away: the next look finds the same
                log.warning("a wall did not look: %s", error)

    async def review(self, *, first: bool = False) -> None:
        """See what is played, and say which boards are shown if that has changed (or `first`, in any case)."""
        async with self.turn:
            moment = time.monotonic()
            if moment - self.tied_at >= TIES:
                await self._look_at_ties(moment)
            if self.asked.ids:
                await self._look_for_named(moment, first=first)
            else:
                await self._choose(moment, first=first)

    async def _look_at_ties(self, moment: float) -> None:
        self.tied_at = moment
        self.apart = await in_db(ties.apart_from, self.user_id)
        if self.asked.followed:
            people = await in_db(ties.followed_by, self.user_id) if self.user_id is not None else frozenset()
            self.asked = replace(self.asked, wish=replace(self.asked.wish, people=people))

    async def _look_for_named(self, moment: float, *, first: bool) -> None:
        missing = [one for one in self.asked.ids if one not in self.shown]
        if first or (missing and moment - self.awaited_at >= AWAITED):
            self.awaited_at = moment
            await self._change(list(self.asked.ids), first=first)

    async def _choose(self, moment: float, *, first: bool) -> None:
        found = await here().candidates(self.asked.wish, moment)
        mine = [one.facts for one in found if not one.people & self.apart]
        best = wall.ranked(mine, watched=here().watched())
        going = {one.match_id for one in best}
        await self._see_ends([one for one in self.shown if one not in going and one not in self.ended])
        if self.asked.tv:
            ids = self._tune(best, moment)
        else:
            kept = {one for one, at in self.ended.items() if moment - at < wall.KEPT}
            ids = wall.places(self.shown, [one.match_id for one in best], kept=kept)
        await self._change(ids, first=first)

    def _tune(self, best: list[wall.Facts], moment: float) -> list[str]:
        """The large board first, and the next ones in places that do not jump."""
        self.channel = wall.follow(self.channel, best, moment=moment, ended=self.ended)
        large = [] if self.channel is None else [self.channel.match_id]
        others = [one.match_id for one in best if one.match_id not in large]
        beside = [one for one in self.shown if one not in large]
        return large + wall.places(beside, others, most=wall.QUEUE)

    async def _see_ends(self, gone: list[str]) -> None:
        """Boards that are played no more, though nobody said how they ended: that word was lost."""
        for one in await in_db(boards, gone, user_id=self.user_id) if gone else []:
            if one["status"] == "over":
                await self._say_board(one)

    async def _change(self, ids: list[str], *, first: bool) -> None:
        """Show these boards, and say the new ones. Groups are joined before reading, so that nothing falls between."""
        fresh = [one for one in ids if first or one not in self.shown]
        if not (first or fresh) and ids == self.shown:
            return
        for one in fresh:
            self.told.setdefault(one, 0)
            await self.channel_layer.group_add(notify.match_group(one), self.channel_name)
        read = {one["id"]: one for one in await in_db(boards, fresh, user_id=self.user_id)}
        shown = [one for one in ids if one in read or (one in self.shown and one not in fresh)]
        if not first and shown == self.shown:
            await self._leave(set(self.told) - set(shown))
            return
        self.shown = shown
        await self._leave(set(self.told) - set(shown))
        for new in read.values():
            self._note(new)
        with translation.override(self.language()):
            told = [self._named(read[one]) for one in shown if one in read]
        await self.say({"t": "boards", "ids": shown, "boards": told})

    async def _leave(self, gone: Iterable[str]) -> None:
        for one in gone:
            self.told.pop(one, None)
            self.ended.pop(one, None)
            self.pace.forget(one)
            await self.channel_layer.group_discard(notify.match_group(one), self.channel_name)

    # Saying

    def _note(self, one: Json) -> None:
        self.told[one["id"]] = max(one["version"], self.told.get(one["id"], 0))
        if one["status"] == "over":
            self.ended.setdefault(one["id"], time.monotonic())

    def _named(self, one: Json) -> Json:
        """With the words of this viewer's language."""
        about = one["about"]
        said = {"game": words.variant(about["variant"]), "length": words.length(about["length"])}
        return {**one, "about": {**about, "words": {**said, "clock": words.clock(about["clock"])}}}

    async def _say_board(self, one: Json) -> None:
        """A board that was just read; what was about to be said of it is older."""
        self.pace.forget(one["id"])
        self._note(one)
        await self.say({"t": "board", **{key: value for key, value in one.items() if key != "about"}})
