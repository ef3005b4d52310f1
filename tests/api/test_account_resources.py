"""The account, relationships and clubs in the API."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.clubs import services as clubs
from accounts.models import Club, Membership, User
from accounts.users import services as users

pytestmark = pytest.mark.django_db
JSON = "application/json"
Browser = Callable[..., Client]


@pytest.fixture
def club(carlos: User) -> Club:
    """A club of carlos that takes join requests."""
    User.objects.filter(pk=carlos.pk).update(is_staff=True)
    carlos.refresh_from_db()
    made = Club.objects.create(name="Cádiz", slug="cadiz")
    Membership.objects.create(club=made, user=carlos, role=Membership.Role.OWNER)
    return made


def test_a_guest_is_a_user_with_few_rights(browser_of: Browser) -> None:
    client = browser_of(users.guest_create())
    assert client.get("/api/v1/me/").json()["kind"] == "guest"
    assert client.get("/api/v1/me/notes/").json()["code"] == "members_only"
    assert client.get("/api/v1/me/tokens/").status_code == 403


def test_a_user_follows_mutes_blocks_and_undoes_it(ana: User, bea: User, browser_of: Browser) -> None:
    client = browser_of(ana)
    result = client.put("/api/v1/players/Bea/ties/follow/").json()
    assert result == {"blocked": False, "muted": False, "followed": True, "friends": False, "note": ""}
    assert client.put("/api/v1/players/bea/ties/block/").json()["followed"] is False
    assert client.put("/api/v1/players/bea/ties/follow/").json()["code"] == "tie_blocked"
    assert [row["person"]["name"] for row in client.get("/api/v1/me/ties/?kind=block").json()["results"]] == ["bea"]
    assert client.delete("/api/v1/players/bea/ties/block/").status_code == 204
    assert client.get("/api/v1/players/bea/ties/").json()["blocked"] is False
    assert client.put("/api/v1/players/bea/ties/kiss/").status_code == 404
    assert client.put("/api/v1/players/ana/ties/block/").json()["code"] == "tie_self"


def test_notes_are_private(ana: User, bea: User, browser_of: Browser) -> None:
    client = browser_of(ana)
    assert (
        client.put("/api/v1/players/bea/note/", {"text": " takes too much "}, JSON).json()["text"] == "takes too much"
    )
    assert [row["text"] for row in client.get("/api/v1/me/notes/").json()["results"]] == ["takes too much"]
    assert browser_of(bea).get("/api/v1/me/notes/").json()["results"] == []
    assert client.delete("/api/v1/players/bea/note/").status_code == 204
    assert client.get("/api/v1/me/notes/").json()["results"] == []


def test_the_list_of_players_is_searched_and_paginated(ana: User, bea: User, browser_of: Browser) -> None:
    users.house_bots_ensure()
    rows = browser_of().get("/api/v1/players/?size=3").json()
    assert [row["kind"] for row in rows["results"]] == ["bot"] * 3
    more = browser_of().get(f"/api/v1/players/?size=30&cursor={rows['next']}").json()
    assert [row["name"] for row in more["results"]] == ["Tablera", "Solana", "ana", "bea"]
    found = browser_of().get("/api/v1/players/?q=BE").json()["results"]
    assert found == [{"name": "bea", "kind": "member", "matches": 0, "form": [], "rating": None}]


def test_a_deleted_account_shows_only_its_name(ana: User, browser_of: Browser) -> None:
    from accounts.privacy.services import account_delete

    left = account_delete(user=ana)
    result = browser_of().get(f"/api/v1/players/{left.username}/").json()
    assert result == {
        "name": left.username,
        "kind": "former",
        "joined_at": None,
        "strength": None,
        "ratings": [],
        "form": [],
    }
    assert browser_of().get(f"/api/v1/players/{left.username}/statistics/").status_code == 404


def test_owners_manage_a_club_and_others_do_not(
    ana: User, bea: User, carlos: User, club: Club, browser_of: Browser
) -> None:
    asking, owner = browser_of(ana), browser_of(carlos)
    at = "/api/v1/clubs/cadiz/"
    assert asking.put(f"{at}membership/").json()["code"] == "club_ask_first"
    response = asking.post(f"{at}requests/", {"text": "Let me in"}, JSON)
    assert (response.status_code, response.json()["text"]) == (201, "Let me in")
    assert asking.get(f"{at}requests/").json()["code"] == "club_not_owner"
    rows = owner.get(f"{at}requests/").json()["results"]
    assert [row["person"]["name"] for row in rows] == ["ana"]
    answer = f"{at}requests/{rows[0]['id']}/"
    assert asking.post(answer, {"accepted": True}, JSON).status_code == 403
    assert owner.post(answer, {"accepted": True}, JSON).status_code == 204
    people = browser_of().get(f"{at}members/").json()["results"]
    assert [(row["person"]["name"], row["role"]) for row in people] == [("carlos", "owner"), ("ana", "member")]
    assert asking.patch(f"{at}members/ana/", {"role": "owner"}, JSON).status_code == 403
    result = owner.patch(f"{at}members/ana/", {"role": "director", "until": "2030-01-31"}, JSON).json()
    assert (result["role"], result["until"]) == ("director", "2030-01-31")
    assert owner.patch(f"{at}members/bea/", {"role": "director"}, JSON).json()["code"] == "club_not_member"
    assert owner.patch(f"{at}members/carlos/", {"role": "member"}, JSON).json()["code"] == "club_last_owner"
    assert owner.delete(f"{at}members/ana/").status_code == 204
    assert browser_of(bea).patch(at, {"name": "Mine"}, JSON).json()["code"] == "club_not_owner"
    assert owner.patch(at, {"meets": "Thursdays"}, JSON).json()["meets"] == "Thursdays"


def test_an_invitation_is_used_once(ana: User, bea: User, carlos: User, club: Club, browser_of: Browser) -> None:
    owner, at = browser_of(carlos), "/api/v1/clubs/cadiz/invitations/"
    made = owner.post(at, {"days": 3}, JSON)
    assert (made.status_code, made.json()["most_uses"], made.json()["sent"]) == (201, 1, False)
    secret = made.json()["path"].rstrip("/").rpartition("/")[2]
    assert browser_of(ana).post("/api/v1/invitations/take/", {"invitation": secret}, JSON).json()["slug"] == "cadiz"
    second = browser_of(bea).post("/api/v1/invitations/take/", {"invitation": secret}, JSON)
    assert (second.status_code, second.json()["code"]) == (409, "invitation_gone")
    assert browser_of(ana).get(at).status_code == 403
    another = owner.post(at, {}, JSON).json()["id"]
    assert owner.delete(f"{at}{another}/").status_code == 204
    assert owner.get(at).json()["results"] == []


def test_a_token_without_the_club_scope_manages_none(
    carlos: User, club: Club, program_of: Callable[..., Client]
) -> None:
    answer = program_of(carlos, "read", "settings").patch("/api/v1/clubs/cadiz/", {"meets": "never"}, JSON)
    assert (answer.status_code, answer.json()["code"]) == (403, "scope")
    assert clubs.Club.objects.get(slug="cadiz").meets == ""
