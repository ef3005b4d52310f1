"""Files of venue mode that are refused: damaged, forged, of another copy, or sent by somebody who may not."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from accounts.models import Club, Membership, User
from games import services as play_services
from tests.tournaments.conftest import fresh, terms
from tests.tournaments.venue.venue_site import code_of, play, played_at_venue, taken_out
from tournaments import services, venue_file
from tournaments.errors import Refused
from tournaments.models import Tournament, VenueCopy

pytestmark = pytest.mark.django_db
PLAYERS = 6


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
