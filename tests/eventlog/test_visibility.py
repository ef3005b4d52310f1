"""Visibility of events: each viewer gets exactly what they could see on the pages at that moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships
from eventlog.errors import Refused
from eventlog.services import topics_of
from eventlog.visibility import permitted_topics
from games import services as play
from games.models import Match
from tournaments import services as tournaments

pytestmark = pytest.mark.django_db

TERMS: dict[str, Any] = {"variant": "backgammon", "length": 5, "clock": "club", "rated": True}
Table = Callable[..., Match]


def visible_to(topic: str, *people: User) -> list[str]:
    """The names of those users who may read a topic."""
    return [user.username for user in people if permitted_topics(user, [topic])]


def test_a_users_own_topic_is_visible_to_them_only(ana: User, bea: User, person: Callable[..., User]) -> None:
    staff = person("zoe", is_staff=True, is_superuser=True)
    assert visible_to(f"user:{ana.pk}", ana, bea, staff) == ["ana"]


def test_a_match_in_play_is_visible_to_all_but_blocked_users(
    open_table: Table, ana: User, bea: User, carlos: User, dora: User, person: Callable[..., User]
) -> None:
    match = open_table()
    here = f"match:{match.pk}"
    guest, staff = person("guest-1", is_guest=True), person("zoe", is_staff=True)
    relationships.relationship_create(by=bea, about=dora, kind=relationship_selectors.BLOCK)
    relationships.relationship_create(by=bea, about=staff, kind=relationship_selectors.BLOCK)
    assert visible_to(here, ana, bea, carlos, dora, guest, staff) == ["ana", "bea", "carlos", "guest-1", "zoe"]
    play.match_act(match_id=match.pk, user_id=bea.pk, action="resign match", client_id="e")
    assert visible_to(here, dora) == ["dora"]


def test_an_open_or_withdrawn_challenge_is_visible_to_its_two_players_only(ana: User, bea: User, carlos: User) -> None:
    match = play.match_create(creator=ana, invited=bea, **TERMS)
    assert visible_to(f"match:{match.pk}", ana, bea, carlos) == ["ana", "bea"]
    play.match_cancel(match_id=match.pk, user=ana)
    assert visible_to(f"match:{match.pk}", ana, bea, carlos) == ["ana", "bea"]


def test_a_directors_topic_is_visible_to_current_directors_only(
    tournament: Any,
    ana: User,
    bea: User,
    dora: User,
    person: Callable[..., User],
) -> None:
    made, other = tournament(), tournament()
    staff = person("zoe", is_staff=True)
    tournaments.director_add(tournament_id=made.pk, user=dora, director=ana)
    tournaments.director_add(tournament_id=other.pk, user=dora, director=bea)
    directors_topic = f"desk:{made.pk}"
    assert visible_to(directors_topic, ana, bea, dora, staff) == ["ana", "dora"]
    tournaments.director_remove(tournament_id=made.pk, user=dora, director=ana)
    assert visible_to(directors_topic, ana, bea, dora, staff) == ["dora"]


def test_tournaments_and_ladders_are_public_as_their_pages_are(tournament: Any, make: Any, carlos: User) -> None:
    assert visible_to(f"tournament:{tournament().pk}", carlos) == ["carlos"]
    assert visible_to(f"ladder:{make().pk}", carlos) == ["carlos"]


def test_a_banned_user_sees_nothing(open_table: Table, ana: User) -> None:
    match = open_table()
    ana.is_active = False
    assert permitted_topics(ana, [f"user:{ana.pk}", f"match:{match.pk}"]) == frozenset()


@pytest.mark.parametrize("subject", ["match:nothing", "desk:nothing", "user:1", "", "match:", "table:1", "match:a/b"])
def test_an_unknown_subject_cannot_be_subscribed_to(ana: User, subject: str) -> None:
    with pytest.raises(Refused) as refused:
        topics_of(ana, subjects=[subject])
    assert refused.value.code == "hook_subjects"


def test_a_block_ends_an_apps_events_of_a_running_match(
    subscribe: Callable[..., Any], open_table: Table, ana: User, bea: User, carlos: User
) -> None:
    match = open_table()
    app = subscribe(carlos, f"match:{match.pk}")
    play.match_act(match_id=match.pk, user_id=ana.pk, action="roll", client_id="a1")
    assert app.kinds() == ["match.acted"]
    relationships.relationship_create(by=bea, about=carlos, kind=relationship_selectors.BLOCK)
    play.match_act(match_id=match.pk, user_id=bea.pk, action="roll", client_id="b1")
    assert app.kinds() == []


def test_a_move_event_holds_the_version_only(
    subscribe: Callable[..., Any], open_table: Table, ana: User, carlos: User
) -> None:
    match = open_table()
    app = subscribe(carlos, f"match:{match.pk}")
    play.match_act(match_id=match.pk, user_id=ana.pk, action="roll", client_id="a1")
    [event] = app.news()
    assert event["data"] == {"version": 1, "players": {"white": "ana", "black": "bea"}}
