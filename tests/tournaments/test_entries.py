"""Entries: conditions, the waiting list, payments, late entries, substitutes and penalties."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils.translation import override

from accounts.clubs import services as clubs
from accounts.models import User
from games import services as play
from games.database import now
from games.models import Match, Rating, RatingPool
from games.selectors.match_files import match_text
from tests.replayed_state import replayed_state
from tests.tournaments.conftest import fresh, ready, terms
from tests.tournaments.site_matches import assert_ratings_match_logs, play_on_site
from tests.tournaments.test_services import enter, kinds, refused
from tournaments import notify, services
from tournaments.models import Entrant, Meeting, Tournament
from tournaments.selectors import exports
from tournaments.selectors.director_desk import director_desk
from tournaments.selectors.pairing_rows import tournament_rows
from tournaments.selectors.tournament_page import tournament_page
from tournaments.state import Person

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


def active_names(tournament: Tournament) -> list[str]:
    """The names of those who have a place, in their order."""
    names = {entrant.number: entrant.name for entrant in Entrant.objects.filter(tournament=tournament)}
    state = fresh(tournament)
    return [names[number] for number in state.entrants if number not in state.withdrawn]


def number_of(tournament: Tournament, name: str) -> int:
    return next(entrant.number for entrant in Entrant.objects.filter(tournament=tournament) if entrant.name == name)


# Conditions


def test_the_password_lets_players_in_and_is_stored_as_a_hash(
    tournament: Make, dora: User, ana: User, bea: User
) -> None:
    made = tournament(entry="password")
    refused("by_password", services.entrant_register, tournament_id=made.pk, user=ana, password="")
    services.password_set(tournament_id=made.pk, user=dora, password=" Fevga 66 ")
    made.refresh_from_db()
    assert "Fevga" not in made.password
    refused("by_password", services.entrant_register, tournament_id=made.pk, user=ana, password="fevga 66")
    services.entrant_register(tournament_id=made.pk, user=ana, password="Fevga 66")
    link = services.invitation_renew(tournament_id=made.pk, user=dora)
    services.entrant_register(tournament_id=made.pk, user=bea, invitation=link)
    assert active_names(made) == ["ana", "bea"]


def test_only_the_newest_invitation_is_valid(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(entry="invited")
    refused("by_invitation", services.entrant_register, tournament_id=made.pk, user=ana, invitation="")
    first = services.invitation_renew(tournament_id=made.pk, user=dora)
    second = services.invitation_renew(tournament_id=made.pk, user=dora)
    refused("by_invitation", services.entrant_register, tournament_id=made.pk, user=ana, invitation=first)
    services.entrant_register(tournament_id=made.pk, user=ana, invitation=second)
    refused("not_director", services.invitation_renew, tournament_id=made.pk, user=ana)
    refused("not_director", services.password_set, tournament_id=made.pk, user=ana, password="x")
    refused("password", services.password_set, tournament_id=made.pk, user=dora, password="x" * 41)


def test_a_tournament_can_be_for_members_of_the_club_only(
    person: Callable[..., User], dora: User, ana: User, bea: User
) -> None:
    dora.is_staff = True
    dora.save(update_fields=["is_staff"])
    club = clubs.club_create(by=dora, name="Peña del dado")
    made = services.tournament_create(
        creator=dora, name="Torneo semanal del club", terms=terms(club_only=True), club=club
    )
    refused("club_only", services.entrant_register, tournament_id=made.pk, user=ana)
    services.entrant_add(tournament_id=made.pk, user=dora, player=ana)
    assert active_names(made) == ["ana"]


def test_a_tournament_can_have_rating_bounds_in_the_pool_of_its_game(
    tournament: Make, dora: User, ana: User, bea: User, carlos: User
) -> None:
    made = tournament(rating_from=1480, rating_to=1520, clock="club")
    pool = RatingPool.objects.create(variant="backgammon", pace="live")
    for user, rating in ((ana, 1479.4), (bea, 1520.6)):
        facts = {"rating": rating, "peak": rating, "experience": 5, "last_at": now(), "peak_at": now()}
        Rating.objects.create(pool=pool, user=user, **facts)
    refused("rating_low", services.entrant_register, tournament_id=made.pk, user=ana)
    refused("rating_high", services.entrant_register, tournament_id=made.pk, user=bea)
    enter(made, carlos)  # who has none begins with 1500
    services.entrant_add(tournament_id=made.pk, user=dora, player=ana)
    assert active_names(made) == ["carlos", "ana"]


def test_entries_close_before_the_start_but_not_for_a_director(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(starts_at=now() + timedelta(minutes=10), closes_minutes=15)
    refused("closed_at", services.entrant_register, tournament_id=made.pk, user=ana)
    services.entrant_add(tournament_id=made.pk, user=dora, player=ana)
    assert active_names(made) == ["ana"]


@pytest.mark.parametrize("wrong", [{"entry": "friends"}, {"rating_from": 1600, "rating_to": 1500}, {"rating_to": -1}])
def test_impossible_conditions_are_refused(dora: User, wrong: dict[str, Any]) -> None:
    refused("config", services.tournament_create, creator=dora, name="Torneo semanal del club", terms=terms(**wrong))


# Waiting list


def test_entrants_above_the_limit_wait_and_are_admitted_automatically(
    tournament: Make, dora: User, ana: User, bea: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    notified: list[int] = []
    monkeypatch.setattr(notify.notify, "notify_user", lambda user_id, message: notified.append(user_id))
    made = tournament(walk_ins=2, capacity=2)
    enter(made, ana, bea)
    assert (active_names(made), fresh(made).waiting) == (["W1", "W2"], (3, 4))
    refused("entered", services.entrant_register, tournament_id=made.pk, user=ana)
    services.entrant_withdraw(tournament_id=made.pk, user=dora, number=1)
    assert (active_names(made), fresh(made).waiting, notified) == (["W2", "ana"], (4,), [ana.pk])
    assert [(entrant.waiting, entrant.withdrawn) for entrant in made.entrants.all()] == [
        (False, True),
        (False, False),
        (False, False),
        (True, False),
    ]
    assert kinds(made)[-2:] == ["withdrawn", "admitted"]


def test_a_higher_limit_or_a_director_admits_from_the_waiting_list(
    tournament: Make, dora: User, ana: User, bea: User, carlos: User
) -> None:
    made = tournament(walk_ins=2, capacity=2)
    enter(made, ana, bea, carlos)
    refused("not_director", services.entrant_admit, tournament_id=made.pk, user=ana, number=3)
    services.entrant_admit(tournament_id=made.pk, user=dora, number=4)
    assert active_names(made) == ["W1", "W2", "bea"]
    refused("not_waiting", services.entrant_admit, tournament_id=made.pk, user=dora, number=4)
    services.tournament_update(tournament_id=made.pk, user=dora, capacity=4)
    assert (active_names(made), fresh(made).waiting) == (["W1", "W2", "bea", "ana"], (5,))


def test_a_withdrawn_player_returns_at_the_end_of_the_waiting_list(
    tournament: Make, dora: User, ana: User, bea: User
) -> None:
    made = tournament(walk_ins=1, capacity=2)
    enter(made, ana, bea)
    services.entrant_withdraw(tournament_id=made.pk, user=ana, number=2)
    assert active_names(made) == ["W1", "bea"]
    enter(made, ana)
    assert (active_names(made), fresh(made).waiting) == (["W1", "bea"], (2,))
    services.entrant_withdraw(tournament_id=made.pk, user=ana, number=2)
    assert fresh(made).waiting == ()
    services.entrant_withdraw(tournament_id=made.pk, user=bea, number=3)
    enter(made, ana)
    assert active_names(made) == ["W1", "ana"]


def test_an_undone_withdrawal_returns_the_admitted_player_to_the_list(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(walk_ins=2, capacity=2)
    enter(made, ana)
    services.entrant_withdraw(tournament_id=made.pk, user=dora, number=1)
    act = made.events.get(kind="withdrawn").act
    services.act_undo(tournament_id=made.pk, user=dora, act=act)
    assert (active_names(made), fresh(made).waiting) == (["W1", "W2"], (3,))
    services.act_redo(tournament_id=made.pk, user=dora, act=act)
    assert (active_names(made), fresh(made).waiting) == (["W2", "ana"], ())


def test_the_waiting_list_is_not_drawn(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(walk_ins=2, capacity=2)
    enter(made, ana)
    services.tournament_start(tournament_id=made.pk, user=dora)
    assert (fresh(made).order, fresh(made).waiting) == ((1, 2), (3,))


def test_the_director_records_who_has_paid(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(walk_ins=2)
    refused("not_director", services.entrant_paid, tournament_id=made.pk, user=ana, number=1)
    services.entrant_paid(tournament_id=made.pk, user=dora, number=1)
    services.entrant_paid(tournament_id=made.pk, user=dora, number=1)
    assert [entrant.paid for entrant in made.entrants.all()] == [True, False]
    services.entrant_paid(tournament_id=made.pk, user=dora, number=1, paid=False)
    assert (fresh(made).paid, kinds(made).count("paid")) == (frozenset(), 2)


# Late entries


def test_a_late_entry_takes_a_bye_with_penalty_points(tournament: Make, dora: User, ana: User, bea: User) -> None:
    made = tournament(start=False)
    enter(made, ana, bea)
    services.entrant_add(tournament_id=made.pk, user=dora, name="Walk-in")
    services.tournament_start(tournament_id=made.pk, user=dora)
    assert ready(made) == ["main-1-2"]
    carlos = User.objects.create_user("carlos")
    refused("not_director", services.entrant_late, tournament_id=made.pk, user=ana, player=carlos)
    late = services.entrant_late(tournament_id=made.pk, user=dora, player=carlos, points=2)
    state = fresh(made)
    assert (state.order, ready(made)) == ((1, 2, 3, 4), ["main-1-1", "main-1-2"])
    assert state.by_key["main-1-1"].entrants == (1, late.number)
    match = Meeting.objects.get(tournament=made, key="main-1-1").match
    assert {seat.user: seat.points for seat in match.seats.all()} == {ana: 2, carlos: 0}
    refused("no_bye", services.entrant_late, tournament_id=made.pk, user=dora, name="Fifth")
    act = made.events.get(kind="late").act
    services.act_undo(tournament_id=made.pk, user=dora, act=act)
    assert (fresh(made).order, ready(made)) == ((1, 2, 3), ["main-1-2"])
    assert Entrant.objects.get(tournament=made, number=4).withdrawn
    services.act_redo(tournament_id=made.pk, user=dora, act=act)
    assert fresh(made).order == (1, 2, 3, 4)


def test_a_late_entry_cannot_take_a_bye_whose_holder_plays_the_next_match(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=3, start=True)
    services.result_enter(tournament_id=made.pk, user=dora, key="main-1-2", winner=2, points=(3, 0))
    services.result_enter(tournament_id=made.pk, user=dora, key="main-2-1", winner=1, points=(3, 0))
    refused("already_over", services.entrant_late, tournament_id=made.pk, user=dora, name="Late")
    five = tournament(walk_ins=5, start=True)  # 4 meets 5 for the place against 1; byes of 1, 2 and 3
    services.result_enter(tournament_id=five.pk, user=dora, key="main-2-2", winner=2, points=(3, 0))
    refused("late_started", services.entrant_late, tournament_id=five.pk, user=dora, name="Late")


@pytest.mark.parametrize("byes", ["top", "drawn"])
@pytest.mark.parametrize("players", range(3, 17))
def test_a_late_entry_moves_nobody_else(tournament: Make, dora: User, byes: str, players: int) -> None:
    made = tournament(walk_ins=players, config={"byes": byes, "consolation": "progressive"}, start=True)
    before = {
        pairing.key: pairing.entrants
        for pairing in fresh(made).pairings
        if pairing.section == "main" and pairing.round == 1
    }
    if players & (players - 1) == 0:
        refused("no_bye", services.entrant_late, tournament_id=made.pk, user=dora, name="Late")
        return
    services.entrant_late(tournament_id=made.pk, user=dora, name="Late")
    after = {
        pairing.key: pairing.entrants
        for pairing in fresh(made).pairings
        if pairing.section == "main" and pairing.round == 1
    }
    changed = [key for key in before if before[key] != after[key]]
    assert len(changed) == 1
    assert {*after[changed[0]]} == {*before[changed[0]], players + 1}


def test_a_round_robin_takes_late_entries_before_the_first_result(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=3, format_="round-robin", start=True)
    services.entrant_late(tournament_id=made.pk, user=dora, name="Fourth")
    assert len(fresh(made).pairings) == 6
    key = ready(made)[0]
    winner = fresh(made).by_key[key].entrants[0]
    services.result_enter(tournament_id=made.pk, user=dora, key=key, winner=winner, points=(3, 0))
    refused("late_results", services.entrant_late, tournament_id=made.pk, user=dora, name="Fifth")


def play_round(tournament: Tournament, dora: User) -> None:
    for key in ready(tournament):
        winner = fresh(tournament).by_key[key].entrants[0]
        services.result_enter(tournament_id=tournament.pk, user=dora, key=key, winner=winner, points=(3, 0))


@pytest.mark.parametrize(("half", "score"), [(False, 0.0), (True, 0.5)])
def test_a_late_entry_is_paired_in_the_next_round_of_a_swiss(
    tournament: Make, dora: User, half: bool, score: float
) -> None:
    made = tournament(walk_ins=4, format_="swiss", config={"rounds": 3}, pace="hand", start=True)
    services.round_pair(tournament_id=made.pk, user=dora)
    services.entrant_late(tournament_id=made.pk, user=dora, name="Late", half=half)
    assert 5 not in {number for pairing in fresh(made).pairings for number in pairing.entrants}
    play_round(made, dora)
    line = next(line for line in fresh(made).standings if line.entrant == 5)
    assert (dict(line.values)["wins"], line.wins) == (score, 0)
    services.round_pair(tournament_id=made.pk, user=dora)
    assert 5 in {number for pairing in fresh(made).pairings for number in pairing.entrants}
    play_round(made, dora)
    services.round_pair(tournament_id=made.pk, user=dora)
    refused("late_last", services.entrant_late, tournament_id=made.pk, user=dora, name="Too late")


def test_missed_rounds_are_losses_in_x_losses(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=6, format_="losses", config={"losses": 2}, pace="hand", start=True)
    for _round in range(2):
        services.round_pair(tournament_id=made.pk, user=dora)
        play_round(made, dora)
    refused("late_out", services.entrant_late, tournament_id=made.pk, user=dora, name="Late")
    services.entrant_late(tournament_id=made.pk, user=dora, name="Late", half=True)
    assert 7 in fresh(made).order


def test_the_waiting_list_can_enter_late_and_withdrawn_players_are_reinstated(
    tournament: Make, dora: User, ana: User, bea: User
) -> None:
    made = tournament(walk_ins=2, capacity=3)
    enter(made, ana, bea)
    services.tournament_start(tournament_id=made.pk, user=dora)
    refused("entered", services.entrant_late, tournament_id=made.pk, user=dora, player=bea)
    services.entrant_late(tournament_id=made.pk, user=dora, number=4)
    assert (fresh(made).order, fresh(made).waiting) == ((1, 2, 3, 4), ())
    services.entrant_withdraw(tournament_id=made.pk, user=bea, number=4)
    refused("late_back", services.entrant_late, tournament_id=made.pk, user=dora, player=bea)


# Names


def test_equal_names_of_walk_ins_are_numbered(tournament: Make, dora: User) -> None:
    made = tournament()
    for name in ("Juan Pérez", "juan  pérez", "JUAN PÉREZ", "Juan Pérez (2)", "J" * 80, "j" * 80):
        services.entrant_add(tournament_id=made.pk, user=dora, name=name)
    assert active_names(made) == [
        "Juan Pérez",
        "juan pérez (2)",
        "JUAN PÉREZ (3)",
        "Juan Pérez (2) (2)",
        "J" * 80,
        f"{'j' * 76} (2)",
    ]


def test_a_walk_in_with_the_name_of_a_player_is_numbered(tournament: Make, dora: User, ana: User, bea: User) -> None:
    made = tournament()
    enter(made, ana)
    services.entrant_add(tournament_id=made.pk, user=dora, name="Ana")
    services.entrant_add(tournament_id=made.pk, user=dora, name="Bea")
    enter(made, bea)
    services.entrant_add(tournament_id=made.pk, user=dora, name="Carlos")
    services.tournament_start(tournament_id=made.pk, user=dora)
    services.entrant_substitute(tournament_id=made.pk, user=dora, number=5, name="ana")
    assert active_names(made) == ["ana", "Ana (2)", "Bea (2)", "bea", "ana (3)"]


# Substitutes


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


# Penalties


def penalise(tournament: Tournament, dora: User, number: int, points: int) -> None:
    services.penalty_give(tournament_id=tournament.pk, user=dora, key="main-1-1", number=number, points=points)


def test_penalty_points_are_the_lead_of_the_opponent_from_the_first_game(
    tournament: Make, dora: User, ana: User, bea: User
) -> None:
    made = tournament(lengths=[5])
    enter(made, ana, bea)
    services.tournament_start(tournament_id=made.pk, user=dora)
    facts = {"key": "main-1-1", "number": 1, "points": 1}
    refused("not_referee", services.penalty_give, tournament_id=made.pk, user=ana, **facts)
    refused("penalty", services.penalty_give, tournament_id=made.pk, user=dora, **{**facts, "points": 6})
    refused("not_entered", services.penalty_give, tournament_id=made.pk, user=dora, **{**facts, "number": 9})
    penalise(made, dora, 1, 4)
    match = play_on_site(made, "main-1-1", bea)
    assert match.games.get(number=1).score_before == {"length": 5, "white": 0, "black": 4, "crawford": True}
    assert replayed_state(match).score.points("black") == 4
    assert " ana : 0" in match_text(match, "mat")
    assert "bea : 4" in match_text(match, "mat")
    assert fresh(made).by_key["main-1-1"].result.points == (0, 4)


def test_as_many_penalty_points_as_the_match_length_lose_the_match(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=2, start=True)
    penalise(made, dora, 1, 3)
    assert (fresh(made).by_key["main-1-1"].result.winner, fresh(made).phase) == (2, "over")


def test_a_reported_score_includes_the_lead(tournament: Make, dora: User, ana: User, bea: User) -> None:
    made = tournament(lengths=[5])
    enter(made, ana, bea)
    services.tournament_start(tournament_id=made.pk, user=dora)
    penalise(made, dora, 1, 2)
    arguments = {"tournament_id": made.pk, "user": ana, "key": "main-1-1", "winner": 1}
    refused("report_lead", services.result_report, **arguments, points=(5, 1))
    services.result_report(**arguments, points=(5, 2))


def test_an_undone_penalty_removes_the_lead_but_a_live_match_keeps_its_score(
    tournament: Make, dora: User, ana: User, bea: User
) -> None:
    made = tournament(lengths=[5])
    enter(made, ana, bea)
    services.tournament_start(tournament_id=made.pk, user=dora)
    match = Meeting.objects.get(tournament=made).match
    for points in (2, 0, 3):
        penalise(made, dora, 2, points)
        assert match.seats.get(side="white").points == points
    for user in (ana, bea):
        play.match_arrive(match_id=match.pk, user=user)
    refused("in_play", services.penalty_give, tournament_id=made.pk, user=dora, key="main-1-1", number=1, points=1)


def test_the_reason_of_a_ruling_is_public(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=2, start=True)
    arguments = {"tournament_id": made.pk, "user": dora, "key": "main-1-1", "winner": 1, "how": "walkover"}
    refused("no_reason", services.result_enter, **arguments, why="x" * 201)
    services.result_enter(**arguments, why="  the rival  went home ")
    result = fresh(made).by_key["main-1-1"].result
    assert (result.why, result.corrected) == ("the rival went home", False)
