"""The view of a position for each viewer: the shape of docs/protocol.md."""

from __future__ import annotations

import json

from .positions import game, to_move


class TestView:
    def test_the_start_as_a_board_draws_it(self):
        checkers = [0] * 5 + [5, 0, 3] + [0] * 4 + [5] + [0] * 10 + [2]
        half = {"points": checkers, "bar": 0, "off": 0, "stock": 0}
        assert game("dice 31").view("white") == {
            "family": "points",
            "phase": "move",
            "turn": "white",
            "board": {"white": half, "black": half},
            "pips": {"white": 167, "black": 167},
            "dice": [3, 1],
            "cube": {"value": 1, "owner": None, "offered": None, "dead": False},
            "names": None,
            "outcome": None,
            "tree": game("dice 31").view("white")["tree"],
        }

    def test_only_the_side_to_move_sees_the_tree(self):
        position = game("dice 31")
        assert position.view("black")["tree"] is position.view(None)["tree"] is game().view("white")["tree"] is None
        tree = position.view("white")["tree"]
        assert tree[0][0] == [24, 21, 3, 0, 1]
        assert {edge[4] for edge in tree[-1]} == {-1}
        json.dumps(tree)

    def test_a_hit_and_bearing_off_in_the_tree(self):
        tree = to_move({25: 1}, {22: 1, 19: 2}, dice=(6, 3)).view("white")["tree"]
        assert tree == [[[25, 22, 3, 1, 1]], [[22, 16, 6, 0, -1]]]
        assert to_move({1: 1}, {}, dice=(6, 5)).view("white")["tree"] == [[[1, 0, 6, 0, -1]]]
