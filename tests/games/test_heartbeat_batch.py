"""Concurrent heartbeats: one statement, and an answer for each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import heartbeat_batch
from games.errors import NotFound
from games.models import Match
from games.selectors.heartbeats import MatchHeartbeat

pytestmark = pytest.mark.django_db

Open = Callable[..., Match]


@pytest.fixture
def match(open_table: Open) -> Match:
    return open_table()


def asked_at_once(*viewings: tuple[str, User]) -> list[Any]:
    """What each heartbeat is answered, or the error it met."""

    async def together() -> list[Any]:
        beats: list[Coroutine[Any, Any, MatchHeartbeat]] = [
            heartbeat_batch.current_batch().ask(match_id, user.pk) for match_id, user in viewings
        ]
        return await asyncio.gather(*beats, return_exceptions=True)

    return async_to_sync(together)()


def test_concurrent_heartbeats_share_one_statement(match: Match, ana: User, bea: User) -> None:
    with CaptureQueriesContext(connection) as queries:
        answers = asked_at_once((match.pk, ana), (match.pk, bea), (match.pk, ana))
    assert answers == [MatchHeartbeat(0, {})] * 3
    assert len(queries) == 1


def test_an_unknown_match_fails_only_its_own_viewers(match: Match, ana: User) -> None:
    known, failed = asked_at_once((match.pk, ana), ("nothing", ana))
    assert known == MatchHeartbeat(0, {})
    assert isinstance(failed, NotFound)


def test_more_than_fit_into_a_statement_are_queried_in_batches(
    match: Match, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat_batch, "MAX_HEARTBEATS", 2)
    with CaptureQueriesContext(connection) as queries:
        answers = asked_at_once(*[(match.pk, ana)] * 5)
    assert answers == [MatchHeartbeat(0, {})] * 5
    assert len(queries) == 3


def test_a_heartbeat_of_this_second_needs_no_statement(match: Match, ana: User) -> None:
    async def twice() -> MatchHeartbeat:
        batch = heartbeat_batch.current_batch()
        await batch.ask(match.pk, ana.pk)
        return await batch.ask(match.pk, ana.pk)

    with CaptureQueriesContext(connection) as queries:
        assert async_to_sync(twice)() == MatchHeartbeat(0, {})
    assert len(queries) == 1


def test_what_viewers_asked_for_is_read_again_until_they_ask_no_more(
    match: Match, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat_batch, "READ_SECONDS", 0.01)
    monkeypatch.setattr(heartbeat_batch, "ASKED_SECONDS", 0.2)

    async def versions() -> tuple[int, int, bool]:
        batch = heartbeat_batch.current_batch()
        first = await batch.ask(match.pk, ana.pk)
        await sync_to_async(Match.objects.filter(pk=match.pk).update)(version=7)
        later = first
        while later == first:
            later = await batch.ask(match.pk, ana.pk)
            await asyncio.sleep(0.01)
        while batch.is_reading:
            await asyncio.sleep(0.01)
        return first.version, later.version, batch.is_reading

    assert async_to_sync(versions)() == (0, 7, False)


def test_a_socket_that_closes_while_waiting_does_not_affect_others(match: Match, ana: User) -> None:
    async def cancel_first() -> tuple[MatchHeartbeat, bool]:
        closed, stays = (asyncio.create_task(heartbeat_batch.current_batch().ask(match.pk, ana.pk)) for _ in range(2))
        await asyncio.sleep(0)
        closed.cancel()
        return await stays, closed.cancelled()

    assert async_to_sync(cancel_first)() == (MatchHeartbeat(0, {}), True)


def test_a_failing_database_fails_all_waiting_heartbeats_and_no_later_one(
    match: Match, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(statement: object) -> None:
        raise OSError("away")

    with monkeypatch.context() as patch:
        patch.setattr(heartbeat_batch, "match_heartbeats", broken)
        answers = asked_at_once(*[(match.pk, ana)] * 2)
    assert [str(each) for each in answers] == ["away", "away"]
    assert asked_at_once((match.pk, ana)) == [MatchHeartbeat(0, {})]


@pytest.mark.parametrize(("seconds", "remembered"), [(8.0, True), (13.0, False)])
def test_the_last_answer_is_given_for_some_seconds_while_the_database_does_not_answer(
    match: Match, ana: User, monkeypatch: pytest.MonkeyPatch, seconds: float, remembered: bool
) -> None:
    """So that a database that moves to another host costs nobody the line."""
    moment = 1000.0

    def broken(viewings: object) -> None:
        raise OSError("away")

    async def later() -> MatchHeartbeat | None:
        nonlocal moment
        batch = heartbeat_batch.HeartbeatBatch(lambda: moment)
        answer = await batch.ask(match.pk, ana.pk)
        monkeypatch.setattr(heartbeat_batch, "match_heartbeats", broken)
        moment += 3
        assert batch.known(match.pk, ana.pk) is None  # too old, as long as nothing says that the database is away
        with pytest.raises(OSError, match="away"):
            await batch.ask(match.pk, ana.pk)
        moment += seconds - 3
        known = batch.known(match.pk, ana.pk)
        assert known in (None, answer)
        return known

    assert (async_to_sync(later)() is not None) is remembered


def test_reading_goes_on_after_the_database_was_away(match: Match, ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat_batch, "READ_SECONDS", 0.01)
    read = heartbeat_batch.match_heartbeats
    failures = 0

    def sometimes(viewings: Any) -> Any:
        nonlocal failures
        failures += 1
        if failures < 3:
            raise OSError("away")
        return read(viewings)

    async def versions() -> int:
        batch = heartbeat_batch.HeartbeatBatch()
        await batch.ask(match.pk, ana.pk)
        monkeypatch.setattr(heartbeat_batch, "match_heartbeats", sometimes)
        await sync_to_async(Match.objects.filter(pk=match.pk).update)(version=7)
        while (known := batch.known(match.pk, ana.pk)) is None or known.version != 7:
            await asyncio.sleep(0.01)
        return failures

    assert async_to_sync(versions)() >= 3
