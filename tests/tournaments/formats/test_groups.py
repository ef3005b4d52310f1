"""Groups and their knock-out: the best of each group meet again as late as can be."""

from __future__ import annotations

from random import Random

import pytest

from tests.tournaments.formats import played
from tournaments.formats.core import Config, History, Invalid, PairingReason, Placed, Result
from tournaments.formats.groups import Groups, bracket
from tournaments.formats.seeding import bracket_size, seats

TWO = Config("groups", groups=2, advance=2, tie_breaks=("wins",))


def first_round(groups: int, advance: int) -> list[str]:
    """Who meets, from the top: `1.2` is the second of group 1."""

    def name(source: object) -> str:
        return f"{source.section.removeprefix('group-')}.{source.place}" if isinstance(source, Placed) else "-"

    return [f"{name(node.a)}-{name(node.b)}" for node in bracket(groups, advance) if node.round == 1]


def after_groups() -> History:
    """Eight in two groups of four, in which the lower number won always."""
    now = History((1, 2, 3, 4, 5, 6, 7, 8))
    ready = [pairing for pairing in Groups().pairings(TWO, now) if pairing.state == "ready"]
    return History(now.order, {pairing.key: Result(min(pairing.entrants)) for pairing in ready})


def test_entrants_are_dealt_to_the_groups_in_snake_order() -> None:
    sections: dict[str, set[int]] = {}
    for pairing in Groups().pairings(TWO, History((1, 2, 3, 4, 5, 6, 7, 8))):
        sections.setdefault(pairing.section, set()).update(pairing.entrants)
    assert sections == {"group-1": {1, 4, 5, 8}, "group-2": {2, 3, 6, 7}, "main": set()}


def test_the_knock_out_waits_for_the_groups() -> None:
    history = after_groups()
    results = {key: result for key, result in history.results.items() if key != "group-2-1-1"}
    waiting = [
        pairing for pairing in Groups().pairings(TWO, History(history.order, results)) if pairing.section == "main"
    ]
    assert [(pairing.key, pairing.state, pairing.entrants) for pairing in waiting] == [
        ("main-1-1", "waiting", (1,)),
        ("main-1-2", "waiting", (4,)),
        ("main-2-1", "waiting", ()),
    ]
    assert [pairing.b.source for pairing in waiting[:2]] == [Placed("group-2", 2), Placed("group-1", 2)]
    assert waiting[0].why == PairingReason("placed")


def test_group_winners_meet_the_runners_up_of_the_other_group() -> None:
    main = [pairing for pairing in Groups().pairings(TWO, after_groups()) if pairing.section == "main"]
    assert [(pairing.key, pairing.state, pairing.entrants) for pairing in main] == [
        ("main-1-1", "ready", (1, 3)),
        ("main-1-2", "ready", (2, 4)),
        ("main-2-1", "waiting", ()),
    ]


def test_the_order_of_finish_comes_before_the_tables() -> None:
    history = after_groups()
    results = {**history.results, "main-1-1": Result(1), "main-1-2": Result(2), "main-2-1": Result(2)}
    history = History(history.order, results)
    assert Groups().over(TWO, history)
    lines = [(line.section, line.place, line.entrant, line.note) for line in Groups().standings(TWO, history)]
    assert lines[:4] == [("main", 1, 2, ""), ("main", 2, 1, "out"), ("main", 3, 3, "out"), ("main", 3, 4, "out")]
    assert lines[4:] == [
        ("group-1", 1, 1, "advances"),
        ("group-1", 2, 4, "advances"),
        ("group-1", 3, 5, "out"),
        ("group-1", 4, 8, "out"),
        ("group-2", 1, 2, "advances"),
        ("group-2", 2, 3, "advances"),
        ("group-2", 3, 6, "out"),
        ("group-2", 4, 7, "out"),
    ]


def test_a_qualified_entrant_who_withdraws_has_no_opponents() -> None:
    history = after_groups()
    history = History(history.order, history.results, withdrawn=frozenset({1}))
    main = [pairing for pairing in Groups().pairings(TWO, history) if pairing.section == "main"]
    assert [(pairing.key, pairing.winner) for pairing in main] == [
        ("main-1-1", 3),
        ("main-1-2", None),
        ("main-2-1", None),
    ]


def test_small_brackets_are_seeded_correctly() -> None:
    assert first_round(2, 2) == ["1.1-2.2", "2.1-1.2"]
    assert first_round(3, 2) == ["1.1--", "2.2-3.2", "2.1--", "3.1-1.2"]
    assert first_round(4, 1) == ["1.1-4.1", "2.1-3.1"]
    assert first_round(1, 4) == ["1.1-1.4", "1.2-1.3"]
    assert [node.why for node in bracket(3, 2) if node.round == 1] == [PairingReason("placed")] * 4


def places(groups: int, advance: int) -> dict[tuple[str, int], int]:
    """Where in the bracket the n-th of each group begins, from the top."""
    feeds = [feed for node in bracket(groups, advance) if node.round == 1 for feed in (node.a, node.b)]
    return {(feed.section, feed.place): seat for seat, feed in enumerate(feeds) if isinstance(feed, Placed)}


@pytest.mark.parametrize("groups", range(2, 33))
def test_two_of_a_group_can_meet_only_in_the_final(groups: int) -> None:
    seat = places(groups, 2)
    assert len(seat) == 2 * groups
    half = bracket_size(2 * groups) // 2
    for group in range(1, groups + 1):
        assert seat[f"group-{group}", 1] // half != seat[f"group-{group}", 2] // half


@pytest.mark.parametrize("groups", [2, 4, 8, 16])
def test_four_of_a_group_are_in_four_quarters(groups: int) -> None:
    seat = places(groups, 4)
    for group in range(1, groups + 1):
        assert {seat[f"group-{group}", place] // groups for place in range(1, 5)} == {0, 1, 2, 3}


def test_the_winners_of_the_groups_are_the_first_seeds() -> None:
    for groups in range(2, 20):
        seat = places(groups, 2)
        seeds = seats(bracket_size(2 * groups))
        assert [seeds[seat[f"group-{group}", 1]] for group in range(1, groups + 1)] == list(range(1, groups + 1))


@pytest.mark.parametrize(
    ("entrants", "groups", "advance"),
    [(3, 1, 2), (6, 2, 1), (7, 2, 2), (12, 3, 2), (13, 3, 3), (32, 8, 2), (61, 10, 3)],
)
def test_any_number_of_entrants_plays_to_the_end(entrants: int, groups: int, advance: int) -> None:
    config = Config("groups", groups=groups, advance=advance)
    Groups().check(config, entrants)
    *_, (history, pairings) = played(Groups(), config, entrants, chance=Random(entrants))
    assert Groups().over(config, history)
    main = [pairing for pairing in pairings if pairing.section == "main"]
    assert len({entrant for pairing in main for entrant in pairing.entrants}) == groups * advance
    standings = Groups().standings(config, history)
    finish = [line for line in standings if line.section == "main"]
    assert [finish[0].entrant, finish[0].place] == [main[-1].winner, 1]
    assert len(finish) == groups * advance
    assert sum(line.note == "advances" for line in standings) == groups * advance
    assert len(standings) == entrants + groups * advance


def test_it_ends_with_withdrawals() -> None:
    config = Config("groups", groups=3, advance=2)
    for seed in range(15):
        for history, _ in played(Groups(), config, 13, chance=Random(seed), leaving=0.1, double_walkovers=0.05):
            Groups().standings(config, history)
        assert Groups().over(config, history)


@pytest.mark.parametrize(
    ("config", "entrants", "code", "params"),
    [
        (TWO, 1, "too_few", {"least": 2}),
        (TWO, 2, "too_few", {"least": 3}),
        (TWO, 513, "too_many", {"most": 512}),
        (Config("groups"), 8, "groups", {"groups": 0, "least": 1, "most": 2}),
        (Config("groups", groups=3), 8, "groups", {"groups": 3, "least": 1, "most": 2}),
        (Config("groups", groups=2), 300, "groups", {"groups": 2, "least": 3, "most": 100}),
        (Config("groups", groups=2, advance=3), 6, "advance", {"advance": 3, "least": 1, "most": 2}),
        (Config("groups", groups=3, advance=4), 14, "advance", {"advance": 4, "least": 1, "most": 3}),
        (Config("groups", groups=1, advance=1), 8, "advance", {"advance": 1, "least": 2, "most": 7}),
        (Config("groups", groups=2, legs=0), 8, "legs", {"legs": 0, "least": 1, "most": 4}),
    ],
)
def test_an_impossible_config_is_refused(config: Config, entrants: int, code: str, params: dict[str, object]) -> None:
    with pytest.raises(Invalid) as error:
        Groups().check(config, entrants)
    assert (error.value.code, error.value.params) == (code, params)
