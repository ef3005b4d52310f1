"""The values that all formats share: results, pairings, settings."""

from __future__ import annotations

import pytest

from tournaments.formats.core import (
    Bye,
    Config,
    History,
    Invalid,
    LoserOf,
    MissedRounds,
    Pairing,
    PairingReason,
    Result,
    ResultKey,
    Seed,
    Slot,
    WinnerOf,
    cached_on_history,
    result_of,
    set_result,
)
from tournaments.formats.resolve import loser_slot, pairing_key, resolve_pairing, winner_slot

WHY = PairingReason("seeded", {"a": 1, "b": 2})
EMPTY = Slot(Bye(), is_empty=True)
UNKNOWN = Slot(WinnerOf("main-1-1"))


def seed(entrant: int) -> Slot:
    return Slot(Seed(entrant), entrant)


def pairing(a: Slot, b: Slot, result: Result | None = None, *, withdrawn: frozenset[int] = frozenset()) -> Pairing:
    """The first pairing of round 2 in `main`, with its result."""
    return resolve_pairing(
        section="main",
        round_=2,
        number=1,
        a=a,
        b=b,
        why=WHY,
        results={} if result is None else {"main-2-1": result},
        withdrawn=withdrawn,
    )


def test_a_slot_is_known_when_somebody_or_nobody_can_fill_it() -> None:
    assert [slot.known for slot in (seed(1), EMPTY, UNKNOWN)] == [True, True, False]


def test_a_pairing_has_the_key_of_its_place() -> None:
    assert pairing_key("main", 2, 1) == "main-2-1"
    assert pairing(seed(1), seed(2)) == Pairing("main-2-1", "main", 2, 1, seed(1), seed(2), "ready", WHY)


@pytest.mark.parametrize(
    ("a", "b", "state", "entrants", "winner"),
    [
        (seed(1), seed(2), "ready", (1, 2), None),
        (seed(1), UNKNOWN, "waiting", (1,), None),
        (UNKNOWN, seed(2), "waiting", (2,), None),
        (UNKNOWN, EMPTY, "waiting", (), None),
        (seed(1), EMPTY, "bye", (1,), 1),
        (EMPTY, seed(2), "bye", (2,), 2),
        (EMPTY, EMPTY, "void", (), None),
    ],
)
def test_the_state_of_a_pairing_follows_from_its_slots(
    a: Slot, b: Slot, state: str, entrants: tuple[int, ...], winner: int | None
) -> None:
    found = pairing(a, b)
    assert (found.state, found.entrants, found.winner, found.loser) == (state, entrants, winner, None)


@pytest.mark.parametrize(("winner", "loser"), [(1, 2), (2, 1), (None, None)])
def test_a_result_names_winner_and_loser_and_a_double_walkover_neither(winner: int | None, loser: int | None) -> None:
    found = pairing(seed(1), seed(2), Result(winner))
    assert (found.state, found.winner, found.loser) == ("done", winner, loser)


def test_a_result_of_others_does_not_count_here() -> None:
    assert pairing(seed(1), seed(3), Result(2)).state == "ready"
    assert pairing(seed(1), EMPTY, Result(1)).result is None


@pytest.mark.parametrize(("withdrawn", "winner"), [({1}, 2), ({2}, 1), ({1, 2}, None)])
def test_a_withdrawal_decides_what_was_not_played(withdrawn: set[int], winner: int | None) -> None:
    left = frozenset(withdrawn)
    assert pairing(seed(1), seed(2), withdrawn=left).result == Result(winner, how="withdrawn")
    assert pairing(seed(1), seed(2), Result(1), withdrawn=left).result == Result(1)
    assert pairing(seed(1), UNKNOWN, withdrawn=left).state == "waiting"


def test_winner_and_loser_fill_the_slots_that_they_lead_to() -> None:
    done, double, bye = (
        pairing(seed(1), seed(2), Result(2)),
        pairing(seed(1), seed(2), Result(None)),
        pairing(seed(1), EMPTY),
    )
    winner, loser = WinnerOf("main-2-1"), LoserOf("main-2-1")
    assert [winner_slot(winner, each) for each in (done, double, bye)] == [
        Slot(winner, 2),
        Slot(winner, is_empty=True),
        Slot(winner, 1),
    ]
    assert [loser_slot(loser, each, if_present=False) for each in (done, double, bye)] == [
        Slot(loser, 1),
        Slot(loser, is_empty=True),
        Slot(loser, is_empty=True),
    ]
    for open_ in (pairing(seed(1), seed(2)), pairing(seed(1), UNKNOWN)):
        assert winner_slot(winner, open_) == Slot(winner)
        assert loser_slot(loser, open_, if_present=False) == Slot(loser)


def test_a_result_is_read_from_either_side() -> None:
    results: dict[ResultKey, Result] = {}
    set_result(results, "main-1-1", 1, 2, Result(1, points=(5, 3)))
    assert result_of(results, "main-1-1", 1, 2) == Result(1, points=(5, 3))
    assert result_of(results, "main-1-1", 2, 1) == Result(1, points=(3, 5))
    assert result_of(results, "main-1-1", 1, 3) is None
    assert result_of(results, "main-1-1", None, 2) is None
    assert result_of(results, "main-1-1", 1, None) is None
    set_result(results, "main-1-1", 2, 1, Result(2))
    assert result_of(results, "main-1-1", 1, 2) == Result(2)


def test_a_result_without_points_is_the_same_from_both_sides() -> None:
    assert Result(1).reversed() == Result(1)
    assert Result(None, points=(2, 4)).reversed() == Result(None, points=(4, 2))
    assert Result(1, corrected=True) == Result(1)
    assert (Result(1).match, Result(1).why, Result(1).how) == ("", "", "played")


def test_missed_rounds_score_nothing_or_half_a_point_each() -> None:
    assert [MissedRounds(3).points, MissedRounds(3, half=True).points, MissedRounds().points] == [0, 1.5, 0]


def test_a_value_is_computed_once_for_each_history_and_config() -> None:
    computed: list[Config] = []

    class Counting:
        @cached_on_history
        def pairings(self, config: Config, history: History) -> int:
            computed.append(config)
            return len(computed)

    one, other = Config("swiss"), Config("swiss", rounds=3)
    format_, history = Counting(), History((1, 2))
    assert [format_.pairings(config, history) for config in (one, one, other, one)] == [1, 1, 2, 1]
    assert format_.pairings(one, History((1, 2))) == 3
    assert Counting().pairings(one, history) == 4
    assert history == History((1, 2))


# Settings

NUMBERS = ("rounds", "legs", "losses", "groups", "advance", "divisions", "moving")


def test_a_config_is_read_from_what_is_stored() -> None:
    stored = {"format": "swiss", "rounds": 5, "tie_breaks": ["wins", "median"], "colour": "blue"}
    assert Config.read(stored) == Config("swiss", rounds=5, tie_breaks=("wins", "median"))
    assert Config.read({"format": "knockout"}) == Config(
        "knockout",
        consolation="none",
        last_chance=False,
        byes="top",
        rounds=0,
        legs=1,
        losses=2,
        groups=0,
        advance=2,
        divisions=1,
        moving=1,
        tie_breaks=("wins", "buchholz-cut", "buchholz", "sonneborn-berger", "direct", "points"),
    )
    for consolation in ("none", "simple", "progressive"):
        for byes in ("top", "drawn"):
            assert Config.read({"format": "knockout", "consolation": consolation, "byes": byes}).byes == byes
    assert Config.read(dict.fromkeys(NUMBERS, 0) | {"format": "league"}) == Config(
        "league", **dict.fromkeys(NUMBERS, 0)
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"consolation": "double"},
        {"consolation": None},
        {"byes": "none"},
        *({name: value} for name in NUMBERS for value in (-1, 1.0, "1", True, None)),
        {"tie_breaks": ["wins", 1]},
        {"format": 3},
    ],
)
def test_a_config_that_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(Invalid) as error:
        Config.read({"format": "swiss"} | wrong)
    assert error.value.code == "config"


def test_a_config_has_a_format() -> None:
    with pytest.raises(Invalid) as error:
        Config.read({"rounds": 3})
    assert error.value.code == "config"
