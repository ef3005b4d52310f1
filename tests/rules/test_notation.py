"""The text of plays, and the reasons that a player reads after an illegal one."""

from __future__ import annotations

import re
from itertools import islice, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backgammon.rules import Illegal, Plays, plays_of
from backgammon.rules.notation import parse, read, write
from backgammon.rules.plays import HalfMove

from .positions import played, scattered, to_move

START = {24: 2, 13: 5, 8: 3, 6: 5}
OPPONENT = {1: 2, 12: 5, 17: 3, 19: 5}


@pytest.mark.parametrize(
    ("written", "own", "opposing", "dice", "canonical"),
    [
        ("8/5 6/5", START, OPPONENT, (3, 1), "8/5 6/5"),
        ("6/5 8/5", START, OPPONENT, (3, 1), "8/5 6/5"),
        ("  8/5   6/5 ", START, OPPONENT, (3, 1), "8/5 6/5"),
        ("24/18 18/13", START, OPPONENT, (6, 5), "24/13"),
        ("24/18/13", START, OPPONENT, (6, 5), "24/13"),
        ("18/13 24/18", START, OPPONENT, (6, 5), "24/13"),
        ("6/4 6/4 13/11 13/11", START, OPPONENT, (2, 2), "13/11(2) 6/4(2)"),
        ("13/11(2) 6/4(2)", START, OPPONENT, (2, 2), "13/11(2) 6/4(2)"),
        ("13/5", START, OPPONENT, (2, 2), "13/5"),
        ("13/11/9/7/5", START, OPPONENT, (2, 2), "13/5"),
        ("25/20 13/10", {25: 1, 13: 5}, {}, (5, 3), "bar/20 13/10"),
        ("BAR/20 13/10", {25: 1, 13: 5}, {}, (5, 3), "bar/20 13/10"),
        ("6/0(2)", {6: 2, 1: 3}, {}, (6, 6), None),
        ("6/0(2) 1/Off(2)", {6: 2, 1: 3}, {}, (6, 6), "6/off(2) 1/off(2)"),
        ("24/13", {24: 1, 6: 1}, {18: 1, 19: 2}, (6, 5), "24/18*/13"),
        ("24/13", {24: 1, 6: 1}, {18: 1}, (6, 5), "24/13"),
        ("24/18*/13", {24: 1, 6: 1}, {18: 1}, (6, 5), "24/18*/13"),
        ("24/18/13", {24: 1, 6: 1}, {18: 1}, (6, 5), "24/18*/13"),
        ("24/19/13", {24: 1, 6: 1}, {18: 1}, (6, 5), "24/13"),
        ("8/5 6/5", {8: 1, 6: 1}, {5: 1}, (3, 1), "8/5 6/5*"),
        ("8/5* 6/5", {8: 1, 6: 1}, {5: 1}, (3, 1), "8/5 6/5*"),
        ("8/5* 6/5*", {8: 1, 6: 1}, {5: 1}, (3, 1), "8/5 6/5*"),
        ("8/5*(2)", {8: 2, 24: 1}, {5: 1, 21: 2, 2: 2}, (3, 3), "8/5*(2)"),
        ("8/5(2)*", {8: 2, 24: 1}, {5: 1, 21: 2, 2: 2}, (3, 3), "8/5*(2)"),
        ("24/12(2)", {24: 2, 8: 1}, {18: 1, 6: 2, 2: 2}, (6, 6), "24/18*/12(2)"),
        ("24/18/12(2)*", {24: 2, 8: 1}, {12: 1, 6: 2, 2: 2}, (6, 6), "24/12*(2)"),
        ("24/12 24/18", {24: 2, 8: 1}, {18: 1, 6: 2, 2: 2}, (6, 6), None),
        ("PASS", {24: 1}, {23: 2}, (1, 1), "pass"),
    ],
)
def test_a_play_may_be_written_in_many_ways_and_is_kept_in_one(written, own, opposing, dice, canonical):
    position = to_move(own, opposing, dice=dice)
    if canonical is None:
        with pytest.raises(Illegal):
            position.canonical(written)
    else:
        assert position.canonical(written) == canonical
        assert position.after(written) == position.after(canonical)


def test_a_play_without_half_moves_is_a_pass():
    assert write([]) == "pass"


def test_a_refusal_reads_as_its_code_ruling_and_params():
    assert str(Illegal("blocked", "B6", point=12, dice=[6, 5])) == "blocked: B6 (point=12, dice=[6, 5])"
    assert str(Illegal("no_number_left", "B4")) == "no_number_left: B4"


def test_a_text_that_fits_two_plays_is_refused():
    position = to_move({24: 1, 6: 1}, {18: 1, 19: 1}, dice=(6, 5))
    with pytest.raises(Illegal) as refused:
        position.after("24/13")
    assert refused.value.code == "ambiguous"
    assert refused.value.params == {"plays": ["24/18*/13", "24/19*/13"]}


@pytest.mark.parametrize(
    ("own", "opposing", "dice", "path", "attempt", "code", "ruling", "params"),
    [
        (START, OPPONENT, (3, 1), "", "8/5", None, None, None),
        (START, OPPONENT, (3, 1), "8/5", "6/5", None, None, None),
        (START, OPPONENT, (3, 1), "", "24/20", None, None, None),
        (START, OPPONENT, (3, 1), "", "8/6", "no_such_number", "B4", {"number": 2, "dice": [3, 1]}),
        (START, OPPONENT, (3, 1), "8/5", "8/5", "no_such_number", "B4", {"number": 3, "dice": [1]}),
        (START, OPPONENT, (3, 1), "8/5 6/5", "6/5", "no_number_left", "B4", {}),
        (START, OPPONENT, (3, 1), "8/7 6/1", "6/5", "no_such_number", "B4", {"number": 5, "dice": [3]}),
        (START, OPPONENT, (3, 1), "", "12/9", "not_your_man", "B1", {"point": 12}),
        (START, OPPONENT, (3, 1), "", "10/9", "not_your_man", "B1", {"point": 10}),
        (START, OPPONENT, (3, 1), "", "6/9", "wrong_direction", "B1", {"source": 6, "target": 9}),
        (START, OPPONENT, (3, 1), "", "13/12", "blocked", "B6", {"point": 12}),
        (START, OPPONENT, (5, 5), "", "6/1", "blocked", "B6", {"point": 1}),
        (START, OPPONENT, (6, 6), "", "24/12", "blocked", "B6", {"point": 12}),
        (START, OPPONENT, (6, 3), "", "6/off", "not_all_home", "B9", {"point": 24}),
        ({25: 1, 13: 1}, {}, (6, 3), "", "13/7", "bar_first", "B7", {"checkers": 1}),
        ({25: 2, 13: 1}, {}, (6, 3), "bar/22", "13/7", "bar_first", "B7", {"checkers": 1}),
        ({25: 1, 13: 1}, {19: 2}, (6, 3), "", "bar/19", "blocked", "B6", {"point": 19}),
        ({25: 2, 13: 1}, {19: 2}, (6, 3), "bar/22", "13/7", "bar_blocked", "B7", {"dice": [6]}),
        ({25: 1, 13: 1}, {19: 2, 22: 2}, (6, 3), "", "13/7", "bar_blocked", "B7", {"dice": [6, 3]}),
        ({13: 1, 6: 14}, {}, (6, 3), "", "6/off", "not_all_home", "B9", {"point": 13}),
        ({13: 1, 6: 5}, {}, (6, 3), "", "6/off", "not_all_home", "B10", {"point": 13}),
        ({6: 1, 5: 1, 3: 2}, {1: 2}, (5, 4), "", "3/off", "exact_higher_first", "B9", {"point": 6}),
        ({6: 1, 5: 1}, {}, (2, 1), "", "5/off", "no_such_number", "B9", {"number": 5, "dice": [2, 1]}),
        ({24: 1}, {18: 2}, (6, 5), "", "24/18", "blocked", "B6", {"point": 18}),
        ({24: 1, 3: 1}, {19: 2, 13: 2}, (6, 5), "", "24/18", None, None, None),
        ({24: 1}, {13: 2}, (6, 5), "", "24/19", "must_use_larger", "B5", {"number": 6}),
        ({10: 1, 7: 1}, {3: 2, 6: 2}, (6, 1), "", "10/4", "must_use_both", "B5", {"dice": [6, 1]}),
        ({10: 1, 7: 1}, {3: 2, 6: 2}, (6, 1), "", "10/3", "must_use_both", "B5", {"dice": [6, 1]}),
        ({24: 1, 13: 1}, {19: 2, 8: 1, 3: 2}, (5, 5), "", "13/8", None, None, None),
        ({24: 1, 6: 1, 5: 1}, {19: 2}, (5, 5), "", "5/off", "not_all_home", "B10", {"point": 24}),
        (START, OPPONENT, (3, 1), "", "rubbish", "unreadable", "", {"text": "rubbish"}),
        (START, OPPONENT, (3, 1), "", "", "unreadable", "", {"text": ""}),
        (START, OPPONENT, (3, 1), "", "27/24", "unreadable", "", {"text": "27"}),
    ],
)
def test_an_illegal_half_move_is_explained(own, opposing, dice, path, attempt, code, ruling, params):
    reason = to_move(own, opposing, dice=dice).why(path, attempt)
    assert reason == (code and {"code": code, "ruling": ruling, "params": params})


@pytest.mark.parametrize(
    ("own", "opposing", "dice", "play", "code", "ruling", "params"),
    [
        (START, OPPONENT, (3, 1), "8/5", "must_use_both", "B5", {"dice": [3, 1]}),
        (START, OPPONENT, (3, 1), "pass", "must_play", "B5", {"numbers": 2}),
        (START, OPPONENT, (3, 1), "8/5 6/5 24/23", "no_number_left", "B4", {}),
        (START, OPPONENT, (3, 1), "13/10 13/12", "blocked", "B6", {"point": 12}),
        (START, OPPONENT, (3, 1), "8/5* 6/5", "no_hit", "B6", {"point": 5}),
        (START, OPPONENT, (3, 1), "8/6/4", "no_such_number", "B4", {"number": 2, "dice": [3, 1]}),
        (START, OPPONENT, (2, 2), "13/11(3)", "must_use_more", "B5", {"numbers": 4}),
        (START, OPPONENT, (2, 2), "13/11(5)", "unreadable", "", {"text": "13/11(5)"}),
        (START, OPPONENT, (2, 2), "6/4(3) 8/6(3)", "unreadable", "", {"text": "6/4(3) 8/6(3)"}),
        ({24: 1}, {13: 2}, (6, 5), "24/19", "must_use_larger", "B5", {"number": 6}),
        ({24: 1}, {23: 2}, (1, 1), "24/23", "blocked", "B6", {"point": 23}),
        (START, OPPONENT, (3, 1), "8/5 6/5 é", "unreadable", "", {"text": "é"}),
        (START, OPPONENT, (3, 1), "８/５ 6/5", "unreadable", "", {"text": "８/５"}),
        (START, OPPONENT, (3, 1), "8/5 " * 100, "unreadable", "", {}),
        (START, OPPONENT, (3, 1), "", "unreadable", "", {"text": ""}),
        (START, OPPONENT, (3, 1), "roll", "not_now", "", {"action": "roll", "phase": "move"}),
    ],
)
def test_an_illegal_play_is_refused_with_the_best_reason(own, opposing, dice, play, code, ruling, params):
    with pytest.raises(Illegal) as refused:
        to_move(own, opposing, dice=dice).after(play)
    assert (refused.value.code, refused.value.ruling, refused.value.params) == (code, ruling, params)
    assert (refused.value.args, code in str(refused.value)) == ((code, ruling), True)


@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 10**6), scatter=st.booleans())
def test_each_canonical_text_reads_as_itself_and_names_one_result(seed, scatter):
    for seen, dice in islice(scattered(seed) if scatter else played(seed), 8):
        plays = plays_of(seen.code, dice)
        texts = {write(plays.half_moves_to(result)): result for result in plays.results}
        assert len(texts) == len(plays.results)
        for text, result in texts.items():
            assert read(plays, text) == (result, text)
            assert read(plays, text.upper()) == (result, text)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), scatter=st.booleans(), data=st.data())
def test_every_route_through_the_tree_reads_as_its_result_in_any_order(seed, scatter, data):
    """Half-moves one by one with their hits name the result; without the hits they still name a legal play."""
    for seen, dice in islice(scattered(seed) if scatter else played(seed), 4):
        plays = Plays(seen.code, dice)
        if not plays.numbers:
            continue
        node, route, code = 0, list[HalfMove](), seen.code
        while node >= 0:
            half, node, code = data.draw(st.sampled_from(plays.tree[node]))
            route.append(half)
        words = [write([half]) for half in route]
        for order in islice(permutations(words), 6):
            assert read(plays, " ".join(order))[0] == code
            assert read(plays, " ".join(order).replace("*", ""))[0] in plays.results


@given(st.text(max_size=40) | st.from_regex(re.compile(r"[0-9bar/off*() ]{1,20}"), fullmatch=True))
def test_whatever_is_written_is_read_or_refused(text):
    position = to_move(START, OPPONENT, dice=(3, 1))
    try:
        parse(text)
        position.after(text)
    except Illegal:
        pass
    position.why(text, text)
