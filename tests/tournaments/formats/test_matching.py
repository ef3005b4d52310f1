"""`pair` finds the best pairing there is."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import networkx
import pytest

from tournaments.formats import matching
from tournaments.formats.core import Invalid
from tournaments.formats.matching import pair


def objective(active, scores, history, pairs, bye):
    """The four numbers that `pair` minimises, in this order."""
    games = [game for games in history for game in games]
    met = Counter(frozenset((a, b)) for a, b, _ in games if b is not None)
    byes = Counter(a for a, b, _ in games if b is None)
    return (
        sum(met[frozenset(pair_)] for pair_ in pairs),
        byes[bye] if bye is not None else 0,
        scores[bye] if bye is not None else 0,
        sum((scores[a] - scores[b]) ** 2 for a, b in pairs),
    )


def every_pairing(active):
    """All pairings of these, with who has the bye."""
    if len(active) % 2:
        for bye in active:
            for pairs, _ in every_pairing([player for player in active if player != bye]):
                yield pairs, bye
    elif not active:
        yield [], None
    else:
        first, *others = active
        for second in others:
            for pairs, _ in every_pairing([player for player in others if player != second]):
                yield [(first, second), *pairs], None


def position(chance: Random, players: int, rounds: int):
    """Players, some of whom left, after so many rounds of anything: rematches, second byes, halves for a draw."""
    roster = list(range(1, players + 1))
    scores: Counter = Counter(dict.fromkeys(roster, 0))
    history = []
    for _ in range(rounds):
        order = chance.sample(roster, players)
        games = [(a, b, chance.choice((a, b, None))) for a, b in zip(order[::2], order[1::2], strict=False)]
        if players % 2:
            games.append((order[-1], None, order[-1]))
        for a, b, winner in games:
            for player in (a, b):
                if player is not None:
                    scores[player] += 1 if winner == player else 0.5 if winner is None else 0
        history.append(games)
    active = [player for player in chance.sample(roster, players) if chance.random() < 0.9]
    return active, dict(scores), history


def is_complete(active, pairs, bye):
    together = [player for pair_ in pairs for player in pair_] + ([bye] if len(active) % 2 else [])
    return sorted(together) == sorted(active)


@pytest.mark.parametrize("near", [1, 8])
def test_no_pairing_is_better(monkeypatch: pytest.MonkeyPatch, near: int) -> None:
    monkeypatch.setattr(matching, "NEAR", near)
    chance = Random(1)
    for _ in range(200):
        active, scores, history = position(chance, chance.randint(2, 8), chance.randint(0, 9))
        pairs, bye = pair(active, scores, history)
        assert is_complete(active, pairs, bye)
        assert objective(active, scores, history, pairs, bye) == min(
            objective(active, scores, history, *candidate) for candidate in every_pairing(active)
        )


def test_trying_near_edges_first_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(2)
    for _ in range(25):
        active, scores, history = position(chance, chance.randint(12, 28), chance.randint(0, 20))
        edges = matching._edges(active, scores, [game for games in history for game in games])
        graph = networkx.Graph()
        graph.add_weighted_edges_from((edge.a, edge.b, -edge.cost) for edge in edges)
        best = -sum(graph.edges[edge]["weight"] for edge in networkx.max_weight_matching(graph, maxcardinality=True))
        for near in (1, 2):
            monkeypatch.setattr(matching, "NEAR", near)
            found = matching._cheapest(len(active) + len(active) % 2, edges)
            assert sum(edge.cost for edge in found) == best


def test_no_edge_is_in_a_cheaper_pairing_than_it_says() -> None:
    chance = Random(3)
    for _ in range(25):
        active, scores, history = position(chance, chance.randint(2, 7), chance.randint(0, 6))
        edges = matching._edges(active, scores, [game for games in history for game in games])
        cost = {frozenset((edge.a, edge.b)): edge.cost for edge in edges}
        nodes = list(range(len(active) + len(active) % 2))
        whole = [[frozenset(pair_) for pair_ in pairs] for pairs, _ in every_pairing(nodes)]
        for edge in edges:
            edge_pair = frozenset((edge.a, edge.b))
            assert edge.least <= min(sum(cost[pair_] for pair_ in pairs) for pairs in whole if edge_pair in pairs)


def test_the_first_round_folds_the_draw() -> None:
    assert pair(["ana", "bea", "carlos", "dora", "eva", "fede"], {}, []) == (
        [("ana", "dora"), ("bea", "eva"), ("carlos", "fede")],
        None,
    )


def test_the_last_of_the_lowest_rests() -> None:
    assert pair([1, 2, 3, 4, 5], dict.fromkeys(range(1, 6), 0), []) == ([(1, 3), (2, 4)], 5)


def test_the_lowest_of_a_group_floats_to_the_highest_of_the_next() -> None:
    scores = {1: 1, 2: 1, 3: 1, 4: 0, 5: 0, 6: 0}
    assert pair([1, 2, 3, 4, 5, 6], scores, []) == ([(1, 2), (3, 4), (5, 6)], None)


def test_a_second_bye_is_avoided_whatever_the_score() -> None:
    scores = {1: 2, 2: 1, 3: 0}
    assert pair([1, 2, 3], scores, [[(3, None, 3)]]) == ([(1, 3)], 2)


def test_a_rematch_is_worse_than_a_second_bye() -> None:
    history = [[(1, 2, 1), (3, None, 3)]]
    assert pair([1, 2, 3], {1: 1, 2: 0, 3: 1}, history) == ([(1, 3)], 2)
    history += [[(1, 3, 1), (2, None, 2)], [(2, 3, 2), (1, None, 1)], [(1, 2, 1), (3, None, 3)]]
    assert pair([1, 2, 3], {1: 3, 2: 2, 3: 2}, history) == ([(1, 3)], 2)
    assert pair([1, 2, 3], {1: 3, 2: 2, 3: 2}, [*history, [(1, 3, 1)]]) == ([(2, 3)], 1)


def test_a_second_meeting_comes_before_a_third() -> None:
    history = [[(1, 2, 1), (3, 4, 3)], [(1, 2, 1), (3, 4, 3)], [(1, 3, 1), (2, 4, 2)], [(1, 4, 1), (2, 3, 2)]]
    scores = {1: 4, 2: 2, 3: 2, 4: 0}
    pairs, _ = pair([1, 2, 3, 4], scores, history)
    assert objective([1, 2, 3, 4], scores, history, pairs, None)[0] == 2
    assert pairs == [(1, 3), (2, 4)]


def test_halves_thirds_and_whole_scores_are_compared_exactly() -> None:
    scores = {1: Fraction(1, 3), 2: 0.5, 3: 1, 4: Fraction(1, 3)}
    assert pair([1, 2, 3, 4], scores, []) == ([(3, 2), (1, 4)], None)


def test_withdrawn_and_unknown_players_count_for_nothing() -> None:
    history = [[(1, 9, 1), (2, 8, None)], [(9, None, 9)]]
    assert pair([1, 2], {1: 1, 2: 0, 9: 5}, history) == ([(1, 2)], None)
    assert pair([2], {}, history) == ([], 2)
    assert pair([1, 2, 3, 4], {1: 1, 2: 1}, []) == ([(1, 2), (3, 4)], None)
    assert pair([], {}, history) == ([], None)


def test_the_same_position_is_paired_the_same_way() -> None:
    active, scores, history = position(Random(4), 30, 6)
    assert pair(active, scores, history) == pair(list(active), dict(scores), [list(games) for games in history])


def test_meetings_can_be_grouped_in_rounds_or_listed():
    rounds = [[(1, 2, 1), (3, 4, 3)], [(1, 3, 1), [2, 4, 2]], []]
    flat = [(1, 2, 1), [3, 4, 3], (1, 3, 1), (2, 4, 2)]
    assert pair([1, 2, 3, 4], {}, rounds) == pair([1, 2, 3, 4], {}, flat) == ([(1, 4), (2, 3)], None)


# What the director wants


def test_pairs_that_the_director_wants_meet_and_those_who_must_not_do_not() -> None:
    four = [1, 2, 3, 4]
    assert pair(four, {}, []) == ([(1, 3), (2, 4)], None)
    assert pair(four, {}, [], together=[(2, 1)]) == ([(1, 2), (3, 4)], None)
    assert pair(four, {}, [], apart=[(3, 1)]) == ([(1, 4), (2, 3)], None)
    assert pair(four, {}, [], together=[(1, 4), (3, 2)]) == ([(1, 4), (2, 3)], None)
    assert pair([1, 2, 3], {}, [], together=[(3, 1)]) == ([(1, 3)], 2)


def test_a_wanted_pair_may_meet_again() -> None:
    history = [[(1, 2, 1), (3, 4, 3)]]
    assert pair([1, 2, 3, 4], {1: 1, 3: 1}, history, together=[(1, 2)]) == ([(1, 2), (3, 4)], None)


@pytest.mark.parametrize(
    ("together", "apart", "entrants"),
    [
        ([(1, 5)], [], [1, 5]),
        ([(5, 1)], [], [5, 1]),
        ([(2, 2)], [], [2, 2]),
        ([(1, 2)], [(2, 1)], [1, 2]),
        ([(1, 2), (2, 3)], [], [2]),
        ([(1, 2), (2, 1)], [], [1, 2]),
    ],
)
def test_a_wanted_pair_that_cannot_be_is_refused(
    together: list[tuple[int, int]], apart: list[tuple[int, int]], entrants: list[int]
) -> None:
    with pytest.raises(Invalid) as error:
        pair([1, 2, 3, 4], {}, [], together=together, apart=apart)
    assert (error.value.code, error.value.params) == ("pairs_forced", {"entrants": entrants})


def test_who_has_no_opponent_left_is_named() -> None:
    with pytest.raises(Invalid) as error:
        pair([1, 2, 3, 4], {}, [], apart=[(1, 2), (1, 3), (1, 4)])
    assert error.value.code == "pairs_forbidden"
    assert 1 in error.value.params["entrants"]
    with pytest.raises(Invalid) as error:
        pair([1, 2], {}, [], apart=[(2, 1)])
    assert (error.value.code, error.value.params) == ("pairs_forbidden", {"entrants": [1, 2]})
    assert pair([1, 2, 3], {}, [], apart=[(1, 2), (1, 3)]) == ([(2, 3)], 1)


def test_the_pairs_are_listed_from_the_highest_score_and_the_higher_player_first() -> None:
    scores = {1: 0, 2: 0, 3: 2, 4: 1, 5: 2, 6: 1}
    assert pair([1, 2, 3, 4, 5, 6], scores, []) == ([(3, 5), (4, 6), (1, 2)], None)
    assert pair([1, 2], {2: 1}, []) == ([(2, 1)], None)
