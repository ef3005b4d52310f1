"""Pairing who is free in an arena: nobody twice, nobody just met, nobody waits for ever (ruling E26)."""

from __future__ import annotations

from datetime import timedelta
from itertools import combinations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tournaments.formats.arena_pairing import NEAR, REMATCH_AFTER, FreePlayer, may_meet, pair_free

SHORT, LONG = timedelta(seconds=5), REMATCH_AFTER


def waiting(entrant: int, seconds: int = 0, last: int | None = None) -> FreePlayer:
    return FreePlayer(entrant, timedelta(seconds=seconds), last)


ON_A_BUSY_MACHINE = settings(suppress_health_check=[HealthCheck.too_slow])


@st.composite
def free_players(draw: st.DrawFn) -> list[FreePlayer]:
    """Up to twenty players in the order of the table, who have waited a while and may have met one another."""
    entrants = draw(st.lists(st.integers(1, 40), unique=True, max_size=20))
    last = st.none() | st.sampled_from(entrants or [0])
    players = []
    for entrant in entrants:
        met = draw(last)
        players.append(waiting(entrant, draw(st.integers(0, 60)), met if met != entrant else None))
    return players


@given(free_players())
@ON_A_BUSY_MACHINE
def test_nobody_is_paired_twice_and_only_free_players_are(free: list[FreePlayer]) -> None:
    paired = [entrant for pair in pair_free(free) for entrant in pair]
    assert len(paired) == len(set(paired))
    assert set(paired) <= {player.entrant for player in free}


@given(free_players())
@ON_A_BUSY_MACHINE
def test_no_two_who_may_meet_are_left_out(free: list[FreePlayer]) -> None:
    paired = {entrant for pair in pair_free(free) for entrant in pair}
    left = [player for player in free if player.entrant not in paired]
    assert not any(may_meet(a, b) for a, b in combinations(left, 2))


@given(free_players())
@ON_A_BUSY_MACHINE
def test_who_just_met_is_paired_again_only_after_both_have_waited(free: list[FreePlayer]) -> None:
    by_entrant = {player.entrant: player for player in free}
    for a, b in pair_free(free):
        first, second = by_entrant[a], by_entrant[b]
        if first.last == b or second.last == a:
            assert min(first.waited, second.waited) >= REMATCH_AFTER


@given(free_players())
@ON_A_BUSY_MACHINE
def test_after_the_bounded_wait_at_most_one_is_left_out(free: list[FreePlayer]) -> None:
    patient = [FreePlayer(player.entrant, LONG, player.last) for player in free]
    assert len(pair_free(patient)) == len(patient) // 2


def test_neighbours_in_the_table_meet() -> None:
    assert pair_free([waiting(n) for n in (4, 2, 6, 1, 5, 3)]) == [(4, 2), (6, 1), (5, 3)]


def test_who_just_met_meets_somebody_else_while_another_is_free() -> None:
    free = [waiting(1, 40, 2), waiting(2, 40, 1), waiting(3, 40, 4), waiting(4, 40, 3)]
    assert {frozenset(pair) for pair in pair_free(free)} in (
        {frozenset((1, 3)), frozenset((2, 4))},
        {frozenset((1, 4)), frozenset((2, 3))},
    )


def test_two_alone_wait_before_they_meet_again() -> None:
    assert pair_free([waiting(1, 29, 2), waiting(2, 29, 1)]) == []
    assert pair_free([waiting(1, 30, 2), waiting(2, 30, 1)]) == [(1, 2)]


def test_of_an_odd_number_the_one_who_waited_least_is_left_out() -> None:
    free = [waiting(1, 5), waiting(2, 0), waiting(3, 5)]
    assert pair_free(free) == [(1, 3)]


def test_who_was_left_out_is_paired_next() -> None:
    first = [waiting(n) for n in range(1, 8)]
    left = ({player.entrant for player in first} - {n for pair in pair_free(first) for n in pair}).pop()
    after = [waiting(n, 15 if n == left else 5) for n in range(1, 8)]
    assert left in {n for pair in pair_free(after) for n in pair}


def test_two_hundred_are_all_paired_with_somebody_near() -> None:
    pairs = pair_free([waiting(n, n % 30, n + 1 if n % 2 else n - 1) for n in range(1, 201)])
    assert len(pairs) == 100
    assert max(abs(a - b) for a, b in pairs) <= NEAR
