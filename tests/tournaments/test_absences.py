"""Alerts about players who leave a live match: once for each absence, and only while it lasts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.test import Client

from accounts.models import User
from games import services as play
from games.models import Match, Seat, SiteHeartbeat
from tests.tournaments.conftest import fresh
from tournaments import services
from tournaments.models import Meeting, Tournament
from tournaments.selectors import director_desk
from tournaments.tasks import sweep_tournaments

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]
ALERT = ("away", "main-1-1")


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> datetime:
    from games.database import now

    fixed = now()
    monkeypatch.setattr("tournaments.services.absences.now", lambda: fixed)
    return fixed


@pytest.fixture
def meeting(tournament: Make, moment: datetime, ana: User, bea: User, dora: User) -> Meeting:
    """ana and bea play."""
    return begin(tournament, ana, bea, dora)


def begin(tournament: Make, ana: User, bea: User, dora: User, **chosen: object) -> Meeting:
    made = tournament(**chosen)
    for user in (ana, bea):
        services.entrant_register(tournament_id=made.pk, user=user)
    services.tournament_start(tournament_id=made.pk, user=dora)
    found = Meeting.objects.select_related("match", "tournament").get(tournament=made)
    assert found.match is not None
    for user in (ana, bea):
        play.match_arrive(match_id=found.match.pk, user=user)
    Match.objects.update(started_at=found.match.created_at - timedelta(hours=1))
    return found


def seen(user: User, moment: datetime, **ago: float) -> None:
    Seat.objects.filter(user=user).update(seen_at=moment - timedelta(**ago))


def test_the_directors_are_alerted_once_when_the_wait_is_over(
    meeting: Meeting, moment: datetime, ana: User, bea: User, dora: User
) -> None:
    seen(ana, moment, seconds=1)
    seen(bea, moment, seconds=119)
    assert sweep_tournaments() == 0
    seen(bea, moment, seconds=120)
    assert sweep_tournaments() == 1
    assert sweep_tournaments() == 0
    assert ALERT in fresh(meeting.tournament).alerts
    (alert,) = director_desk.director_desk(tournament_id=meeting.tournament.pk, user=dora).alerts
    assert (alert.title, alert.text) == ("ana – bea", "bea left the board.")


def test_the_alert_ends_when_the_player_is_back_and_returns_with_a_new_absence(
    meeting: Meeting, moment: datetime, ana: User, bea: User
) -> None:
    seen(ana, moment, seconds=1)
    seen(bea, moment, minutes=5)
    sweep_tournaments()
    seen(bea, moment, seconds=3)
    assert sweep_tournaments() == 1
    assert sweep_tournaments() == 0
    assert fresh(meeting.tournament).alerts == {}


def test_a_dismissed_alert_is_not_repeated(
    meeting: Meeting, moment: datetime, ana: User, bea: User, dora: User
) -> None:
    seen(ana, moment, seconds=1)
    seen(bea, moment, minutes=5)
    sweep_tournaments()
    services.alert_dismiss(tournament_id=meeting.tournament.pk, user=dora, kind=ALERT[0], key=ALERT[1])
    assert sweep_tournaments() == 0


def test_a_restart_alerts_about_nobody_and_an_alert_stays(
    meeting: Meeting, moment: datetime, ana: User, bea: User
) -> None:
    seen(ana, moment, seconds=1)
    seen(bea, moment, minutes=5)
    sweep_tournaments()
    SiteHeartbeat.objects.create(pk=1, at=moment, since=moment - timedelta(minutes=3))
    assert sweep_tournaments() == 0
    assert ALERT in fresh(meeting.tournament).alerts


def test_nobody_is_absent_by_correspondence_or_in_a_pause(
    tournament: Make, moment: datetime, ana: User, bea: User, dora: User
) -> None:
    slow = begin(tournament, ana, bea, dora, clock="days3")
    seen(bea, moment, minutes=30)
    assert sweep_tournaments() == 0
    assert slow.match is not None
    Match.objects.filter(pk=slow.match.pk).update(clock_preset="none", pause={"by": "dora", "why": "", "at": ""})
    assert sweep_tournaments() == 0


def test_a_match_of_a_tournament_cannot_be_adjourned(meeting: Meeting, client: Client) -> None:
    assert meeting.match is not None
    assert not Match.objects.get(pk=meeting.match.pk).adjournable
