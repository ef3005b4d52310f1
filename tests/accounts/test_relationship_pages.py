"""The pages and buttons of relationships and notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Relationship, User
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships
from accounts.users import services as users

pytestmark = pytest.mark.django_db
ROUTES = ["tie-block", "tie-mute", "tie-follow", "player-note"]
PEOPLE = "/settings/people/"


def browser(user: User, **more: Any) -> Client:
    client = Client(headers={"accept-language": "en", **more})
    client.force_login(user, backend=users.BACKEND)
    return client


@pytest.fixture
def guest(db: None) -> User:
    return User.objects.create(username="guest-7", is_guest=True)


def page(user: User, about: User) -> str:
    answer = browser(user).get(reverse("player", args=[about.username]))
    assert answer.status_code == 200
    return str(answer.content.decode())


def shown(user: User, kind: str = "") -> str:
    answer = browser(user).get(PEOPLE, {"kind": kind})
    assert answer.status_code == 200
    return str(answer.content.decode())


@pytest.mark.parametrize("name", ROUTES)
def test_the_views_refuse_get_forged_posts_and_anonymous_users(client: Client, ana: User, bea: User, name: str) -> None:
    url = reverse(name, args=["bea"])
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ana, backend=users.BACKEND)
    assert strict.get(url).status_code == 405
    assert strict.post(url).status_code == 403
    assert client.post(url).headers["Location"] == f"{reverse('account_login')}?next=/"
    assert Relationship.objects.count() == 0


@pytest.mark.parametrize("name", ROUTES)
def test_an_unknown_name_is_not_found(ana: User, name: str) -> None:
    assert browser(ana).post(reverse(name, args=["nobody"])).status_code == 404


@pytest.mark.parametrize("kind", ["block", "mute", "follow"])
def test_without_javascript_the_page_returns_with_a_message(ana: User, bea: User, kind: str) -> None:
    client, url = browser(ana), reverse(f"tie-{kind}", args=["BEA"])
    answer = client.post(url)
    assert answer.headers["Location"] == "/players/bea/"
    assert "bea" in str(next(iter(get_messages(answer.wsgi_request))))
    assert Relationship.objects.get().kind == kind
    answer = client.post(url, {"undo": "1", "next": PEOPLE})
    assert answer.headers["Location"] == PEOPLE
    assert Relationship.objects.count() == 0
    assert client.post(url, {"next": "https://evil.example/"}).headers["Location"] == "/players/bea/"


def test_with_htmx_only_the_buttons_are_returned(ana: User, bea: User) -> None:
    client = browser(ana, **{"hx-request": "true"})
    answer = client.post(reverse("tie-follow", args=["bea"])).content.decode()
    assert answer.strip().startswith('<div class="relationship" id="relationship">')
    assert "Unfollow" in answer
    assert "Unmute" in client.post(reverse("tie-mute", args=["bea"])).content.decode()
    noted = client.post(reverse("player-note", args=["bea"]), {"text": "Doubles <early>"}).content.decode()
    assert "Doubles &lt;early&gt;" in noted
    refused = client.post(reverse("player-note", args=["bea"]), {"text": "x" * 2001}).content.decode()
    assert "A note can have at most 2000 characters." in refused
    assert "x" * 2001 in refused


def test_a_profile_shows_the_available_actions_and_confirms_a_block(ana: User, bea: User) -> None:
    profile = page(ana, bea)
    assert all(word in profile for word in ("Follow", "Mute", "Block…", "Add note", "is not notified"))
    assert 'id="relationship"' not in page(ana, ana)
    relationships.relationship_create(by=ana, about=bea, kind=relationship_selectors.BLOCK)
    blocked = page(ana, bea)
    assert "Unblock" in blocked
    assert "?opponent=bea" not in blocked


@pytest.mark.parametrize("kind", ["block", "mute", "follow"])
def test_the_other_user_sees_nothing_of_it(ana: User, bea: User, kind: str) -> None:
    before = page(bea, ana)
    relationships.note_save(by=ana, about=bea, text="Doubles early")
    relationships.relationship_create(by=ana, about=bea, kind=kind)
    after = page(bea, ana)
    assert [line for line in after.splitlines() if "csrfmiddlewaretoken" not in line and "data-since" not in line] == [
        line for line in before.splitlines() if "csrfmiddlewaretoken" not in line and "data-since" not in line
    ]


def test_a_note_is_visible_to_its_author_only(ana: User, bea: User, carlos: User) -> None:
    relationships.note_save(by=ana, about=bea, text="Doubles early")
    assert [("Doubles early" in page(viewer, bea)) for viewer in (ana, bea, carlos)] == [True, False, False]
    assert "Doubles early" not in Client().get("/players/bea/").content.decode()


def test_a_house_bot_can_be_followed_but_not_blocked(ana: User) -> None:
    bot = User.objects.create(username="Solana", is_bot=True)
    found = page(ana, bot)
    assert "Follow" in found
    assert reverse("tie-mute", args=["Solana"]) not in found
    answer = browser(ana).post(reverse("tie-block", args=["Solana"]))
    assert "can't block" in str(next(iter(get_messages(answer.wsgi_request))))


# Guests


def test_a_guest_can_mute_and_block_but_must_sign_up_to_follow(guest: User, bea: User) -> None:
    client = browser(guest)
    found = page(guest, bea)
    assert reverse("tie-mute", args=["bea"]) in found
    assert reverse("tie-follow", args=["bea"]) not in found
    assert reverse("player-note", args=["bea"]) not in found
    client.post(reverse("tie-block", args=["bea"]))
    assert Relationship.objects.get().by == guest
    for name in ("tie-follow", "player-note"):
        answer = client.post(reverse(name, args=["bea"]), {"text": "x"})
        assert answer.headers["Location"].startswith(reverse("account_signup"))
    assert "bea" in shown(guest, "block")
    assert "You haven't muted anyone." in shown(guest, "follow")


# The relationships page


def test_an_anonymous_user_has_no_relationships_page(client: Client) -> None:
    assert client.get(PEOPLE).headers["Location"] == f"{reverse('account_login')}?next={PEOPLE}"


def test_each_list_has_its_users_and_a_way_to_remove_them(ana: User, bea: User, carlos: User, dora: User) -> None:
    for by, about, kind in ((ana, bea, "follow"), (bea, ana, "follow"), (ana, carlos, "mute"), (ana, dora, "block")):
        relationships.relationship_create(by=by, about=about, kind=kind)
    relationships.note_save(by=ana, about=carlos, text="Runs late")
    names = {"": "bea", "friends": "bea", "follow": "bea", "mute": "carlos", "block": "dora", "notes": "carlos"}
    for kind, name in names.items():
        found = shown(ana, kind)
        there = [username for username in ("bea", "carlos", "dora") if f'href="/players/{username}/"' in found]
        assert there == [name], kind
    assert "Runs late" in shown(ana, "notes")
    browser(ana).post(reverse("tie-block", args=["dora"]), {"undo": "1", "next": PEOPLE})
    assert "You haven't blocked anyone." in shown(ana, "block")
    assert "No friends yet. Two players who follow each other are friends." in shown(carlos)


def test_a_relationship_with_a_closed_account_can_still_be_removed(ana: User, bea: User) -> None:
    relationships.relationship_create(by=ana, about=bea, kind=relationship_selectors.MUTE)
    User.objects.filter(pk=bea.pk).update(is_active=False)
    assert "bea" in shown(ana, "mute")
    browser(ana).post(reverse("tie-mute", args=["bea"]), {"undo": "1"})
    assert Relationship.objects.count() == 0


def test_the_page_takes_as_many_queries_whatever_its_length(person: Callable[..., User], ana: User) -> None:
    query_counts = []
    for count in (1, 3):
        for number in range(count):
            relationships.relationship_create(
                by=ana, about=person(f"p{count}{number}"), kind=relationship_selectors.FOLLOW
            )
        with CaptureQueriesContext(
            connection,
        ) as queries:
            shown(ana, "follow")
        query_counts.append(len(queries))
    assert query_counts[0] == query_counts[1]


def test_the_settings_link_there(ana: User, guest: User) -> None:
    for user in (ana, guest):
        assert f'href="{PEOPLE}"' in browser(user).get(reverse("settings")).content.decode()
