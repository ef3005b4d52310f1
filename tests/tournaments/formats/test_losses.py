"""X-losses: who has lost so often is out, and it goes on until one is left."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.tournaments.formats import losses
from tests.tournaments.formats.test_swiss import played
from tournaments.formats.core import Config, History, Invalid, MissedRounds, PairingReason, Result, Round
from tournaments.formats.losses import Losses

TWO = Config("losses", losses=2)


def test_the_first_round_is_that_of_a_swiss() -> None:
    assert Losses().next_round(TWO, History((1, 2, 3))) == Round(
        "losses", 1, ((1, 2),), 3, (PairingReason("fold", {"score": 0}), PairingReason("bye", {"score": 0, "had": 0}))
    )


def test_three_play_until_one_is_left() -> None:
    history = History((1, 2, 3))
    winners = []
    while (round_ := Losses().next_round(TWO, history)) is not None:
        (pair,) = round_.pairs
        winners.append((pair, round_.bye))
        results = {**history.results, f"losses-{round_.round}-1": Result(min(pair))}
        history = History(history.order, results, (*history.rounds, round_))
    assert winners == [((1, 2), 3), ((1, 3), 2), ((2, 3), 1), ((1, 2), None)]
    assert Losses().over(TWO, history)
    lines = Losses().standings(TWO, history)
    assert [(line.place, line.entrant, line.wins, line.losses, line.note) for line in lines] == [
        (1, 1, 4, 0, ""),
        (2, 2, 2, 2, "out"),
        (3, 3, 1, 2, "out"),
    ]


@pytest.mark.parametrize(("half", "note"), [(True, ""), (False, "out")])
def test_a_missed_round_is_a_loss_unless_it_counts_half_a_point(half: bool, note: str) -> None:
    config = Config("losses", losses=1)
    round_ = Round("losses", 2, ((1, 2),), 3)
    late = {3: MissedRounds(1, half)}
    history = History((1, 2, 3), {"losses-2-1": Result(1)}, (round_,), late=late)
    notes = {line.entrant: line.note for line in Losses().standings(config, history)}
    assert notes == {1: "", 2: "out", 3: note}
    lines = Losses().standings(config, history)
    assert {line.section for line in lines} == {"losses"}
    assert {line.entrant: dict(line.values)["wins"] for line in lines} == {1: 1, 2: 0, 3: 1.5 if half else 1}
    assert Losses().over(config, history) is not half


def test_a_withdrawn_entrant_is_out_even_without_losses() -> None:
    round_ = Round("losses", 1, ((1, 3), (2, 4)))
    history = History((1, 2, 3, 4), {"losses-1-1": Result(1), "losses-1-2": Result(2)}, (round_,), frozenset({1}))
    lines = Losses().standings(Config("losses", tie_breaks=("wins",)), history)
    assert [(line.place, line.entrant, line.note) for line in lines] == [
        (1, 2, ""),
        (2, 3, ""),
        (2, 4, ""),
        (4, 1, "out"),
    ]
    next_round = Losses().next_round(TWO, history)
    assert next_round is not None
    assert sorted([*next_round.pairs[0], next_round.bye]) == [2, 3, 4]


def test_after_a_double_walkover_of_the_last_two_nobody_is_left() -> None:
    config = Config("losses", losses=1)
    history = History((1, 2), {"losses-1-1": Result(None, how="walkover")}, (Round("losses", 1, ((1, 2),)),))
    assert Losses().next_round(config, history) is None
    assert Losses().over(config, history)
    assert [(line.place, line.note) for line in Losses().standings(config, history)] == [(1, "out"), (1, "out")]


def test_it_can_stop_after_a_number_of_rounds() -> None:
    config = Config("losses", losses=3, rounds=2)
    *_, (history, _) = played(Losses(), config, 8, chance=Random(1))
    assert len(history.rounds) == 2
    *_, (history, _) = played(Losses(), Config("losses", losses=3, rounds=1), 8, chance=Random(1))
    assert len(history.rounds) == 1


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 7, 8, 13, 16, 29, 50])
@pytest.mark.parametrize("limit", [1, 2, 3])
def test_everybody_but_the_champion_has_exactly_that_many_losses(entrants: int, limit: int) -> None:
    config = Config("losses", losses=limit)
    Losses().check(config, entrants)
    *_, (history, pairings) = played(Losses(), config, entrants, chance=Random(entrants))
    champion, *others = Losses().standings(config, history)
    lost = losses(pairings)
    assert champion.place == 1
    assert champion.note == ""
    assert lost[champion.entrant] < limit
    assert Counter(lost[line.entrant] for line in others) == {limit: entrants - 1}
    assert all(line.place > 1 and line.note == "out" for line in others)


def test_it_ends_with_withdrawals() -> None:
    for seed in range(15):
        chance = Random(seed)
        for history, _ in played(Losses(), TWO, chance.randint(3, 14), chance=chance, leaving=0.1):
            places = [line.place for line in Losses().standings(TWO, history)]
            assert places == sorted(places)


@pytest.mark.parametrize(
    ("config", "entrants", "code", "params"),
    [
        (TWO, 1, "too_few", {"least": 2}),
        (Config("losses", losses=0), 8, "losses", {"losses": 0, "least": 1, "most": 9}),
        (Config("losses", losses=10), 8, "losses", {"losses": 10, "least": 1, "most": 9}),
        (Config("losses", rounds=-1), 8, "rounds", {"rounds": -1, "least": 0}),
    ],
)
def test_an_impossible_config_is_refused(config: Config, entrants: int, code: str, params: dict[str, object]) -> None:
    with pytest.raises(Invalid) as error:
        Losses().check(config, entrants)
    assert (error.value.code, error.value.params) == (code, params)


def test_one_to_nine_losses_may_put_an_entrant_out() -> None:
    for limit in (1, 9):
        Losses().check(Config("losses", losses=limit), 2)
