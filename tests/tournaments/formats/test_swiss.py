"""Swiss: `pair` finds the best pairing there is, and a tournament of any size comes to its end with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from time import perf_counter

import networkx
import pytest

from tournaments.formats import matching
from tournaments.formats.core import Bye, Config, Format, History, Invalid, Pairing, PairingReason, Result, Round, Seed
from tournaments.formats.matching import pair
from tournaments.formats.swiss import Swiss

ANA, BEA, CARLOS, DORA = 1, 2, 3, 4


# What `pair` promises


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
    assert pair([], {}, history) == ([], None)


def test_the_same_position_is_paired_the_same_way() -> None:
    active, scores, history = position(Random(4), 30, 6)
    assert pair(active, scores, history) == pair(list(active), dict(scores), [list(games) for games in history])


# The format


def played(
    format_: Format, config: Config, entrants: int, *, chance: Random, leaving: float = 0
) -> Iterator[tuple[History, tuple[Pairing, ...]]]:
    """Every round once it is played, by chance, until the tournament is over; some may leave after a round."""
    now = History(tuple(range(1, entrants + 1)))
    while (round_ := format_.next_round(config, now)) is not None:
        assert not format_.over(config, now)
        now = replace(now, rounds=(*now.rounds, round_))
        ready = [pairing for pairing in format_.pairings(config, now) if pairing.state == "ready"]
        now = replace(
            now, results={**now.results, **{pairing.key: Result(chance.choice(pairing.entrants)) for pairing in ready}}
        )
        yield now, format_.pairings(config, now)
        withdrawn = {entrant for entrant in now.order if chance.random() < leaving}
        now = replace(now, withdrawn=now.withdrawn | withdrawn)
    assert format_.over(config, now)


def after(rounds: Sequence[Round], winners: dict[str, int], **more) -> History:
    return History((1, 2, 3, 4, 5), {key: Result(winner) for key, winner in winners.items()}, tuple(rounds), **more)


FIRST = Round(
    "swiss",
    1,
    ((1, 3), (2, 4)),
    5,
    (PairingReason("fold", {"score": 0}),) * 2 + (PairingReason("bye", {"score": 0, "had": 0}),),
)


def test_a_round_is_drawn_with_its_reasons() -> None:
    config = Config("swiss", rounds=3)
    assert Swiss().next_round(config, after([], {})) == FIRST
    second = Swiss().next_round(config, after([FIRST], {"swiss-1-1": 1, "swiss-1-2": 2}))
    assert second == Round(
        "swiss",
        2,
        ((1, 2), (5, 3)),
        4,
        (
            PairingReason("fold", {"score": 1}),
            PairingReason("floated", {"scores": (1, 0)}),
            PairingReason("bye", {"score": 0, "had": 0}),
        ),
    )


def test_a_rematch_says_how_often_they_met() -> None:
    history = History((1, 2), {"swiss-1-1": Result(1)}, (Round("swiss", 1, ((1, 2),)),))
    second = Swiss().next_round(Config("swiss", rounds=2), history)
    assert second == Round("swiss", 2, ((1, 2),), None, (PairingReason("rematch", {"times": 1}),))


def test_there_is_no_next_round_while_one_is_played() -> None:
    config = Config("swiss", rounds=3)
    assert Swiss().next_round(config, after([FIRST], {"swiss-1-1": 1})) is None
    assert not Swiss().over(config, after([FIRST], {"swiss-1-1": 1}))


def test_the_bye_is_the_last_pairing_of_its_round_and_scores_a_win() -> None:
    history = after([FIRST], {"swiss-1-1": 1})
    pairings = Swiss().pairings(Config("swiss", rounds=3), history)
    assert [(pairing.key, pairing.state, pairing.entrants) for pairing in pairings] == [
        ("swiss-1-1", "done", (1, 3)),
        ("swiss-1-2", "ready", (2, 4)),
        ("swiss-1-3", "bye", (5,)),
    ]
    assert pairings[2].a.source == Seed(5)
    assert pairings[2].b.source == Bye()
    assert pairings[2].why == PairingReason("bye", {"score": 0, "had": 0})
    wins = {line.entrant: line.wins for line in Swiss().standings(Config("swiss", rounds=3), history)}
    assert wins == {1: 1, 2: 0, 3: 0, 4: 0, 5: 1}


def test_a_round_recorded_without_reasons_has_the_usual_ones() -> None:
    history = after([replace(FIRST, whys=())], {})
    assert [pairing.why for pairing in Swiss().pairings(Config("swiss", rounds=3), history)] == list(FIRST.whys)


def test_a_withdrawn_entrant_loses_unplayed_matches_and_is_not_paired() -> None:
    history = after([FIRST], {"swiss-1-1": 1}, withdrawn=frozenset({4}))
    config = Config("swiss", rounds=3)
    assert Swiss().pairings(config, history)[1].result == Result(2, how="withdrawn")
    round_ = Swiss().next_round(config, history)
    assert round_ is not None
    assert round_.pairs == ((1, 2), (5, 3))
    assert round_.bye is None
    assert [line.entrant for line in Swiss().standings(config, history) if line.note == "out"] == [4]


def test_it_is_over_when_nobody_is_left_to_meet() -> None:
    config = Config("swiss", rounds=3)
    history = after([FIRST], {"swiss-1-1": 1}, withdrawn=frozenset({2, 3, 4, 5}))
    assert Swiss().next_round(config, history) is None
    assert Swiss().over(config, history)


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 22, 31, 47, 64, 128])
def test_any_number_plays_to_the_end_without_a_rematch_or_a_second_bye(entrants: int) -> None:
    rounds = max(1, (entrants - 1).bit_length())
    config = Config("swiss", rounds=rounds)
    Swiss().check(config, entrants)
    *_, (history, pairings) = played(Swiss(), config, entrants, chance=Random(entrants))
    assert len(history.rounds) == rounds
    met = [frozenset(pairing.entrants) for pairing in pairings if pairing.state == "done"]
    rested = [pairing.entrants for pairing in pairings if pairing.state == "bye"]
    assert len(met) == len(set(met)) == rounds * (entrants // 2)
    assert len(rested) == len(set(rested)) == rounds * (entrants % 2)
    assert [pairing.number for pairing in pairings if pairing.round == 1] == list(range(1, (entrants + 1) // 2 + 1))
    standings = Swiss().standings(config, history)
    assert sum(line.wins for line in standings) == len(pairings)
    assert len([line for line in standings if line.wins == rounds]) <= 2


def test_all_rounds_there_can_be_are_played_when_few_play() -> None:
    for entrants in range(2, 9):
        config = Config("swiss", rounds=entrants - 1 + entrants % 2)
        Swiss().check(config, entrants)
        for seed in range(5):
            assert len(list(played(Swiss(), config, entrants, chance=Random(seed)))) == config.rounds


def test_it_ends_with_withdrawals_and_replays_the_same() -> None:
    config = Config("swiss", rounds=5)
    for seed in range(15):
        chance = Random(seed)
        for history, pairings in played(Swiss(), config, chance.randint(6, 20), chance=chance, leaving=0.08):
            replayed = History(
                history.order, dict(history.results), tuple(history.rounds), frozenset(history.withdrawn)
            )
            assert Swiss().pairings(config, replayed) == pairings
            assert all(pairing.state in ("done", "bye") for pairing in pairings)


@pytest.mark.parametrize(
    ("config", "entrants", "code", "params"),
    [
        (Config("swiss", rounds=1), 1, "too_few", {"least": 2}),
        (Config("swiss", rounds=9), 513, "too_many", {"most": 512}),
        (Config("swiss", rounds=0), 8, "rounds", {"rounds": 0, "least": 1, "most": 7}),
        (Config("swiss", rounds=8), 8, "rounds", {"rounds": 8, "least": 1, "most": 7}),
        (Config("swiss", rounds=8), 7, "rounds", {"rounds": 8, "least": 1, "most": 7}),
    ],
)
def test_an_impossible_config_is_refused(config: Config, entrants: int, code: str, params: dict[str, object]) -> None:
    with pytest.raises(Invalid) as error:
        Swiss().check(config, entrants)
    assert (error.value.code, error.value.params) == (code, params)


def show_times() -> None:
    """Print how long a round of 200 takes to pair: `python -m tests.tournaments.formats.test_swiss`."""
    for players in (199, 200):
        for rounds in (0, 3, 6, 9, 12):
            chance = Random(rounds)
            config = Config("swiss", rounds=rounds)
            *_, (history, _) = [*played(Swiss(), config, players, chance=chance)] or [
                (History(tuple(range(players))), ())
            ]
            started = perf_counter()
            Swiss().next_round(Config("swiss", rounds=rounds + 1), history)
            print(f"{players} players, round {rounds + 1}: {perf_counter() - started:.2f} s")


if __name__ == "__main__":
    show_times()


def test_meetings_can_be_grouped_in_rounds_or_listed():
    rounds = [[(1, 2, 1), (3, 4, 3)], [(1, 3, 1), [2, 4, 2]], []]
    flat = [(1, 2, 1), [3, 4, 3], (1, 3, 1), (2, 4, 2)]
    assert pair([1, 2, 3, 4], {}, rounds) == pair([1, 2, 3, 4], {}, flat) == ([(1, 4), (2, 3)], None)
