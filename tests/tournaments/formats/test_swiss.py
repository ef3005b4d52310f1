"""Swiss: rounds with their reasons, and a tournament of any size comes to its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from time import perf_counter

import pytest

from tournaments.formats.core import (
    Bye,
    Config,
    Format,
    History,
    Invalid,
    MissedRounds,
    Pairing,
    PairingReason,
    Result,
    Round,
    Seed,
)
from tournaments.formats.swiss import Swiss, pairing_reasons

ANA, BEA, CARLOS, DORA = 1, 2, 3, 4


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


def test_a_wanted_pair_has_its_own_reason() -> None:
    config = Config("swiss", rounds=3)
    round_ = Swiss().next_round(config, after([FIRST], {"swiss-1-1": 1, "swiss-1-2": 2}, together=((3, 1),)))
    assert round_ is not None
    assert (round_.pairs, round_.bye) == (((1, 3), (2, 5)), 4)
    assert round_.whys == (
        PairingReason("forced"),
        PairingReason("fold", {"score": 1}),
        PairingReason("bye", {"score": 0, "had": 0}),
    )


def test_a_second_bye_says_how_many_there_were() -> None:
    rounds = (Round("swiss", 1, ((1, 2),), 3), Round("swiss", 2, ((1, 3),), 2), Round("swiss", 3, ((2, 3),), 1))
    results = {"swiss-1-1": Result(1), "swiss-2-1": Result(1), "swiss-3-1": Result(2)}
    round_ = Swiss().next_round(Config("swiss", rounds=4), History((1, 2, 3), results, rounds))
    assert round_ == Round(
        "swiss",
        4,
        ((1, 2),),
        3,
        (PairingReason("rematch", {"times": 1}), PairingReason("bye", {"score": 1, "had": 1})),
    )


@pytest.mark.parametrize(
    ("missed", "score", "pairs", "bye"),
    [(MissedRounds(2), 0, ((1, 2), (3, 4)), 5), (MissedRounds(2, half=True), 1, ((1, 2), (5, 3)), 4)],
)
def test_a_late_entrant_is_paired_by_the_points_of_the_missed_rounds(
    missed: MissedRounds, score: float, pairs: tuple[tuple[int, int], ...], bye: int
) -> None:
    config = Config("swiss", rounds=4)
    first = Round("swiss", 1, ((1, 3), (2, 4)))
    history = after([first], {"swiss-1-1": 1, "swiss-1-2": 2}, late={5: missed})
    round_ = Swiss().next_round(config, history)
    assert round_ is not None
    assert (round_.pairs, round_.bye) == (pairs, bye)
    assert round_.whys[-1] == PairingReason("bye", {"score": 0, "had": 0})
    values = {line.entrant: dict(line.values)["wins"] for line in Swiss().standings(config, history)}
    assert values == {1: 1, 2: 1, 3: 0, 4: 0, 5: score}


def test_the_points_of_missed_rounds_are_added_to_wins() -> None:
    rounds = (Round("swiss", 1, ((1, 3), (2, 4))), Round("swiss", 2, ((1, 2), (5, 3)), 4))
    winners = {"swiss-1-1": 1, "swiss-1-2": 2, "swiss-2-1": 1, "swiss-2-2": 5}
    history = after(rounds, winners, late={5: MissedRounds(1, half=True)})
    round_ = Swiss().next_round(Config("swiss", rounds=4), history)
    assert round_ is not None
    assert round_.pairs == ((1, 4), (5, 2))
    assert [why.params["scores"] for why in round_.whys[:2]] == [(2, 1), (1.5, 1)]


def test_the_reasons_of_a_director_s_pairs_have_both_scores() -> None:
    pairings = Swiss().pairings(Config("swiss", rounds=3), after([FIRST], {"swiss-1-1": 1, "swiss-1-2": 2}))
    assert pairing_reasons([(4, 1)], 3, pairings) == (
        PairingReason("floated", {"scores": (0, 1)}),
        PairingReason("bye", {"score": 0, "had": 0}),
    )


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
