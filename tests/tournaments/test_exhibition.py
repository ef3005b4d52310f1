"""Simultaneous exhibitions: one host plays all guests at once (ruling E25)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games import services as play
from games.models import Match
from tests.tournaments.conftest import fresh, ready
from tests.tournaments.folded import played_state
from tests.tournaments.site_matches import fixed_dice
from tournaments import masterpoints, services
from tournaments.errors import Refused
from tournaments.final_ranking import final_ranks
from tournaments.fold import state_after
from tournaments.formats.core import Config, History, Invalid
from tournaments.formats.exhibition import Exhibition, host_score
from tournaments.models import Meeting, Tournament
from tournaments.selectors.next_board import boards_waiting, next_board
from tournaments.state import Event

Make = Callable[..., Tournament]


# The format


def test_the_host_has_a_pairing_with_each_guest() -> None:
    state = played_state("exhibition", 4, played=0)
    assert [pairing.entrants for pairing in state.pairings] == [(1, 2), (1, 3), (1, 4)]
    assert {(pairing.state, pairing.round) for pairing in state.pairings} == {("ready", 1)}


def test_the_score_is_of_the_host_against_all_guests() -> None:
    state = played_state("exhibition", 4, played=2)
    third = {"key": "exhibition-1-3", "of": [1, 4], "winner": 4, "points": [5, 7]}
    state = state_after(state, Event("result", third))
    assert host_score(state.fixtures) == (2, 1)
    assert state.complete


def test_a_match_that_both_lose_is_nobody_s() -> None:
    state = played_state("exhibition", 3, played=1)
    both = {"key": "exhibition-1-2", "of": [1, 3], "winner": None, "how": "walkover"}
    assert host_score(state_after(state, Event("result", both)).fixtures) == (1, 0)


def test_a_host_who_withdraws_loses_the_matches_that_are_left() -> None:
    state = state_after(played_state("exhibition", 4, played=1), Event("withdrawn", {"entrant": 1}))
    assert host_score(state.fixtures) == (1, 2)


def test_nobody_wins_a_place_or_master_points() -> None:
    state = played_state("exhibition", 5)
    assert state.phase == "over"
    assert (state.standings, final_ranks(state), masterpoints.awards(state)) == ((), (), ())


def test_a_late_guest_has_a_board_before_the_first_result() -> None:
    state = state_after(played_state("exhibition", 3, played=0), Event("waited", {"entrant": 4}))
    state = state_after(state, Event("late", {"entrant": 4}))
    assert state.pairings[-1].entrants == (1, 4)


@pytest.mark.parametrize(("entrants", "code"), [(1, "too_few"), (66, "too_many")])
def test_a_host_plays_1_to_64_guests(entrants: int, code: str) -> None:
    with pytest.raises(Invalid) as found:
        Exhibition().check(Config("exhibition"), entrants)
    assert found.value.code == code
    Exhibition().check(Config("exhibition"), 65)
    assert len(Exhibition().pairings(Config("exhibition"), History(tuple(range(1, 66))))) == 64


# The services


@pytest.fixture
def exhibition(tournament: Make, dora: User, ana: User, bea: User, carlos: User) -> Tournament:
    """ana, the host, against bea and carlos on this site, started."""
    made = tournament(format_="exhibition", clock="days1", venue="online")
    for user in (bea, ana, carlos):
        services.entrant_register(tournament_id=made.pk, user=user)
    services.entrants_seed(tournament_id=made.pk, user=dora, ranks={2: 1})
    services.tournament_start(tournament_id=made.pk, user=dora)
    return made


@pytest.mark.django_db
def test_all_matches_of_the_host_begin_at_once(exhibition: Tournament) -> None:
    assert ready(exhibition) == ["exhibition-1-1", "exhibition-1-2"]
    assert {pairing.a.entrant for pairing in fresh(exhibition).pairings} == {2}
    assert Match.objects.filter(meeting__tournament=exhibition, status=Match.Status.OPEN).count() == 2


@pytest.mark.django_db
def test_an_exhibition_without_a_host_is_not_drawn(tournament: Make, dora: User, desk: Client) -> None:
    made = tournament(walk_ins=3, format_="exhibition", venue="board")
    with pytest.raises(Refused) as found:
        services.tournament_start(tournament_id=made.pk, user=dora)
    assert found.value.code == "no_host"
    assert "Name the host first" in page(desk, "tournament-desk", made.pk)


@pytest.mark.django_db
def test_online_an_exhibition_needs_days_for_a_turn(tournament: Make) -> None:
    for clock, venue in (("club", "online"), ("none", "both")):
        with pytest.raises(Refused) as found:
            tournament(format_="exhibition", clock=clock, venue=venue)
        assert found.value.code == "exhibition_clock"
    tournament(format_="exhibition", clock="club", venue="board")


# The pages


def page(client: Client, name: str, *args: Any) -> str:
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200
    return unescape(answer.content.decode())


@pytest.mark.django_db
def test_the_host_sees_the_boards_first_that_wait_for_them(
    exhibition: Tournament, ana: User, carlos: User, as_user: Callable[[User], Client]
) -> None:
    match = Meeting.objects.get(key="exhibition-1-2").match
    assert match is not None
    for user in (ana, carlos):
        play.match_arrive(match_id=match.pk, user=user)
    with fixed_dice():
        for number, (user, action) in enumerate(
            [(ana, "roll"), (carlos, "roll"), (ana, "8/5 6/5"), (carlos, "roll"), (carlos, "8/5 6/5")]
        ):
            play.match_act(match_id=match.pk, user_id=user.pk, action=action, client_id=f"turn-{number}")
    text = page(as_user(ana), "tournament", exhibition.pk)
    assert text.index("go-exhibition-1-2") < text.index("arrive-exhibition-1-1")
    assert "Your turn" in text


def begun(exhibition: Tournament, *guests: User) -> list[Match]:
    """The matches of these guests, to which the host and they have come, in this order."""
    found = []
    for guest in guests:
        match = Meeting.objects.get(tournament=exhibition, b__user=guest).match
        assert match is not None
        for seat in match.seats.all():
            assert seat.user is not None
            play.match_arrive(match_id=match.pk, user=seat.user)
        found.append(match)
    return found


@pytest.mark.django_db
@pytest.mark.usefixtures("in_english")
def test_the_host_has_a_way_to_the_board_that_has_waited_longest(
    exhibition: Tournament, ana: User, bea: User, carlos: User, as_user: Callable[[User], Client]
) -> None:
    first, second = begun(exhibition, bea, carlos)
    host, go = as_user(ana), lambda match: reverse("next-board", args=[exhibition.pk, match.pk])
    text = page(host, "match", first.pk)
    assert (go(first) in text, "It's your turn at 1 other board." in text) == (True, True)
    assert host.get(go(first)).headers["Location"] == reverse("match", args=[second.pk])
    assert host.get(go(second)).headers["Location"] == reverse("match", args=[first.pk])
    count = reverse("next-board-count", args=[exhibition.pk, first.pk])
    assert host.get(count).json() == {"waiting": 1, "text": "It's your turn at 1 other board."}
    play.match_act(match_id=second.pk, user_id=ana.pk, action="roll", client_id="one")
    assert host.get(count).json() == {"waiting": 0, "text": "No other board is waiting for you."}
    answer = host.get(go(first), follow=True)
    assert answer.redirect_chain == [(reverse("tournament", args=[exhibition.pk]), 302)]
    assert "No other board is waiting for you." in unescape(answer.content.decode())


@pytest.mark.django_db
def test_of_two_boards_the_one_that_has_waited_longer_comes_first(
    exhibition: Tournament, ana: User, bea: User, carlos: User
) -> None:
    first, second = begun(exhibition, bea, carlos)
    for match, user in ((second, carlos), (first, bea)):
        play.match_act(match_id=match.pk, user_id=user.pk, action="roll", client_id="one")
    last = {match.pk: match.actions.latest("n") for match in (first, second)}
    for match, minutes in ((first, 5), (second, 50)):
        act = last[match.pk]
        act.at -= timedelta(minutes=minutes)
        act.save()
    meeting = Meeting.objects.get(match=first)
    found = boards_waiting(meeting.tournament_id, ana)
    assert [match.pk for match in found] == [second.pk, first.pk]


@pytest.mark.django_db
def test_who_leaves_boards_without_an_act_comes_to_all_of_them(
    tournament: Make, dora: User, ana: User, bea: User, carlos: User
) -> None:
    made = tournament(format_="exhibition", clock="days1", venue="online")
    for user in (ana, bea, carlos, dora):
        services.entrant_register(tournament_id=made.pk, user=user)
    services.entrants_seed(tournament_id=made.pk, user=dora, ranks={1: 1})
    services.tournament_start(tournament_id=made.pk, user=dora)
    found = [board.pk for board in begun(made, bea, carlos, dora)]
    path = [found[0]]
    for _ in found:
        board = next_board(match=Match.objects.get(pk=path[-1]), user=ana)
        assert board is not None
        path.append(board.matches[0])
    assert path == [*found, found[0]]


@pytest.mark.django_db
def test_only_the_host_is_led_to_other_boards(
    exhibition: Tournament, tournament: Make, ana: User, bea: User, carlos: User, as_user: Callable[[User], Client]
) -> None:
    first, _second = begun(exhibition, bea, carlos)
    for user in (bea, carlos):
        assert "next-board" not in page(as_user(user), "match", first.pk)
        for name in ("next-board", "next-board-count"):
            assert as_user(user).get(reverse(name, args=[exhibition.pk, first.pk])).status_code == 404
    cup = tournament(format_="knockout", clock="days1", venue="online")
    assert as_user(ana).get(reverse("next-board", args=[cup.pk, first.pk])).status_code == 404


@pytest.mark.django_db
def test_the_page_of_a_board_needs_as_many_queries_with_three_guests_as_with_one(
    tournament: Make, dora: User, ana: User, bea: User, carlos: User, as_user: Callable[[User], Client]
) -> None:
    counts = []
    for guests in ([bea], [bea, carlos, dora]):
        made = tournament(format_="exhibition", clock="days1", venue="online")
        for user in (ana, *guests):
            services.entrant_register(tournament_id=made.pk, user=user)
        services.entrants_seed(tournament_id=made.pk, user=dora, ranks={1: 1})
        services.tournament_start(tournament_id=made.pk, user=dora)
        match = begun(made, *guests)[0]
        host = as_user(ana)
        page(host, "match", match.pk)
        with CaptureQueriesContext(connection) as seen:
            page(host, "match", match.pk)
        counts.append(len(seen))
    assert counts[1] - counts[0] <= 1  # the seats of the other boards


@pytest.mark.django_db
def test_the_page_and_the_screen_show_the_score_and_no_table(
    exhibition: Tournament, dora: User, client: Client
) -> None:
    services.result_enter(
        tournament_id=exhibition.pk, user=dora, key="exhibition-1-1", winner=2, points=(3, 1), of=(2, 1)
    )
    for name in ("tournament", "tournament-tv", "tournament-embed", "tournament-print"):
        text = page(client, name, exhibition.pk)
        assert "standings-name" not in text
        assert ("ana 1 – guests 0" in text) == (name != "tournament-print")
        assert "The draw hasn't been made yet." not in text
