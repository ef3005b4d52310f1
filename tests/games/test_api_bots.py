"""A member's bot over HTTP: its token, its events, challenges, and acting like any player."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest
from django.test import Client

from accounts.errors import Refused
from accounts.models import BotToken, User
from accounts.programs.selectors import bots_of
from accounts.programs.services import MAX_BOTS, bot_create, bot_retire, bot_token_renew
from games import services
from games.models import Match

pytestmark = pytest.mark.django_db


@pytest.fixture
def bot(bea: User) -> tuple[User, Client]:
    """A bot of bea's, and its HTTP client."""
    made, token = bot_create(owner=bea, name="engine-of-bea")
    return made, with_token(token)


def with_token(token: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {token}"})


def events(client: Client) -> list[dict[str, Any]]:
    answer = client.get("/api/v1/bots/events/")
    assert answer.status_code == 200
    found: list[dict[str, Any]] = answer.json()["events"]
    return found


def post(client: Client, path: str, **body: object) -> Any:
    return client.post(f"/api/v1/matches/{path}", body, content_type="application/json")


def test_a_challenge_is_announced_accepted_and_played(
    bot: tuple[User, Client], ana: User, next_rolls: deque[tuple[int, int]]
) -> None:
    account, bot_client = bot
    next_rolls.extend([(1, 3)])
    match = services.match_create(
        creator=ana, invited=account, variant="backgammon", length=1, clock="none", rated=False
    )
    [response] = events(bot_client)
    assert (response["t"], response["id"], response["from"], response["clock"], response["rated"]) == (
        *("challenge", match.pk, "ana", "none", False),
    )
    assert post(bot_client, f"{match.pk}/join/").json() == {"id": match.pk, "status": "live"}
    [turn] = events(bot_client)
    assert (turn["t"], turn["you"], turn["actions"]) == ("turn", "black", ["roll"])
    roll = {"id": f"bot-{turn['version']}", "after": turn["version"], "action": "roll"}
    assert post(bot_client, f"{match.pk}/act/", **roll).status_code == 200
    assert events(bot_client) == []
    services.match_act(match_id=match.pk, user_id=ana.pk, action="roll", client_id="a-1")
    [turn] = events(bot_client)
    assert "8/5 6/5" in turn["actions"]
    played = post(bot_client, f"{match.pk}/act/", id="bot-x", after=turn["version"], action="8/5 6/5")
    assert played.json() == {"version": turn["version"] + 1}


def test_a_resignation_must_be_answered(
    bot: tuple[User, Client], ana: User, next_rolls: deque[tuple[int, int]]
) -> None:
    account, bot_client = bot
    next_rolls.extend([(3, 1)])
    match = services.match_create(
        creator=ana, invited=account, variant="backgammon", length=3, clock="none", rated=False
    )
    services.match_join(match_id=match.pk, user=account)
    for n, (user, action) in enumerate(((ana, "roll"), (account, "roll"), (ana, "resign 1"))):
        services.match_act(match_id=match.pk, user_id=user.pk, action=action, client_id=f"act-{n}")
    assert [turn["actions"] for turn in events(bot_client)] == [["accept", "reject"]]


def test_it_declines_and_it_offers(bot: tuple[User, Client], ana: User) -> None:
    account, bot_client = bot
    match = services.match_create(
        creator=ana, invited=account, variant="backgammon", length=1, clock="none", rated=False
    )
    assert post(bot_client, f"{match.pk}/decline/").json()["status"] == "cancelled"
    offered = post(bot_client, "", variant="backgammon", length=3, clock="none", to="ana", rated=True).json()
    made = Match.objects.get(pk=offered["id"])
    assert (made.creator, made.invited, made.rated, made.status) == (account, ana, True, "open")


@pytest.mark.parametrize("header", ["", "Bearer nonsense", "Basic YW5hOmJlYQ=="])
def test_without_a_valid_token_there_are_no_events(header: str) -> None:
    answer = Client(headers={"Authorization": header}).get("/api/v1/bots/events/")
    assert answer.status_code == 401


def test_a_person_cannot_use_the_bot_endpoints(ana: User) -> None:
    client = Client()
    client.force_login(ana)
    assert client.get("/api/v1/bots/events/").status_code == 403


def test_a_token_is_stored_as_a_digest_and_a_new_one_revokes_it(bot: tuple[User, Client], bea: User) -> None:
    account, bot_client = bot
    token = bot_token_renew(bot=account)
    assert token not in BotToken.objects.get(bot=account).digest
    assert bot_client.get("/api/v1/bots/events/").status_code == 401
    assert events(with_token(token)) == []
    assert BotToken.objects.get(bot=account).used_at is not None
    bea.is_active = False
    bea.save(update_fields=["is_active"])
    assert with_token(token).get("/api/v1/bots/events/").status_code == 401


def test_a_retired_bot_cannot_connect(bot: tuple[User, Client], bea: User) -> None:
    account, bot_client = bot
    bot_retire(bot=account)
    assert bot_client.get("/api/v1/bots/events/").status_code == 401
    assert not bots_of(bea).exists()


@pytest.mark.parametrize("name", ["ana", "x", "server", "a b"])
def test_a_bot_needs_a_unique_name(name: str, ana: User, bea: User) -> None:
    with pytest.raises(Refused) as refused:
        bot_create(owner=bea, name=name)
    assert refused.value.code == "bot_name"


def test_a_member_has_a_few_bots_and_a_guest_none(bea: User) -> None:
    for number in range(MAX_BOTS):
        bot_create(owner=bea, name=f"engine-{number}")
    with pytest.raises(Refused) as refused:
        bot_create(owner=bea, name="one-more")
    assert refused.value.code == "bot_most"
    guest = User.objects.create_user("guest-1", is_guest=True)
    with pytest.raises(Refused) as refused:
        bot_create(owner=guest, name="engine-of-guest")
    assert refused.value.code == "bot_member"


class TestPage:
    def test_shows_a_token_once(self, client: Client, ana: User) -> None:
        client.force_login(ana)
        page = client.post("/settings/bots/", {"name": "robo-ana"}, follow=True).content.decode()
        assert "tablero_" in page
        assert "tablero_" not in client.get("/settings/bots/").content.decode()
        [bot] = bots_of(ana)
        renewed = client.post(f"/settings/bots/{bot.pk}/token/", follow=True).content.decode()
        assert "tablero_" in renewed
        assert client.post(f"/settings/bots/{bot.pk}/retire/").status_code == 302
        assert not bots_of(ana).exists()

    def test_explains_what_is_wrong_with_a_name(self, client: Client, ana: User) -> None:
        client.force_login(ana)
        page = client.post("/settings/bots/", {"name": "ana"})
        assert (page.status_code, b"id_bot_name_error" in page.content) == (422, True)

    def test_a_user_cannot_renew_the_token_of_anothers_bot(self, client: Client, ana: User, bea: User) -> None:
        bot, _ = bot_create(owner=bea, name="engine-of-bea")
        client.force_login(ana)
        for act in ("token", "retire"):
            assert client.post(f"/settings/bots/{bot.pk}/{act}/").status_code == 404
