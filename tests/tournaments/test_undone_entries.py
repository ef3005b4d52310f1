"""Undone entries: entrant numbers, the waiting list and missed rounds; and matches annulled by the club."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.clubs.services import default_club_ensure
from accounts.models import Membership, User
from games import services as play
from games.models import RatedMatch
from tests.tournaments.conftest import fresh
from tests.tournaments.entrant_names import active_names
from tests.tournaments.site_matches import assert_ratings_match_logs, play_on_site
from tests.tournaments.test_corrections import correct, enter, last_act, redo, undo
from tests.tournaments.test_services import refused
from tournaments import services
from tournaments.fold import fold
from tournaments.models import Entrant, Tournament
from tournaments.state import Event, State

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


def late(made: Tournament, dora: User, **entrant: Any) -> int:
    services.entrant_late(tournament_id=made.pk, user=dora, **entrant)
    return last_act(made)


def drawn(made: Tournament, dora: User) -> int:
    services.tournament_draw(tournament_id=made.pk, user=dora)
    return last_act(made)


def test_a_player_whose_entry_was_undone_registers_under_the_old_number(
    tournament: Make, dora: User, ana: User
) -> None:
    made = tournament(walk_ins=3)
    draw = drawn(made, dora)
    undo(made, dora, late(made, dora, player=ana))
    assert Entrant.objects.get(tournament=made, user=ana).withdrawn
    undo(made, dora, draw)
    services.entrant_register(tournament_id=made.pk, user=ana)
    assert active_names(made) == ["W1", "W2", "W3", "ana"]
    assert fresh(made).entrants == (1, 2, 3, 4)
    refused("entered", services.entrant_register, tournament_id=made.pk, user=ana)


def test_an_undone_late_entry_can_be_repeated_under_the_old_number(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(walk_ins=3, start=True)
    undo(made, dora, late(made, dora, player=ana))
    assert fresh(made).order == (1, 2, 3)
    late(made, dora, player=ana)
    assert fresh(made).order == (1, 2, 3, 4)
    assert [entrant.number for entrant in made.entrants.filter(user=ana)] == [4]


def test_an_entrant_of_an_undone_draw_waits_when_the_draw_is_redone(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(walk_ins=3)
    draw = drawn(made, dora)
    undo(made, dora, draw)
    services.entrant_register(tournament_id=made.pk, user=ana)
    redo(made, dora, draw)
    assert (fresh(made).order, fresh(made).waiting) == ((1, 2, 3), (4,))
    assert Entrant.objects.get(tournament=made, user=ana).waiting
    late(made, dora, number=4)
    assert (fresh(made).order, fresh(made).waiting) == ((1, 2, 3, 4), ())


def test_an_undone_withdrawal_from_before_the_draw_puts_on_the_waiting_list(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4)
    services.entrant_withdraw(tournament_id=made.pk, user=dora, number=2)
    left = last_act(made)
    drawn(made, dora)
    undo(made, dora, left)
    assert (fresh(made).order, fresh(made).waiting) == ((1, 3, 4), (2,))


def test_a_drawn_entrant_plays_even_if_the_admission_is_undone(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=3, capacity=2)
    services.entrant_admit(tournament_id=made.pk, user=dora, number=3)
    came = last_act(made)
    drawn(made, dora)
    undo(made, dora, came)
    assert (fresh(made).order, fresh(made).entrants, fresh(made).waiting) == ((1, 2, 3), (1, 2, 3), ())
    assert not Entrant.objects.get(tournament=made, number=3).waiting


def test_a_drawn_entrant_is_not_on_the_waiting_list() -> None:
    entered = [Event("registered", {"entrant": number}) for number in (1, 2)]
    after_the_draw = [
        Event("drawn", {"order": [1, 2]}),
        Event("withdrawn", {"entrant": 2}),
        Event("waited", {"entrant": 2}),
    ]
    state = fold([*entered, *after_the_draw], State())
    assert (state.waiting, state.order, state.withdrawn) == ((), (1, 2), frozenset({2}))


def test_a_late_entry_missed_at_most_the_effective_rounds(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True, format_="swiss", config={"rounds": 3})
    keys = [pairing.key for pairing in fresh(made).pairings]
    results = [enter(made, dora, key, fresh(made).by_key[key].entrants[0]) for key in keys]
    late(made, dora, name="Late")
    assert fresh(made).late[5].rounds == 2
    undo(made, dora, results[-1])
    assert (len(fresh(made).rounds), fresh(made).late[5].rounds) == (1, 1)


def test_a_penalty_does_not_count_against_another_opponent(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=3, start=True)
    act = enter(made, dora, "main-1-2", 2)
    final = fresh(made).by_key["main-2-1"]
    assert final.entrants == (1, 2)
    services.penalty_give(tournament_id=made.pk, user=dora, key=final.key, number=1, points=2)
    assert fresh(made).penalties_of(final) == {1: 2}
    undo(made, dora, act)
    assert fresh(made).penalties_of(fresh(made).by_key[final.key]) == {}
    enter(made, dora, "main-1-2", 3)
    assert fresh(made).by_key[final.key].entrants == (1, 3)
    assert fresh(made).penalties_of(fresh(made).by_key[final.key]) == {}
    correct(made, dora, "main-1-2", 2)
    assert fresh(made).penalties_of(fresh(made).by_key[final.key]) == {1: 2}


def test_a_result_annulled_by_the_club_stays_annulled_through_undo_and_redo(
    tournament: Make, dora: User, ana: User, bea: User, carlos: User
) -> None:
    made = tournament(rated=True, clock="club")
    for player in (ana, bea):
        services.entrant_register(tournament_id=made.pk, user=player)
    services.tournament_start(tournament_id=made.pk, user=dora)
    match = play_on_site(made, "main-1-1", ana)
    act = last_act(made)
    Membership.objects.create(club=default_club_ensure(), user=carlos, role=Membership.Role.DIRECTOR)
    match_correction: dict[str, Any] = {"match_id": match.pk, "by": carlos, "winner": match.winner}
    play.result_correct(**match_correction, counts=False, reason="wrong clock")
    undo(made, dora, act)
    redo(made, dora, act)
    assert not RatedMatch.objects.get(match=match).counts
    correction = correct(made, dora, "main-1-1", 2, points=(2, 3))
    assert not RatedMatch.objects.get(match=match).counts
    match.refresh_from_db()
    play.result_correct(**{**match_correction, "winner": match.winner}, counts=True, reason="it was right")
    undo(made, dora, correction)
    assert RatedMatch.objects.get(match=match).counts
    undo(made, dora, act)
    assert not RatedMatch.objects.get(match=match).counts
    redo(made, dora, act)
    assert RatedMatch.objects.get(match=match).counts
    assert_ratings_match_logs()
