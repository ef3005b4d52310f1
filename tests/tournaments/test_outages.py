"""No deadline of a tournament runs while the site is down or a match is paused."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.models import User
from games import services as play
from games.models import SiteHeartbeat
from games.services import outage
from tests.games.clock_control import Time
from tests.tournaments.conftest import fresh
from tournaments import services
from tournaments.errors import Refused
from tournaments.models import Meeting, Tournament, TournamentRound
from tournaments.tasks import sweep_tournaments

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]
Pair = Callable[..., Meeting]
HOUR = timedelta(hours=1)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    """The database's clock for tournaments, too; the site is alive."""
    passes = Time(monkeypatch)
    for module in ("tasks", "services.transaction"):
        monkeypatch.setattr(f"tournaments.{module}.now", lambda: passes.moment)
    outage.beat()
    return passes


@pytest.fixture
def pair(time: Time, tournament: Make, ana: User, bea: User, dora: User) -> Pair:
    """A function that starts a tournament of ana and bea alone: their meeting."""

    def begin(**chosen: object) -> Meeting:
        made = tournament(**chosen)
        for user in (ana, bea):
            services.entrant_register(tournament_id=made.pk, user=user)
        services.tournament_start(tournament_id=made.pk, user=dora)
        return Meeting.objects.get(tournament=made)

    return begin


def deadlines(meeting: Meeting) -> list[datetime | None]:
    meeting.refresh_from_db()
    return [getattr(meeting, name) for name in Meeting.DEADLINES]


def later(times: list[datetime | None], gap: timedelta) -> list[datetime | None]:
    return [None if moment is None else moment + gap for moment in times]


def sit_down(meeting: Meeting, *users: User) -> None:
    for user in users:
        play.match_arrive(match_id=str(meeting.match_id), user=user)


def test_the_deadlines_of_a_pairing_get_an_outage_back_once(pair: Pair, time: Time) -> None:
    meeting = pair(round_hours=48, no_show_minutes=30)
    before = deadlines(meeting)
    assert None not in before
    time(hours=3)
    outage.beat()
    assert deadlines(meeting) == later(before, 3 * HOUR)
    outage.beat()  # the other web process
    assert deadlines(meeting) == later(before, 3 * HOUR)
    assert list(meeting.tournament.events.filter(kind="outage").values_list("data", flat=True)) == [
        {"seconds": 10800.0}
    ]
    assert TournamentRound.objects.get().stalled_at == meeting.due_at


def test_an_outage_makes_nobody_late(pair: Pair, time: Time, ana: User) -> None:
    meeting = pair(no_show_minutes=30, penalty_minutes=5)
    sit_down(meeting, ana)
    time(hours=2)
    assert sweep_tournaments() == 0  # the workers live, but nobody can come
    outage.beat()
    time(minutes=29)
    outage.beat()  # a gap of its own: also given back
    assert sweep_tournaments() == 0
    time(seconds=1)
    outage.beat()
    assert fresh(meeting.tournament).penalties == {}


def test_a_no_show_after_an_outage_is_penalised_from_the_moved_deadline(pair: Pair, time: Time, ana: User) -> None:
    meeting = pair(no_show_minutes=30, penalty_minutes=5)
    sit_down(meeting, ana)
    time(hours=2)
    outage.beat()
    time(minutes=36)
    SiteHeartbeat.objects.update(at=time.moment)  # it has lived all the time
    sweep_tournaments()
    assert fresh(meeting.tournament).penalties == {("main-1-1", 1, 2): {2: 2}}
    assert deadlines(meeting)[2] == time.moment + timedelta(minutes=4)


def test_a_pairing_that_opened_during_the_outage_gets_less_back(pair: Pair, time: Time) -> None:
    time(seconds=1)
    meeting = pair(round_hours=48)
    before = deadlines(meeting)
    time(hours=3)
    outage.beat()
    assert deadlines(meeting) == later(before, 3 * HOUR)


def test_the_next_round_of_a_timed_tournament_opens_later(time: Time, tournament: Make) -> None:
    made = tournament(walk_ins=4, pace="timed", round_minutes=30, start=True)
    start = time.moment
    time(minutes=40)
    assert sweep_tournaments() == 0
    outage.beat()
    row = TournamentRound.objects.get(tournament=made, round=2)
    assert row.open_at == start + timedelta(minutes=70)
    time(minutes=29)
    SiteHeartbeat.objects.update(at=time.moment)
    assert (sweep_tournaments(), fresh(made).opened) == (0, {("main", 1)})
    time(minutes=1)
    SiteHeartbeat.objects.update(at=time.moment)
    sweep_tournaments()
    assert fresh(made).opened == {("main", 1), ("main", 2)}


def test_an_announced_start_stays_unless_it_fell_into_the_outage(time: Time, tournament: Make) -> None:
    tonight, soon = time.moment + 5 * HOUR, time.moment + HOUR
    stays = tournament(walk_ins=2, starts_at=tonight, starts_itself=True)
    moves = tournament(walk_ins=2, starts_at=soon, starts_itself=True)
    time(hours=3)
    assert sweep_tournaments() == 0
    outage.beat()
    for made in (stays, moves):
        made.refresh_from_db()
    assert (stays.starts_at, stays.start_at) == (tonight, tonight)
    assert (moves.starts_at, moves.start_at) == (soon + 3 * HOUR, soon + 3 * HOUR)
    assert sweep_tournaments() == 0  # an hour is left to check in


def test_a_report_before_the_first_heartbeat_is_not_too_late(pair: Pair, time: Time, ana: User) -> None:
    meeting = pair(venue="board", round_hours=1)
    time(hours=2)
    report = {"tournament_id": meeting.tournament_id, "key": "main-1-1", "winner": 1, "points": (3, 0)}
    services.result_report(user=ana, **report)
    outage.beat()
    time(hours=1)
    SiteHeartbeat.objects.update(at=time.moment)
    with pytest.raises(Refused, match="locked"):
        services.result_report(user=ana, **report)


def test_one_broken_tournament_does_not_block_the_others(pair: Pair, time: Time, tournament: Make) -> None:
    meeting = pair(round_hours=48)
    before = deadlines(meeting)
    broken = tournament(walk_ins=2, round_hours=48, start=True)
    broken.events.filter(kind="drawn").update(kind="unheard of")
    time(hours=3)
    outage.beat()
    assert deadlines(meeting) == later(before, 3 * HOUR)
    assert SiteHeartbeat.objects.get().at == time.moment


def test_an_outage_is_given_back_in_one_transaction(pair: Pair, time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process dies between the tournaments and the clocks: the next heartbeat does all of it."""
    meeting = pair(round_hours=48)
    before = deadlines(meeting)
    time(hours=3)
    with monkeypatch.context() as patch:
        patch.setattr(outage, "_give_back", _die)
        with pytest.raises(KeyboardInterrupt):
            outage.beat()
    assert deadlines(meeting) == before
    outage.beat()
    assert deadlines(meeting) == later(before, 3 * HOUR)


def _die(alive: datetime, moment: datetime) -> int:
    raise KeyboardInterrupt


def test_a_pause_moves_the_deadlines_of_its_pairing_when_it_ends(
    pair: Pair, time: Time, ana: User, bea: User, dora: User
) -> None:
    meeting = pair(round_hours=48)
    sit_down(meeting, ana, bea)
    before = deadlines(meeting)
    target: dict[str, Any] = {"tournament_id": meeting.tournament_id, "user": dora, "keys": ["main-1-1"]}
    services.matches_pause(**target)
    time(hours=50)
    SiteHeartbeat.objects.update(at=time.moment)
    assert sweep_tournaments() == 1  # the round alone, which the director is told of
    assert deadlines(meeting) == before
    services.matches_resume(**target)
    assert deadlines(meeting) == later(before, timedelta(hours=50))


def test_an_outage_in_a_pause_counts_once(pair: Pair, time: Time, ana: User, bea: User, dora: User) -> None:
    meeting = pair(round_hours=48)
    sit_down(meeting, ana, bea)
    before = deadlines(meeting)
    target: dict[str, Any] = {"tournament_id": meeting.tournament_id, "user": dora, "keys": ["main-1-1"]}
    services.matches_pause(**target)
    time(hours=2)
    outage.beat()
    services.matches_resume(**target)
    assert deadlines(meeting) == later(before, 2 * HOUR)
    assert TournamentRound.objects.get().stalled_at == meeting.due_at


def test_a_pause_before_the_first_heartbeat_leaves_the_outage_whole(
    pair: Pair, time: Time, ana: User, bea: User, dora: User
) -> None:
    meeting = pair(round_hours=48)
    sit_down(meeting, ana, bea)
    before = deadlines(meeting)
    target: dict[str, Any] = {"tournament_id": meeting.tournament_id, "user": dora, "keys": ["main-1-1"]}
    time(hours=2)
    services.matches_pause(**target)
    time(hours=1)
    outage.beat()
    services.matches_resume(**target)
    assert deadlines(meeting) == later(before, 3 * HOUR)


def test_a_pause_that_ends_before_the_first_heartbeat_counts_once(
    pair: Pair, time: Time, ana: User, bea: User, dora: User
) -> None:
    meeting = pair(round_hours=48)
    sit_down(meeting, ana, bea)
    before = deadlines(meeting)
    target: dict[str, Any] = {"tournament_id": meeting.tournament_id, "user": dora, "keys": ["main-1-1"]}
    services.matches_pause(**target)
    time(hours=2)
    services.matches_resume(**target)
    outage.beat()
    assert deadlines(meeting) == later(before, 2 * HOUR)


def test_a_vacation_moves_no_deadline_of_a_tournament(pair: Pair, time: Time, ana: User, bea: User) -> None:
    meeting = pair(clock="days3", round_hours=48)
    sit_down(meeting, ana, bea)
    before = deadlines(meeting)
    play.vacation_begin(user=ana, days=7)
    assert deadlines(meeting) == before
