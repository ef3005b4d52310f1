"""Venue mode (ruling E27): taken out of the club's site, played without it, brought back once, with nothing changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from accounts.models import Club, User
from games.database import now
from games.models import Match, RatedMatch
from games.services import pool_rebuild
from games.services.over_the_board import board_match_record
from tests.tournaments.conftest import fresh, ready, terms
from tests.tournaments.team_tournaments import open_round, team_match, team_tournament
from tests.tournaments.venue.venue_site import code_of, figures, play, played_at_venue, sync, taken_out
from tournaments import services, venue_file
from tournaments.data import leave_tournaments
from tournaments.models import Tournament, VenueCopy

pytestmark = pytest.mark.django_db
PLAYERS = 6


def test_what_was_played_at_the_venue_gives_the_figures_of_a_straight_run(swiss: Tournament, dora: User) -> None:
    straight = transaction.savepoint()
    play(swiss, dora, each=lambda: sync(swiss))
    expected = figures(swiss)
    transaction.savepoint_rollback(straight)
    assert (len(expected["ratings"]), len(expected["places"])) == (6, 7)

    with played_at_venue(taken_out(swiss, dora), director=dora) as venue:
        play(venue.tournament, dora, each=lambda: sync(venue.tournament))
        assert not RatedMatch.objects.exists()  # they count on the club's site
    found = services.venue_results_bring(tournament_id=swiss.pk, user=dora, data=venue.results)
    assert figures(swiss) == expected
    swiss.refresh_from_db()
    assert (swiss.phase, fresh(swiss).venue_stay, len(found.results)) == ("over", None, 9)
    finished = swiss.events.filter(kind="finished").get()
    assert swiss.ended_at == finished.at


def test_a_tournament_taken_out_in_the_middle_gives_the_same_figures_too(swiss: Tournament, dora: User) -> None:
    straight = transaction.savepoint()
    play(swiss, dora, each=lambda: sync(swiss))
    expected = figures(swiss)
    transaction.savepoint_rollback(straight)

    play(swiss, dora, rounds=1, each=lambda: sync(swiss))
    before = swiss.events.count()
    with played_at_venue(taken_out(swiss, dora), director=dora) as venue:
        play(venue.tournament, dora, rounds=2)
    services.venue_results_bring(tournament_id=swiss.pk, user=dora, data=venue.results)
    assert figures(swiss) == expected
    assert set(swiss.events.filter(n__gt=before, kind="result").values_list("by", flat=True)) == {dora.pk}


def test_results_of_the_venue_count_before_what_was_played_online_later(
    swiss: Tournament, dora: User, players: list[User]
) -> None:
    out = taken_out(swiss, dora)
    with played_at_venue(out, director=dora) as venue:
        play(venue.tournament, dora)
    copy = VenueCopy.objects.get()
    straight = transaction.savepoint()
    services.venue_results_bring(tournament_id=swiss.pk, user=dora, data=venue.results)
    online(players, copy.at + timedelta(days=1))
    expected = figures(swiss)["ratings"]
    transaction.savepoint_rollback(straight)

    online(players, copy.at + timedelta(days=1))
    services.venue_results_bring(tournament_id=swiss.pk, user=dora, data=venue.results)
    assert figures(swiss)["ratings"] == expected
    pool = RatedMatch.objects.latest("n").pool
    assert pool_rebuild(pool_id=pool.pk, check=True) == []
    assert list(pool.log.order_by("n").values_list("n", flat=True)) == list(range(1, pool.matches + 1))


def online(players: list[User], at: Any) -> None:
    """A rated match of the first two players, in the pool of the tournament."""
    board_match_record(
        creator=players[0],
        variant="backgammon",
        length=7,
        players=(players[0], players[1]),
        points=(7, 3),
        winner="white",
        played_at=at,
        rated=True,
        title="Friendly",
        from_url="/",
    )


# Twice is once


def test_the_same_file_twice_changes_nothing_and_says_so(swiss: Tournament, dora: User) -> None:
    with played_at_venue(taken_out(swiss, dora), director=dora) as venue:
        play(venue.tournament, dora)
    bring = {"tournament_id": swiss.pk, "user": dora, "data": venue.results}
    assert services.venue_results_bring(**bring).is_new
    before = figures(swiss), swiss.events.count(), Match.objects.count()
    assert not services.venue_results_check(**bring).is_new
    assert not services.venue_results_bring(**bring).is_new
    assert (figures(swiss), swiss.events.count(), Match.objects.count()) == before


def test_a_later_file_adds_what_is_new_and_an_earlier_one_nothing(swiss: Tournament, dora: User) -> None:
    files = []
    with played_at_venue(taken_out(swiss, dora), director=dora) as venue:
        play(venue.tournament, dora, rounds=1)
        files.append(services.venue_file_back(venue.tournament.venue_copies.get()))
        play(venue.tournament, dora, rounds=2)
        act = venue.tournament.events.filter(kind="result").latest("n").act
        services.act_undo(tournament_id=swiss.pk, user=dora, act=act)
        services.act_redo(tournament_id=swiss.pk, user=dora, act=act)
        expected = fresh(venue.tournament)
    bring = {"tournament_id": swiss.pk, "user": dora}
    assert len(services.venue_results_bring(**bring, data=files[0]).results) == 3
    assert fresh(swiss).phase == "running"
    assert services.venue_results_bring(**bring, data=venue.results).is_new
    after = fresh(swiss)
    assert (after.results, after.rounds, after.phase) == (expected.results, expected.rounds, "over")
    assert not services.venue_results_bring(**bring, data=files[0]).is_new


# While it is away


def test_nothing_can_be_done_on_the_site_while_a_tournament_is_at_its_venue(
    swiss: Tournament, dora: User, players: list[User]
) -> None:
    ana, bea = players[:2]
    play(swiss, dora, rounds=1)
    taken_out(swiss, dora)
    (key, *_others) = ready(swiss)
    at = {"tournament_id": swiss.pk}
    for act, arguments in (
        (services.result_enter, {"user": dora, "key": key, "winner": 1}),
        (services.result_report, {"user": ana, "key": key, "winner": 1, "points": (5, 0)}),
        (services.entrant_withdraw, {"user": ana, "number": 1}),
        (services.announcement_post, {"user": dora, "text": "Hello"}),
        (services.tournament_cancel, {"user": dora}),
        (services.official_appoint, {"user": dora, "official": bea, "role": "referee"}),
        (services.venue_take_out, {"user": dora}),
    ):
        assert code_of(act, **at, **arguments) == "at_venue"
    assert not swiss.meetings.filter(state="ready", opened_at__isnull=False).exists()


def test_a_copy_that_is_given_up_leaves_the_tournament_as_it_was(swiss: Tournament, dora: User) -> None:
    play(swiss, dora, rounds=1)
    before = fresh(swiss)
    taken_out(swiss, dora)
    services.venue_give_up(tournament_id=swiss.pk, user=dora)
    assert fresh(swiss) == before
    assert swiss.meetings.filter(state="ready", opened_at__isnull=False).count() == len(ready(swiss)) > 0
    play(swiss, dora, rounds=2)
    assert fresh(swiss).phase == "over"
    assert code_of(services.venue_give_up, tournament_id=swiss.pk, user=dora) == "venue_not_out"


def test_matches_arranged_online_are_called_off_at_the_door_and_arranged_again_when_it_is_given_up(
    club: Club, players: list[User], dora: User
) -> None:
    made = services.tournament_create(creator=dora, club=club, name="Online", terms=terms(clock="club", venue="online"))
    for user in players[:2]:
        services.entrant_register(tournament_id=made.pk, user=user)
    services.tournament_start(tournament_id=made.pk, user=dora)
    first = made.meetings.get().match_id
    out = taken_out(made, dora)
    assert (Match.objects.get(pk=first).status, made.meetings.get().match_id) == ("cancelled", None)
    with played_at_venue(out, director=dora) as venue:
        assert venue.tournament.meetings.get().match_id is None  # over the board, whatever the terms say
        assert venue.tournament.meetings.get().opened_at is not None
    services.venue_give_up(tournament_id=made.pk, user=dora)
    assert made.meetings.get().match.status == "open"


def test_a_player_who_deletes_their_account_keeps_their_place_at_the_venue(
    swiss: Tournament, dora: User, players: list[User]
) -> None:
    taken_out(swiss, dora)
    leave_tournaments(players[0])
    assert fresh(swiss).withdrawn == frozenset()


# People who came at the venue


@pytest.mark.parametrize("same", [True, False])
def test_somebody_who_came_at_the_venue_is_the_member_of_that_name_if_the_director_says_so(
    swiss: Tournament, dora: User, person: Callable[..., User], same: bool
) -> None:
    hugo = person("hugo")
    with played_at_venue(taken_out(swiss, dora), director=dora) as venue:
        services.entrant_add(tournament_id=swiss.pk, user=dora, name="Hugo")
        services.entrant_add(tournament_id=swiss.pk, user=dora, name="Rosa")
        play(venue.tournament, dora)
    bring = {"tournament_id": swiss.pk, "user": dora, "data": venue.results}
    newcomers = services.venue_results_check(**bring).newcomers
    assert [(each.name, each.member) for each in newcomers] == [("Hugo", hugo), ("Rosa", None)]
    services.venue_results_bring(**bring, members=[newcomers[0].key] if same else [])
    entrant = swiss.entrants.get(number=8)
    assert (entrant.name, entrant.user) == (("hugo", hugo) if same else ("Hugo", None))
    rated = RatedMatch.objects.filter(match__seats__user=hugo).count()
    assert rated == (2 if same else 0)  # and once they met a walk-in


def test_a_substitute_at_the_venue_takes_the_place_from_then_on(
    swiss: Tournament, dora: User, players: list[User]
) -> None:
    with played_at_venue(taken_out(swiss, dora), director=dora) as venue:
        play(venue.tournament, dora, rounds=1)
        services.entrant_substitute(tournament_id=swiss.pk, user=dora, number=1, name="Rosa")
        play(venue.tournament, dora, rounds=2)
    services.venue_results_bring(tournament_id=swiss.pk, user=dora, data=venue.results)
    entrant = swiss.entrants.get(number=1)
    assert (entrant.name, entrant.user) == ("Rosa", None)
    assert [(each.user, each.name) for each in fresh(swiss).people[1]] == [(players[0].pk, "ana"), (None, "Rosa")]
    assert RatedMatch.objects.filter(match__seats__user=players[0]).count() == 1


def test_an_account_of_the_venue_is_no_account_of_the_site(swiss: Tournament, dora: User, person: Any) -> None:
    with played_at_venue(taken_out(swiss, dora), director=dora) as venue:
        services.entrant_link(tournament_id=swiss.pk, user=dora, number=7, player=person("paco.local"))
        services.entrant_link(tournament_id=swiss.pk, user=dora, number=1, player=person("ana.local"))
        play(venue.tournament, dora)
    User.objects.filter(username__endswith=".local").delete()
    services.venue_results_bring(tournament_id=swiss.pk, user=dora, data=venue.results)
    assert [entrant.name for entrant in swiss.entrants.filter(number__in=(1, 7))] == ["ana", "Paco"]
    assert swiss.entrants.get(number=7).user is None


def test_seeds_by_rating_are_those_of_the_site_at_the_venue(swiss: Tournament, dora: User, players: list[User]) -> None:
    online(players, now())
    out = taken_out(swiss, dora)
    assert b"@" not in venue_file_text(out)
    with played_at_venue(out, director=dora):
        services.seeding_set(tournament_id=swiss.pk, user=dora, method="rating")
        seeds = swiss.entrants.exclude(seed_rank=None).order_by("seed_rank")
        assert [entrant.name for entrant in seeds] == ["ana", "bea"]
        assert {entrant.user for entrant in swiss.entrants.all()} == {None}


def venue_file_text(data: bytes) -> bytes:
    return json.dumps(dict(venue_file.read(data, "out").body)).encode()


def test_teams_go_to_the_venue_and_back(dora: User) -> None:
    made = team_tournament(dora, "round-robin", ("A", "B", "C", "D"), boards=3)
    out = taken_out(made, dora)
    with played_at_venue(out, director=dora) as venue:
        services.team_enter(tournament_id=made.pk, user=dora, name="E", players=["E1", "E2", "E3"])
        services.tournament_start(tournament_id=made.pk, user=dora)
        open_round(venue.tournament, dora, 1)
        for fixture in [each for each in fresh(venue.tournament).fixtures if each.state == "ready" and each.round == 1]:
            home, away = (venue.tournament.entrants.get(number=number).name for number in fixture.entrants)
            team_match(venue.tournament, dora, home, away, 2)
        expected = fresh(venue.tournament).standings
    services.venue_results_bring(tournament_id=made.pk, user=dora, data=venue.results)
    assert fresh(made).standings == expected
    players = made.entrants.filter(team__entrant__written_name="E")
    assert [player.name for player in players] == ["E1", "E2", "E3"]


# Conflicts


def test_what_was_done_on_the_site_after_the_copy_was_given_up_is_shown_and_undone(
    swiss: Tournament, dora: User
) -> None:
    with played_at_venue(taken_out(swiss, dora), director=dora) as venue:
        play(venue.tournament, dora)
        expected = fresh(venue.tournament)
    services.venue_give_up(tournament_id=swiss.pk, user=dora)
    services.tournament_start(tournament_id=swiss.pk, user=dora)
    key = ready(swiss)[0]
    services.result_enter(tournament_id=swiss.pk, user=dora, key=key, winner=None, how="walkover")
    bring = {"tournament_id": swiss.pk, "user": dora, "data": venue.results}
    found = services.venue_results_check(**bring)
    assert [(event.kind, event.by) for event in found.overruled] == [("drawn", dora), ("result", dora)]
    assert list(found.overruled_results) == [key]
    services.venue_results_bring(**bring)
    after = fresh(swiss)
    assert (after.results, after.standings, after.phase) == (expected.results, expected.standings, "over")
    assert not services.venue_results_check(**bring).is_new


def test_players_who_were_added_on_both_sides_are_not_mixed_up(swiss: Tournament, dora: User) -> None:
    with played_at_venue(taken_out(swiss, dora), director=dora) as venue:
        services.entrant_add(tournament_id=swiss.pk, user=dora, name="Rosa")
    services.venue_give_up(tournament_id=swiss.pk, user=dora)
    services.entrant_add(tournament_id=swiss.pk, user=dora, name="Hugo")
    bring = {"tournament_id": swiss.pk, "user": dora, "data": venue.results}
    assert code_of(services.venue_results_bring, **bring) == "venue_entrants"
