"""An outage costs no player time: the gap since the last heartbeat is returned, once.

Nor does a database's clock that somebody sets: everything moves with it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.models import User
from games import services, tasks
from games.models import Match, Seat, SiteHeartbeat
from games.services import Answer, outage
from ladders.models import LadderPulse
from ladders.tasks import sweep_ladders
from tests.games.clock_control import Time

pytestmark = pytest.mark.django_db

Open = Callable[..., Match]
Act = Callable[..., Answer]
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


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


@pytest.mark.parametrize("seconds", [1.1, 2, 4.9])
def test_a_short_gap_is_given_back_too(match: Match, time: Time, seconds: float) -> None:
    since = SiteHeartbeat.objects.get().since
    gap = timedelta(seconds=seconds)
    time(seconds=seconds)
    assert outage.beat() == 1
    assert read(match) == (match.clock_at + gap, match.flag_at + gap)  # type: ignore[operator]
    assert SiteHeartbeat.objects.get().since == since  # absences go on counting: no page had to come back


def test_a_heartbeat_that_is_late_by_less_than_a_second_changes_nothing(match: Match, time: Time) -> None:
    time(seconds=0.95)
    assert outage.beat() == 0
    assert read(match) == (match.clock_at, match.flag_at)


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


def test_an_act_counts_a_short_gap_itself(match: Match, time: Time, act: Act, ana: User) -> None:
    time(seconds=11)  # of ana's delay of 12
    SiteHeartbeat.objects.update(at=time.moment)
    time(seconds=3)
    act(match, ana, "8/5 6/5")
    row = Match.objects.get(pk=match.pk)
    assert (row.clock["white"], read(match)[0]) == (600_000, time.moment)
    outage.beat()
    assert read(match)[0] == time.moment


def test_a_flag_falls_when_a_heartbeat_says_that_the_site_served_until_then(match: Match, time: Time) -> None:
    assert match.flag_at is not None
    time.moment = match.flag_at - timedelta(seconds=0.1)
    SiteHeartbeat.objects.update(at=time.moment)
    time(seconds=0.2)  # the site may have died before the deadline
    services.match_touch(match_id=match.pk)
    assert (tasks.sweep_flags(), Match.objects.get(pk=match.pk).status) == (1, "live")
    time(seconds=0.1)
    outage.beat()
    tasks.sweep_flags()
    assert Match.objects.get(pk=match.pk).ended_by == "flag"


class TestTheFirstHeartbeatOfAProcess:
    """A process that starts finds out whether others serve, before it serves."""

    @pytest.fixture
    def other(self, time: Time, monkeypatch: pytest.MonkeyPatch) -> list[float]:
        """The moments, in seconds from now, at which another process beats; time passes while a process waits."""
        beats: list[float] = []
        began = time.moment

        class Event:
            def wait(self, seconds: float) -> None:
                time(seconds=seconds)
                if beats and time.moment >= began + timedelta(seconds=beats[0]):
                    beats.pop(0)
                    outage.beat()

        monkeypatch.setattr("games.services.outage.Event", Event)
        return beats

    def test_beside_another_process_it_gives_nothing_back(self, match: Match, time: Time, other: list[float]) -> None:
        other.append(0.6)
        assert outage.beat_first() == 0
        assert read(match) == (match.clock_at, match.flag_at)

    def test_alone_it_waits_until_the_gap_is_certain(self, match: Match, time: Time, other: list[float]) -> None:
        assert match.flag_at is not None
        began = time(seconds=0.3)
        assert outage.beat_first() == 1
        assert read(match)[1] == match.flag_at + (time.moment - began) + timedelta(seconds=0.3)
        assert timedelta(seconds=0.7) < time.moment - began < timedelta(seconds=0.8)

    def test_after_a_gap_it_waits_for_nothing(self, match: Match, time: Time, other: list[float]) -> None:
        began = time(seconds=3)
        assert (outage.beat_first(), time.moment) == (1, began)


class TestADatabaseClockThatIsSet:
    """The machine's clock jumps by an hour while ana's time runs: nobody gains or loses more than a heartbeat."""

    JUMPS = pytest.mark.parametrize("jump", [HOUR, -HOUR], ids=["forward", "back"])

    @JUMPS
    def test_every_running_clock_moves_with_it(self, match: Match, time: Time, jump: timedelta) -> None:
        time.moment += jump
        assert outage.beat() == 1
        assert read(match) == (match.clock_at + jump, match.flag_at + jump)  # type: ignore[operator]
        assert outage.beat() == 0  # the other web process

    @JUMPS
    def test_a_gap_is_found_after_it(self, match: Match, time: Time, jump: timedelta) -> None:
        time.moment += jump
        outage.beat()
        time(seconds=3)
        assert outage.beat() == 1
        gap = jump + timedelta(seconds=3)
        assert read(match) == (match.clock_at + gap, match.flag_at + gap)  # type: ignore[operator]

    @JUMPS
    def test_an_act_before_the_next_heartbeat_is_charged_nothing(
        self, match: Match, time: Time, act: Act, ana: User, jump: timedelta
    ) -> None:
        time.moment += jump
        act(match, ana, "8/5 6/5")
        outage.beat()
        row = Match.objects.get(pk=match.pk)
        assert (row.clock["white"], row.clock_at) == (600_000, time.moment)

    @JUMPS
    def test_no_flag_falls_before_the_next_heartbeat(self, match: Match, time: Time, jump: timedelta) -> None:
        time.moment += jump
        assert tasks.sweep_flags() == 0
        services.match_touch(match_id=match.pk)
        assert Match.objects.get(pk=match.pk).status == "live"

    def test_what_began_after_it_was_set_back_stays(self, match: Match, time: Time) -> None:
        time.moment -= HOUR
        later = time.moment + MINUTE
        Match.objects.filter(pk=match.pk).update(clock_at=time.moment, flag_at=later)
        assert outage.beat() == 0
        assert read(match) == (time.moment, later)

    def test_a_clock_that_stands_until_a_later_day_stays(self, match: Match, time: Time) -> None:
        later = time.moment + timedelta(days=2)
        Match.objects.filter(pk=match.pk).update(clock_at=later, flag_at=later + MINUTE)
        time.moment -= HOUR
        assert outage.beat() == 0
        assert read(match) == (later, later + MINUTE)

    def test_a_bot_plays_and_an_absent_player_is_absent_at_once(self, match: Match, time: Time) -> None:
        Match.objects.filter(pk=match.pk).update(bot_at=time.moment)
        Seat.objects.filter(match=match).update(seen_at=time.moment)
        time.moment -= HOUR
        outage.beat()
        assert Match.objects.get(pk=match.pk).bot_at == time.moment
        assert set(Seat.objects.filter(match=match).values_list("seen_at", flat=True)) == {time.moment}


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
    time(seconds=612)
    SiteHeartbeat.objects.update(at=time.moment)
    services.match_touch(match_id=match.pk)
    assert Match.objects.get(pk=match.pk).ended_by == "flag"


def test_a_clock_stopped_for_a_vacation_is_not_changed(match: Match, time: Time) -> None:
    later = time.moment + timedelta(days=2)
    Match.objects.filter(pk=match.pk).update(clock_at=later, flag_at=later + MINUTE)
    time(seconds=60)
    assert outage.beat() == 0
    assert read(match) == (later, later + MINUTE)
