"""Posting messages: rooms, rate limits, permissions, and what other users receive."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from accounts.errors import Refused
from accounts.models import User
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships
from chat import services
from chat.models import Message
from chat.selectors.messages import chat_history
from chat.signals import message_posted
from chat.visibility import chat_viewer
from games import services as play
from games.models import Match
from tests.games.clock_control import Time

pytestmark = pytest.mark.django_db


def test_during_the_match_players_and_spectators_read_separate_rooms(
    say: Callable[..., Message], reads: Callable[..., list[str]], ana: User, bea: User, carlos: User, dora: User
) -> None:
    say(ana, "to bea")
    say(carlos, "to dora")
    assert reads(ana) == reads(bea) == ["to bea"]
    assert reads(carlos) == reads(dora) == reads(None) == ["to dora"]


def test_after_the_match_everyone_reads_both_rooms(
    say: Callable[..., Message],
    reads: Callable[..., list[str]],
    finish: Callable[[], None],
    ana: User,
    carlos: User,
) -> None:
    say(ana, "one")
    say(carlos, "two")
    finish()
    assert reads(ana) == reads(carlos) == reads(None) == ["one", "two"]
    services.preferences_set(user=ana, hide_watchers=True)
    assert reads(ana) == ["one"]


def test_after_the_match_a_player_still_writes_to_the_players_room(
    say: Callable[..., Message], finish: Callable[[], None], ana: User, carlos: User
) -> None:
    finish()
    assert (say(ana, "gg").room, say(carlos, "gg").room) == ("players", "watchers")


def test_a_repeated_id_posts_one_message(say: Callable[..., Message], ana: User, bea: User) -> None:
    first = say(ana, "Hi", client_id="one")
    assert say(ana, " Hi ", client_id="one") == first
    assert say(bea, "Hi", client_id="one") != first
    with pytest.raises(Refused, match="id_reused"):
        say(ana, "Ho", client_id="one")
    assert Message.objects.count() == 2


def test_chat_closes_a_day_after_the_match(
    time: Time, say: Callable[..., Message], finish: Callable[[], None], ana: User, reads: Callable[..., list[str]]
) -> None:
    say(ana, "kept")
    finish()
    time(days=1, seconds=1)
    with pytest.raises(Refused, match="talk_ended"):
        say(ana, "late")
    assert reads(ana) == ["kept"]


@pytest.mark.parametrize(
    ("message_fields", "code"),
    [
        ({"text": " \u200b "}, "talk_empty"),
        ({"text": "a" * 301}, "talk_long"),
        ({"text": "a" * 5000}, "talk_long"),
        ({"phrase": "insult"}, "talk_phrase"),
        ({"text": "Hi", "client_id": "no spaces"}, "bad_id"),
        ({"text": ["Hi"]}, "bad_frame"),
    ],
)
def test_an_invalid_message_is_refused(
    say: Callable[..., Message], ana: User, message_fields: dict[str, Any], code: str
) -> None:
    with pytest.raises(Refused, match=code):
        say(ana, **message_fields)


def test_a_message_of_three_hundred_characters_is_accepted(say: Callable[..., Message], ana: User) -> None:
    assert len(say(ana, "a" * 300).text) == 300


def test_a_phrase_is_shown_in_the_readers_language(
    say: Callable[..., Message], match: Match, ana: User, bea: User
) -> None:
    say(ana, phrase="luck")
    with translation.override("en"):
        [line] = chat_history(match_id=match.pk, user_id=bea.pk).frame()["messages"]
    assert line["text"] == "Good luck!"
    assert "phrase" not in line


def test_messages_that_are_too_fast_or_too_repetitive_are_refused(
    say: Callable[..., Message], ana: User, carlos: User
) -> None:
    for message_fields in ("1", "2", "3", "3"):
        say(ana, message_fields)
    with pytest.raises(Refused, match="talk_again"):
        say(ana, "3")
    say(ana, "4")
    with pytest.raises(Refused, match="talk_fast"):
        say(ana, "5")
    assert say(carlos, "1").room == "watchers"


def test_a_guest_sends_phrases_to_spectators_and_free_text_to_the_opponent(
    person: Callable[..., User], say: Callable[..., Message], match: Match, ana: User
) -> None:
    guest = person("guest-1", is_guest=True)
    with pytest.raises(Refused, match="talk_guest"):
        say(guest, "Hi")
    assert say(guest, phrase="well").room == "watchers"
    seek = play.match_create(creator=ana, variant="backgammon", length=1, clock="club", rated=False)
    table = play.match_join(match_id=seek.pk, user=guest)
    assert services.message_say(match_id=table.pk, user_id=guest.pk, client_id="g", text="Hi").room == "players"


def test_an_anonymous_visitor_reads_but_does_not_write(say: Callable[..., Message], match: Match, carlos: User) -> None:
    say(carlos, "Hi")
    assert chat_viewer(match_id=match.pk, user_id=None).may == ()
    with pytest.raises(Refused, match="talk_log_in"):
        services.message_say(match_id=match.pk, user_id=None, client_id="a", text="Hi")


def test_there_is_no_chat_with_the_computer(person: Callable[..., User], ana: User) -> None:
    bot = person("machine", is_bot=True, bot_level=7)
    match = play.match_arrange(white=ana, black=bot, variant="backgammon", length=1, clock="club")
    assert chat_viewer(match_id=match.pk, user_id=ana.pk).refusal is not None


def test_there_is_no_chat_before_both_players_have_joined(ana: User, carlos: User) -> None:
    seek = play.match_create(creator=ana, variant="backgammon", length=1, clock="club", rated=False)
    for user in (ana, carlos):
        with pytest.raises(Refused, match="talk_early"):
            services.message_say(match_id=seek.pk, user_id=user.pk, client_id="a", text="Hi")


def test_a_block_closes_the_chat_without_revealing_the_reason(
    say: Callable[..., Message], match: Match, ana: User, bea: User
) -> None:
    relationships.relationship_create(by=ana, about=bea, kind=relationship_selectors.BLOCK)
    refusals = []
    for user in (ana, bea):
        with pytest.raises(Refused) as refused:
            say(user, "Hi")
        refusals.append(refused.value.as_json())
    relationships.relationship_delete(by=ana, about=bea, kind=relationship_selectors.BLOCK)
    services.preferences_set(user=ana, level="nobody")
    with pytest.raises(Refused) as refused:
        say(bea, "Hi")
    assert [*refusals, refused.value.as_json()] == [refusals[0]] * 3
    assert refusals[0]["code"] == "talk_closed"


def test_a_user_on_phrases_only_receives_and_sends_only_phrases(
    say: Callable[..., Message], reads: Callable[..., list[str]], ana: User, bea: User, carlos: User, dora: User
) -> None:
    services.preferences_set(user=ana, level="phrases")
    for user in (ana, bea):
        with pytest.raises(Refused, match="talk_phrases_only"):
            say(user, "Hi")
        say(user, phrase="hello")
    services.preferences_set(user=dora, level="phrases")
    say(carlos, "words")
    say(carlos, phrase="luck")
    assert reads(dora) == ["Good luck!"]


def test_messages_of_muted_or_blocked_users_are_hidden(
    say: Callable[..., Message], reads: Callable[..., list[str]], ana: User, bea: User, carlos: User, dora: User
) -> None:
    say(bea, "for ana")
    relationships.relationship_create(by=ana, about=bea, kind=relationship_selectors.MUTE)
    say(bea, "again")
    assert reads(ana) == []
    assert reads(bea) == ["for ana", "again"]
    say(carlos, "for dora")
    relationships.relationship_create(by=carlos, about=dora, kind=relationship_selectors.BLOCK)
    assert reads(dora) == []
    relationships.relationship_delete(by=ana, about=bea, kind=relationship_selectors.MUTE)
    assert reads(ana) == ["for ana", "again"]


def test_the_signal_is_sent_inside_the_transaction(say: Callable[..., Message], match: Match, ana: User) -> None:
    received: list[dict[str, Any]] = []

    def receive(sender: object, signal: object, **values: Any) -> None:
        received.append(values)

    message_posted.connect(receive)
    try:
        message = say(ana, "Hi")
    finally:
        message_posted.disconnect(receive)
    assert received == [{"match_id": match.pk, "room": "players", "by_id": ana.pk, "message_id": message.pk}]


def test_a_long_chat_is_paginated(match: Match, ana: User) -> None:
    rows = [
        Message(match=match, room="players", by=ana, client_id=str(n), text=str(n), at=match.started_at)
        for n in range(250)
    ]
    Message.objects.bulk_create(rows)
    frame = chat_history(match_id=match.pk, user_id=ana.pk).frame()
    assert (frame["messages"][0]["text"], frame["messages"][-1]["text"], frame["more"]) == ("150", "249", True)
    first = frame["messages"][0]["id"]
    frame = chat_history(match_id=match.pk, user_id=ana.pk, before=first - 100).frame()
    assert ([line["text"] for line in frame["messages"]], frame["more"]) == ([str(n) for n in range(50)], False)
    after = chat_history(match_id=match.pk, user_id=ana.pk, after=first + 98).frame()
    assert [line["text"] for line in after["messages"]] == ["249"]


def test_the_number_of_queries_does_not_grow_with_the_messages(
    say: Callable[..., Message], match: Match, carlos: User, dora: User, django_assert_num_queries: Any
) -> None:
    say(carlos, "one")
    with CaptureQueriesContext(connection) as queries_for_one:
        chat_history(match_id=match.pk, user_id=dora.pk).frame()
    say(dora, "two")
    say(carlos, "three")
    with django_assert_num_queries(len(queries_for_one)):
        chat_history(match_id=match.pk, user_id=dora.pk).frame()
