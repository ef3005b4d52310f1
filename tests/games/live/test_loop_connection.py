"""The event loop waits for PostgreSQL itself: answers, errors, and connections that end (PostgreSQL)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import psycopg
import pytest
from django.db import connection

from accounts.models import User
from games.errors import Refused
from games.live import group_commit, loop_connection
from games.live.group_commit import GroupCommit
from games.live.loop_connection import LoopConnection
from games.live.ordinary_act import ActRequest
from games.models import Action, Match
from games.services import dice_chains
from tests.replayed_state import replayed_state

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

ECHO = "SELECT $1::text, 12 / $2::int, NULL"


@pytest.fixture(autouse=True)
def _no_folded_matches() -> Iterator[None]:
    group_commit.forget()
    yield
    group_commit.forget()


async def ready(line: LoopConnection) -> LoopConnection:
    """The connection, once it is there."""
    async with asyncio.timeout(60):
        while not line.ready:
            line.connect_soon()
            await asyncio.sleep(0.01)
    return line


def with_line(scene: Callable[[LoopConnection], Awaitable[Any]], statement: str = ECHO) -> Any:
    async def run() -> Any:
        line = await ready(LoopConnection(statement))
        try:
            return await scene(line)
        finally:
            line.close()

    return asyncio.run(run())


async def terminate(line: LoopConnection) -> None:
    """Let the server end the connection, as when it stops."""
    assert line._pg is not None
    pid = line._pg.backend_pid

    def ended() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
        finally:
            connection.close()

    await asyncio.to_thread(ended)


def test_rows_come_as_texts() -> None:
    async def scene(line: LoopConnection) -> Any:
        return [await line.run(["añ", "4"]), await line.run(["", "3"])]

    assert with_line(scene) == [[("añ", "3", None)], [("", "4", None)]]


def test_what_is_larger_than_a_socket_s_buffer_is_sent_and_read_whole() -> None:
    text = "0123456789" * 1_000_000

    async def scene(line: LoopConnection) -> Any:
        return [await line.run([text, "12"]), await line.run([text[::-1], "1"])]

    assert with_line(scene) == [[(text, "1", None)], [(text[::-1], "12", None)]]


def test_while_a_statement_runs_it_is_not_ready_for_another() -> None:
    async def scene(line: LoopConnection) -> bool:
        running = line.run(["x", "1"])
        before = line.ready
        with pytest.raises(RuntimeError):
            line.run(["y", "1"])
        await running
        return before

    assert with_line(scene) is False


def test_an_error_of_the_statement_is_raised_and_the_connection_given_up() -> None:
    async def scene(line: LoopConnection) -> Any:
        with pytest.raises(psycopg.errors.DivisionByZero):
            await line.run(["x", "0"])
        assert not line.ready
        return await (await ready(line)).run(["x", "1"])

    assert with_line(scene) == [("x", "12", None)]


def test_a_row_that_a_constraint_refuses_leaves_the_connection_as_good_as_before(ana: User) -> None:
    insert = (
        "INSERT INTO accounts_user SELECT (jsonb_populate_record(u, jsonb_build_object('id', -1))).* "
        "FROM accounts_user u WHERE username = $1 RETURNING username"
    )

    async def scene(line: LoopConnection) -> bool:
        with pytest.raises(psycopg.errors.IntegrityError):
            await line.run([ana.username])
        return line.ready

    assert with_line(scene, insert) is True


def test_a_connection_that_the_server_ends_is_noticed_and_replaced() -> None:
    async def scene(line: LoopConnection) -> Any:
        await terminate(line)
        async with asyncio.timeout(60):
            while line.ready:
                await asyncio.sleep(0.01)
        return await (await ready(line)).run(["x", "1"])

    assert with_line(scene) == [("x", "12", None)]


def test_a_connection_that_ends_while_a_statement_runs_raises() -> None:
    async def scene(line: LoopConnection) -> None:
        running = line.run(["600"])
        await terminate(line)
        async with asyncio.timeout(60):
            with pytest.raises(psycopg.OperationalError):
                await running
        assert not line.ready

    with_line(scene, "SELECT pg_sleep($1::int)::text")


def test_a_server_that_refuses_connections_is_asked_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    connected = loop_connection._connected

    def refused(statement: bytes) -> Any:
        asked.append(statement)
        raise psycopg.OperationalError("refused")

    async def scene() -> None:
        line = LoopConnection(ECHO)
        monkeypatch.setattr(loop_connection, "_connected", refused)
        line.connect_soon()
        while line._connecting is not None:
            await asyncio.sleep(0)
        line.connect_soon()
        assert (line.ready, line._connecting, len(asked)) == (False, None, 1)
        monkeypatch.setattr(loop_connection, "_connected", connected)
        line._connect_from = 0.0  # the while is over
        (await ready(line)).close()

    asyncio.run(scene())


# Acts


@pytest.fixture
def in_loop(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What was sent from the event loop."""
    sent: list[list[str]] = []
    run = LoopConnection.run

    def counted(line: LoopConnection, parameters: list[str]) -> Any:
        sent.append(parameters)
        return run(line, parameters)

    monkeypatch.setattr(LoopConnection, "run", counted)
    return sent


def acted(*scenes: list[ActRequest] | Callable[[], None], ending: bool = False) -> list[Any]:
    """The answers to acts at one process: those of a list are sent at once; between them something else happens.

    `ending`: before the second list the server ends the connection.
    """

    async def run() -> list[Any]:
        commits = GroupCommit()
        assert commits._line is not None
        answers: list[Any] = []
        for scene in scenes:
            if callable(scene):
                await asyncio.to_thread(scene)
            else:
                await ready(commits._line)
                if ending and scene is scenes[1]:
                    await terminate(commits._line)
                done = await asyncio.gather(*(commits.act(each) for each in scene), return_exceptions=True)
                answers += [getattr(each, "version", each) for each in done]
        commits._line.close()
        return answers

    return asyncio.run(run())


def roll(match: Match, user: User, client_id: str = "tab-1", after: int | None = None) -> ActRequest:
    return ActRequest(match.pk, user.pk, "roll", client_id, after, "", 0)


def check_rows(match: Match) -> None:
    match.refresh_from_db()
    assert list(Action.objects.filter(match=match).values_list("n", flat=True)) == [*range(1, match.version + 1)]
    assert match.snapshot == replayed_state(match).snapshot()


def test_an_act_on_a_known_match_goes_without_a_thread(
    open_table: Callable[..., Match], ana: User, bea: User, in_loop: list[list[str]]
) -> None:
    matches = [open_table() for _ in range(3)]
    first, second = [roll(each, ana) for each in matches], [roll(each, bea) for each in matches]
    assert acted(first, second) == [1, 1, 1, 3, 3, 3]
    assert len(in_loop) == 1
    for match in matches:
        check_rows(match)


async def test_a_small_pool_is_left_to_pages(settings: Any) -> None:
    settings.ACTS_WITHOUT_THREAD = False
    assert GroupCommit()._line is None


def test_what_cannot_go_this_way_goes_the_other_ways_in_the_same_batch(
    open_table: Callable[..., Match], ana: User, bea: User, carlos: User, in_loop: list[list[str]]
) -> None:
    known, unknown, changed = (open_table() for _ in range(3))
    dice_chains.read([unknown.pk])

    def change() -> None:
        try:
            Match.objects.filter(pk=changed.pk).update(title="Final")
        finally:
            connection.close()

    second = [roll(known, bea), roll(unknown, ana), roll(changed, bea)]
    answers = acted([roll(known, ana), roll(changed, ana)], change, [*second, roll(known, carlos)])
    assert answers[:-1] == [1, 1, 3, 1, 3]
    assert isinstance(answers[-1], Refused)
    assert in_loop
    for match in (known, unknown, changed):
        check_rows(match)


def test_a_retry_gets_its_first_answer(open_table: Callable[..., Match], ana: User, bea: User) -> None:
    match = open_table()
    retry = roll(match, bea, "tab-2", after=1)
    assert acted([roll(match, ana)], [retry], [retry]) == [1, 3, 3]
    check_rows(match)


def test_a_batch_that_the_database_refuses_is_tried_one_by_one(
    open_table: Callable[..., Match], ana: User, bea: User, in_loop: list[list[str]]
) -> None:
    broken, sound = open_table(), open_table()

    def disturb() -> None:
        try:
            Action.objects.create(match=broken, n=2, game_number=1, actor="server", text="x", at=broken.created_at)
        finally:
            connection.close()

    answers = acted([roll(broken, ana), roll(sound, ana)], disturb, [roll(broken, bea), roll(sound, bea)])
    assert (answers[:2], answers[3]) == ([1, 1], 3)
    assert isinstance(answers[2], Exception)
    assert len(in_loop) == 1
    check_rows(sound)


def test_an_act_whose_connection_ends_is_committed_once(
    open_table: Callable[..., Match], ana: User, bea: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = open_table()
    finish = LoopConnection._finish

    def lost(line: LoopConnection) -> None:
        line._fail(psycopg.OperationalError("the answer was lost"))

    def lose_answers() -> None:
        monkeypatch.setattr(LoopConnection, "_finish", lost)

    def lose_no_more() -> None:
        monkeypatch.setattr(LoopConnection, "_finish", finish)

    assert acted([roll(match, ana)], lose_answers, [roll(match, bea, "tab-2")], lose_no_more) == [1, 3]
    assert Action.objects.filter(match=match, client_id="tab-2").count() == 1
    check_rows(match)


def test_after_a_restart_of_the_server_acts_go_on(
    open_table: Callable[..., Match], ana: User, bea: User, in_loop: list[list[str]]
) -> None:
    first, second = open_table(), open_table()
    answers = acted([roll(first, ana), roll(second, ana)], [roll(first, bea)], [roll(second, bea)], ending=True)
    assert answers == [1, 1, 3, 3]
    assert in_loop
    for match in (first, second):
        check_rows(match)


@pytest.mark.parametrize("another", [True, False], ids=["of another match", "of the same match"])
def test_what_an_act_leads_to_is_found_while_another_is_committed(
    open_table: Callable[..., Match], ana: User, bea: User, monkeypatch: pytest.MonkeyPatch, another: bool
) -> None:
    first, second = open_table(), open_table()
    steps: list[str] = []

    def noted(step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **keywords: Any) -> Any:
            steps.append(step)
            return function(*args, **keywords)

        return run

    async def scene() -> list[int]:
        commits = GroupCommit()
        line = commits._line
        assert line is not None
        for match in (first, second):
            await ready(line)
            await commits.act(roll(match, ana))
        came: list[asyncio.Task[Any]] = []
        send = LoopConnection.run

        def sent(line: LoopConnection, parameters: list[str]) -> Any:
            if not came:
                came.append(
                    asyncio.create_task(commits.act(roll(second, bea) if another else roll(first, bea, "tab-2")))
                )
            return send(line, parameters)

        monkeypatch.setattr(LoopConnection, "run", noted("sent", sent))
        monkeypatch.setattr(LoopConnection, "_finish", noted("committed", LoopConnection._finish))
        monkeypatch.setattr(group_commit, "carry_out", noted("rules", group_commit.carry_out))
        answers = await asyncio.gather(commits.act(roll(first, bea)), return_exceptions=True)
        answers += await asyncio.gather(*came, return_exceptions=True)
        line.close()
        return [getattr(each, "version", 0) for each in answers]

    answers = asyncio.run(scene())
    if another:
        assert answers == [3, 3]
        assert steps == ["rules", "sent", "rules", "committed", "sent", "committed"]
    else:
        assert answers == [3, 0]
        assert steps[:4] == ["rules", "sent", "committed", "rules"]
    for match in (first, second):
        check_rows(match)
