"""Saying something: in which room, how often, who may, and what others get of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from accounts import ties
from accounts.errors import Refused
from accounts.models import User
from games import services as play
from games.models import Match
from talk import services
from talk.hearing import hearer_of
from talk.models import Message
from talk.selectors.rooms import talk_of
from talk.signals import said
from tests.games.hands_of_time import Time

pytestmark = pytest.mark.django_db


def test_while_the_match_runs_each_side_reads_its_own_room(
    say: Callable[..., Message], reads: Callable[..., list[str]], ana: User, bea: User, carlos: User, dora: User
) -> None:
    say(ana, "to bea")
    say(carlos, "to dora")
    assert reads(ana) == reads(bea) == ["to bea"]
    assert reads(carlos) == reads(dora) == reads(None) == ["to dora"]


def test_after_the_match_everybody_reads_both(
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
    services.wishes_set(user=ana, hide_watchers=True)
    assert reads(ana) == ["one"]


def test_a_player_writes_to_the_players_also_afterwards(
    say: Callable[..., Message], finish: Callable[[], None], ana: User, carlos: User
) -> None:
    finish()
    assert (say(ana, "gg").room, say(carlos, "gg").room) == ("players", "watchers")


def test_the_same_id_is_said_once(say: Callable[..., Message], ana: User, bea: User) -> None:
    first = say(ana, "Hi", client_id="one")
    assert say(ana, " Hi ", client_id="one") == first
    assert say(bea, "Hi", client_id="one") != first
    with pytest.raises(Refused, match="id_reused"):
        say(ana, "Ho", client_id="one")
    assert Message.objects.count() == 2


def test_a_day_after_the_match_nothing_more_is_written(
    time: Time, say: Callable[..., Message], finish: Callable[[], None], ana: User, reads: Callable[..., list[str]]
) -> None:
    say(ana, "kept")
    finish()
    time(days=1, seconds=1)
    with pytest.raises(Refused, match="talk_ended"):
        say(ana, "late")
    assert reads(ana) == ["kept"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ({"text": " \u200b "}, "talk_empty"),
        ({"text": "a" * 301}, "talk_long"),
        ({"text": "a" * 5000}, "talk_long"),
        ({"phrase": "insult"}, "talk_phrase"),
        ({"text": "Hi", "client_id": "no spaces"}, "bad_id"),
        ({"text": ["Hi"]}, "bad_frame"),
    ],
)
def test_what_cannot_be_said(say: Callable[..., Message], ana: User, words: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused, match=code):
        say(ana, **words)


def test_three_hundred_characters_can(say: Callable[..., Message], ana: User) -> None:
    assert len(say(ana, "a" * 300).text) == 300


def test_a_phrase_is_read_in_the_readers_language(
    say: Callable[..., Message], match: Match, ana: User, bea: User
) -> None:
    say(ana, phrase="luck")
    with translation.override("en"):
        [line] = talk_of(match_id=match.pk, user_id=bea.pk).frame()["messages"]
    assert line["text"] == "Good luck!"
    assert "phrase" not in line


def test_too_fast_and_too_often(say: Callable[..., Message], ana: User, carlos: User) -> None:
    for words in ("1", "2", "3", "3"):
        say(ana, words)
    with pytest.raises(Refused, match="talk_again"):
        say(ana, "3")
    say(ana, "4")
    with pytest.raises(Refused, match="talk_fast"):
        say(ana, "5")
    assert say(carlos, "1").room == "watchers"


def test_a_guest_writes_to_the_watchers_in_phrases_and_to_his_rival_as_he_likes(
    person: Callable[..., User], say: Callable[..., Message], match: Match, ana: User
) -> None:
    guest = person("guest-1", is_guest=True)
    with pytest.raises(Refused, match="talk_guest"):
        say(guest, "Hi")
    assert say(guest, phrase="well").room == "watchers"
    seek = play.match_create(creator=ana, variant="backgammon", length=1, clock="club", rated=False)
    table = play.match_join(match_id=seek.pk, user=guest)
    assert services.message_say(match_id=table.pk, user_id=guest.pk, client_id="g", text="Hi").room == "players"


def test_a_passer_by_reads_and_does_not_write(say: Callable[..., Message], match: Match, carlos: User) -> None:
    say(carlos, "Hi")
    assert hearer_of(match_id=match.pk, user_id=None).may == ()
    with pytest.raises(Refused, match="talk_log_in"):
        services.message_say(match_id=match.pk, user_id=None, client_id="a", text="Hi")


def test_nobody_talks_with_the_computer(person: Callable[..., User], ana: User) -> None:
    bot = person("machine", is_bot=True, bot_level=7)
    match = play.match_arrange(white=ana, black=bot, variant="backgammon", length=1, clock="club")
    assert hearer_of(match_id=match.pk, user_id=ana.pk).refusal is not None


def test_before_both_have_come_nobody_talks(ana: User, carlos: User) -> None:
    seek = play.match_create(creator=ana, variant="backgammon", length=1, clock="club", rated=False)
    for user in (ana, carlos):
        with pytest.raises(Refused, match="talk_early"):
            services.message_say(match_id=seek.pk, user_id=user.pk, client_id="a", text="Hi")


def test_a_block_closes_the_talk_of_two_players_in_the_words_of_any_other_reason(
    say: Callable[..., Message], match: Match, ana: User, bea: User
) -> None:
    ties.tie_make(by=ana, about=bea, kind=ties.BLOCK)
    told = []
    for user in (ana, bea):
        with pytest.raises(Refused) as refused:
            say(user, "Hi")
        told.append(refused.value.as_json())
    ties.tie_cut(by=ana, about=bea, kind=ties.BLOCK)
    services.wishes_set(user=ana, level="nobody")
    with pytest.raises(Refused) as refused:
        say(bea, "Hi")
    assert [*told, refused.value.as_json()] == [told[0]] * 3
    assert told[0]["code"] == "talk_closed"


def test_who_takes_phrases_only_gets_and_sends_nothing_else(
    say: Callable[..., Message], reads: Callable[..., list[str]], ana: User, bea: User, carlos: User, dora: User
) -> None:
    services.wishes_set(user=ana, level="phrases")
    for user in (ana, bea):
        with pytest.raises(Refused, match="talk_phrases_only"):
            say(user, "Hi")
        say(user, phrase="hello")
    services.wishes_set(user=dora, level="phrases")
    say(carlos, "words")
    say(carlos, phrase="luck")
    assert reads(dora) == ["Good luck!"]


def test_who_is_muted_or_blocked_is_not_heard(
    say: Callable[..., Message], reads: Callable[..., list[str]], ana: User, bea: User, carlos: User, dora: User
) -> None:
    say(bea, "for ana")
    ties.tie_make(by=ana, about=bea, kind=ties.MUTE)
    say(bea, "again")
    assert reads(ana) == []
    assert reads(bea) == ["for ana", "again"]
    say(carlos, "for dora")
    ties.tie_make(by=carlos, about=dora, kind=ties.BLOCK)
    assert reads(dora) == []
    ties.tie_cut(by=ana, about=bea, kind=ties.MUTE)
    assert reads(ana) == ["for ana", "again"]


def test_the_apps_above_hear_of_it_inside_the_transaction(say: Callable[..., Message], match: Match, ana: User) -> None:
    heard: list[dict[str, Any]] = []

    def hear(sender: object, signal: object, **what: Any) -> None:
        heard.append(what)

    said.connect(hear)
    try:
        message = say(ana, "Hi")
    finally:
        said.disconnect(hear)
    assert heard == [{"match_id": match.pk, "room": "players", "by_id": ana.pk, "message_id": message.pk}]


def test_a_long_talk_comes_in_pages(match: Match, ana: User) -> None:
    rows = [
        Message(match=match, room="players", by=ana, client_id=str(n), text=str(n), at=match.started_at)
        for n in range(250)
    ]
    Message.objects.bulk_create(rows)
    frame = talk_of(match_id=match.pk, user_id=ana.pk).frame()
    assert (frame["messages"][0]["text"], frame["messages"][-1]["text"], frame["more"]) == ("150", "249", True)
    first = frame["messages"][0]["id"]
    frame = talk_of(match_id=match.pk, user_id=ana.pk, before=first - 100).frame()
    assert ([line["text"] for line in frame["messages"]], frame["more"]) == ([str(n) for n in range(50)], False)
    after = talk_of(match_id=match.pk, user_id=ana.pk, after=first + 98).frame()
    assert [line["text"] for line in after["messages"]] == ["249"]


def test_it_takes_as_many_queries_for_many_messages(
    say: Callable[..., Message], match: Match, carlos: User, dora: User, django_assert_num_queries: Any
) -> None:
    say(carlos, "one")
    with CaptureQueriesContext(connection) as one:
        talk_of(match_id=match.pk, user_id=dora.pk).frame()
    say(dora, "two")
    say(carlos, "three")
    with django_assert_num_queries(len(one)):
        talk_of(match_id=match.pk, user_id=dora.pk).frame()
