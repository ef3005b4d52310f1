"""Substitutes: who plays on, and who is named in what was played before."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils.translation import override

from accounts.models import User
from games import services as play
from games.models import Match, Rating
from tests.tournaments.conftest import fresh, ready
from tests.tournaments.site_matches import assert_ratings_match_logs, play_on_site
from tests.tournaments.test_services import enter, refused
from tournaments import services
from tournaments.models import Meeting, Tournament
from tournaments.selectors import exports
from tournaments.selectors.director_desk import director_desk
from tournaments.selectors.pairing_rows import tournament_rows
from tournaments.selectors.tournament_page import tournament_page
from tournaments.state import Person

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


def test_a_substitute_plays_on_in_a_new_match(tournament: Make, dora: User, ana: User, bea: User, carlos: User) -> None:
    made = tournament()
    enter(made, ana, bea)
    services.tournament_start(tournament_id=made.pk, user=dora)
    before = Meeting.objects.get(tournament=made).match
    refused("not_director", services.entrant_substitute, tournament_id=made.pk, user=ana, number=1, name="x")
    refused("entered", services.entrant_substitute, tournament_id=made.pk, user=dora, number=1, player=bea)
    refused("no_name", services.entrant_substitute, tournament_id=made.pk, user=dora, number=1, name=" ")
    services.entrant_substitute(tournament_id=made.pk, user=dora, number=1, player=carlos)
    after = Meeting.objects.get(tournament=made).match
    before.refresh_from_db()
    assert (before.status, after.status) == (Match.Status.CANCELLED, Match.Status.OPEN)
    assert {seat.user for seat in after.seats.all()} == {carlos, bea}
    refused("replaced", services.entrant_substitute, tournament_id=made.pk, user=dora, number=2, player=ana)
    act = made.events.get(kind="substituted").act
    services.act_undo(tournament_id=made.pk, user=dora, act=act)
    assert {seat.user for seat in Meeting.objects.get(tournament=made).match.seats.all()} == {ana, bea}
    services.act_redo(tournament_id=made.pk, user=dora, act=act)
    assert [entrant.name for entrant in made.entrants.all()] == ["carlos", "bea"]
    services.entrant_substitute(tournament_id=made.pk, user=dora, number=1, player=ana)
    assert [entrant.name for entrant in made.entrants.all()] == ["ana", "bea"]


def test_a_corrected_match_stays_with_the_substituted_player(
    tournament: Make, dora: User, ana: User, bea: User, carlos: User
) -> None:
    made = tournament(clock="club", rated=True, config={"consolation": "none"})
    enter(made, ana, bea)
    services.entrant_add(tournament_id=made.pk, user=dora, name="Third")
    services.tournament_start(tournament_id=made.pk, user=dora)
    services.entrant_late(tournament_id=made.pk, user=dora, player=carlos)
    match = play_on_site(made, "main-1-1", ana)
    eva = User.objects.create_user("eva")
    services.entrant_substitute(tournament_id=made.pk, user=dora, number=1, player=eva)
    services.result_correct(
        tournament_id=made.pk, user=dora, key="main-1-1", winner=4, points=(0, 3), why="the flag fell first"
    )
    match.refresh_from_db()
    assert {seat.user for seat in match.seats.all()} == {ana, carlos}
    assert match.seats.get(side=match.winner).user == carlos
    assert sorted(Rating.objects.values_list("user__username", flat=True)) == ["ana", "carlos"]
    assert_ratings_match_logs()


def replaced_twice(made: Tournament, dora: User, ana: User) -> Tournament:
    """A Swiss of three in which 1 is ana in the first round, Elia in the second and Fermín in the third."""
    enter(made, ana)
    for name in ("Bea", "Carlos"):
        services.entrant_add(tournament_id=made.pk, user=dora, name=name)
    services.tournament_start(tournament_id=made.pk, user=dora)
    for substitute in ("Elia", "Fermín", ""):
        (key,) = ready(made)
        winner = min(fresh(made).by_key[key].entrants)
        services.result_enter(tournament_id=made.pk, user=dora, key=key, winner=winner)
        if substitute:
            services.entrant_substitute(tournament_id=made.pk, user=dora, number=1, name=substitute)
    return made


ROUNDS_OF_1 = {1: "ana", 2: "Elia", 3: "Fermín"}


def test_what_was_played_before_a_substitution_names_the_predecessor(tournament: Make, dora: User, ana: User) -> None:
    made = replaced_twice(tournament(format_="swiss", config={"rounds": 3}), dora, ana)
    page = tournament_page(tournament_id=made.pk, user=None)
    sides = {
        column.round: side.name
        for column in page.sections[0].columns
        for card in column.cards
        for side in card.sides
        if side.number == 1
    }
    assert sides == ROUNDS_OF_1
    line = next(line for line in page.sections[0].standings if line.standing.entrant == 1)
    rows = tournament_rows(made.pk)
    with override("en"):
        assert (line.name, rows.place_names.replaced(1)) == ("Fermín", "replaces ana, Elia")
    of_1 = rows.rows(rows.filtered(entrant=1))
    assert {row.pairing.round: side.name for row in of_1 for side in (row.a, row.b) if side.entrant == 1} == ROUNDS_OF_1


def test_the_files_name_those_who_held_a_place_in_their_order(tournament: Make, dora: User, ana: User) -> None:
    made = replaced_twice(tournament(format_="swiss", config={"rounds": 3}), dora, ana)
    page = exports.exported_page(made.pk)
    entrants = [row[:4] for row in exports.sheet_rows(page, "entrants")]
    assert entrants[:4] == [
        ("number", "holder", "name", "member"),
        (1, 1, "ana", 1),
        (1, 2, "Elia", 0),
        (1, 3, "Fermín", 0),
    ]
    results = [row[2:6] for row in exports.sheet_rows(page, "results")][1:]
    named = {round_ for round_, _number, *names in results if ROUNDS_OF_1[round_] in names}
    assert named == {1, 2, 3}
    first = next(row for row in exports.sheet_rows(page, "standings") if row[2] == "Fermín")
    assert first[-1] == "ana, Elia"
    document = exports.export_document(page)
    assert [holder["name"] for holder in document["entrants"][0]["holders"]] == ["ana", "Elia", "Fermín"]
    sides = ((pairing["round"], pairing[side]) for pairing in document["pairings"] for side in ("a", "b"))
    assert {round_: side["holder"] for round_, side in sides if side["entrant"] == 1} == {1: 1, 2: 2, 3: 3}


def test_the_log_names_who_held_the_place_at_that_time(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True)
    result = {"tournament_id": made.pk, "user": dora, "key": "main-1-1"}
    services.result_enter(**result, winner=1)
    services.entrant_substitute(tournament_id=made.pk, user=dora, number=1, name="Elia")
    services.result_correct(**result, winner=4, why="upside down")
    services.result_correct(**result, winner=1, why="no, right")
    services.entrant_withdraw(tournament_id=made.pk, user=dora, number=1)
    with override("en"):
        log = [entry.text for entry in director_desk(tournament_id=made.pk, user=dora).recent_log]
    assert list(reversed(log[:5])) == [
        "1-1: W1 won.",
        "Elia replaced W1.",
        "Corrected: 1-1: W4 won. Reason: upside down",
        "Corrected: 1-1: W1 won. Reason: no, right",
        "Elia withdrew.",
    ]


def test_byes_to_come_are_those_of_the_substitute(tournament: Make, dora: User) -> None:
    made = tournament(format_="round-robin", walk_ins=5, start=True)
    byes = {pairing.round: pairing.entrants[0] for pairing in fresh(made).pairings if pairing.state == "bye"}
    first = fresh(made).by_key["league-1-1"]
    services.result_enter(tournament_id=made.pk, user=dora, key=first.key, winner=first.entrants[0])
    for number in (byes[1], byes[5]):
        services.entrant_substitute(tournament_id=made.pk, user=dora, number=number, name=f"New {number}")
    rows = tournament_rows(made.pk)
    sides = {row.pairing.round: row.a.name for row in rows.rows(rows.filtered()) if row.pairing.state == "bye"}
    assert (sides[1], sides[5]) == (f"W{byes[1]}", f"New {byes[5]}")


def test_an_undone_result_is_played_again_by_the_substitute(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True)
    services.result_enter(tournament_id=made.pk, user=dora, key="main-1-1", winner=1)
    services.entrant_substitute(tournament_id=made.pk, user=dora, number=1, name="Elia")
    state = fresh(made)
    assert state.predecessor(state.by_key["main-1-1"], 1) == Person(None, "W1")
    assert state.predecessor(state.by_key["main-2-1"], 1) is None
    services.act_undo(tournament_id=made.pk, user=dora, act=made.events.get(kind="result").act)
    services.result_enter(tournament_id=made.pk, user=dora, key="main-1-1", winner=1)
    state = fresh(made)
    assert state.predecessor(state.by_key["main-1-1"], 1) is None


def test_a_player_in_a_live_match_cannot_be_substituted(
    tournament: Make, dora: User, ana: User, bea: User, carlos: User
) -> None:
    made = tournament()
    enter(made, ana, bea)
    services.tournament_start(tournament_id=made.pk, user=dora)
    match = Meeting.objects.get(tournament=made).match
    for user in (ana, bea):
        play.match_arrive(match_id=match.pk, user=user)
    refused("in_play", services.entrant_substitute, tournament_id=made.pk, user=dora, number=1, player=carlos)
