"""All legal whole plays of a roll: the rulings B4-B10, a sample, a naive oracle, perft, and the tree of half-moves."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backgammon.rules import VARIANTS, Board, Plays, plays_of, whole_plays
from backgammon.rules.tree import Node

from .oracle import legal_boards
from .positions import played, scattered, to_move

SAMPLE = Path(__file__).parents[1] / "data" / "plays_sample.jsonl"
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]

Positions = Callable[[], Iterator[tuple[Board, tuple[int, int]]]]
"""Boards and dice, the same ones each time that they are asked for."""

# A row: a sentence, my checkers, my opponent's (all in my numbering, 25 the bar), the roll, and every legal play.
Row = tuple[str, dict[int, int], dict[int, int], tuple[int, int], list[str]]

B4: list[Row] = [
    ("two checkers or one", {10: 1, 8: 1}, {}, (2, 1), ["10/9 8/6", "10/7", "8/5"]),
    ("the order that is open will do", {10: 1}, {7: 2}, (3, 1), ["10/6"]),
    ("each number lands: both stops blocked, no play", {10: 1}, {7: 2, 9: 2}, (3, 1), ["pass"]),
    ("doubles are four moves of one checker", {24: 1}, {}, (1, 1), ["24/20"]),
    ("doubles are four moves of four checkers", {24: 4}, {12: 2}, (6, 6), ["24/18(4)"]),
    ("doubles may pass through own checkers", {24: 1, 18: 2, 12: 2}, {6: 2}, (6, 6), ["24/12 18/12(2)"]),
]
B5: list[Row] = [
    ("a 6 that leaves no 5 is illegal", {24: 1}, {18: 2}, (6, 5), ["24/13"]),
    ("only one number can be played: it is", {24: 1}, {18: 2, 13: 2}, (6, 5), ["24/19"]),
    ("either but not both: the larger", {24: 1}, {13: 2}, (6, 5), ["24/18"]),
    ("the order of the dice makes no difference", {24: 1}, {13: 2}, (5, 6), ["24/18"]),
    ("the larger may bear off", {5: 1}, {1: 2}, (5, 4), ["5/off"]),
    ("one number by another checker", {13: 1, 5: 1}, {9: 2, 10: 2, 2: 2}, (4, 3), ["5/1"]),
    ("doubles: two of four", {24: 1}, {9: 2}, (5, 5), ["24/14"]),
    ("doubles: three of four", {24: 3}, {14: 2}, (5, 5), ["24/19(3)"]),
]
B6: list[Row] = [
    ("two rival checkers block", {24: 1}, {23: 2}, (1, 1), ["pass"]),
    ("one is hit, also improving", {9: 1, 6: 1}, {7: 1, 8: 2, 5: 2, 4: 1}, (2, 2), ["9/7* 6/4*/2"]),
    ("a hit decides the way", {24: 1, 6: 1}, {18: 1, 19: 1}, (6, 5), ["24/19*/13", "24/18*/13", "24/18* 6/1"]),
]
B7: list[Row] = [
    ("all must enter before another moves", {25: 2, 13: 5}, {}, (6, 3), ["bar/22 bar/19"]),
    ("entered, anyone moves", {25: 1, 8: 1}, {}, (6, 3), ["bar/22 8/2", "bar/19 8/5", "bar/16"]),
    ("a blocked number is lost", {25: 2, 13: 5}, {19: 2}, (6, 3), ["bar/22"]),
    ("every number blocked", {25: 1, 13: 5}, {19: 2, 22: 2}, (6, 3), ["pass"]),
    ("doubles enter up to four", {25: 5, 13: 5}, {}, (3, 3), ["bar/22(4)"]),
    ("doubles enter, then go on", {25: 3}, {16: 2}, (3, 3), ["bar/19 bar/22(2)"]),
    ("entering hits", {25: 1}, {22: 1, 19: 2}, (6, 3), ["bar/22*/16"]),
]
B9: list[Row] = [
    ("all checkers home first", {7: 1, 6: 1}, {}, (6, 5), ["7/2 6/off", "7/1 6/1"]),
    ("not while one is away", {14: 1, 6: 1}, {8: 2, 7: 2, 13: 2}, (6, 1), ["6/5"]),
    ("exact points", {3: 1, 2: 1}, {1: 2}, (3, 2), ["3/off 2/off"]),
    ("a larger number moves a higher checker", {6: 2, 3: 3}, {}, (5, 5), ["6/1(2) 3/off(2)"]),
    ("a higher checker that is blocked makes it unplayable", {6: 2, 3: 3}, {1: 2}, (5, 5), ["pass"]),
    ("without a higher checker the highest goes off", {3: 1, 2: 5}, {}, (6, 5), ["3/off 2/off"]),
    ("bearing off is optional", {6: 1, 4: 1}, {}, (2, 1), ["6/5 4/2", "6/3", "4/1"]),
    ("doubles come home and bear off", {6: 1, 3: 2}, {}, (4, 4), ["6/off 3/off(2)"]),
]
B10: list[Row] = [
    ("a checker hit while bearing off enters first", {25: 1, 6: 3, 5: 2}, {}, (6, 5), ["bar/19 6/1", "bar/14"]),
    ("and comes home before another goes off", {19: 1, 6: 3, 5: 2}, {}, (6, 5), ["19/13 6/1", "19/8"]),
    ("home again, bearing off goes on", {8: 1, 6: 1, 2: 1}, {3: 2, 5: 2, 4: 2}, (6, 2), ["8/off"]),
]


def rows(table: list[Row]) -> pytest.MarkDecorator:
    """One test a row, named by its sentence."""
    return pytest.mark.parametrize(
        ("own", "opposing", "dice", "texts"),
        [row[1:] for row in table],
        ids=[row[0].replace(" ", "-") for row in table],
    )


@rows(B4)
def test_b4_the_numbers_are_separate_moves_in_either_order(own, opposing, dice, texts):
    assert to_move(own, opposing, dice=dice).actions() == texts


@rows(B5)
def test_b5_as_many_numbers_as_possible_are_played_and_the_larger_of_two(own, opposing, dice, texts):
    assert to_move(own, opposing, dice=dice).actions() == texts


@rows(B6)
def test_b6_open_points_and_blots_can_be_entered(own, opposing, dice, texts):
    assert to_move(own, opposing, dice=dice).actions() == texts


def test_b6_a_blot_that_is_hit_goes_to_the_bar_and_is_hit_once():
    position = to_move({8: 1, 6: 1, 24: 2}, {5: 1}, dice=(3, 1))
    after = position.after("8/5 6/5*")
    assert after.board_of("white").points[4] == 2
    assert after.board_of("black").bar == 1


@rows(B7)
def test_b7_checkers_on_the_bar_enter_first(own, opposing, dice, texts):
    assert to_move(own, opposing, dice=dice).actions() == texts


@rows(B9)
def test_b9_checkers_are_borne_off(own, opposing, dice, texts):
    assert to_move(own, opposing, dice=dice).actions() == texts


@rows(B10)
def test_b10_a_checker_is_hit_while_bearing_off(own, opposing, dice, texts):
    assert to_move(own, opposing, dice=dice).actions() == texts


# The same rules, found by brute force and by others


def answers(seen: Board, dice: tuple[int, int]) -> tuple[list[list[int]], int]:
    """The boards after the legal plays, or the board itself, in ascending order, and the numbers used."""
    plays = plays_of(seen.code, dice)
    return [after.to_wire() for after in plays.boards] or [seen.to_wire()], plays.numbers


def test_all_lines_of_the_sample_agree():
    lines = SAMPLE.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 800
    for line in lines:
        known = json.loads(line)
        seen = Board.from_wire(known["board"], checkers=15)
        assert answers(seen, tuple(known["dice"])) == (known["results"], known["max_dice"]), line


@pytest.mark.parametrize(
    ("name", "positions", "count"),
    [
        *(("played backgammon", partial(played, seed), 100) for seed in range(100, 115)),
        *(("played nackgammon", partial(played, seed, variant="nackgammon"), 100) for seed in range(200, 205)),
        *(("played hypergammon", partial(played, seed, variant="hypergammon"), 300) for seed in range(300, 305)),
        *(("scattered checkers", partial(scattered, seed), 50) for seed in range(400, 420)),
        *(("few scattered checkers", partial(scattered, seed, checkers=3), 300) for seed in range(500, 510)),
        *(("played acey-deucey", partial(played, seed, variant="acey-deucey"), 30) for seed in range(600, 605)),
        *(("checkers not entered", partial(scattered, seed, checkers=6, stock=True), 100) for seed in range(700, 708)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_naive_oracle_agrees(name: str, positions: Positions, count: int):
    for seen, dice in islice(positions(), count):
        assert answers(seen, dice) == legal_boards(seen.to_wire(), dice), (name, seen.wire, dice)


def test_perft_two_rolls_deep_from_the_start():
    """21 rolls have 447 distinct plays; 21 rolls after each of them have 202,782 (a dance would count as one)."""
    first = second = 0
    start = VARIANTS["backgammon"].board
    for roll in ROLLS:
        for code in whole_plays(start.code, roll)[0]:
            first += 1
            reply = Board(code).flipped().code
            second += sum(len(whole_plays(reply, answer)[0]) or 1 for answer in ROLLS)
    assert (first, second) == (447, 202_782)


# The tree of half-moves


def walks(tree: tuple[Node, ...], number: int = 0) -> Iterator[tuple[int, int]]:
    """How many half-moves each walk from a node to the end takes, and the board that it leads to."""
    for _, node, code in tree[number]:
        if node < 0:
            yield 1, code
        else:
            yield from ((1 + length, end) for length, end in walks(tree, node))


@pytest.mark.parametrize(
    "positions",
    [
        partial(played, 7),
        partial(played, 8, variant="hypergammon"),
        partial(scattered, 9),
        partial(scattered, 9, checkers=6, stock=True),
    ],
)
def test_every_walk_through_the_tree_is_a_legal_play_and_every_play_can_be_walked(positions: Positions):
    for seen, dice in islice(positions(), 200):
        plays = Plays(seen.code, dice)
        tree_walks = set(walks(plays.tree))
        assert {end for _, end in tree_walks} == set(plays.results)
        assert {length for length, _ in tree_walks} <= {plays.numbers}


def test_nodes_of_the_tree_are_merged_so_that_doubles_stay_small():
    plays = plays_of(VARIANTS["backgammon"].board.code, (1, 1))
    steps = {(code, node) for each in plays.tree for _, node, code in each if node >= 0}
    assert len({code for code, _ in steps}) == len(steps) == len(plays.tree) - 1
    assert len(plays.tree) < len(plays.results)


def test_a_tree_is_built_once_and_kept_for_the_latest_rolls_only():
    """What hundreds of rolls left behind made the garbage collector stop play (docs/adr/0024)."""
    first, *others = [Plays(seen.code, dice) for seen, dice in islice(played(5), 17)]
    tree = first.tree
    assert first.tree is tree
    assert len([each.tree for each in others]) == 16
    assert first.tree == tree
    assert first.tree is not tree


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), scatter=st.booleans())
def test_checkers_are_conserved_and_each_play_uses_the_most_dice(seed, scatter):
    for seen, dice in islice(scattered(seed) if scatter else played(seed), 20):
        plays = plays_of(seen.code, dice)
        most = legal_boards(seen.to_wire(), dice)[1]
        assert plays.numbers == most
        for after in plays.boards:
            assert after.checkers == (15, 15)
            half_moves = plays.half_moves_to(after.code)
            assert len(half_moves) == most
            assert {half.die for half in half_moves} <= set(dice)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_two_sides_are_mirror_images(seed):
    """Flipping twice changes nothing, and the two numbers of a roll may be swapped."""
    for seen, (first, second) in islice(played(seed), 20):
        assert seen.flipped().flipped() == seen
        assert seen.flipped().pips == seen.pips[::-1]
        assert seen.flipped().checkers == seen.checkers[::-1]
        assert plays_of(seen.code, (first, second)).results == plays_of(seen.code, (second, first)).results
