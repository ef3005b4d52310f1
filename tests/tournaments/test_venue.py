"""Venue mode (ruling E27): taken out of the club's site, played without it, brought back once, with nothing changed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from accounts.models import Club, Membership, User
from games import services as play_services
from games.database import now
from games.models import Match, RatedMatch
from games.services import pool_rebuild
from games.services.over_the_board import board_match_record
from tests.tournaments.conftest import fresh, ready, terms
from tests.tournaments.team_tournaments import open_round, team_match, team_tournament
from tests.tournaments.venue_site import figures, played_at_venue, sync, taken_out
from tournaments import services, venue_file
from tournaments.data import leave_tournaments
from tournaments.errors import Refused
from tournaments.models import Tournament, VenueCopy

pytestmark = pytest.mark.django_db
PLAYERS = 6


def code_of(act: Callable[..., object], **arguments: Any) -> str:
    with pytest.raises(Refused) as found, transaction.atomic():
        act(**arguments)
    assert found.value.text
    return found.value.code


@pytest.fixture
def club(dora: User) -> Club:
    made = Club.objects.create(name="Peña", slug="pena", outside=True)
    Membership.objects.create(club=made, user=dora, role="owner")
    return made


@pytest.fixture
def players(person: Callable[..., User]) -> list[User]:
    return [person(name) for name in ("ana", "bea", "carlos", "elena", "fabio", "gina")]


@pytest.fixture
def swiss(club: Club, players: list[User], dora: User) -> Tournament:
    """A rated Swiss over the board, of six members and a walk-in, that has not begun."""
    made = services.tournament_create(
        creator=dora,
        club=club,
        name="Open de otoño",
        terms=terms("swiss", config={"rounds": 3}, rated=True, clock="club", venue="board", lengths=[5]),
    )
    for user in players:
        services.entrant_register(tournament_id=made.pk, user=user)
    services.entrant_add(tournament_id=made.pk, user=dora, name="Paco")
    return made


def enter(made: Tournament, user: User, key: str) -> None:
    """Enter a result that depends on the pairing alone."""
    pairing = fresh(made).by_key[key]
    a, b = pairing.entrants
    points = (5, (a + b) % 5) if (a * b) % 3 else ((a + 2 * b) % 5, 5)
    winner = a if points[0] == 5 else b
    services.result_enter(tournament_id=made.pk, user=user, key=key, winner=winner, points=points)


def play(made: Tournament, user: User, *, rounds: int = 3, each: Callable[[], object] = lambda: None) -> None:
    """Play rounds: in each the last pairing first, with a correction and an undo on the way."""
    if fresh(made).phase == "open":
        services.tournament_start(tournament_id=made.pk, user=user)
    for _round in range(rounds):
        keys = ready(made)
        for key in reversed(keys):
            enter(made, user, key)
            each()
        result = fresh(made).by_key[keys[0]].result
        assert result is not None
        a, b = fresh(made).by_key[keys[0]].entrants
        loser = b if result.winner == a else a
        points = (5, 1) if loser == a else (1, 5)
        change = {"key": keys[0], "winner": loser, "points": points, "why": "Read wrong"}
        services.result_correct(tournament_id=made.pk, user=user, **change, agreed=set(ready(made)))
        each()


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


# Files that are refused


@pytest.fixture
def results(swiss: Tournament, dora: User) -> bytes:
    """The results of a first round at the venue; the tournament is still out."""
    with played_at_venue(taken_out(swiss, dora), director=dora) as venue:
        play(venue.tournament, dora, rounds=1)
    return venue.results


def changed(data: bytes, **document: Any) -> bytes:
    return json.dumps({**json.loads(data), **document}).encode()


def test_a_file_that_is_damaged_forged_or_too_large_is_refused(swiss: Tournament, dora: User, results: bytes) -> None:
    other = venue_file.write("back", venue_file.read(results, "back").body, "0" * 64)
    for data, code in (
        (b"", "venue_damaged"),
        (b"\xff\xfe", "venue_damaged"),
        (b"[" * 100_000, "venue_damaged"),
        (b"[]", "venue_damaged"),
        (b"{}", "venue_damaged"),
        (results[:-40], "venue_damaged"),
        (results + b" " * 1_000_000, "venue_large"),
        (changed(results, version=2), "venue_version"),
        (changed(results, kind="sideways"), "venue_damaged"),
        (changed(results, kind="out"), "venue_is_out"),
        (changed(results, body="AAAA"), "venue_damaged"),
        (changed(results, signature="0" * 64), "venue_signature"),
        (other, "venue_signature"),
    ):
        assert code_of(services.venue_results_bring, tournament_id=swiss.pk, user=dora, data=data) == code


def test_a_file_that_unpacks_to_too_much_is_refused(swiss: Tournament, dora: User) -> None:
    data = venue_file.write("back", {"copy": "0" * 17_000_000}, "0")
    assert code_of(services.venue_results_bring, tournament_id=swiss.pk, user=dora, data=data) == "venue_large"


def test_a_file_of_another_tournament_or_site_or_of_an_earlier_copy_is_refused(
    swiss: Tournament, dora: User, results: bytes, tournament: Callable[..., Tournament]
) -> None:
    other = tournament(walk_ins=2)
    bring = {"user": dora, "data": results}
    assert code_of(services.venue_results_bring, tournament_id=other.pk, **bring) == "venue_other"
    services.venue_give_up(tournament_id=swiss.pk, user=dora)
    taken_out(swiss, dora)
    assert code_of(services.venue_results_bring, tournament_id=swiss.pk, **bring) == "venue_old"
    VenueCopy.objects.all().delete()
    assert code_of(services.venue_results_bring, tournament_id=swiss.pk, **bring) == "venue_unknown"


def test_a_copy_that_was_set_back_after_its_results_came_is_refused(swiss: Tournament, dora: User) -> None:
    out = taken_out(swiss, dora)
    files = []
    for rounds in (1, 2):
        with played_at_venue(out, director=dora) as venue:
            if rounds == 2:
                services.entrant_add(tournament_id=swiss.pk, user=dora, name="Rosa")
            play(venue.tournament, dora, rounds=rounds)
        files.append(venue.results)
    services.venue_results_bring(tournament_id=swiss.pk, user=dora, data=files[0])
    assert code_of(services.venue_results_bring, tournament_id=swiss.pk, user=dora, data=files[1]) == "venue_diverged"


def test_only_directors_take_out_and_bring_back_and_only_owners_of_a_site_bring_here(
    swiss: Tournament, dora: User, players: list[User], results: bytes
) -> None:
    at = {"tournament_id": swiss.pk, "user": players[0]}
    assert code_of(services.venue_results_check, **at, data=results) == "not_director"
    assert code_of(services.venue_results_bring, **at, data=results) == "not_director"
    assert code_of(services.venue_give_up, **at) == "not_director"
    services.venue_give_up(tournament_id=swiss.pk, user=dora)
    assert code_of(services.venue_take_out, **at) == "not_director"
    assert code_of(services.venue_bring_here, user=players[0], data=b"") == "not_club_owner"


def test_a_tournament_is_brought_to_the_site_of_the_venue_once(swiss: Tournament, dora: User) -> None:
    first = taken_out(swiss, dora)
    Membership.objects.create(club=Club.objects.get(is_default=True), user=dora, role="owner")
    assert code_of(services.venue_bring_here, user=dora, data=first) == "venue_own_site"
    services.venue_give_up(tournament_id=swiss.pk, user=dora)
    second = taken_out(swiss, dora)
    with played_at_venue(first, director=dora) as venue:
        assert code_of(services.venue_bring_here, user=dora, data=first) == "venue_here"
        assert code_of(services.venue_take_out, tournament_id=swiss.pk, user=dora) == "venue_again"
        play(venue.tournament, dora, rounds=1)
        assert code_of(services.venue_bring_here, user=dora, data=second) == "venue_replaces"
        venue.tournament = services.venue_bring_here(user=dora, data=second, replace=True)
        play(venue.tournament, dora)
    services.venue_results_bring(tournament_id=swiss.pk, user=dora, data=venue.results)
    assert fresh(swiss).phase == "over"


def test_a_tournament_that_is_over_or_in_play_online_is_not_taken_out(
    swiss: Tournament, dora: User, players: list[User], club: Club
) -> None:
    play(swiss, dora)
    assert code_of(services.venue_take_out, tournament_id=swiss.pk, user=dora) == "already_over"
    made = services.tournament_create(creator=dora, club=club, name="Online", terms=terms(clock="club", venue="online"))
    for user in players[:2]:
        services.entrant_register(tournament_id=made.pk, user=user)
    services.tournament_start(tournament_id=made.pk, user=dora)
    match_id = made.meetings.get().match_id
    for user in players[:2]:
        play_services.match_arrive(match_id=match_id, user=user)
    assert code_of(services.venue_take_out, tournament_id=made.pk, user=dora) == "venue_in_play"


def test_a_thousand_changed_files_are_refused_and_change_nothing(swiss: Tournament, dora: User, results: bytes) -> None:
    luck = random.Random(27)
    before = swiss.events.count()
    for _time in range(1000):
        data = bytearray(results)
        for _change in range(luck.choice((1, 1, 2, 8))):
            place = luck.randrange(len(data))
            if luck.random() < 0.2:
                del data[place : place + luck.randrange(1, 50)]
            else:
                data[place] ^= 1 << luck.randrange(8)
        if json_of(bytes(data)) != json_of(results):
            code = code_of(services.venue_results_bring, tournament_id=swiss.pk, user=dora, data=bytes(data))
            assert code.startswith("venue_")
    assert swiss.events.count() == before


def json_of(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return None


NONSENSE = (None, True, -1, 0, 10**30, 1.5, "", "x" * 300, "\0", [], [[]], {}, {"a": 1})


@pytest.mark.parametrize("kind", ["out", "back"])
def test_a_signed_file_that_makes_no_sense_is_refused_and_is_never_an_error(
    swiss: Tournament, dora: User, kind: venue_file.FileKind
) -> None:
    """Whoever has the secret of a copy can sign anything."""
    out = taken_out(swiss, dora)
    with played_at_venue(out, director=dora) as venue:
        play(venue.tournament, dora, rounds=1)
    Membership.objects.get_or_create(club=Club.objects.get(is_default=True), user=dora, defaults={"role": "owner"})
    body = dict(venue_file.read(out if kind == "out" else venue.results, kind).body)
    secret = dict(venue_file.read(out, "out").body)["secret"]
    luck, texts = random.Random(28), set[str]()
    for _time in range(150):
        nonsense = json.loads(json.dumps(body))
        spoil(nonsense, luck)
        data = venue_file.write(kind, nonsense, secret)
        savepoint = transaction.savepoint()
        try:
            if kind == "out":
                Tournament.objects.all().delete()
                services.venue_bring_here(user=dora, data=data)
            else:
                services.venue_results_bring(tournament_id=swiss.pk, user=dora, data=data)
        except Refused as refused:
            texts.add(refused.text)
        transaction.savepoint_rollback(savepoint)
    assert "This is not a file of a tournament, or it is damaged. Download it again and try once more." in texts


def spoil(value: Any, luck: random.Random) -> None:
    """Replace or remove one value somewhere in a document."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = luck.choice(keys[-40:])
        if isinstance(value[key], dict | list) and value[key] and luck.random() < 0.85:
            value = value[key]
        elif luck.random() < 0.2:
            del value[key]
            return
        else:
            value[key] = luck.choice(NONSENSE)
            return
