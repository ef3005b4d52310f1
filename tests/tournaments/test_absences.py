"""A player who leaves the board: the directors hear of it once, and the alert goes when he is back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.test import Client

from accounts.models import User
from games import services as play
from games.models import Alive, Match, Seat
from tests.tournaments.conftest import fresh
from tournaments import services
from tournaments.models import Meeting, Tournament
from tournaments.selectors import desk
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


def test_the_director_hears_of_it_once_when_the_wait_is_over(
    meeting: Meeting, moment: datetime, ana: User, bea: User, dora: User
) -> None:
    seen(ana, moment, seconds=1)
    seen(bea, moment, seconds=119)
    assert sweep_tournaments() == 0
    seen(bea, moment, seconds=120)
    assert sweep_tournaments() == 1
    assert sweep_tournaments() == 0
    assert ALERT in fresh(meeting.tournament).alerts
    (alert,) = desk.desk(tournament_id=meeting.tournament.pk, user=dora).alerts
    assert (alert.title, alert.text) == ("ana – bea", "bea has left the board.")


def test_the_alert_goes_when_the_player_is_back_and_comes_again_when_he_leaves_again(
    meeting: Meeting, moment: datetime, ana: User, bea: User
) -> None:
    seen(ana, moment, seconds=1)
    seen(bea, moment, minutes=5)
    sweep_tournaments()
    seen(bea, moment, seconds=3)
    assert sweep_tournaments() == 1
    assert sweep_tournaments() == 0
    assert fresh(meeting.tournament).alerts == {}


def test_an_alert_that_was_seen_to_is_not_told_again(
    meeting: Meeting, moment: datetime, ana: User, bea: User, dora: User
) -> None:
    seen(ana, moment, seconds=1)
    seen(bea, moment, minutes=5)
    sweep_tournaments()
    services.alert_settle(tournament_id=meeting.tournament.pk, user=dora, what=ALERT[0], key=ALERT[1])
    assert sweep_tournaments() == 0


def test_after_a_restart_nobody_is_to_blame_and_an_alert_stays(
    meeting: Meeting, moment: datetime, ana: User, bea: User
) -> None:
    seen(ana, moment, seconds=1)
    seen(bea, moment, minutes=5)
    sweep_tournaments()
    Alive.objects.create(pk=1, at=moment, since=moment - timedelta(minutes=3))
    assert sweep_tournaments() == 0
    assert ALERT in fresh(meeting.tournament).alerts


def test_by_correspondence_and_in_a_pause_nobody_is_away(
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
