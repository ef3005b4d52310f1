"""Permissions in a tournament: the desk, directors who come and go, results of others.

tests/access and test_permission_matrix.py ask every address for every kind of visitor.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as people
from tournaments import services
from tournaments.models import Tournament, TournamentEvent
from tournaments.services.transaction import load_state

pytestmark = [pytest.mark.django_db, pytest.mark.looks]  # the same acts on any database

Make = Callable[..., Tournament]
PLAYERS = (
    "tournament-enter",
    "tournament-leave",
    "tournament-here",
    "tournament-report",
    "tournament-confirm",
    "tournament-dispute",
)
DESK = {
    "desk-entrant-add": {"name": "Paco"},
    "desk-entrant": {"entrant": "1", "action": "check-in"},
    "desk-seeds": {"seed_1": "1"},
    "desk-draw": {},
    "desk-start": {},
    "desk-cancel": {"sure": "1"},
    "desk-round": {"round": "main 1"},
    "desk-result": {"key": "main-1-1", "how": "double"},
    "desk-alert": {"what": "stalled"},
    "desk-announce": {"text": "Hello"},
    "desk-roles": {"name": "ana", "role": "director"},
    "desk-settings": {"name": "Mine"},
    "desk-late": {"name": "Paco"},
    "desk-substitute": {"entrant": "1", "name": "Paco"},
    "desk-penalty": {"key": "main-1-1", "entrant": "1", "points": "1"},
    "desk-wish": {"kind": "apart", "a": "1", "b": "2"},
    "desk-recess": {"at": "21:15"},
    "desk-round-time": {"at": "2030-01-14T20:30"},
    "desk-invitation": {},
}
PAGES = {"tournament-desk": "officials", "desk-settings": "directors"}


@pytest.fixture
def entered(tournament: Make, ana: User) -> Tournament:
    """A tournament of dora's that ana has entered."""
    made = tournament(walk_ins=1)
    services.entrant_register(tournament_id=made.pk, user=ana)
    return made


def browser(user: User | None) -> Client:
    client = Client(headers={"accept-language": "en"})
    if user is not None:
        client.force_login(user, backend=people.BACKEND)
    return client


@pytest.mark.parametrize("username", ["ana", "bea"])
@pytest.mark.parametrize(("name", "who"), PAGES.items())
def test_the_desk_is_shown_to_officials_only(
    entered: Tournament, ana: User, bea: User, dora: User, username: str, name: str, who: str
) -> None:
    url = reverse(name, args=[entered.pk])
    answer = browser({"ana": ana, "bea": bea}[username]).get(url)
    assert answer.status_code == 403
    assert f"Only the {who} of this tournament can do that." in answer.content.decode()
    assert browser(dora).get(url).status_code == 200


def test_an_added_director_directs_until_they_are_removed(entered: Tournament, dora: User, bea: User) -> None:
    url = reverse("tournament-desk", args=[entered.pk])
    services.director_add(tournament_id=entered.pk, user=dora, director=bea)
    assert browser(bea).get(url).status_code == 200
    browser(bea).post(reverse("desk-announce", args=[entered.pk]), {"text": "Hello"})
    services.director_remove(tournament_id=entered.pk, user=dora, director=bea)
    assert browser(bea).get(url).status_code == 403
    assert [event.by for event in TournamentEvent.objects.filter(kind="announced")] == [bea]


def test_only_the_players_report_the_result_of_a_pairing(tournament: Make, ana: User, bea: User, carlos: User) -> None:
    made = tournament(venue="board")
    for player in (ana, bea):
        services.entrant_register(tournament_id=made.pk, user=player)
    services.tournament_start(tournament_id=made.pk, user=made.created_by)
    report = {"key": "main-1-1", "winner": "1", "won": "3", "lost": "0"}
    for name in ("tournament-report", "tournament-confirm", "tournament-dispute"):
        page = browser(carlos).post(reverse(name, args=[made.pk]), report, follow=True)
        assert "Only the two players and the directors can do that." in page.content.decode()
    assert load_state(made).reports == {}


def test_a_tournament_that_is_not_there_is_not_found(ana: User) -> None:
    client, routes = browser(ana), [*PLAYERS, *DESK, *PAGES]
    statuses = {}
    for name in routes:
        url = reverse(name, args=["abcdefghjk"])
        form = DESK.get(name, {"key": "main-1-1"})
        answer = client.get(url) if name in PAGES else client.post(url, form, follow=True)
        statuses[name] = answer.status_code
    assert statuses == dict.fromkeys(routes, 404)
