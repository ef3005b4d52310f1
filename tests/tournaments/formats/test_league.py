"""A league: divisions, and who goes up and down."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.tournaments.formats import played
from tournaments.formats.core import Config, History, Invalid, Result
from tournaments.formats.league import League

TWO = Config("league", divisions=2, moving=1, tie_breaks=("wins",))


def finished(withdrawn: frozenset[int] = frozenset()) -> History:
    """Two divisions of three in which the lower number always wins, but for what was not played."""
    now = History((1, 2, 3, 4, 5, 6), withdrawn=withdrawn)
    ready = [pairing for pairing in League().pairings(TWO, now) if pairing.state == "ready"]
    return History(now.order, {pairing.key: Result(min(pairing.entrants)) for pairing in ready}, withdrawn=withdrawn)


def lines(history: History) -> list[tuple[str, int, int, str]]:
    return [(line.section, line.place, line.entrant, line.note) for line in League().standings(TWO, history)]


def test_the_strongest_entrants_share_a_division() -> None:
    config = Config("league", divisions=3)
    pairings = League().pairings(config, History((9, 8, 7, 6, 5, 4, 3, 2)))
    sections: dict[str, set[int]] = {}
    for pairing in pairings:
        sections.setdefault(pairing.section, set()).update(pairing.entrants)
    assert sections == {"division-1": {9, 8, 7}, "division-2": {6, 5, 4}, "division-3": {3, 2}}
    assert [pairing.key for pairing in pairings if pairing.section == "division-3"] == ["division-3-1-1"]


def test_promotion_and_relegation() -> None:
    assert lines(finished()) == [
        ("division-1", 1, 1, ""),
        ("division-1", 2, 2, ""),
        ("division-1", 3, 3, "relegated"),
        ("division-2", 1, 4, "promoted"),
        ("division-2", 2, 5, ""),
        ("division-2", 3, 6, ""),
    ]


def test_nobody_moves_before_the_division_is_played() -> None:
    assert {note for _, _, _, note in lines(History((1, 2, 3, 4, 5, 6)))} == {""}


def test_the_runner_up_is_promoted_if_the_winner_withdrew() -> None:
    left_late = finished()
    left_late = History(left_late.order, left_late.results, withdrawn=frozenset({4, 3}))
    assert lines(left_late) == [
        ("division-1", 1, 1, ""),
        ("division-1", 2, 2, ""),
        ("division-1", 3, 3, "out"),
        ("division-2", 1, 4, "out"),
        ("division-2", 2, 5, "promoted"),
        ("division-2", 3, 6, ""),
    ]


@pytest.mark.parametrize(
    ("entrants", "divisions", "moving"), [(4, 2, 1), (10, 2, 2), (23, 3, 2), (24, 4, 3), (7, 1, 1)]
)
def test_as_many_are_promoted_as_relegated(entrants: int, divisions: int, moving: int) -> None:
    config = Config("league", divisions=divisions, moving=moving)
    League().check(config, entrants)
    *_, (history, _) = played(League(), config, entrants, chance=Random(entrants))
    assert League().over(config, history)
    standings = League().standings(config, history)
    notes = Counter((line.section, line.note) for line in standings)
    for number in range(1, divisions):
        assert notes[f"division-{number}", "relegated"] == notes[f"division-{number + 1}", "promoted"] == moving
    assert sum(count for (_, note), count in notes.items() if note) == 2 * moving * (divisions - 1)
    assert sorted(line.entrant for line in standings) == list(range(1, entrants + 1))


def test_it_ends_with_withdrawals() -> None:
    for seed in range(20):
        for history, _ in played(League(), TWO, 9, chance=Random(seed), leaving=0.2):
            assert len(League().standings(TWO, history)) == 9
        assert League().over(TWO, history)


@pytest.mark.parametrize(
    ("config", "entrants", "code", "params"),
    [
        (Config("league"), 1, "too_few", {"least": 2}),
        (Config("league", divisions=3), 5, "divisions", {"divisions": 3, "least": 1, "most": 2}),
        (Config("league", divisions=1), 129, "divisions", {"divisions": 1, "least": 2, "most": 64}),
        (Config("league", divisions=2, moving=3), 10, "moving", {"moving": 3, "least": 0, "most": 2}),
        (Config("league", divisions=2, rounds=6), 10, "rounds", {"rounds": 6, "least": 0, "most": 5}),
    ],
)
def test_an_impossible_config_is_refused(config: Config, entrants: int, code: str, params: dict[str, object]) -> None:
    with pytest.raises(Invalid) as error:
        League().check(config, entrants)
    assert (error.value.code, error.value.params) == (code, params)


def test_a_league_may_move_nobody_and_one_division_has_nowhere_to_move():
    League().check(Config("league", divisions=2, moving=0), 8)
    League().check(Config("league", divisions=1, moving=9), 8)
    with pytest.raises(Invalid) as error:
        League().check(Config("league", divisions=2, moving=3), 8)
    assert (error.value.code, error.value.params) == ("moving", {"moving": 3, "least": 0, "most": 2})
