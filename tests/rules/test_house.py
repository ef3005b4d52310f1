"""House options: desahogo, breathing space (H1), and as libre, the free ace (H2)."""

from __future__ import annotations

from functools import partial
from itertools import islice

import pytest

from backgammon.rules import House, Illegal, Plays, plays_of

from .oracle import legal_boards
from .positions import played, scattered, to_move
from .test_plays import walks


class TestH1Desahogo:
    def test_a_play_that_closes_the_home_is_illegal_while_another_leaves_a_point_open(self):
        closed_home = {7: 1, 2: 3, 3: 2, 4: 2, 5: 2, 6: 2, 13: 3}
        opponent = {25: 1, 18: 2, 20: 12}
        free = to_move(closed_home, opponent, dice=(6, 1))
        airy = to_move(closed_home, opponent, dice=(6, 1), desahogo=True)
        assert "7/1 2/1" in free.actions()
        assert set(free.actions()) - set(airy.actions()) == {"7/1 2/1"}
        with pytest.raises(Illegal, match="breathing_space: H1"):
            airy.after("7/1 2/1")
        assert airy.why("7/1", "2/1") == {"code": "breathing_space", "ruling": "H1", "params": {}}
        assert airy.why("", "7/1") is None
        assert airy.why("", "14/8")["code"] == "not_your_man"

    def test_when_every_play_closes_it_all_are_legal(self):
        closed_home = {7: 1, 6: 2, 5: 2, 4: 2, 3: 2, 2: 3, 1: 1}
        only = to_move(closed_home, {25: 1, 18: 2, 12: 12}, dice=(6, 6), desahogo=True)
        assert only.actions() == to_move(closed_home, {25: 1, 18: 2, 12: 12}, dice=(6, 6)).actions()

    def test_a_checker_hit_by_the_play_itself_counts(self):
        own, opposing = {7: 1, 2: 3, 3: 2, 4: 2, 5: 2, 6: 2, 13: 3}, {1: 1, 18: 2, 20: 12}
        free, airy = (to_move(own, opposing, dice=(6, 1), desahogo=on) for on in (False, True))
        assert set(free.actions()) - set(airy.actions()) == {"7/1 2/1*"}

    def test_with_nobody_on_the_bar_a_closed_home_is_free(self):
        own, opposing = {7: 1, 2: 3, 3: 2, 4: 2, 5: 2, 6: 2, 13: 3}, {18: 2, 20: 13}
        airy, plain = to_move(own, opposing, dice=(6, 1), desahogo=True), to_move(own, opposing, dice=(6, 1))
        assert airy.actions() == plain.actions()


class TestH2AsLibre:
    def test_any_number_bears_a_checker_off_the_one_point(self):
        position = to_move({6: 1, 1: 2}, {24: 2}, dice=(5, 4), as_libre=True)
        assert position.actions() == ["6/2 1/off", "6/off", "1/off(2)"]
        assert to_move({6: 1, 1: 2}, {24: 2}, dice=(5, 4)).actions() == ["6/off"]
        assert position.why("", "1/off") is None

    def test_only_with_all_checkers_home(self):
        position = to_move({7: 1, 1: 14}, {24: 2}, dice=(5, 4), as_libre=True)
        assert position.why("", "1/off") == {"code": "not_all_home", "ruling": "B9", "params": {"point": 7}}

    def test_only_from_the_one_point(self):
        position = to_move({6: 1, 2: 1, 1: 1}, {24: 2}, dice=(5, 4), as_libre=True)
        assert position.why("", "2/off")["code"] == "exact_higher_first"

    def test_it_counts_toward_playing_the_whole_roll(self):
        assert to_move({6: 1, 1: 3}, {2: 2, 24: 2}, dice=(4, 4)).actions() == ["pass"]
        assert to_move({6: 1, 1: 3}, {2: 2, 24: 2}, dice=(4, 4), as_libre=True).actions() == ["1/off(3)"]


HOUSES = [House(desahogo=True), House(as_libre=True), House(desahogo=True, as_libre=True)]


@pytest.mark.parametrize("house", HOUSES, ids=str)
@pytest.mark.parametrize(
    "positions",
    [
        partial(played, 21),
        partial(played, 22, variant="hypergammon"),
        partial(scattered, 23),
        partial(scattered, 24, checkers=5),
    ],
    ids=["played", "hypergammon", "scattered", "few"],
)
def test_the_naive_oracle_agrees_and_the_tree_has_only_legal_plays(positions, house):
    for seen, dice in islice(positions(), 120):
        plays = Plays(seen.code, dice, house)
        found = [after.to_wire() for after in plays.boards] or [seen.to_wire()]
        expected = legal_boards(seen.to_wire(), dice, free_ace=house.as_libre, breathing_space=house.desahogo)
        assert (found, plays.numbers) == expected, (seen.wire, dice)
        tree_walks = set(walks(plays.tree))
        assert {end for _, end in tree_walks} == set(plays.results)
        assert {length for length, _ in tree_walks} <= {plays.numbers}
        for result in plays.results:
            assert len(plays.half_moves_to(result)) == plays.numbers


def test_without_the_breathing_space_a_free_ace_stays_free():
    closed_home = {7: 1, 2: 3, 3: 2, 4: 2, 5: 2, 6: 2, 13: 3}
    airy = to_move(closed_home, {25: 1, 18: 2, 20: 12}, dice=(6, 1), desahogo=True, as_libre=True)
    assert airy.plays.unfiltered.house == House(as_libre=True)


def test_plays_of_remembers_each_house_apart():
    seen, dice = to_move({6: 1, 1: 2}, {24: 2}, dice=(5, 4)).board, (5, 4)
    assert len(plays_of(seen.code, dice, House(as_libre=True)).results) > len(plays_of(seen.code, dice).results)
