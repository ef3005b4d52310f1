"""The socket of a screen of live boards (`/ws/wall/`): the server chooses them, or the client names those it wants.

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

from accounts.relationships import selectors as relationship_selectors
from games import frames, heartbeat_batch, labels, live_boards, notify
from games.connections import registry
from games.consumers.base import CLOSE_TOO_LARGE, CLOSE_TOO_MANY, PlayConsumer
from games.consumers.match import MatchConsumer
from games.database import in_db
from games.engine import Json
from games.errors import NotFound, Refused
from games.event_loop import per_event_loop
from games.registry import RULES
from games.selectors.live_boards import BoardFilter, Candidate, boards, candidates

log = logging.getLogger(__name__)

CHOOSE_SECONDS = 3.0  # between two choices of the boards
RELATIONSHIP_SECONDS = 30.0  # between two reads of blocks and follows
MISSING_SECONDS = 9.0  # between two reads of matches that were asked for and are not there yet
MAX_FILTERS = 64  # kinds of screens that are remembered in one process
_PAGE = re.compile(r"/[a-z]{1,20}/[A-Za-z0-9-]{1,40}/")


class CandidateCache:
    """The candidates that the screens of an event loop share: a thousand of them ask the database once in 3 seconds."""

    def __init__(self) -> None:
        self._tasks: dict[BoardFilter, tuple[float, asyncio.Task[list[Candidate]]]] = {}

    async def candidates(self, board_filter: BoardFilter, moment: float) -> list[Candidate]:
        """The matches that could be shown, at most `CHOOSE_SECONDS` old. Raises what the database raises."""
        read_at, task = self._tasks.get(board_filter, (-CHOOSE_SECONDS, None))
        if task is None or moment - read_at >= CHOOSE_SECONDS or (task.done() and task.exception() is not None):
            task = asyncio.create_task(in_db(candidates, board_filter))
            self._tasks[board_filter] = (moment, task)
            while len(self._tasks) > MAX_FILTERS:
                self._tasks.pop(next(iter(self._tasks)))
        return await asyncio.shield(task)

    def spectators(self) -> Counter[str]:
        """The spectators of each match at this process: where there are several, a sample of all."""
        sockets = (socket for socket in registry.current_registry().open if isinstance(socket, MatchConsumer))
        return Counter(socket.match_id for socket in sockets if socket.side is None)


current_candidates = per_event_loop(CandidateCache)


@dataclass(frozen=True, slots=True)
class Query:
    """What the URL of a screen asks for; `ids` are named boards, `tv` one large board with the next beside it."""

    board_filter: BoardFilter = field(default_factory=BoardFilter)
    followed: bool = False
    ids: tuple[str, ...] = ()
    tv: bool = False


def parse_query(scope: Mapping[str, Any]) -> Query:
    """The query of a socket's URL; unknown values are ignored."""
    values = {key: found[0] for key, found in parse_qs(scope.get("query_string", b"").decode("latin-1")).items()}
    game, page = values.get("game", ""), values.get("from", "")
    board_filter = BoardFilter(game if game in RULES else "", page if _PAGE.fullmatch(page) else "")
    ids = frames.possible_match_ids(values.get("ids", "").split(","))[: live_boards.MAX_BOARDS]
    return Query(board_filter, values.get("of") == "followed", ids, values.get("show") == "tv")


class LiveBoardsConsumer(PlayConsumer):
    """One screen. `shown` are the ids of its boards in their places, `versions` the last ones that were sent."""

    kind = "wall"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.query = Query()
        self.shown: list[str] = []
        self.versions: dict[str, int] = {}
        self.ended: dict[str, float] = {}
        self.channel: live_boards.Channel | None = None
        self.throttle: live_boards.FrameThrottle[tuple[str, int, str]] = live_boards.FrameThrottle()
        self.blocked_users: frozenset[int] = frozenset()
        self.relationships_at, self.missing_at = -RELATIONSHIP_SECONDS, -MISSING_SECONDS
        self.choosing: asyncio.Task[None] | None = None
        self.sending: asyncio.Task[None] | None = None
        self.change_lock = asyncio.Lock()  # one change of what is shown at a time

    async def connect(self) -> None:
        self.user_id: int | None = self.visit.user_id
        self.query = parse_query(self.scope)
        await self.accept()
        await self.choose_boards(first=True)
        self.choosing = asyncio.create_task(self._keep_choosing())

    async def disconnect(self, code: int) -> None:
        for task in (self.choosing, self.sending):
            if task is not None:
                task.cancel()
        for match_id in self.versions:
            await self.channel_layer.group_discard(notify.match_group(match_id), self.channel_name)

    async def dispatch(self, message: Json) -> None:
        """As in every socket; other messages to a match's group (who comes and goes) are ignored."""
        if message["type"].startswith("match.") and not hasattr(self, get_handler_name(message)):
            return
        await super().dispatch(message)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        frame_id: str | None = None
        try:
            if not self.has_credit():
                await self.send_refusal(Refused("too_many"), None)
                await self.close(CLOSE_TOO_MANY)
                return
            decoded = frames.decode(text_data)
            frame_id = frames.id_of(decoded)
            frame = frames.parse_boards_frame(decoded)
            await self.COMMANDS[type(frame)](self, frame)
        except Refused as refusal:
            await self.send_refusal(refusal, frame_id)
            if refusal.code == "too_large":
                await self.close(CLOSE_TOO_LARGE)

    # Commands

    async def ping(self, frame: frames.Ping) -> None:
        """The versions in the database: a client that has an older one asks for that board again."""
        shown = list(self.shown)
        found = await asyncio.gather(*(self._current_version(match_id) for match_id in shown))
        versions = {match_id: version for match_id, version in zip(shown, found, strict=True) if version is not None}
        await self.send_frame({"t": "pong", "versions": versions})

    async def _current_version(self, match_id: str) -> int | None:
        """All boards of all screens whose heartbeats come within a moment are one query."""
        try:
            return (await heartbeat_batch.current_batch().ask(match_id, None)).version
        except NotFound:
            return None

    async def refresh(self, frame: frames.Refresh) -> None:
        """These boards as they are now, of those that are shown."""
        ids = [match_id for match_id in frame.ids[: live_boards.MAX_BOARDS] if match_id in self.shown]
        for board in await in_db(boards, ids, user_id=self.user_id):
            await self._send_board(board)

    async def show(self, frame: frames.Show) -> None:
        """These boards, the first 16 of those that this viewer may see; without any the server chooses again."""
        self.query = replace(self.query, ids=frame.ids[: live_boards.MAX_BOARDS])
        self.missing_at = -MISSING_SECONDS
        await self.choose_boards(first=True)

    COMMANDS: ClassVar[dict[type, Callable[[Any, Any], Awaitable[None]]]] = {
        frames.Ping: ping,
        frames.Refresh: refresh,
        frames.Show: show,
    }

    # From the groups

    async def match_event(self, message: Json) -> None:
        """Something happened on a board; a state that changed without an action comes in the same way."""
        event = message["event"]
        match_id, version = event["match"]["id"], event["version"]
        if version < self.versions.get(match_id, version + 1):
            return  # a board that is no longer shown, or an outdated event
        text = message.get("board_text")
        if text is None:
            frame = {"t": "board", **live_boards.board_json(event)}
            text = message["board_text"] = orjson.dumps(frame).decode()  # once for all screens
        if event["match"]["status"] == "over":
            self.ended.setdefault(match_id, time.monotonic())
        self.throttle.offer(match_id, (match_id, version, text))
        await self._send_due()

    match_state = match_event

    async def _send_due(self) -> None:
        """Send what may be sent now, and come back for the rest."""
        for match_id, version, text in self.throttle.due(time.monotonic()):
            if match_id in self.shown and version >= self.versions.get(match_id, version + 1):
                self.versions[match_id] = version
                await self.send_text(text)
        waits = self.throttle.wait(time.monotonic()) is not None
        if waits and (self.sending is None or self.sending.done()):
            self.sending = asyncio.create_task(self._send_later())

    async def _send_later(self) -> None:
        while (wait := self.throttle.wait(time.monotonic())) is not None and not self.closed:
            await asyncio.sleep(wait)
            await self._send_due()

    # Choosing

    async def _keep_choosing(self) -> None:
        while not self.closed:
            await asyncio.sleep(CHOOSE_SECONDS)
            try:
                await self.choose_boards()
            except Exception as error:  # the database is away: the next choice finds the same
                log.warning("a screen of live boards was not updated: %s", error)

    async def choose_boards(self, *, first: bool = False) -> None:
        """Choose the boards, and send which ones are shown if that has changed (or `first`, in any case)."""
        async with self.change_lock:
            moment = time.monotonic()
            if moment - self.relationships_at >= RELATIONSHIP_SECONDS:
                await self._read_relationships(moment)
            if self.query.ids:
                await self._choose_named(moment, first=first)
            else:
                await self._choose_best(moment, first=first)

    async def _read_relationships(self, moment: float) -> None:
        self.relationships_at = moment
        self.blocked_users = await in_db(relationship_selectors.separated_by_block, self.user_id)
        if self.query.followed:
            people = (
                await in_db(relationship_selectors.followed_ids, self.user_id)
                if self.user_id is not None
                else frozenset()
            )
            self.query = replace(self.query, board_filter=replace(self.query.board_filter, people=people))

    async def _choose_named(self, moment: float, *, first: bool) -> None:
        missing = [match_id for match_id in self.query.ids if match_id not in self.shown]
        if first or (missing and moment - self.missing_at >= MISSING_SECONDS):
            self.missing_at = moment
            await self._show(list(self.query.ids), first=first)

    async def _choose_best(self, moment: float, *, first: bool) -> None:
        cache = current_candidates()
        found = await cache.candidates(self.query.board_filter, moment)
        visible = [candidate.facts for candidate in found if not candidate.people & self.blocked_users]
        best = live_boards.ranked(visible, spectators=cache.spectators())
        live = {match.match_id for match in best}
        await self._send_ended([each for each in self.shown if each not in live and each not in self.ended])
        if self.query.tv:
            ids = self._tv_boards(best, moment)
        else:
            ended = {each for each, at in self.ended.items() if moment - at < live_boards.ENDED_BOARD_SECONDS}
            ids = live_boards.board_places(self.shown, [match.match_id for match in best], ended=ended)
        await self._show(ids, first=first)

    def _tv_boards(self, best: list[live_boards.MatchInterest], moment: float) -> list[str]:
        """The large board first, and the next ones in places that do not jump."""
        self.channel = live_boards.next_channel(self.channel, best, moment=moment, ended=self.ended)
        large = [] if self.channel is None else [self.channel.match_id]
        others = [match.match_id for match in best if match.match_id not in large]
        beside = [match_id for match_id in self.shown if match_id not in large]
        return large + live_boards.board_places(beside, others, most=live_boards.TV_QUEUE)

    async def _send_ended(self, match_ids: list[str]) -> None:
        """Boards that are no longer live, though no event said how they ended: that message was lost."""
        for board in await in_db(boards, match_ids, user_id=self.user_id) if match_ids else []:
            if board["status"] == "over":
                await self._send_board(board)

    async def _show(self, ids: list[str], *, first: bool) -> None:
        """Show these boards, and send the new ones. Groups are joined before reading, so that nothing falls between."""
        new = [match_id for match_id in ids if first or match_id not in self.shown]
        if not (first or new) and ids == self.shown:
            return
        for match_id in new:
            self.versions.setdefault(match_id, 0)
            await self.channel_layer.group_add(notify.match_group(match_id), self.channel_name)
        read = {board["id"]: board for board in await in_db(boards, new, user_id=self.user_id)}
        shown = [each for each in ids if each in read or (each in self.shown and each not in new)]
        if not first and shown == self.shown:
            await self._leave(set(self.versions) - set(shown))
            return
        self.shown = shown
        await self._leave(set(self.versions) - set(shown))
        for board in read.values():
            self._note(board)
        with translation.override(self.language):
            labelled = [self._with_labels(read[match_id]) for match_id in shown if match_id in read]
        await self.send_frame({"t": "boards", "ids": shown, "boards": labelled})

    async def _leave(self, match_ids: Iterable[str]) -> None:
        for match_id in match_ids:
            self.versions.pop(match_id, None)
            self.ended.pop(match_id, None)
            self.throttle.forget(match_id)
            await self.channel_layer.group_discard(notify.match_group(match_id), self.channel_name)

    # Sending

    def _note(self, board: Json) -> None:
        self.versions[board["id"]] = max(board["version"], self.versions.get(board["id"], 0))
        if board["status"] == "over":
            self.ended.setdefault(board["id"], time.monotonic())

    def _with_labels(self, board: Json) -> Json:
        """The board with the terms of its match in this viewer's language."""
        about = board["about"]
        words = {"game": labels.variant(about["variant"]), "length": labels.length(about["length"])}
        return {**board, "about": {**about, "words": {**words, "clock": labels.clock(about["clock"])}}}

    async def _send_board(self, board: Json) -> None:
        """Send a board that was just read; what still waits in the throttle is older."""
        self.throttle.forget(board["id"])
        self._note(board)
        await self.send_frame({"t": "board", **{key: value for key, value in board.items() if key != "about"}})
