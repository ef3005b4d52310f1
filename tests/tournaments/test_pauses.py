"""Pausing one match, or all of a round."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as people
from games import services as play
from games.models import Match
from tests.tournaments.staging import staged
from tournaments import services
from tournaments.errors import Refused
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(dora: User, ana: User, bea: User, carlos: User) -> Tournament:
    """ana and bea, carlos and elena sit at their boards; dora directs."""
    elena = User.objects.create_user("elena")
    made = staged("knockout", 4, people=(ana, bea, carlos, elena), venue="online", clock="club")
    for meeting in made.meetings.exclude(match=None):
        for user in (meeting.a.user, meeting.b.user):
            play.match_arrive(match_id=meeting.match_id, user=user)
    return made


def keys(cup: Tournament) -> list[str]:
    return list(cup.meetings.exclude(match=None).order_by("key").values_list("key", flat=True))


def paused(cup: Tournament) -> list[bool]:
    matches = Match.objects.filter(meeting__tournament=cup).order_by("meeting__key")
    return [match.pause is not None for match in matches]


def test_a_whole_round_is_paused_and_resumed(cup: Tournament, dora: User) -> None:
    services.matches_pause(tournament_id=cup.pk, user=dora, keys=keys(cup), why="Fire drill")
    assert paused(cup) == [True, True]
    assert Match.objects.filter(flag_at=None).count() == 2
    services.matches_resume(tournament_id=cup.pk, user=dora, keys=keys(cup))
    assert paused(cup) == [False, False]
    last = cup.events.order_by("-n").values_list("kind", "data")[:2]
    assert list(last) == [("resumed", {"keys": keys(cup)}), ("paused", {"keys": keys(cup), "why": "Fire drill"})]


def test_only_a_director_pauses_and_only_live_matches(cup: Tournament, ana: User, dora: User) -> None:
    with pytest.raises(Refused, match="not_director"):
        services.matches_pause(tournament_id=cup.pk, user=ana, keys=keys(cup))
    with pytest.raises(Refused, match="no_match_in_play"):
        services.matches_resume(tournament_id=cup.pk, user=dora, keys=keys(cup))
    assert paused(cup) == [False, False]


def test_the_director_can_pause_one_match_or_the_round(cup: Tournament, dora: User) -> None:
    desk = Client(headers={"accept-language": "en"})
    desk.force_login(dora, backend=people.BACKEND)
    address = reverse("tournament-desk", args=[cup.pk])
    page = desk.get(address).content.decode()
    assert ("Pause round" in page, "Resume round" in page) == (True, False)
    desk.post(reverse("desk-pause", args=[cup.pk]), {"key": keys(cup)[0], "why": "Lunch"})
    assert paused(cup) == [True, False]
    page = desk.get(address).content.decode()
    assert ("Pause round" in page, "Resume round" in page, "Lunch" in page) == (True, True, True)
    desk.post(reverse("desk-pause", args=[cup.pk]), {"key": keys(cup)[0], "action": "resume"})
    assert paused(cup) == [False, False]
