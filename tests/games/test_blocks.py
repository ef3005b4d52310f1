"""A block in play: neither of the two reaches the other, and nobody loses what he is in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts import ties
from accounts.models import Club, Membership, User
from games import services
from games.errors import KeptOut, Refused
from games.models import LadderChallenge, LadderEvent, Match
from games.selectors import friends, lists, table
from games.selectors.watching import check_watch
from games.services import online
from tests.games.channels import (
    CHANNELS,
    TERMS,
    Channel,
    browser,
    challenge,
    ladder,
    match_of,
    matrix,
    played,
    reached,
    seek,
)
from tests.games.test_consumers import TableCase

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody_here() -> Iterator[None]:
    """The cache outlives a test, and the numbers of people come again."""
    yield
    cache.clear()


@matrix(CHANNELS)
def test_a_blocked_player_reaches_the_other_by_no_channel(channel: Channel, blocker: str, ana: User, bea: User) -> None:
    assert reached(channel, blocker, ana, bea) is (blocker == "nobody")


@pytest.mark.parametrize("act", ["challenge", "accept"])
def test_a_refusal_is_the_same_to_both_and_says_nothing_of_a_block(ana: User, bea: User, act: str) -> None:
    seeks = {user.pk: seek(user) for user in (ana, bea)}
    ties.tie_make(by=ana, about=bea, kind=ties.BLOCK)
    said = []
    for me, other in ((ana, bea), (bea, ana)):
        with pytest.raises(Refused) as refused:
            challenge(me, other) if act == "challenge" else services.match_join(match_id=seeks[other.pk].pk, user=me)
        said.append((refused.value.code, refused.value.text))
    assert said == [("apart", "You cannot play against this player now.")] * 2


def test_who_takes_the_block_back_opens_everything_again(ana: User, bea: User) -> None:
    match = match_of(bea)
    ties.tie_make(by=ana, about=bea, kind=ties.BLOCK)
    ties.tie_cut(by=ana, about=bea, kind=ties.BLOCK)
    assert table.match_event(match_id=match.pk, user_id=ana.pk)[1] is None
    assert challenge(ana, bea).status == Match.Status.OPEN


def test_a_mute_closes_nothing_but_talk(ana: User, bea: User) -> None:
    ties.tie_make(by=ana, about=bea, kind=ties.MUTE)
    assert challenge(bea, ana).status == Match.Status.OPEN
    assert table.match_event(match_id=match_of(ana).pk, user_id=bea.pk)


def test_who_blocks_a_bot_does_not_block_its_owner(ana: User, bea: User) -> None:
    bot = User.objects.create(username="engine", is_bot=True, owner=ana)
    ties.tie_make(by=bea, about=bot, kind=ties.BLOCK)
    with pytest.raises(Refused):
        challenge(bot, bea)
    assert challenge(ana, bea).status == Match.Status.OPEN


# What is under way


def test_open_challenges_end_as_if_they_had_been_declined_or_taken_back(
    ana: User, bea: User, carlos: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, Any]] = []
    mine, his, others = challenge(ana, bea), challenge(bea, ana), challenge(ana, carlos)
    monkeypatch.setattr("games.notify.user_told", lambda user_id, word: told.append((user_id, word)))
    ties.tie_make(by=ana, about=bea, kind=ties.BLOCK)
    states = [Match.objects.get(pk=match.pk).status for match in (mine, his, others)]
    assert states == [Match.Status.CANCELLED, Match.Status.CANCELLED, Match.Status.OPEN]
    assert told == [(bea.pk, {"t": "declined", "id": his.pk, "from": "ana"})]


def test_a_match_in_play_goes_on(open_table: Callable[..., Match], ana: User, bea: User) -> None:
    match = open_table()
    ties.tie_make(by=ana, about=bea, kind=ties.BLOCK)
    for me in (ana, bea):
        assert table.match_event(match_id=match.pk, user_id=me.pk)[1] is not None
        assert browser(me).get(reverse("match", args=[match.pk])).status_code == 200
        services.match_act(match_id=match.pk, user_id=me.pk, action="roll", client_id="rolls")
        assert [row.match.pk for row in lists.lobby(me).running] == [match.pk]


def test_what_others_arrange_is_played(ana: User, bea: User) -> None:
    ties.tie_make(by=ana, about=bea, kind=ties.BLOCK)
    match = services.match_arrange(white=ana, black=bea, variant="backgammon", length=3, clock="club")
    assert browser(bea).get(reverse("match", args=[match.pk])).status_code == 200
    for player in (bea, ana):
        match = services.match_arrive(match_id=match.pk, user=player)
    assert match.status == Match.Status.LIVE


def test_a_call_on_a_ladder_that_is_agreed_is_played(ana: User, bea: User) -> None:
    made = ladder(bea, ana)
    call = services.ladders.challenge_make(ladder_id=made.pk, user=ana, rival=bea)
    match = services.ladders.challenge_accept(challenge_id=call.pk, user=bea)
    ties.tie_make(by=ana, about=bea, kind=ties.BLOCK)
    for player in (bea, ana):
        match = services.match_arrive(match_id=match.pk, user=player)
    assert match.status == Match.Status.LIVE


@pytest.mark.parametrize(("blocker", "ended"), [("ana", "withdrawn"), ("bea", "declined")])
def test_a_call_that_is_not_answered_ends_as_by_his_own_hand(ana: User, bea: User, blocker: str, ended: str) -> None:
    made = ladder(bea, ana)
    call = services.ladders.challenge_make(ladder_id=made.pk, user=ana, rival=bea)
    by, about = (ana, bea) if blocker == "ana" else (bea, ana)
    ties.tie_make(by=by, about=about, kind=ties.BLOCK)
    call.refresh_from_db()
    last = LadderEvent.objects.filter(ladder=made).order_by("n").last()
    assert last is not None
    assert (last.type, last.by) == (ended, by)
    assert call.status not in (LadderChallenge.Status.OFFERED, LadderChallenge.Status.ACCEPTED)


def test_the_line_of_a_hill_does_not_ask(ana: User, bea: User, carlos: User, dora: User) -> None:
    User.objects.filter(pk=dora.pk).update(is_staff=True)
    dora.refresh_from_db()
    club = Club.objects.get(is_default=True)
    made = services.ladders.ladder_create(by=dora, club=club, name="Hill", kind="hill", config={}, **TERMS)
    for player in (ana, bea, carlos):
        services.ladders.ladder_join(ladder_id=made.pk, user=player)
    ties.tie_make(by=ana, about=bea, kind=ties.BLOCK)
    services.ladders.sweep()
    call = LadderChallenge.objects.get(ladder=made)
    assert {call.challenger, call.defender} == {ana, bea}
    ties.tie_cut(by=ana, about=bea, kind=ties.BLOCK)
    ties.tie_make(by=bea, about=ana, kind=ties.BLOCK)
    call.refresh_from_db()
    assert call.status == LadderChallenge.Status.OFFERED


# Watching


def test_the_page_says_kindly_that_it_is_not_for_him(ana: User, bea: User) -> None:
    match = match_of(bea)
    ties.tie_make(by=bea, about=ana, kind=ties.BLOCK)
    answer = browser(ana).get(reverse("match", args=[match.pk]))
    assert answer.status_code == 403
    assert "You cannot watch this match." in answer.content.decode()
    assert "bea" not in answer.content.decode()
    refused = browser(ana).get(reverse("api-match", args=[match.pk]))
    assert (refused.status_code, refused.json()["code"]) == (403, "kept_out")


def test_a_finished_match_is_public(ana: User, bea: User, carlos: User) -> None:
    match = played(bea, carlos)
    ties.tie_make(by=bea, about=ana, kind=ties.BLOCK)
    assert browser(ana).get(reverse("match", args=[match.pk])).status_code == 200
    assert browser(ana).get(reverse("api-match", args=[match.pk])).status_code == 200
    assert match.pk in [row.match.pk for row in lists.lobby(ana).recent]


def test_a_passer_by_watches_as_before(client: Client, ana: User, bea: User) -> None:
    match = match_of(bea)
    ties.tie_make(by=bea, about=ana, kind=ties.BLOCK)
    assert client.get(reverse("match", args=[match.pk])).status_code == 200


def test_the_director_of_a_ladder_sees_its_matches(ana: User, bea: User, carlos: User, dora: User) -> None:
    club = Club.objects.get(is_default=True)
    Membership.objects.update_or_create(club=club, user=dora, defaults={"role": Membership.Role.DIRECTOR})
    made = ladder(bea, carlos)
    call = services.ladders.challenge_make(ladder_id=made.pk, user=carlos, rival=bea)
    match = services.ladders.challenge_accept(challenge_id=call.pk, user=bea)
    for blocked in (ana, dora):
        ties.tie_make(by=bea, about=blocked, kind=ties.BLOCK)
    assert table.match_event(match_id=match.pk, user_id=dora.pk)[1] is None
    with pytest.raises(KeptOut):
        table.match_event(match_id=match.pk, user_id=ana.pk)


def test_the_staff_of_the_site_sees_every_match(ana: User, bea: User) -> None:
    match = match_of(bea)
    ties.tie_make(by=bea, about=ana, kind=ties.BLOCK)
    User.objects.filter(pk=ana.pk).update(is_staff=True)
    assert table.match_event(match_id=match.pk, user_id=ana.pk)[1] is None


def test_to_watch_costs_two_questions_and_a_third_to_who_is_kept_out(
    django_assert_num_queries: Any, ana: User, bea: User
) -> None:
    match = table.match_with_seats(match_of(bea).pk)
    assert match is not None
    with django_assert_num_queries(0):
        check_watch(match, None)
        check_watch(match, bea.pk)
    with django_assert_num_queries(2):
        check_watch(match, ana.pk)
    ties.tie_make(by=bea, about=ana, kind=ties.BLOCK)
    with django_assert_num_queries(3), pytest.raises(KeptOut):
        check_watch(match, ana.pk)


# Friends in the lobby


def test_the_lobby_shows_whom_one_follows_and_what_he_does(ana: User, bea: User, carlos: User, dora: User) -> None:
    for one in (bea, carlos, dora):
        ties.tie_make(by=ana, about=one, kind=ties.FOLLOW)
    ties.tie_make(by=bea, about=ana, kind=ties.FOLLOW)
    match = match_of(carlos)
    online.seen(bea.pk)
    online.write()
    found = [(one.user.username, one.friend, one.match_id) for one in friends.friends_here(ana)]
    assert found == [("bea", True, ""), ("carlos", False, match.pk)]
    page = browser(ana).get(reverse("lobby")).content.decode()
    assert f'href="{reverse("match", args=[match.pk])}"' in page
    assert 'href="/?opponent=bea#new-match"' in page
    assert 'id="friends"' not in browser(dora).get(reverse("lobby")).content.decode()


def test_a_friend_against_whom_one_plays_is_not_listed(
    open_table: Callable[..., Match], ana: User, bea: User, dora: User
) -> None:
    open_table()
    ties.tie_make(by=ana, about=bea, kind=ties.FOLLOW)
    ties.tie_make(by=dora, about=bea, kind=ties.FOLLOW)
    assert friends.friends_here(ana) == []
    assert [one.user for one in friends.friends_here(dora)] == [bea]


def test_a_match_against_somebody_kept_apart_is_not_offered_to_watch(ana: User, bea: User, carlos: User) -> None:
    services.match_join(match_id=seek(bea).pk, user=carlos)
    ties.tie_make(by=ana, about=bea, kind=ties.FOLLOW)
    ties.tie_make(by=carlos, about=ana, kind=ties.BLOCK)
    assert friends.friends_here(ana) == []
    online.seen(bea.pk)
    online.write()
    assert [(one.user, one.match_id) for one in friends.friends_here(ana)] == [(bea, "")]


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_of_friends_takes_the_same_questions_however_long(
    django_assert_num_queries: Any, person: Callable[..., User], ana: User, count: int
) -> None:
    for number in range(count):
        one = person(f"friend{number}")
        ties.tie_make(by=ana, about=one, kind=ties.FOLLOW)
        match_of(one)
    with django_assert_num_queries(4):
        assert len(friends.friends_here(ana)) == count


def test_a_cache_that_is_away_costs_only_the_mark(ana: User, bea: User, monkeypatch: pytest.MonkeyPatch) -> None:
    ties.tie_make(by=ana, about=bea, kind=ties.FOLLOW)

    def away(keys: list[str]) -> dict[str, int]:
        raise ConnectionError

    monkeypatch.setattr(online.cache, "get_many", away)
    assert friends.friends_here(ana) == []


class Spectators(TableCase):
    """Who watches at the moment of the block."""

    async def block(self, by: User, about: User) -> None:
        await database_sync_to_async(ties.tie_make)(by=by, about=about, kind=ties.BLOCK)

    async def test_who_watches_is_put_out_at_once_and_everybody_else_stays(self) -> None:
        dora = await database_sync_to_async(User.objects.create_user)("dora")
        sockets = [await self.sit(user) for user in (self.ana, self.bea, self.carlos, dora, None)]
        for socket in sockets:
            await self.hear(socket, "state")
        await self.block(self.bea, self.carlos)
        out = await sockets[2].receive_output(timeout=5)
        while out["type"] == "websocket.send":
            out = await sockets[2].receive_output(timeout=5)
        assert (out["type"], out["code"]) == ("websocket.close", 4403)
        await self.act(sockets[0], "roll", 0)
        for socket in (sockets[0], sockets[1], sockets[3], sockets[4]):
            assert (await self.hear(socket, "event"))["version"] == 1
        await self.leave(*sockets)

    async def test_it_holds_both_ways(self) -> None:
        carlos = await self.sit(self.carlos)
        await self.hear(carlos, "state")
        await self.block(self.carlos, self.ana)
        out = await carlos.receive_output(timeout=5)
        while out["type"] == "websocket.send":
            out = await carlos.receive_output(timeout=5)
        assert (out["type"], out["code"]) == ("websocket.close", 4403)
        await self.leave(carlos)

    async def test_who_missed_the_word_learns_it_when_he_asks(self) -> None:
        carlos = await self.sit(self.carlos)
        await self.hear(carlos, "state")
        await database_sync_to_async(ties.Tie.objects.create)(by=self.ana, about=self.carlos, kind=ties.BLOCK)
        await carlos.send_json_to({"t": "sync", "after": 0})
        assert (await self.hear(carlos, "refused"))["code"] == "kept_out"
        assert (await carlos.receive_output(timeout=5))["code"] == 4403
        await self.leave(carlos)
