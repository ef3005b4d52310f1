"""Chat over HTTP, the panel on the match page, and the chat settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Club, Relationship, User
from accounts.users import services as user_services
from chat import services
from chat.models import ChatPreferences, Message
from games import services as play
from games.models import Match
from tournaments.models import Entrant, Meeting, Tournament

pytestmark = pytest.mark.django_db


def post(client: Client, path: str, **body: Any) -> Any:
    return client.post(path, body, content_type="application/json")


def signed_in(client: Client, user: User) -> Client:
    client.force_login(user, backend=user_services.BACKEND)
    return client


def test_messages_are_posted_and_read_over_http(match: Match, ana: User, bea: User, client: Client) -> None:
    path = reverse("talk", args=[match.pk])
    signed_in(client, ana)
    answer = post(client, f"{path}say/", id="a-1", text="Hi", room="watchers")
    message = Message.objects.get()
    assert answer.json() == {"message": message.pk}
    assert post(client, f"{path}say/", id="a-1", text="Hi").json() == {"message": message.pk}
    assert post(client, f"{path}say/", id="a-1", text="Ho").status_code == 409
    assert post(client, f"{path}say/", text="Ho").status_code == 400
    frame = signed_in(client, bea).get(path).json()
    assert (frame["t"], frame["room"], frame["rooms"], frame["may"], frame["anew"]) == (
        "talk", "players", ["players"], ["text", "phrase"], True,
    )  # fmt: skip
    assert [(line["by"], line["text"], line["mine"]) for line in frame["messages"]] == [("ana", "Hi", False)]
    assert client.get(f"{path}?after={message.pk}").json()["messages"] == []


def test_an_unreadable_request_gets_an_error_status(match: Match, ana: User, client: Client) -> None:
    assert client.get(reverse("talk", args=["nothere234"])).status_code == 404
    path = f"{reverse('talk', args=[match.pk])}say/"
    assert client.post(path, "{}", content_type="application/json").status_code == 302
    signed_in(client, ana)
    for body in ("", "[]", "{", "a" * 5000):
        assert client.post(path, body, content_type="application/json").status_code in (400, 409)
    assert client.get(path).status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ana, backend=user_services.BACKEND)
    assert post(strict, path, id="a", text="Hi").status_code == 403


def test_a_user_mutes_and_unmutes_the_author_of_a_message(
    say: Callable[..., Message], reads: Callable[..., list[str]], match: Match, ana: User, bea: User, client: Client
) -> None:
    message = say(bea, "Hi")
    path = reverse("talk-mute", args=[match.pk])
    signed_in(client, ana)
    assert post(client, path, message=message.pk).json() == {"by": "bea", "on": True}
    assert (Relationship.objects.get().kind, reads(ana)) == ("mute", [])
    assert post(client, path, message=message.pk, on=False).json() == {"by": "bea", "on": False}
    assert reads(ana) == ["Hi"]


def test_muting_does_not_reveal_the_author_of_an_unreadable_message(
    say: Callable[..., Message], match: Match, ana: User, carlos: User, client: Client
) -> None:
    message = say(carlos, "secret")
    assert post(signed_in(client, ana), reverse("talk-mute", args=[match.pk]), message=message.pk).status_code == 404


def test_the_settings_are_saved(ana: User, client: Client) -> None:
    signed_in(client, ana)
    url = reverse("talk-settings")
    assert client.get(url).status_code == 200
    assert client.post(url, {"level": "loud"}).status_code == 422
    assert client.post(url, {"level": "phrases", "hide_watchers": "on"}).status_code == 302
    assert ChatPreferences.objects.values_list("level", "hide_watchers", "announce").get() == ("phrases", True, False)
    assert post(client, reverse("talk-wish"), announce=True, level="nobody").json() == {"announce": True}
    assert ChatPreferences.objects.values_list("level", "announce").get() == ("phrases", True)


def test_the_chat_panel_is_on_the_match_page_without_messages(
    say: Callable[..., Message], match: Match, ana: User, carlos: User, client: Client
) -> None:
    say(ana, "to bea alone")
    for user in (ana, carlos):
        page = signed_in(client, user).get(reverse("match", args=[match.pk])).content.decode()
        assert 'id="chat"' in page
        assert "to bea alone" not in page
        assert " style=" not in page
    assert "Hide what the watchers" not in page
    client.logout()
    page = client.get(reverse("match", args=[match.pk])).content.decode()
    assert "Sign in to chat." in page
    assert 'id="talk-text"' not in page


def test_there_is_no_panel_against_the_computer_nor_after_an_empty_chat(
    person: Callable[..., User], match: Match, ana: User, client: Client, finish: Callable[[], None]
) -> None:
    bot = person("machine", is_bot=True, bot_level=7)
    table = play.match_arrange(white=ana, black=bot, variant="backgammon", length=1, clock="club")
    play.match_arrive(match_id=table.pk, user=ana)
    signed_in(client, ana)
    assert 'id="chat"' not in client.get(reverse("match", args=[table.pk])).content.decode()
    finish()
    Match.objects.update(ended_at="2026-01-01T00:00Z")
    assert 'id="chat"' not in client.get(reverse("match", args=[match.pk])).content.decode()


def test_the_panel_costs_two_queries(match: Match, carlos: User, client: Client) -> None:
    signed_in(client, carlos)
    with CaptureQueriesContext(connection) as found:
        client.get(reverse("match", args=[match.pk]))
    assert len([query for query in found if "talk_" in query["sql"]]) <= 2


def test_a_tournament_director_reads_both_rooms_after_a_report(
    say: Callable[..., Message],
    reads: Callable[..., list[str]],
    match: Match,
    ana: User,
    bea: User,
    carlos: User,
    dora: User,
) -> None:
    made = {"created_by": dora, "created_at": match.created_at, "seed": b"", "seed_hash": ""}
    tournament = Tournament.objects.create(name="Open", club=Club.objects.get(is_default=True), **made)
    tournament.officials.create(user=dora, role="director")
    first_entrant, second_entrant = (
        Entrant.objects.create(tournament=tournament, user=user, number=n, nonce=b"", entered_at=match.created_at)
        for n, user in enumerate((ana, bea), 1)
    )
    Meeting.objects.create(
        tournament=tournament,
        key="m",
        section="main",
        round=1,
        number=1,
        a=first_entrant,
        b=second_entrant,
        match=match,
    )
    Match.objects.filter(pk=match.pk).update(arranged=True)
    rude = say(ana, "to bea")
    say(carlos, "to all")
    assert reads(dora) == ["to all"]
    services.report_make(by=bea, reason="rude", message_id=rude.pk)
    assert reads(dora) == ["to bea", "to all"]
    assert reads(carlos) == ["to all"]
