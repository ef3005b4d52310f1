"""Acts on matches that a process knows are written in one statement, which notices all that has changed since."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from games import dice, services
from games.events import state_of
from games.live import group_commit, guarded_write, statements
from games.live.database_clock import database_clock
from games.live.group_commit import MAX_READ_AHEAD, GroupCommit, commit_batch
from games.live.ordinary_act import ActRequest, OrdinaryAct
from games.models import Action, Match, Seat, SiteHeartbeat
from games.services import Answer, dice_chains
from tests.games.clock_control import Time
from tests.replayed_state import replayed_state

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _no_folded_matches() -> Iterator[None]:
    group_commit.forget()
    yield
    group_commit.forget()


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch, time: Time) -> list[bool]:
    """For each act that was tried in one statement, whether it was written by it."""
    tried: list[bool] = []
    write = guarded_write.write_unchanged

    def write_unchanged(acts: list[OrdinaryAct]) -> Any:
        stamps = write(acts)
        tried.extend(act.match.pk in stamps for act in acts)
        return stamps

    monkeypatch.setattr(guarded_write, "write_unchanged", write_unchanged)
    return tried


@pytest.fixture
def match(
    open_table: Callable[..., Match],
    next_rolls: deque[tuple[int, int]],
    act: Callable[..., Answer],
    ana: User,
    bea: User,
    time: Time,
) -> Match:
    """Ana has won the opening with 3-1 and played it; this process has made the play and knows the match."""
    next_rolls.extend([(3, 1), (6, 5)])
    begun = open_table()
    for user in (ana, bea):
        act(begun, user, "roll")
    assert acted(begun, ana, "8/5 6/5") is not None
    return begun


def acted(match: Match, user: User, action: str) -> OrdinaryAct | None:
    [done] = commit_batch([ActRequest(match.pk, user.pk, action, f"{user}-{action}", None, "", 0)])
    return done


def expected(version: int, *matches: Match) -> None:
    """A player is at each match, of which this process is told this version, and all that follows from it is done."""

    async def scene() -> None:
        commits = GroupCommit()
        for match in matches:
            commits.expect(match.pk, version)
        if commits._committing is not None:
            await commits._committing

    asyncio.run(scene())


def check_rows(match: Match, *, version: int) -> None:
    match.refresh_from_db()
    assert match.version == version
    assert list(Action.objects.filter(match=match).values_list("n", flat=True)) == [*range(1, version + 1)]
    assert replayed_state(match) == state_of(match)


def test_an_act_on_a_known_match_takes_one_statement(match: Match, bea: User, written: list[bool]) -> None:
    assert acted(match, bea, "roll") is not None
    assert acted(match, bea, "24/13") is not None
    assert written == [True, True]
    check_rows(match, version=7)


def test_the_statement_looks_for_the_rows_of_its_own_matches_only(ana: User, bea: User) -> None:
    matches = Match.objects.bulk_create(Match(creator=ana, length=1, created_at=timezone.now()) for _ in range(200))
    seats = [(match, side, user) for match in matches for side, user in (("white", ana), ("black", bea))]
    Seat.objects.bulk_create(Seat(match=match, side=side, user=user) for match, side, user in seats)
    raw = statements.play_connection()
    raw.execute("ANALYZE")
    raw.execute(f"PREPARE unchanged AS {guarded_write.numbered_statement()}")
    plan = [line for (line,) in raw.execute("EXPLAIN EXECUTE unchanged('[]', now(), '[]')")]
    raw.execute("DEALLOCATE unchanged")
    of_tables = [index for index, line in enumerate(plan) if re.search(r" Scan .*on (games|accounts)_", line)]
    assert len(of_tables) == 8  # two seats, their users, the match when locked and written, the heartbeat twice
    assert all("Index Cond" in plan[index + 1] for index in of_tables)
    assert all("match_id" in plan[index + 1] for index in of_tables if "on games_seat" in plan[index])


def test_the_first_act_takes_one_statement_where_the_match_was_read_ahead(
    match: Match, bea: User, written: list[bool]
) -> None:
    group_commit.forget()
    expected(4, match)
    assert acted(match, bea, "roll") is not None
    assert written == [True]
    check_rows(match, version=6)


def test_the_dice_of_a_match_are_read_ahead_with_it(open_table: Callable[..., Match]) -> None:
    before = dice.replace_roller(dice.system_roll)  # the dice of the chains, in place of scripted ones
    try:
        match = open_table()
        dice_chains.forget()
        expected(1, match)
        assert dice_chains.is_known(match.pk, match.roll_index + 1)
    finally:
        dice.replace_roller(before)


def test_the_matches_of_many_players_are_read_ahead_together(
    open_table: Callable[..., Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    read_unlocked = statements.read_unlocked
    monkeypatch.setattr(statements, "read_unlocked", lambda ids: read.append(len(ids)) or read_unlocked(ids))
    matches = [open_table() for _ in range(MAX_READ_AHEAD + 2)]
    expected(0, *matches)
    assert read == [MAX_READ_AHEAD, 2]
    expected(0, *matches)
    assert read == [MAX_READ_AHEAD, 2]


def test_what_another_process_wrote_is_read_ahead_once(
    match: Match, bea: User, written: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    read_unlocked = statements.read_unlocked
    monkeypatch.setattr(statements, "read_unlocked", lambda ids: [*map(read.append, ids)] and read_unlocked(ids))
    services.match_act(match_id=match.pk, user_id=bea.pk, action="roll", client_id="elsewhere")
    expected(6, match)
    expected(6, match)
    assert read == [match.pk]
    assert acted(match, bea, "24/13") is not None
    assert written == [True]
    check_rows(match, version=7)


def test_its_moment_is_the_database_s(match: Match, bea: User, written: list[bool], time: Time) -> None:
    time(seconds=30)
    assert acted(match, bea, "roll") is not None
    assert written == [True]
    assert Action.objects.filter(match=match).values_list("at", flat=True).last() == time.moment


def test_a_clock_that_went_wrong_is_noticed_and_read_anew(
    match: Match, bea: User, written: list[bool], time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = time.moment + timedelta(seconds=3)
    monkeypatch.setattr(type(database_clock), "estimate", lambda clock: wrong)
    assert acted(match, bea, "roll") is not None
    assert written == [False]
    assert Action.objects.filter(match=match).values_list("at", flat=True).last() == time.moment


def test_a_row_that_changed_without_a_new_version_is_noticed(match: Match, bea: User, written: list[bool]) -> None:
    Match.objects.filter(pk=match.pk).update(title="Final")
    assert acted(match, bea, "roll") is not None
    assert written == [False]
    check_rows(match, version=6)


def test_a_player_s_new_name_is_noticed(match: Match, bea: User, written: list[bool]) -> None:
    User.objects.filter(pk=bea.pk).update(username="beatriz")
    done = acted(match, bea, "roll")
    assert done is not None
    assert written == [False]
    assert done.event()["match"]["players"]["black"]["name"] == "beatriz"


def test_an_outage_that_nobody_has_found_yet_is_given_back(
    match: Match, bea: User, written: list[bool], time: Time
) -> None:
    SiteHeartbeat.objects.update_or_create(pk=1, defaults={"at": time.moment, "since": time.moment})
    time(seconds=20)
    done = acted(match, bea, "roll")
    assert done is not None
    assert written == [False]
    assert done.clock is not None
    assert done.clock.black == done.before.clock.black  # type: ignore[union-attr]


def test_a_match_that_somebody_else_has_changed_does_not_hold_up_the_others(
    match: Match, open_table: Callable[..., Match], ana: User, bea: User, written: list[bool]
) -> None:
    other = open_table()
    commit_batch([ActRequest(other.pk, ana.pk, "roll", "first", None, "", 0)])
    services.match_act(match_id=match.pk, user_id=bea.pk, action="roll", client_id="elsewhere")
    requests = [
        ActRequest(match.pk, bea.pk, "24/13", "late", 4, "", 0),
        ActRequest(other.pk, bea.pk, "roll", "ordinary", None, "", 0),
    ]
    stale, done = commit_batch(requests)
    assert stale is None
    assert done is not None
    assert True in written
    check_rows(match, version=6)


def test_a_statement_is_prepared_and_planned_once_whatever_the_acts_lead_to(
    match: Match, written: list[bool], ana: User, bea: User
) -> None:
    assert acted(match, bea, "roll") is not None
    before = prepared()
    assert any(name.startswith("WITH v") for name in before)
    assert acted(match, ana, "roll") is None  # not her turn: nothing is written
    assert acted(match, bea, "24/18 13/8") is not None
    after = prepared()
    assert {name: after[name].name for name in before} == {name: plan.name for name, plan in before.items()}
    assert [plan for plan in after.values() if plan.custom_plans] == []


class Plans(NamedTuple):
    name: str
    custom_plans: int


def prepared() -> dict[str, Plans]:
    """The prepared statements of this thread's connection that read or write rows."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement, name, custom_plans FROM pg_prepared_statements")
        rows = {statement: Plans(name, custom) for statement, name, custom in cursor.fetchall()}
    return {statement: plans for statement, plans in rows.items() if statement.startswith(("SELECT", "WITH"))}
