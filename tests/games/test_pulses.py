"""Heartbeats that come together: one statement, and to each his own answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import pulses
from games.errors import NotFound
from games.models import Match
from games.selectors.presence import Pulse

pytestmark = pytest.mark.django_db

Open = Callable[..., Match]


@pytest.fixture
def match(open_table: Open) -> Match:
    return open_table()


def asked_at_once(*asked: tuple[str, User]) -> list[Any]:
    """What each heartbeat is answered, or the error it met."""

    async def together() -> list[Any]:
        beats: list[Coroutine[Any, Any, Pulse]] = [pulses.here().ask(match_id, user.pk) for match_id, user in asked]
        return await asyncio.gather(*beats, return_exceptions=True)

    return async_to_sync(together)()


def test_all_that_come_within_a_moment_are_one_statement(match: Match, ana: User, bea: User) -> None:
    with CaptureQueriesContext(connection) as asked:
        told = asked_at_once((match.pk, ana), (match.pk, bea), (match.pk, ana))
    assert told == [Pulse(0, {})] * 3
    assert len(asked) == 1


def test_a_match_that_is_not_there_fails_its_own_viewers_alone(match: Match, ana: User) -> None:
    mine, lost = asked_at_once((match.pk, ana), ("nothing", ana))
    assert mine == Pulse(0, {})
    assert isinstance(lost, NotFound)


def test_more_than_fit_into_a_statement_are_asked_one_after_the_other(
    match: Match, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulses, "MOST", 2)
    with CaptureQueriesContext(connection) as asked:
        told = asked_at_once(*[(match.pk, ana)] * 5)
    assert told == [Pulse(0, {})] * 5
    assert len(asked) == 3


def test_a_socket_that_goes_while_it_waits_disturbs_nobody(match: Match, ana: User) -> None:
    async def one_goes() -> tuple[Pulse, bool]:
        gone, stays = (asyncio.create_task(pulses.here().ask(match.pk, ana.pk)) for _ in range(2))
        await asyncio.sleep(0)
        gone.cancel()
        return await stays, gone.cancelled()

    assert async_to_sync(one_goes)() == (Pulse(0, {}), True)


def test_a_database_that_fails_fails_all_who_waited_and_nobody_after(
    match: Match, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(asked: object) -> None:
        raise OSError("away")

    with monkeypatch.context() as patch:
        patch.setattr(pulses, "match_pulses", broken)
        told = asked_at_once(*[(match.pk, ana)] * 2)
    assert [str(each) for each in told] == ["away", "away"]
    assert asked_at_once((match.pk, ana)) == [Pulse(0, {})]
