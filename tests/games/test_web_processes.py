"""A web process that is lost costs its players no time: it is given back when they are at another one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.db import connection

from accounts.models import User
from games import services, tasks
from games.database import in_db, now
from games.errors import Refused
from games.models import Match, Seat, SiteHeartbeat, WebProcess
from games.services import Answer, outage, presence, web_processes
from tests.games.clock_control import Time
from tests.games.match_sockets import TableCase

Open = Callable[..., Match]
Act = Callable[..., Answer]
SECOND = timedelta(seconds=1)


@pytest.fixture
def this_process(db: None, time: Time) -> Iterator[None]:
    """The process that the players come back to; it forgets itself after the test."""
    web_processes.begin()
    yield
    web_processes._own, web_processes._others_are_lost = None, False


@pytest.fixture
def match(
    this_process: None, time: Time, open_table: Open, act: Act, next_rolls: deque[tuple[int, int]], ana: User, bea: User
) -> Match:
    """ana is to play 31 and sits at another process than bea; both processes are alive."""
    next_rolls.append((3, 1))
    match = open_table()
    act(match, ana, "roll")
    act(match, bea, "roll")
    presence.seat_seen(match.pk, bea.pk)
    presence.write()
    other = WebProcess.objects.create(pk=uuid4(), at=time.moment)
    Seat.objects.filter(match=match, user=ana).update(heard_by=other.pk, seen_at=time.moment)
    outage.beat()
    return Match.objects.get(pk=match.pk)


def passes(time: Time, seconds: float) -> None:
    """Time passes in which this process is alive, and the other one is not."""
    while seconds > 0:
        time(seconds=min(1, seconds))
        seconds -= 1
        outage.beat()
        web_processes.beat()


def comes_back(match: Match, user: User) -> float:
    """Seconds that a player gets back who connects."""
    [given] = web_processes.give_back([(match.pk, user.pk)])
    return given.total_seconds()


def times(match: Match) -> tuple[object, object]:
    row = Match.objects.get(pk=match.pk)
    return row.clock_at, row.flag_at


def test_presence_says_at_which_process_a_player_is(match: Match, bea: User) -> None:
    assert Seat.objects.get(match=match, user=bea).heard_by == web_processes.own_id()


def test_whoever_was_at_a_lost_process_gets_the_time_back_once(match: Match, time: Time, ana: User) -> None:
    assert match.clock_at is not None
    assert match.flag_at is not None
    passes(time, 9)
    assert web_processes.others_are_lost()
    assert comes_back(match, ana) == 9
    assert times(match) == (match.clock_at + 9 * SECOND, match.flag_at + 9 * SECOND)
    passes(time, 4)
    assert comes_back(match, ana) == 0
    assert Seat.objects.get(match=match, user=ana).heard_by == web_processes.own_id()


def test_all_who_connect_at_once_get_their_time_back_together(
    match: Match, time: Time, ana: User, bea: User, open_table: Open
) -> None:
    other = WebProcess.objects.exclude(pk=web_processes.own_id()).get().pk
    second = open_table()  # at the opening, where time runs for both
    Seat.objects.filter(match__in=[match, second]).update(heard_by=other)
    players = [(match.pk, ana.pk), (match.pk, bea.pk), (second.pk, ana.pk), (second.pk, bea.pk)]
    passes(time, 9)
    assert [given.total_seconds() for given in web_processes.give_back(players)] == [9, 0, 9, 0]
    assert set(Seat.objects.filter(match__in=[match, second]).values_list("heard_by", flat=True)) == {
        web_processes.own_id()
    }
    assert web_processes.give_back(players) == [outage.NOTHING] * 4


def test_time_before_the_loss_stays_the_players(match: Match, time: Time, ana: User) -> None:
    other = WebProcess.objects.exclude(pk=web_processes.own_id())
    time(seconds=30)
    outage_moment = time.moment
    SiteHeartbeat.objects.update(at=outage_moment)
    other.update(at=outage_moment)
    passes(time, 6)
    assert comes_back(match, ana) == 6


def test_a_clock_that_began_after_the_loss_gets_no_more_than_it_ran(
    match: Match, time: Time, act: Act, ana: User, bea: User
) -> None:
    Seat.objects.filter(match=match).update(heard_by=None)
    Seat.objects.filter(match=match, user=bea).update(
        heard_by=WebProcess.objects.exclude(pk=web_processes.own_id()).get().pk
    )
    passes(time, 4)
    act(match, ana, "8/5 6/5")  # bea's time runs from here
    passes(time, 3)
    assert comes_back(match, bea) == 3


@pytest.mark.parametrize("seconds", [0, 2, 3])
def test_a_process_whose_heartbeat_is_a_little_late_is_not_lost(
    match: Match, time: Time, ana: User, seconds: float
) -> None:
    passes(time, seconds)
    assert not web_processes.others_are_lost()
    assert comes_back(match, ana) == 0
    assert times(match) == (match.clock_at, match.flag_at)


def test_a_process_that_stops_by_itself_is_not_lost(match: Match, time: Time, ana: User) -> None:
    own = web_processes.own_id()
    web_processes._own = Seat.objects.get(match=match, user=ana).heard_by
    web_processes.end()
    web_processes._own = own
    passes(time, 9)
    assert not web_processes.others_are_lost()
    assert comes_back(match, ana) == 0


def test_a_player_who_breaks_their_own_line_gets_nothing(match: Match, time: Time, ana: User, bea: User) -> None:
    for _ in range(9):
        passes(time, 1)
        WebProcess.objects.update(at=time.moment)
    assert (comes_back(match, ana), comes_back(match, bea)) == (0, 0)
    assert times(match) == (match.clock_at, match.flag_at)


def test_the_opponent_of_a_running_clock_and_strangers_get_nothing(
    match: Match, time: Time, bea: User, carlos: User
) -> None:
    Seat.objects.filter(match=match, user=bea).update(
        heard_by=WebProcess.objects.exclude(pk=web_processes.own_id()).get().pk
    )
    passes(time, 9)
    assert (comes_back(match, bea), comes_back(match, carlos)) == (0, 0)
    assert times(match) == (match.clock_at, match.flag_at)


def test_nobody_gets_more_than_twenty_seconds(match: Match, time: Time, ana: User) -> None:
    passes(time, 40)
    assert comes_back(match, ana) == 20


def test_after_a_minute_a_lost_process_is_forgotten(match: Match, time: Time, ana: User) -> None:
    passes(time, 61)
    assert list(WebProcess.objects.values_list("pk", flat=True)) == [web_processes.own_id()]
    assert (web_processes.others_are_lost(), comes_back(match, ana)) == (False, 0)


def test_a_gap_of_the_whole_site_is_given_back_by_it_alone(match: Match, time: Time, ana: User) -> None:
    assert match.clock_at is not None
    time(seconds=30)
    outage.beat()
    web_processes.beat()
    assert times(match)[0] == match.clock_at + 30 * SECOND
    passes(time, 5)
    assert comes_back(match, ana) == 5
    assert times(match)[0] == match.clock_at + 35 * SECOND


def test_a_short_gap_is_not_given_back_twice(match: Match, time: Time, ana: User) -> None:
    assert match.clock_at is not None
    time(seconds=10)  # of thinking
    SiteHeartbeat.objects.update(at=time.moment)
    WebProcess.objects.update(at=time.moment)
    time(seconds=2)
    outage.beat()
    assert times(match)[0] == match.clock_at + 2 * SECOND
    passes(time, 5)
    assert comes_back(match, ana) == 5
    assert times(match)[0] == match.clock_at + 7 * SECOND


class TestFlags:
    """No flag of a player falls while they come back from a lost process; later it does."""

    def test_it_waits_for_the_player(self, match: Match, time: Time, ana: User) -> None:
        assert match.flag_at is not None
        left = match.flag_at - 2 * SECOND - time.moment
        time.moment += left
        SiteHeartbeat.objects.update(at=time.moment)
        WebProcess.objects.update(at=time.moment)
        passes(time, 5)
        tasks.sweep_flags()
        services.match_touch(match_id=match.pk)
        assert Match.objects.get(pk=match.pk).status == "live"
        assert comes_back(match, ana) == 5
        tasks.sweep_flags()
        assert Match.objects.get(pk=match.pk).status == "live"
        passes(time, 3)
        tasks.sweep_flags()
        assert Match.objects.get(pk=match.pk).ended_by == "flag"

    def test_no_act_of_the_opponent_makes_it_fall(
        self, match: Match, time: Time, act: Act, ana: User, bea: User
    ) -> None:
        assert match.flag_at is not None
        time.moment = match.flag_at - 2 * SECOND
        SiteHeartbeat.objects.update(at=time.moment)
        WebProcess.objects.update(at=time.moment)
        passes(time, 5)
        with pytest.raises(Refused) as refusal:
            act(match, bea, "roll")
        assert refusal.value.code != "time_up"
        assert Match.objects.get(pk=match.pk).status == "live"
        assert comes_back(match, ana) == 5

    def test_it_does_not_wait_for_a_process_that_is_alive(self, match: Match, time: Time) -> None:
        assert match.flag_at is not None
        time.moment = match.flag_at + SECOND
        SiteHeartbeat.objects.update(at=time.moment)
        WebProcess.objects.update(at=time.moment - 1.9 * SECOND)  # a heartbeat that is a little late
        services.match_touch(match_id=match.pk)
        assert Match.objects.get(pk=match.pk).ended_by == "flag"

    def test_it_falls_when_they_do_not_come(self, match: Match, time: Time) -> None:
        assert match.flag_at is not None
        time.moment = match.flag_at - SECOND
        SiteHeartbeat.objects.update(at=time.moment)
        WebProcess.objects.update(at=time.moment)
        passes(time, 20)
        tasks.sweep_flags()
        assert Match.objects.get(pk=match.pk).status == "live"
        passes(time, 1)
        tasks.sweep_flags()
        assert Match.objects.get(pk=match.pk).ended_by == "flag"


def test_a_row_that_somebody_removed_is_written_again(this_process: None, time: Time) -> None:
    WebProcess.objects.all().delete()
    time(seconds=1)
    web_processes.beat()
    assert list(WebProcess.objects.values_list("pk", "at")) == [(web_processes.own_id(), time.moment)]


class TestTheSocket(TableCase):
    """A player who connects after the loss of their process gets the time back before the first state."""

    async def test_the_clock_moves_when_the_player_connects(self) -> None:
        for socket in await self.opened():
            await socket.disconnect()
        clock_at = await in_db(self.lose_the_process)
        ana = await self.sit(self.ana)
        await self.receive(ana, "state")
        await ana.disconnect()
        assert await in_db(self.clock_at) - clock_at >= 10 * SECOND

    async def test_a_player_comes_in_while_nothing_can_be_written(self) -> None:
        for socket in await self.opened():
            await socket.disconnect()
        clock_at = await in_db(self.lose_the_process)
        await in_db(self.allow_no_writes)
        ana = await self.sit(self.ana)
        await self.receive(ana, "state")
        await ana.disconnect()
        await in_db(self.allow_writes)
        assert await in_db(self.clock_at) == clock_at

    def allow_no_writes(self) -> None:
        settings = {"postgresql": "SET default_transaction_read_only = on", "sqlite": "PRAGMA query_only = 1"}
        with connection.cursor() as cursor:
            cursor.execute(settings[connection.vendor])

    def allow_writes(self) -> None:
        if connection.vendor == "postgresql":  # an error gives the connection back to the pool
            connection.close()
            connection.close_pool()
            return
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA query_only = 0")

    def lose_the_process(self) -> datetime:
        other = WebProcess.objects.create(pk=uuid4(), at=now() - 10 * SECOND)
        Seat.objects.filter(match=self.match, user=self.ana).update(heard_by=other.pk)
        outage.move_clocks(Match.objects.filter(pk=self.match.pk), -60 * SECOND)
        web_processes.beat()
        self.addCleanup(setattr, web_processes, "_others_are_lost", False)
        return self.clock_at()

    def clock_at(self) -> datetime:
        clock_at = Match.objects.get(pk=self.match.pk).clock_at
        assert clock_at is not None
        return clock_at


def test_a_process_that_could_not_look_does_not_know(this_process: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not web_processes.others_are_lost()
    monkeypatch.setattr(web_processes, "_looked_at", web_processes._looked_at - 4)
    assert web_processes.others_are_lost()
    web_processes.beat()
    assert not web_processes.others_are_lost()
