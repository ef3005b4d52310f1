"""Deadlines: each takes effect once, however often the sweep runs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import User
from games import services as play
from games.database import now
from tests.tournaments.conftest import fresh, ready
from tournaments import services
from tournaments.errors import Refused
from tournaments.models import Meeting, Tournament, TournamentRound
from tournaments.selectors import tournament_page
from tournaments.tasks import sweep_tournaments

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


def kinds(tournament: Tournament) -> list[str]:
    return list(tournament.events.values_list("kind", flat=True))


def ago(**time: float) -> datetime:
    return now() - timedelta(**time)


@pytest.fixture
def pair(tournament: Make, ana: User, bea: User, dora: User) -> Callable[..., Meeting]:
    """A function that starts a tournament of ana and bea alone: their meeting."""

    def begin(**chosen: object) -> Meeting:
        made = tournament(**chosen)
        for user in (ana, bea):
            services.entrant_register(tournament_id=made.pk, user=user)
        services.tournament_start(tournament_id=made.pk, user=dora)
        return Meeting.objects.get(tournament=made)

    return begin


def test_a_tournament_starts_at_its_time_and_once(tournament: Make) -> None:
    made = tournament(walk_ins=2, starts_at=datetime.now(UTC) + timedelta(hours=1), starts_itself=True)
    assert sweep_tournaments() == 0
    Tournament.objects.update(start_at=ago(seconds=1))
    assert sweep_tournaments() == 1
    assert sweep_tournaments() == 0
    assert kinds(made)[-2:] == ["drawn", "started"]


def test_a_refused_start_alerts_the_directors_once(tournament: Make) -> None:
    made = tournament(walk_ins=1, starts_at=datetime.now(UTC) + timedelta(hours=1), starts_itself=True)
    Tournament.objects.update(start_at=ago(seconds=1))
    assert sweep_tournaments() == 1
    assert sweep_tournaments() == 0
    assert fresh(made).alerts[("not_started", "")]["code"] == "too_few"


def test_rounds_open_at_their_time(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, pace="timed", round_minutes=30, start=True)
    assert fresh(made).opened == {("main", 1)}
    row = TournamentRound.objects.get(tournament=made, round=2)
    made.refresh_from_db()
    assert made.begun_at is not None
    assert row.open_at == made.begun_at + timedelta(minutes=30)
    for key in ready(made):
        services.result_enter(tournament_id=made.pk, user=dora, key=key, winner=_first(made, key), how="walkover")
    assert fresh(made).opened == {("main", 1)}
    Tournament.objects.update(begun_at=ago(minutes=31))
    TournamentRound.objects.filter(pk=row.pk).update(open_at=ago(minutes=1))
    assert sweep_tournaments() == 1
    assert sweep_tournaments() == 0
    assert fresh(made).opened == {("main", 1), ("main", 2)}


def test_a_due_swiss_round_waits_for_the_last_result_and_alerts_the_directors(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, format_="swiss", config={"rounds": 2}, pace="timed", round_minutes=30, start=True)
    first, second = ready(made)
    services.result_enter(tournament_id=made.pk, user=dora, key=first, winner=_first(made, first), how="walkover")
    Tournament.objects.update(begun_at=ago(minutes=31))
    TournamentRound.objects.filter(open_at__isnull=False).update(open_at=ago(minutes=1))
    for _ in range(2):
        sweep_tournaments()
    assert kinds(made).count("alerted") == 1
    assert ("stalled", "swiss-1") in fresh(made).alerts
    services.result_enter(tournament_id=made.pk, user=dora, key=second, winner=_first(made, second), how="walkover")
    assert len(fresh(made).rounds) == 2


def _first(tournament: Tournament, key: str) -> int:
    return fresh(tournament).by_key[key].entrants[0]


def test_a_late_player_gets_penalty_points_until_the_match_is_lost(pair: Callable[..., Meeting], ana: User) -> None:
    meeting = pair(no_show_minutes=10)
    assert meeting.match is not None
    play.match_arrive(match_id=meeting.match.pk, user=ana)
    made = meeting.tournament

    def late(minutes: float) -> None:
        Meeting.objects.update(opened_at=ago(minutes=minutes), no_show_at=ago(seconds=1))
        sweep_tournaments()

    late(10.5)
    assert fresh(made).penalties == {("main-1-1", 1, 2): {2: 1}}
    card = tournament_page.tournament_page(tournament_id=made.pk, user=None).sections[0].columns[0].places[0]
    assert "Penalty points: bea 1." in str(card)
    sweep_tournaments()  # the next point is due in four and a half minutes
    assert kinds(made).count("penalised") == 1
    late(15.5)
    assert fresh(made).penalties == {("main-1-1", 1, 2): {2: 2}}
    late(20.5)
    result = fresh(made).by_key["main-1-1"].result
    assert result is not None
    assert (result.winner, result.how, fresh(made).phase) == (1, "walkover", "over")


def test_a_player_who_did_not_show_up_does_not_enter_the_consolation(
    tournament: Make, dora: User, ana: User, bea: User
) -> None:
    made = tournament(no_show_minutes=10, config={"consolation": "simple"})
    for person in ({"player": ana}, {"name": "W2"}, {"name": "W3"}, {"player": bea}):
        services.entrant_add(tournament_id=made.pk, user=dora, **person)
    services.tournament_start(tournament_id=made.pk, user=dora)
    services.result_enter(tournament_id=made.pk, user=dora, key="main-1-2", winner=2)
    meeting = Meeting.objects.get(tournament=made, key="main-1-1")
    assert meeting.match is not None
    play.match_arrive(match_id=meeting.match.pk, user=ana)
    Meeting.objects.filter(pk=meeting.pk).update(opened_at=ago(hours=2), no_show_at=ago(seconds=1))
    sweep_tournaments()
    consolation = fresh(made).by_key["consolation-1-1"]
    assert (consolation.state, consolation.entrants) == ("bye", (3,))


def test_two_absent_players_both_lose(pair: Callable[..., Meeting]) -> None:
    meeting = pair(no_show_minutes=10)
    Meeting.objects.update(opened_at=ago(hours=2), no_show_at=ago(seconds=1))
    sweep_tournaments()
    result = fresh(meeting.tournament).by_key["main-1-1"].result
    assert result is not None
    assert result.winner is None


def test_a_player_in_a_live_match_is_not_late(pair: Callable[..., Meeting], ana: User, bea: User) -> None:
    meeting = pair(no_show_minutes=10)
    assert meeting.match is not None
    for user in (ana, bea):
        play.match_arrive(match_id=meeting.match.pk, user=user)
    Meeting.objects.update(opened_at=ago(hours=2), no_show_at=ago(seconds=1))
    assert sweep_tournaments() == 1
    assert sweep_tournaments() == 0
    assert fresh(meeting.tournament).penalties == {}


def test_at_the_deadline_an_unanswered_report_stands(pair: Callable[..., Meeting], ana: User) -> None:
    meeting = pair(venue="board", round_hours=48)
    assert meeting.due_at is not None
    assert meeting.remind_at == meeting.due_at - timedelta(hours=24)
    services.result_report(tournament_id=meeting.tournament_id, user=ana, key="main-1-1", winner=1, points=(3, 0))
    Meeting.objects.update(lock_at=ago(seconds=1), due_at=ago(seconds=1))
    sweep_tournaments()
    assert fresh(meeting.tournament).by_key["main-1-1"].winner == 1


def test_the_director_decides_an_unplayed_pairing_at_its_deadline(pair: Callable[..., Meeting], ana: User) -> None:
    meeting = pair(venue="board", round_hours=48)
    Meeting.objects.update(lock_at=ago(seconds=1), due_at=ago(seconds=1), remind_at=ago(seconds=1))
    assert sweep_tournaments() == 1
    assert sweep_tournaments() == 0
    assert ("deadline", "main-1-1") in fresh(meeting.tournament).alerts
    with pytest.raises(Refused) as error:
        services.result_report(tournament_id=meeting.tournament_id, user=ana, key="main-1-1", winner=1, points=(3, 0))
    assert error.value.code == "locked"


def test_a_stalled_round_alerts_the_directors_once(tournament: Make) -> None:
    made = tournament(walk_ins=4, start=True)
    TournamentRound.objects.update(stalled_at=ago(seconds=1))
    for _ in range(2):
        sweep_tournaments()
    assert kinds(made).count("alerted") == 1
    assert ("stalled", "main-1") in fresh(made).alerts
