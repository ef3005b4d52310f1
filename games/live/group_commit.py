"""Group commit: the acts that wait while one batch is being committed are the next batch.

A batch never waits for more acts, so an act alone costs one commit, and a hundred at once cost little more. An act that
cannot go this way, and every act of a batch that failed, is carried out by `games.services.match_act` alone.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import datetime
from functools import cache, partial
from typing import TypeVar

import psycopg
from django.conf import settings
from django.db import connection

from games import services, traces
from games.database import in_db
from games.event_loop import per_event_loop
from games.live import fan_out, guarded_write, statements
from games.live.database_clock import database_clock
from games.live.folded_matches import FoldedMatch, FoldedMatches, Stamp
from games.live.loop_connection import LoopConnection
from games.live.ordinary_act import ActRequest, NotOrdinary, OrdinaryAct, carry_out
from games.services import dice_rolls
from games.services.play import Answer

P = TypeVar("P")
R = TypeVar("R")
Way = Callable[[Sequence[ActRequest]], dict[str, OrdinaryAct | None]]
"""One way to commit acts of different matches; those that it leaves are not in its answer."""

EarlyAct = tuple[ActRequest, OrdinaryAct]
"""An act that was carried out before its batch began."""

log = logging.getLogger(__name__)

MAX_ACTS = 64
"""In one batch: what it takes to compute them is what the first of them waits."""

MAX_READ_AHEAD = 8
"""Matches at a time: an act that comes meanwhile waits for them."""

_folded = FoldedMatches()


class GroupCommit:
    """The acts of one event loop."""

    def __init__(self) -> None:
        self._waiting: list[tuple[ActRequest, asyncio.Future[Answer | None]]] = []
        self._expected: dict[str, None] = {}
        self._committing: asyncio.Task[None] | None = None
        self._alone: ActRequest | None = None
        self._early: EarlyAct | None = None
        # Asked once: in the event loop each socket that looks at `connection` makes a wrapper of its own (6 KiB).
        self._reads_ahead = connection.vendor in _WAYS_BY_KNOWING
        self._line: LoopConnection | None = None
        if self._reads_ahead and settings.ACTS_WITHOUT_THREAD:
            self._line = LoopConnection(guarded_write.numbered_statement())
            self._line.connect_soon()

    async def act(self, request: ActRequest) -> Answer:
        """Commit one act. Answers and raises as `games.services.match_act`."""
        answer: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, answer))
        self._begin()
        self._carry_out_early(request)
        committed = await answer
        if committed is not None:
            return committed
        if traces.active is None:
            return await in_db(services.match_act, **request.as_parameters())
        with traces.active.step("commit", [request.trace], alone=True):
            return await in_db(services.match_act, **request.as_parameters())

    def expect(self, match_id: str, version: int) -> None:
        """Read a match while there is nothing to commit: a player is here, whose next act then takes one trip less.

        This process has not seen that version: the player has just come, or the opponent acts at another process.
        """
        if not self._reads_ahead:
            return
        known = _folded.kept(match_id)
        if known is None or known.match.version < version:
            self._expected[match_id] = None
            self._begin()

    def _carry_out_early(self, request: ActRequest) -> None:
        """Carry out an act while the database commits another.

        Where more acts wait or are being committed, their answers would wait for the rules of this one.
        """
        if self._alone is not None and len(self._waiting) == 1 and self._alone.match_id != request.match_id:
            with suppress(Exception):  # its batch will find the same, and say so
                self._early = next(((request, act) for act in _carried_out_unchanged([request])), None)

    def _begin(self) -> None:
        if self._committing is None:
            self._committing = asyncio.create_task(self._commit_all())

    async def _commit_all(self) -> None:
        committed: Sequence[OrdinaryAct] = ()
        try:
            while self._waiting or committed or self._expected:
                if committed:
                    await asyncio.sleep(0)  # their acknowledgements leave first
                batch = self._next_batch()
                if not (batch or committed):
                    await _run_in_thread(_read_ahead, self._next_expected())
                    continue
                send_events = partial(fan_out.send_events, committed)
                if batch:
                    requests = [request for request, _ in batch]
                    committed = _answer(batch, await _outcome(self._commit(requests, send_events), requests))
                else:
                    send_events()
                    committed = ()
        finally:
            self._committing = None

    async def _commit(
        self, requests: Sequence[ActRequest], meanwhile: Callable[[], None]
    ) -> Sequence[OrdinaryAct | None]:
        """Commit a batch, and do something else while the database works."""
        line, rolls = self._line, [each.match_id for each in requests if each.action == "roll"]
        if line is None or not line.ready or dice_rolls.may_need_database(rolls):
            if line is not None:
                line.connect_soon()
            committing = _run_in_thread(commit_batch, requests)
            meanwhile()
            return await committing
        early, self._early = self._early, None
        self._alone = requests[0] if len(requests) == 1 else None
        with _traced(requests):
            try:
                done = await _commit_in_loop(line, requests, early, meanwhile)
            finally:
                self._alone = None
            left = [each for each in requests if each.match_id not in done]
            others = await _run_in_thread(_commit_left, left) if left else []
        done |= {each.match_id: act for each, act in zip(left, others, strict=True)}
        return [done[each.match_id] for each in requests]

    def _next_expected(self) -> list[str]:
        return [self._expected.popitem()[0] for _ in range(min(len(self._expected), MAX_READ_AHEAD))]

    def _next_batch(self) -> list[tuple[ActRequest, asyncio.Future[Answer | None]]]:
        """The acts that waited longest, one of each match."""
        batch: dict[str, tuple[ActRequest, asyncio.Future[Answer | None]]] = {}
        others = []
        for each in self._waiting:
            match_id = each[0].match_id
            if match_id in batch or len(batch) == MAX_ACTS:
                others.append(each)
            else:
                batch[match_id] = each
        self._waiting = others
        return list(batch.values())


def _answer(
    batch: Iterable[tuple[ActRequest, asyncio.Future[Answer | None]]], acts: Iterable[OrdinaryAct | None]
) -> list[OrdinaryAct]:
    """Answer what waits for a batch; the acts of it that are committed."""
    committed = []
    for (_, answer), act in zip(batch, acts, strict=True):
        if act is not None:
            committed.append(act)
        if not answer.done():  # its socket is closed
            answer.set_result(None if act is None else Answer(act.match.version))
    return committed


current_group_commit = per_event_loop(GroupCommit)


def commit_batch(requests: Sequence[ActRequest]) -> list[OrdinaryAct | None]:
    """Commit acts of different matches; None for each that is to be carried out alone."""
    with _traced(requests):
        return _commit_by(requests, _WAYS[connection.vendor])


def _commit_left(requests: Sequence[ActRequest]) -> list[OrdinaryAct | None]:
    """Commit those acts of a batch that the event loop has left."""
    return _commit_by(requests, (_commit_locked,))


def _traced(requests: Sequence[ActRequest]) -> AbstractContextManager[None]:
    """The step of these acts in their traces, where traces are on."""
    if traces.active is None:
        return nullcontext()
    return traces.active.step("commit", [each.trace for each in requests], batch=len(requests), alone=False)


async def _commit_in_loop(
    line: LoopConnection,
    requests: Sequence[ActRequest],
    early: EarlyAct | None,
    meanwhile: Callable[[], None],
) -> dict[str, OrdinaryAct | None]:
    """Commit acts as `_commit_unchanged` does, without a thread; `early` may be one of them, carried out already."""
    carried, rows = list[OrdinaryAct](), None
    try:
        if carried := _carried_out_unchanged(requests, early):
            rows = line.run(guarded_write.parameters(carried))
    finally:
        meanwhile()
    return _kept(carried, guarded_write.stamps(await rows)) if rows is not None else {}


def _commit_by(requests: Sequence[ActRequest], ways: Sequence[Way]) -> list[OrdinaryAct | None]:
    done: dict[str, OrdinaryAct | None] = {}
    try:
        dice_rolls.read_chains([each.match_id for each in requests if each.action == "roll"])
        for commit in ways:
            if left := [each for each in requests if each.match_id not in done]:
                done |= commit(left)
    except Exception as error:
        log.warning("a batch of %d acts failed, each is tried alone: %s", len(requests) - len(done), error)
        _close_if_broken()
    return [done.get(each.match_id) for each in requests]


def _close_if_broken() -> None:
    connection.errors_occurred = True
    connection.close_if_unusable_or_obsolete()


def _commit_unchanged(requests: Sequence[ActRequest]) -> dict[str, OrdinaryAct | None]:
    """Commit acts on matches that this process knows, as far as they are unchanged and the acts ordinary."""
    carried = _carried_out_unchanged(requests)
    return _kept(carried, guarded_write.write_unchanged(carried) if carried else {})


def _carried_out_unchanged(requests: Sequence[ActRequest], early: EarlyAct | None = None) -> list[OrdinaryAct]:
    """The ordinary acts on matches that this process knows, carried out as if these were unchanged."""
    if (moment := database_clock.estimate()) is None:
        return []
    acts = list[OrdinaryAct | None]()
    for each in requests:
        if (folded := _folded.kept(each.match_id)) is None:
            continue
        if early is not None and early[0] is each and early[1].before is folded:
            acts.append(early[1])
        else:
            acts.append(_carried_out(each, folded, moment=moment, alive=None))
    return [act for act in acts if act is not None]


def _commit_locked(requests: Sequence[ActRequest]) -> dict[str, OrdinaryAct | None]:
    """Commit acts in one transaction that locks their matches first; answers all."""
    with statements.locked_batch([request.match_id for request in requests]) as batch:
        batch.load([each for each in batch.stamps if not _is_known(each, batch)])
        acts = {each.match_id: _carried_out_locked(each, batch) for each in requests}
        carried = [act for act in acts.values() if act is not None]
        rows = [row for act in carried for row in act.actions]
        stamps = batch.write([act.match for act in carried], rows) if carried else {}
    return acts | _kept(carried, stamps)


_WAYS: dict[str, Sequence[Way]] = {"postgresql": (_commit_unchanged, _commit_locked), "sqlite": (_commit_locked,)}
_WAYS_BY_KNOWING = [vendor for vendor, ways in _WAYS.items() if _commit_unchanged in ways]


def _kept(acts: Iterable[OrdinaryAct], stamps: Mapping[str, Stamp]) -> dict[str, OrdinaryAct | None]:
    """The acts whose matches have stamps now: these are committed, and what they led to is kept."""
    committed: dict[str, OrdinaryAct | None] = {}
    for act in acts:
        if (stamp := stamps.get(act.match.pk)) is not None:
            _folded.keep(act.folded(stamp))
            committed[act.match.pk] = act
    return committed


def forget() -> None:
    """Forget the folded matches: after it every act reads its match."""
    _folded.clear()


def _is_known(match_id: str, batch: statements.Batch) -> bool:
    return _folded.knows(match_id, batch.stamps[match_id], batch.seats_of(match_id))


def _carried_out_locked(request: ActRequest, batch: statements.Batch) -> OrdinaryAct | None:
    match_id = request.match_id
    if match_id not in batch:
        return None
    folded = _folded.get(match_id, batch.stamps[match_id], batch.seats_of(match_id), batch.read)
    return _carried_out(request, folded, moment=batch.moment, alive=batch.alive)


def _carried_out(
    request: ActRequest, folded: FoldedMatch, *, moment: datetime, alive: datetime | None
) -> OrdinaryAct | None:
    try:
        return carry_out(request, folded, moment=moment, alive=alive)
    except NotOrdinary:
        return None


def _read_ahead(match_ids: Sequence[str]) -> None:
    try:
        for folded in statements.read_unlocked(match_ids):
            _folded.keep(folded)
        dice_rolls.read_chains(match_ids)
    except Exception as error:  # their next acts read them, or fail by themselves
        log.warning("matches %s were not read ahead: %s", match_ids, error)
        _close_if_broken()


async def _outcome(
    committing: Awaitable[Sequence[OrdinaryAct | None]], requests: Sequence[ActRequest]
) -> Sequence[OrdinaryAct | None]:
    try:
        return await committing
    except psycopg.Error as error:  # of the event loop's connection
        log.warning("a batch of %d acts failed, each is tried alone: %s", len(requests), error)
        return [None] * len(requests)
    except Exception:  # whatever it is, nobody may wait for an answer for ever
        log.exception("a batch of %d acts was not run, each is tried alone", len(requests))
        return [None] * len(requests)


def _run_in_thread(function: Callable[[P], R], argument: P) -> asyncio.Future[R]:
    """Run a function in the thread of commits, whose connection it uses; on SQLite that is the one of all play."""
    if (thread := _thread()) is None:
        return asyncio.ensure_future(in_db(function, argument))
    return asyncio.get_running_loop().run_in_executor(thread, function, argument)


@cache
def _thread() -> ThreadPoolExecutor | None:
    return ThreadPoolExecutor(1, "commit") if settings.PLAY_THREADS > 1 else None
