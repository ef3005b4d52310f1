"""An outage costs no player time: the gap since the last heartbeat is returned, once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.models import User
from games import services, tasks
from games.models import Match, SiteHeartbeat
from games.services import Answer, outage
from ladders.models import LadderPulse
from ladders.tasks import sweep_ladders
from tests.games.clock_control import Time

pytestmark = pytest.mark.django_db

Open = Callable[..., Match]
Act = Callable[..., Answer]
MINUTE = timedelta(minutes=1)


@pytest.fixture
def match(time: Time, open_table: Open, act: Act, next_rolls: deque[tuple[int, int]], ana: User, bea: User) -> Match:
    """ana is to play 31; the site is alive."""
    next_rolls.append((3, 1))
    match = open_table()
    act(match, ana, "roll")
    act(match, bea, "roll")
    outage.beat()
    return Match.objects.get(pk=match.pk)


def read(match: Match) -> tuple[object, object]:
    row = Match.objects.get(pk=match.pk)
    return row.clock_at, row.flag_at


def test_a_heartbeat_every_second_changes_nothing(match: Match, time: Time) -> None:
    for _ in range(3):
        time(seconds=1)
        assert outage.beat() == 0
    row = SiteHeartbeat.objects.get()
    assert (row.at, row.since, read(match)) == (
        time.moment,
        time.moment - timedelta(seconds=3),
        (match.clock_at, match.flag_at),
    )


def test_after_a_gap_every_running_clock_gets_it_back_once(match: Match, time: Time) -> None:
    time(seconds=60)
    assert outage.beat() == 1
    assert read(match) == (match.clock_at + MINUTE, match.flag_at + MINUTE)  # type: ignore[operator]
    assert outage.beat() == 0  # the other web process
    assert read(match)[0] == match.clock_at + MINUTE  # type: ignore[operator]
    assert SiteHeartbeat.objects.get().since == time.moment


def test_actions_after_the_last_heartbeat_lose_less(match: Match, time: Time, act: Act, ana: User) -> None:
    time(seconds=1)
    act(match, ana, "8/5 6/5")
    time(seconds=60)
    outage.beat()
    assert read(match)[0] == time.moment


def test_an_act_before_the_first_heartbeat_counts_the_gap_itself(match: Match, time: Time, act: Act, ana: User) -> None:
    time(seconds=700)  # ana's flag would have fallen
    act(match, ana, "8/5 6/5")
    row = Match.objects.get(pk=match.pk)
    assert (row.status, row.clock["white"]) == ("live", 600_000)
    outage.beat()
    assert read(match)[0] == time.moment  # nothing is returned twice


def test_the_sweep_flags_nobody_while_no_web_process_lives(match: Match, time: Time) -> None:
    time(seconds=700)
    assert tasks.sweep_flags() == 0
    assert Match.objects.get(pk=match.pk).status == "live"
    outage.beat()
    time(seconds=0.5)
    assert tasks.sweep_flags() == 0
    assert Match.objects.get(pk=match.pk).status == "live"


def test_no_ladder_is_swept_while_no_web_process_lives(match: Match, time: Time) -> None:
    time(seconds=700)
    assert sweep_ladders() == 0
    assert not LadderPulse.objects.exists()  # the gap is what it returns (L9)


def test_with_the_workers_dead_a_flag_falls_on_touch(match: Match, time: Time) -> None:
    for _ in range(153):
        time(seconds=4)
        outage.beat()
    services.match_touch(match_id=match.pk)
    assert Match.objects.get(pk=match.pk).ended_by == "flag"


def test_a_clock_stopped_for_a_vacation_is_not_changed(match: Match, time: Time) -> None:
    later = time.moment + timedelta(days=2)
    Match.objects.filter(pk=match.pk).update(clock_at=later, flag_at=later + MINUTE)
    time(seconds=60)
    assert outage.beat() == 0
    assert read(match) == (later, later + MINUTE)
