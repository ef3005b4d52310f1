"""The talk over HTTP, its panel at the board, and one's own settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import services as people
from accounts.models import Club, Tie, User
from games import services as play
from games.models import Match
from talk import services
from talk.models import Message, Wishes
from tournaments.models import Entrant, Meeting, Tournament

pytestmark = pytest.mark.django_db


def post(client: Client, path: str, **body: Any) -> Any:
    return client.post(path, body, content_type="application/json")


def as_user(client: Client, user: User) -> Client:
    client.force_login(user, backend=people.BACKEND)
    return client


def test_the_same_is_said_and_read_over_http(match: Match, ana: User, bea: User, client: Client) -> None:
    path = reverse("talk", args=[match.pk])
    as_user(client, ana)
    answer = post(client, f"{path}say/", id="a-1", text="Hi", room="watchers")
    message = Message.objects.get()
    assert answer.json() == {"message": message.pk}
    assert post(client, f"{path}say/", id="a-1", text="Hi").json() == {"message": message.pk}
    assert post(client, f"{path}say/", id="a-1", text="Ho").status_code == 409
    assert post(client, f"{path}say/", text="Ho").status_code == 400
    frame = as_user(client, bea).get(path).json()
    assert (frame["t"], frame["room"], frame["rooms"], frame["may"], frame["anew"]) == (
        "talk", "players", ["players"], ["text", "phrase"], True,
    )  # fmt: skip
    assert [(line["by"], line["text"], line["mine"]) for line in frame["messages"]] == [("ana", "Hi", False)]
    assert client.get(f"{path}?after={message.pk}").json()["messages"] == []


def test_what_cannot_be_read_is_said_with_a_code(match: Match, ana: User, client: Client) -> None:
    assert client.get(reverse("talk", args=["nothere234"])).status_code == 404
    path = f"{reverse('talk', args=[match.pk])}say/"
    assert client.post(path, "{}", content_type="application/json").status_code == 302
    as_user(client, ana)
    for body in ("", "[]", "{", "a" * 5000):
        assert client.post(path, body, content_type="application/json").status_code in (400, 409)
    assert client.get(path).status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ana, backend=people.BACKEND)
    assert post(strict, path, id="a", text="Hi").status_code == 403


def test_one_mutes_the_author_of_a_message_and_hears_him_again(
    say: Callable[..., Message], reads: Callable[..., list[str]], match: Match, ana: User, bea: User, client: Client
) -> None:
    message = say(bea, "Hi")
    path = reverse("talk-mute", args=[match.pk])
    as_user(client, ana)
    assert post(client, path, message=message.pk).json() == {"by": "bea", "on": True}
    assert (Tie.objects.get().kind, reads(ana)) == ("mute", [])
    assert post(client, path, message=message.pk, on=False).json() == {"by": "bea", "on": False}
    assert reads(ana) == ["Hi"]


def test_nobody_learns_by_a_mute_who_wrote_what_he_cannot_read(
    say: Callable[..., Message], match: Match, ana: User, carlos: User, client: Client
) -> None:
    message = say(carlos, "secret")
    assert post(as_user(client, ana), reverse("talk-mute", args=[match.pk]), message=message.pk).status_code == 404


def test_the_settings_are_kept(ana: User, client: Client) -> None:
    as_user(client, ana)
    url = reverse("talk-settings")
    assert client.get(url).status_code == 200
    assert client.post(url, {"level": "loud"}).status_code == 422
    assert client.post(url, {"level": "phrases", "hide_watchers": "on"}).status_code == 302
    assert Wishes.objects.values_list("level", "hide_watchers", "announce").get() == ("phrases", True, False)
    assert post(client, reverse("talk-wish"), announce=True, level="nobody").json() == {"announce": True}
    assert Wishes.objects.values_list("level", "announce").get() == ("phrases", True)


def test_the_panel_stands_beside_the_board_and_holds_no_message(
    say: Callable[..., Message], match: Match, ana: User, carlos: User, client: Client
) -> None:
    say(ana, "to bea alone")
    for user in (ana, carlos):
        page = as_user(client, user).get(reverse("match", args=[match.pk])).content.decode()
        assert 'id="talk"' in page
        assert "to bea alone" not in page
        assert " style=" not in page
    assert "Hide what the watchers" not in page
    client.logout()
    page = client.get(reverse("match", args=[match.pk])).content.decode()
    assert "Log in to write." in page
    assert 'id="talk-text"' not in page


def test_there_is_no_panel_at_the_computers_table_nor_where_nothing_was_said(
    person: Callable[..., User], match: Match, ana: User, client: Client, finish: Callable[[], None]
) -> None:
    bot = person("machine", is_bot=True, bot_level=7)
    table = play.match_arrange(white=ana, black=bot, variant="backgammon", length=1, clock="club")
    play.match_arrive(match_id=table.pk, user=ana)
    as_user(client, ana)
    assert 'id="talk"' not in client.get(reverse("match", args=[table.pk])).content.decode()
    finish()
    Match.objects.update(ended_at="2026-01-01T00:00Z")
    assert 'id="talk"' not in client.get(reverse("match", args=[match.pk])).content.decode()


def test_the_panel_costs_two_queries(match: Match, carlos: User, client: Client) -> None:
    as_user(client, carlos)
    with CaptureQueriesContext(connection) as found:
        client.get(reverse("match", args=[match.pk]))
    assert len([query for query in found if "talk_" in query["sql"]]) <= 2


def test_a_tournaments_director_reads_both_rooms_once_something_was_reported(
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
    tournament.directors.create(user=dora)
    one, other = (
        Entrant.objects.create(tournament=tournament, user=user, number=n, nonce=b"", entered_at=match.created_at)
        for n, user in enumerate((ana, bea), 1)
    )
    Meeting.objects.create(
        tournament=tournament, key="m", section="main", round=1, number=1, a=one, b=other, match=match
    )
    Match.objects.filter(pk=match.pk).update(arranged=True)
    rude = say(ana, "to bea")
    say(carlos, "to all")
    assert reads(dora) == ["to all"]
    services.report_make(by=bea, reason="rude", message_id=rude.pk)
    assert reads(dora) == ["to bea", "to all"]
    assert reads(carlos) == ["to all"]
