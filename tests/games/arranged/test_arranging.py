"""Arranging a match: both arrive, it begins, it is called off; and a lead from the opponent's penalties."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.users import services as user_services
from games import services
from games.engine import SIDES, Side
from games.errors import NotFound, Refused
from games.events import state_of
from games.models import Action, Match
from games.services import Answer
from tests.games.arranged.conftest import FROM, TITLE, Committed, SentMessages
from tests.replayed_state import replayed_state

pytestmark = pytest.mark.django_db


# Arranging and arriving


def test_an_arranged_match_has_both_seats_and_waits(arranged: Callable[..., Match], ana: User, bea: User) -> None:
    match = arranged(options={"cube_cap": 8})
    assert (match.status, match.arranged, match.creator, match.invited) == ("open", True, ana, None)
    assert (match.title, match.from_url, match.rated, match.options) == (TITLE, FROM, False, {"cube_cap": 8})
    seats = list(match.seats.order_by("-side"))
    assert [(seat.side, seat.user, seat.arrived_at) for seat in seats] == [("white", ana, None), ("black", bea, None)]
    assert (match.version, match.flag_at, match.snapshot) == (0, None, {})


def test_both_are_notified_and_the_first_is_notified_when_the_other_arrives(
    sent_messages: SentMessages, arranged: Callable[..., Match], ana: User, bea: User
) -> None:
    match = arranged()
    expected = {"t": "ready", "id": match.pk, "url": f"/match/{match.pk}/", "title": TITLE, "of": match.from_url}
    assert sent_messages == [(ana.pk, {**expected, "from": "bea"}), (bea.pk, {**expected, "from": "ana"})]
    sent_messages.clear()
    assert services.match_arrive(match_id=match.pk, user=bea).status == "open"
    assert sent_messages == []
    assert services.match_arrive(match_id=match.pk, user=ana).status == "live"
    assert sent_messages == [(bea.pk, {"t": "go", "id": match.pk, "url": f"/match/{match.pk}/"})]


def test_it_begins_like_any_match_when_both_have_arrived(started: Match) -> None:
    started.refresh_from_db()
    assert (started.status, started.games.count(), started.version) == ("live", 1, 0)
    assert state_of(started).opening
    assert started.flag_at is not None
    assert started.started_at is not None
    assert all(seat.arrived_at <= started.started_at for seat in started.seats.all() if seat.arrived_at)


def test_arriving_again_changes_nothing(arranged: Callable[..., Match], ana: User, bea: User) -> None:
    match = arranged()
    services.match_arrive(match_id=match.pk, user=ana)
    first = match.seats.get(side="white").arrived_at
    assert services.match_arrive(match_id=match.pk, user=ana).status == "open"
    services.match_arrive(match_id=match.pk, user=bea)
    started = Match.objects.get(pk=match.pk).started_at
    for user in (ana, bea):
        assert services.match_arrive(match_id=match.pk, user=user).status == "live"
    assert match.seats.get(side="white").arrived_at == first
    assert Match.objects.get(pk=match.pk).started_at == started


def test_only_the_two_players_arrive_and_only_at_an_arranged_match(
    arranged: Callable[..., Match], ana: User, carlos: User
) -> None:
    with pytest.raises(Refused, match="not_seated"):
        services.match_arrive(match_id=arranged().pk, user=carlos)
    seek = services.match_create(creator=ana, variant="backgammon", length=3, clock="club", rated=False)
    for match_id in (seek.pk, "nothing"):
        with pytest.raises(NotFound):
            services.match_arrive(match_id=match_id, user=ana)


def test_a_bot_arrives_at_once(
    sent_messages: SentMessages, arranged: Callable[..., Match], robots: list[User], ana: User
) -> None:
    match = arranged(black=robots[0])
    assert match.status == "open"
    assert services.match_arrive(match_id=match.pk, user=ana).status == "live"
    match.refresh_from_db()
    assert match.bot_at is not None


def test_two_bots_begin_at_once(
    sent_messages: SentMessages, arranged: Callable[..., Match], robots: list[User]
) -> None:
    match = arranged(white=robots[0], black=robots[1])
    match.refresh_from_db()
    assert (match.status, match.bot_at is not None, sent_messages) == ("live", True, [])


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"variant": "chess"}, "variant"),
        ({"length": 0, "clock": "none", "rated": True}, "money_rated"),
        ({"clock": "sundial"}, "clock"),
        ({"options": {"cube": "yes"}}, "options"),
        ({"options": {"desahogo": True}, "rated": True}, "house_rated"),
    ],
)
def test_the_terms_are_checked_like_those_of_any_open_game(
    arranged: Callable[..., Match], terms: dict[str, Any], code: str
) -> None:
    with pytest.raises(Refused, match=code):
        arranged(**terms)
    assert not Match.objects.exists()


def test_the_players_are_checked_too(
    arranged: Callable[..., Match], robots: list[User], ana: User, carlos: User
) -> None:
    carlos.is_active = False
    guest = user_services.guest_create()
    for terms, code in [
        ({"black": ana}, "self_play"),
        ({"black": carlos}, "no_such_player"),
        ({"white": carlos}, "no_such_player"),
        ({"white": guest, "rated": True}, "guest_rated"),
        ({"black": guest, "rated": True}, "guest_rated"),
        ({"white": robots[0], "rated": True}, "bot_rated"),
    ]:
        with pytest.raises(Refused, match=code):
            arranged(**terms)


def test_any_number_of_matches_may_be_arranged_and_none_counts_as_an_open_game(
    arranged: Callable[..., Match], ana: User
) -> None:
    for _ in range(10):
        arranged()
    services.match_create(creator=ana, variant="backgammon", length=3, clock="club", rated=False)
    assert Match.objects.filter(status="open").count() == 11


@pytest.mark.parametrize(
    "url", ["//evil.example/", "https://evil.example/", "/\\evil.example/", "tournaments/7/", "javascript:1"]
)
def test_the_return_url_stays_on_this_site(arranged: Callable[..., Match], url: str) -> None:
    with pytest.raises(ValueError, match="not a path"):
        arranged(from_url=url)


def test_the_database_also_refuses_external_return_urls(arranged: Callable[..., Match]) -> None:
    match = arranged(from_url="")
    for url in ("//evil.example/", "https://evil.example/"):
        with pytest.raises(IntegrityError), transaction.atomic():
            Match.objects.filter(pk=match.pk).update(from_url=url)


def test_nobody_joins_declines_cancels_or_repeats_it(
    arranged: Callable[..., Match], started: Match, act: Callable[..., Answer], ana: User, bea: User, carlos: User
) -> None:
    match = arranged()
    for actor, service in [
        (carlos, services.match_join),
        (bea, services.match_join),
        (ana, services.match_cancel),
        (bea, services.match_decline),
    ]:
        with pytest.raises(Refused, match="arranged"):
            service(match_id=match.pk, user=actor)
    act(started, ana, "resign match")
    with pytest.raises(Refused, match="arranged") as refused:
        services.match_rematch(match_id=started.pk, user=ana)
    assert refused.value.text == "You can't do that here: this match is part of a tournament or ladder."


# Calling off


def test_before_it_has_begun_it_is_cancelled(
    django_capture_on_commit_callbacks: Committed, arranged: Callable[..., Match], ended: list[str], ana: User
) -> None:
    match = arranged()
    with django_capture_on_commit_callbacks(execute=True):
        for _ in range(2):
            assert services.match_call_off(match_id=match.pk).status == "cancelled"
    assert ended == []
    with pytest.raises(Refused, match="not_open"):
        services.match_arrive(match_id=match.pk, user=ana)


def test_in_play_it_is_cancelled_by_a_recorded_action_and_announced_once(
    django_capture_on_commit_callbacks: Committed,
    started: Match,
    act: Callable[..., Answer],
    next_rolls: deque[tuple[int, int]],
    ended: list[str],
    ana: User,
    bea: User,
) -> None:
    next_rolls.append((3, 1))
    act(started, ana, "roll")
    act(started, bea, "roll")
    with django_capture_on_commit_callbacks(execute=True):
        for _ in range(2):
            match = services.match_call_off(match_id=started.pk)
    assert ended == [started.pk]
    assert (match.status, match.winner, match.ended_by, match.flag_at) == ("over", "", "stopped", None)
    last = Action.objects.filter(match=match).last()
    assert last is not None
    assert (last.n, last.actor, last.text) == (4, "server", "stop")
    match.refresh_from_db()
    assert replayed_state(match) == state_of(match)
    assert [seat.won for seat in match.seats.all()] == [None, None]
    game = match.games.get()
    assert (game.winner, game.kind, game.ended_at) == ("", "stopped", match.ended_at)
    with pytest.raises(Refused, match="match_over"):
        act(match, ana, "8/5 6/5")


def test_a_fallen_flag_counts_before_the_cancellation(
    started: Match, act: Callable[..., Answer], next_rolls: deque[tuple[int, int]], ana: User, bea: User
) -> None:
    next_rolls.append((3, 1))
    act(started, ana, "roll")
    act(started, bea, "roll")
    match = Match.objects.get(pk=started.pk)
    past = timedelta(milliseconds=match.clock["white"] + match.clock["delay"] + 1)
    Match.objects.filter(pk=match.pk).update(clock_at=match.clock_at - past, flag_at=match.flag_at - past)
    match = services.match_call_off(match_id=started.pk)
    assert (match.status, match.winner, match.ended_by) == ("over", "black", "flag")


def test_only_arranged_matches_are_cancelled(open_table: Callable[..., Match]) -> None:
    with pytest.raises(NotFound):
        services.match_call_off(match_id=open_table().pk)


# A lead


@pytest.mark.parametrize(
    ("variant", "length", "lead", "crawford"),
    [
        ("backgammon", 5, {"black": 4}, True),
        ("backgammon", 5, {"white": 2, "black": 1}, False),
        ("acey-deucey", 15, {"white": 3}, False),
        ("damas", 3, {"black": 2}, False),
    ],
)
def test_a_match_begins_with_a_lead(
    arranged: Callable[..., Match],
    ana: User,
    bea: User,
    variant: str,
    length: int,
    lead: dict[Side, int],
    crawford: bool,
) -> None:
    match = arranged(variant=variant, length=length, clock="none", lead=lead)
    for user in (ana, bea):
        services.match_arrive(match_id=match.pk, user=user)
    match.refresh_from_db()
    state = state_of(match)
    assert {side: state.score.points(side) for side in SIDES} == {"white": 0, "black": 0, **lead}
    assert state.score.view().get("crawford", False) is crawford
    assert replayed_state(match) == state
    before = match.games.get().score_before
    assert {side: before[side] for side in SIDES} == {"white": 0, "black": 0, **lead}


def test_a_lead_changes_until_the_match_begins(arranged: Callable[..., Match], ana: User, bea: User) -> None:
    match = arranged(lead={"white": 4})
    services.match_change_lead(match_id=match.pk, lead={"black": 1})
    assert [seat.points for seat in match.seats.order_by("-side")] == [0, 1]
    for wrong in ({"white": 5}, {"black": -1}, {"black": True}):
        with pytest.raises(Refused, match="lead"):
            services.match_change_lead(match_id=match.pk, lead=wrong)
    with pytest.raises(Refused, match="lead"):
        arranged(lead={"white": 5})
    for user in (ana, bea):
        services.match_arrive(match_id=match.pk, user=user)
    with pytest.raises(Refused, match="not_open"):
        services.match_change_lead(match_id=match.pk, lead={})
