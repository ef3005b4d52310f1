"""The computer at damas: it captures, huffs when that pays, and is limited by positions, not by time."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from random import Random
from typing import Any, cast

import pytest

from draughts import fen
from draughts.state import GameState
from games.bots import damas, player_for
from games.bots.damas import BOARDS, BOARDS_PER_LOOK, SECONDS, Damas, Search, evaluate
from games.bots.engine import DRAW
from games.engine import Position, Side
from games.registry import RULES

BOT, SCORE = Damas(), {"length": 1, "white": 0, "black": 0}


def at(text: str, *, mode: str = "soplar") -> Any:
    """A game at a FEN; White's seat plays White."""
    rules = RULES["damas"]
    position: Any = rules.start(rules.opening_score(1, {}), {"mode": mode})
    board, mover = fen.read(text)
    return replace(position, black="black", state=GameState.at(board, mover))


def best(position: Position, side: Side, effort: int = 3) -> str:
    return BOT.rate_actions(position, SCORE, side, effort=effort)[0].action


def test_it_takes_the_free_man() -> None:
    assert best(at("W:W32,41:B28,5"), "white") == "32x23"


def test_it_huffs_when_that_pays() -> None:
    """Black's man on 23 could capture and did not: it is removed, and White still moves."""
    after = at("B:W28,44:B23,19,5").after("5-10")
    assert set(after.actions()) > {"huff 23", "compel"}
    assert best(after, "white") == "huff 23"


def test_each_move_and_each_right_is_judged_the_best_first() -> None:
    after = at("B:W28,44:B23,19,5").after("5-10")
    rated = BOT.rate_actions(after, SCORE, "white", effort=3)
    assert sorted(option.action for option in rated) == sorted(after.actions())
    assert [option.equity for option in rated] == sorted((option.equity for option in rated), reverse=True)


def test_it_does_not_leave_a_capture_that_would_be_huffed() -> None:
    position = at("W:W32,41,42:B28,5,6")
    assert best(position, "white") == "32x23"
    rated = dict(BOT.rate_actions(position, SCORE, "white", effort=3))
    assert rated["32x23"] > max(equity for action, equity in rated.items() if "x" not in action)


@pytest.mark.parametrize("mode", ["soplar", "obligatoria"])
@pytest.mark.parametrize("level", [1, 3])
def test_it_beats_a_random_player(mode: str, level: int) -> None:
    chance, won, games = Random(mode), 0.0, 4
    rules = RULES["damas"]
    for number in range(games):
        standing = rules.opening_score(1, {"mode": mode})
        position, bot = rules.start(standing, {"mode": mode}), cast(Side, "white" if number % 2 else "black")
        player, version = player_for("damas", level), 0
        assert player
        while position.turn != "over":
            version += 1
            if position.turn != bot:
                position = position.after(chance.choice(list(position.actions())))
                continue
            decision = player.decide(position, standing.view(), bot, seed=f"{number}:{version}")
            position = position.drawn("claim") if decision.action == "claim-draw" else position.after(decision.action)
        assert position.outcome
        won += 0.5 if position.outcome.winner is None else position.outcome.winner == bot
    assert won >= games - 0.5


def test_a_budget_of_boards_is_kept_and_gives_the_same_answer_each_time() -> None:
    board, mover = fen.read("B:W36,37,38,39,40,41,42,43,44,45:B6,7,8,9,10,11,12,13,14,15")
    search = Search(quantity=False, boards=BOARDS[2])
    search.deepened(board, mover)
    assert search.seen == BOARDS[2] + 1
    position = at("B:W36,37,38,39,40,41,42,43,44,45:B6,7,8,9,10,11,12,13,14,15")
    assert BOT.rate_actions(position, SCORE, "black", effort=2) == BOT.rate_actions(position, SCORE, "black", effort=2)


def test_a_search_whose_time_is_up_ends_at_its_next_look_at_the_clock() -> None:
    board, mover = fen.read("B:W36,37,38,39,40,41,42,43,44,45:B6,7,8,9,10,11,12,13,14,15")
    search = Search(quantity=False, boards=BOARDS[5], began=time.monotonic() - SECONDS)
    search.deepened(board, mover)
    assert search.seen == BOARDS_PER_LOOK == 64


def test_the_order_of_the_search_is_that_of_the_listed_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures of docs/bots.md hold for this order: another one finds other moves within the same boards."""
    monkeypatch.setattr(damas, "SECONDS", math.inf)
    rated = BOT.rate_actions(at("W:WK49,37,38,42,47:BK2,6,8,12,13"), SCORE, "white", effort=4)
    assert [(option.action, round(option.equity, 6)) for option in rated] == [
        ("38-33", 0.020997),
        ("37-31", 0.0105),
        ("38-32", 0.0105),
        ("37-32", 0.0035),
        ("49-40", 0.0),
        ("49-43", 0.0),
        ("47-41", -0.017498),
        ("49-35", -0.608792),
        ("49-44", -0.792456),
    ]


def test_a_position_is_worth_the_opposite_to_each_side() -> None:
    board, _ = fen.read("W:W32,41,K3:B28,5,6")
    assert evaluate(board, "white") == -evaluate(board, "black") > 1


def test_a_draw_is_accepted_by_the_side_that_is_no_better() -> None:
    worse, better = at("W:W32:B5,6,7,8"), at("W:W32,33,38,42,43:B5")
    assert BOT.accepts(worse, SCORE, "white", DRAW)
    assert not BOT.accepts(better, SCORE, "white", DRAW)
    assert BOT.accepts(better, SCORE, "white", 1)
