"""Blocks in play: neither of the two reaches the other, and no match under way is lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import Club, Membership, User
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships
from games import services
from games.errors import Refused, ViewerBlocked
from games.models import Match
from games.selectors import followed_online, match_state
from games.selectors.lobby import lobby
from games.selectors.spectator_access import check_spectator
from games.services import online
from ladders import services as ladders
from ladders.models import LadderChallenge, LadderEvent
from tests.games.contact_channels import (
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
from tests.games.match_sockets import TableCase

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def empty_presence() -> Iterator[None]:
    """The cache outlives a test, and user ids repeat."""
    yield
    cache.clear()


@matrix(CHANNELS)
def test_a_blocked_player_cannot_reach_the_other_by_any_channel(
    channel: Channel, blocker: str, ana: User, bea: User
) -> None:
    assert reached(channel, blocker, ana, bea) is (blocker == "nobody")


@pytest.mark.parametrize("act", ["challenge", "accept"])
def test_a_refusal_is_the_same_for_both_and_does_not_mention_a_block(ana: User, bea: User, act: str) -> None:
    seeks = {user.pk: seek(user) for user in (ana, bea)}
    relationships.relationship_create(by=ana, about=bea, kind=relationship_selectors.BLOCK)
    refusals = []
    for me, other in ((ana, bea), (bea, ana)):
        with pytest.raises(Refused) as refused:
            challenge(me, other) if act == "challenge" else services.match_join(match_id=seeks[other.pk].pk, user=me)
        refusals.append((refused.value.code, refused.value.text))
    assert refusals == [("apart", "You can't play against this player right now.")] * 2


def test_removing_a_block_opens_everything_again(ana: User, bea: User) -> None:
    match = match_of(bea)
    relationships.relationship_create(by=ana, about=bea, kind=relationship_selectors.BLOCK)
    relationships.relationship_delete(by=ana, about=bea, kind=relationship_selectors.BLOCK)
    assert match_state.match_event(match_id=match.pk, user_id=ana.pk)[1] is None
    assert challenge(ana, bea).status == Match.Status.OPEN


def test_a_mute_affects_chat_only(ana: User, bea: User) -> None:
    relationships.relationship_create(by=ana, about=bea, kind=relationship_selectors.MUTE)
    assert challenge(bea, ana).status == Match.Status.OPEN
    assert match_state.match_event(match_id=match_of(ana).pk, user_id=bea.pk)


def test_blocking_a_bot_does_not_block_its_owner(ana: User, bea: User) -> None:
    bot = User.objects.create(username="engine", is_bot=True, owner=ana)
    relationships.relationship_create(by=bea, about=bot, kind=relationship_selectors.BLOCK)
    with pytest.raises(Refused):
        challenge(bot, bea)
    assert challenge(ana, bea).status == Match.Status.OPEN


# What is under way


def test_open_challenges_end_as_if_declined_or_withdrawn(
    ana: User, bea: User, carlos: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[int, Any]] = []
    from_ana, from_bea, others = challenge(ana, bea), challenge(bea, ana), challenge(ana, carlos)
    monkeypatch.setattr("games.notify.notify_user", lambda user_id, message: sent.append((user_id, message)))
    relationships.relationship_create(by=ana, about=bea, kind=relationship_selectors.BLOCK)
    states = [Match.objects.get(pk=match.pk).status for match in (from_ana, from_bea, others)]
    assert states == [Match.Status.CANCELLED, Match.Status.CANCELLED, Match.Status.OPEN]
    assert sent == [(bea.pk, {"t": "declined", "id": from_bea.pk, "from": "ana"})]


def test_a_match_in_play_continues(open_table: Callable[..., Match], ana: User, bea: User) -> None:
    match = open_table()
    relationships.relationship_create(by=ana, about=bea, kind=relationship_selectors.BLOCK)
    for me in (ana, bea):
        assert match_state.match_event(match_id=match.pk, user_id=me.pk)[1] is not None
        assert browser(me).get(reverse("match", args=[match.pk])).status_code == 200
        services.match_act(match_id=match.pk, user_id=me.pk, action="roll", client_id="rolls")
        assert [row.match.pk for row in lobby(me).running] == [match.pk]


def test_arranged_matches_are_played(ana: User, bea: User) -> None:
    relationships.relationship_create(by=ana, about=bea, kind=relationship_selectors.BLOCK)
    match = services.match_arrange(white=ana, black=bea, variant="backgammon", length=3, clock="club")
    assert browser(bea).get(reverse("match", args=[match.pk])).status_code == 200
    for player in (bea, ana):
        match = services.match_arrive(match_id=match.pk, user=player)
    assert match.status == Match.Status.LIVE


def test_an_agreed_ladder_challenge_is_played(ana: User, bea: User) -> None:
    made = ladder(bea, ana)
    call = ladders.challenge_make(ladder_id=made.pk, user=ana, opponent=bea)
    match = ladders.challenge_accept(challenge_id=call.pk, user=bea)
    relationships.relationship_create(by=ana, about=bea, kind=relationship_selectors.BLOCK)
    for player in (bea, ana):
        match = services.match_arrive(match_id=match.pk, user=player)
    assert match.status == Match.Status.LIVE


@pytest.mark.parametrize(("blocker", "ended"), [("ana", "withdrawn"), ("bea", "declined")])
def test_an_unanswered_challenge_ends_as_if_withdrawn(ana: User, bea: User, blocker: str, ended: str) -> None:
    made = ladder(bea, ana)
    call = ladders.challenge_make(ladder_id=made.pk, user=ana, opponent=bea)
    by, about = (ana, bea) if blocker == "ana" else (bea, ana)
    relationships.relationship_create(by=by, about=about, kind=relationship_selectors.BLOCK)
    call.refresh_from_db()
    last = LadderEvent.objects.filter(ladder=made).order_by("n").last()
    assert last is not None
    assert (last.type, last.by) == (ended, by)
    assert call.status not in (LadderChallenge.Status.OFFERED, LadderChallenge.Status.ACCEPTED)


def test_the_king_of_the_hill_queue_ignores_blocks(ana: User, bea: User, carlos: User, dora: User) -> None:
    User.objects.filter(pk=dora.pk).update(is_staff=True)
    dora.refresh_from_db()
    club = Club.objects.get(is_default=True)
    made = ladders.ladder_create(by=dora, club=club, name="Hill", kind="hill", config={}, **TERMS)
    for player in (ana, bea, carlos):
        ladders.ladder_join(ladder_id=made.pk, user=player)
    relationships.relationship_create(by=ana, about=bea, kind=relationship_selectors.BLOCK)
    ladders.sweep()
    call = LadderChallenge.objects.get(ladder=made)
    assert {call.challenger, call.defender} == {ana, bea}
    relationships.relationship_delete(by=ana, about=bea, kind=relationship_selectors.BLOCK)
    relationships.relationship_create(by=bea, about=ana, kind=relationship_selectors.BLOCK)
    call.refresh_from_db()
    assert call.status == LadderChallenge.Status.OFFERED


# Watching


def test_the_page_says_that_it_is_not_available(ana: User, bea: User) -> None:
    match = match_of(bea)
    relationships.relationship_create(by=bea, about=ana, kind=relationship_selectors.BLOCK)
    answer = browser(ana).get(reverse("match", args=[match.pk]))
    assert answer.status_code == 403
    assert "You can&#x27;t watch this match." in answer.content.decode()
    assert re.findall(r"\bbea\b", answer.content.decode()) == []
    refused = browser(ana).get(reverse("api-match", args=[match.pk]))
    assert (refused.status_code, refused.json()["code"]) == (403, "kept_out")


def test_a_finished_match_is_public(ana: User, bea: User, carlos: User) -> None:
    match = played(bea, carlos)
    relationships.relationship_create(by=bea, about=ana, kind=relationship_selectors.BLOCK)
    assert browser(ana).get(reverse("match", args=[match.pk])).status_code == 200
    assert browser(ana).get(reverse("api-match", args=[match.pk])).status_code == 200
    assert match.pk in [row.match.pk for row in lobby(ana).recent]


def test_anonymous_visitors_still_watch(client: Client, ana: User, bea: User) -> None:
    match = match_of(bea)
    relationships.relationship_create(by=bea, about=ana, kind=relationship_selectors.BLOCK)
    assert client.get(reverse("match", args=[match.pk])).status_code == 200


def test_the_director_of_a_ladder_sees_its_matches(ana: User, bea: User, carlos: User, dora: User) -> None:
    club = Club.objects.get(is_default=True)
    Membership.objects.update_or_create(club=club, user=dora, defaults={"role": Membership.Role.DIRECTOR})
    made = ladder(bea, carlos)
    call = ladders.challenge_make(ladder_id=made.pk, user=carlos, opponent=bea)
    match = ladders.challenge_accept(challenge_id=call.pk, user=bea)
    for blocked in (ana, dora):
        relationships.relationship_create(by=bea, about=blocked, kind=relationship_selectors.BLOCK)
    assert match_state.match_event(match_id=match.pk, user_id=dora.pk)[1] is None
    with pytest.raises(ViewerBlocked):
        match_state.match_event(match_id=match.pk, user_id=ana.pk)


def test_the_staff_of_the_site_sees_every_match(ana: User, bea: User) -> None:
    match = match_of(bea)
    relationships.relationship_create(by=bea, about=ana, kind=relationship_selectors.BLOCK)
    User.objects.filter(pk=ana.pk).update(is_staff=True)
    assert match_state.match_event(match_id=match.pk, user_id=ana.pk)[1] is None


def test_watching_takes_two_queries_and_a_third_for_blocked_viewers(
    django_assert_num_queries: Any, ana: User, bea: User
) -> None:
    match = match_state.match_with_seats(match_of(bea).pk)
    assert match is not None
    with django_assert_num_queries(0):
        check_spectator(match, None)
        check_spectator(match, bea.pk)
    with django_assert_num_queries(2):
        check_spectator(match, ana.pk)
    relationships.relationship_create(by=bea, about=ana, kind=relationship_selectors.BLOCK)
    with django_assert_num_queries(3), pytest.raises(ViewerBlocked):
        check_spectator(match, ana.pk)


# Friends in the lobby


def followed_by(user: User) -> list[followed_online.FollowedPlayer]:
    return followed_online.followed_online(user, relationship_selectors.separated_by_block(user.pk))


def test_the_lobby_shows_followed_players_and_what_they_do(ana: User, bea: User, carlos: User, dora: User) -> None:
    for user in (bea, carlos, dora):
        relationships.relationship_create(by=ana, about=user, kind=relationship_selectors.FOLLOW)
    relationships.relationship_create(by=bea, about=ana, kind=relationship_selectors.FOLLOW)
    match = match_of(carlos)
    online.seen(bea.pk)
    online.write()
    found = [(row.user.username, row.friend, row.match_id) for row in followed_by(ana)]
    assert found == [("bea", True, ""), ("carlos", False, match.pk)]
    page = browser(ana).get(reverse("lobby")).content.decode()
    assert f'href="{reverse("match", args=[match.pk])}"' in page
    assert 'href="/?opponent=bea#new-match"' in page
    assert 'id="friends"' not in browser(dora).get(reverse("lobby")).content.decode()


def test_a_followed_opponent_is_not_listed(open_table: Callable[..., Match], ana: User, bea: User, dora: User) -> None:
    open_table()
    relationships.relationship_create(by=ana, about=bea, kind=relationship_selectors.FOLLOW)
    relationships.relationship_create(by=dora, about=bea, kind=relationship_selectors.FOLLOW)
    assert followed_by(ana) == []
    assert [row.user for row in followed_by(dora)] == [bea]


def test_a_match_against_a_blocked_player_is_not_offered_to_watch(ana: User, bea: User, carlos: User) -> None:
    services.match_join(match_id=seek(bea).pk, user=carlos)
    relationships.relationship_create(by=ana, about=bea, kind=relationship_selectors.FOLLOW)
    relationships.relationship_create(by=carlos, about=ana, kind=relationship_selectors.BLOCK)
    assert followed_by(ana) == []
    online.seen(bea.pk)
    online.write()
    assert [(row.user, row.match_id) for row in followed_by(ana)] == [(bea, "")]


@pytest.mark.parametrize("count", [1, 3])
def test_the_number_of_queries_does_not_grow_with_the_followed_players(
    django_assert_num_queries: Any, person: Callable[..., User], ana: User, count: int
) -> None:
    for number in range(count):
        friend = person(f"friend{number}")
        relationships.relationship_create(by=ana, about=friend, kind=relationship_selectors.FOLLOW)
        match_of(friend)
    with django_assert_num_queries(2):  # the blocks, and all that is followed
        assert len(followed_by(ana)) == count


def test_without_a_cache_only_the_online_mark_is_missing(ana: User, bea: User, monkeypatch: pytest.MonkeyPatch) -> None:
    relationships.relationship_create(by=ana, about=bea, kind=relationship_selectors.FOLLOW)

    def away(keys: list[str]) -> dict[str, int]:
        raise ConnectionError

    monkeypatch.setattr(online.cache, "get_many", away)
    assert followed_by(ana) == []


class Spectators(TableCase):
    """The spectators at the moment of the block."""

    async def block(self, by: User, about: User) -> None:
        await database_sync_to_async(relationships.relationship_create)(
            by=by, about=about, kind=relationship_selectors.BLOCK
        )

    async def test_a_blocked_spectator_is_disconnected_at_once_and_others_stay(self) -> None:
        dora = await database_sync_to_async(User.objects.create_user)("dora")
        sockets = [await self.sit(user) for user in (self.ana, self.bea, self.carlos, dora, None)]
        for socket in sockets:
            await self.receive(socket, "state")
        await self.block(self.bea, self.carlos)
        out = await sockets[2].receive_output(timeout=60)
        while out["type"] == "websocket.send":
            out = await sockets[2].receive_output(timeout=60)
        assert (out["type"], out["code"]) == ("websocket.close", 4403)
        await self.act(sockets[0], "roll", 0)
        for socket in (sockets[0], sockets[1], sockets[3], sockets[4]):
            assert (await self.receive(socket, "event"))["version"] == 1
        await self.leave(*sockets)

    async def test_it_applies_both_ways(self) -> None:
        carlos = await self.sit(self.carlos)
        await self.receive(carlos, "state")
        await self.block(self.carlos, self.ana)
        out = await carlos.receive_output(timeout=60)
        while out["type"] == "websocket.send":
            out = await carlos.receive_output(timeout=60)
        assert (out["type"], out["code"]) == ("websocket.close", 4403)
        await self.leave(carlos)

    async def test_a_spectator_who_missed_the_message_is_disconnected_at_the_next_frame(self) -> None:
        carlos = await self.sit(self.carlos)
        await self.receive(carlos, "state")
        await database_sync_to_async(relationship_selectors.Relationship.objects.create)(
            by=self.ana, about=self.carlos, kind=relationship_selectors.BLOCK
        )
        await carlos.send_json_to({"t": "sync", "after": 0})
        assert (await self.receive(carlos, "refused"))["code"] == "kept_out"
        assert (await carlos.receive_output(timeout=60))["code"] == 4403
        await self.leave(carlos)
