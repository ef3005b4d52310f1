"""The computer at acey-deucey and hypergammon: legal, sensible, better than chance, and bounded."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.bots import player_for, why_unavailable
from games.bots.evaluation import danger, held, pips, position_equity
from games.bots.expectimax import Expectimax
from games.engine import Position, Side
from games.registry import RULES

BOT = Expectimax()


def half(places: dict[int, int], *, bar: int = 0, stock: int = 0, off: int = 0) -> dict[str, Any]:
    return {"points": [places.get(n, 0) for n in range(1, 25)], "bar": bar, "stock": stock, "off": off}


def started(variant: str, *actions: str) -> Position:
    rules = RULES[variant]
    position = rules.start(rules.opening_score(rules.lengths[0], {}), {})
    for action in actions:
        position = position.after(action)
    return position


def won_by_bot(variant: str, level: int, games: int) -> int:
    """The number of games that a bot wins against a random player."""
    chance, won = Random(variant), 0
    rules = RULES[variant]
    for number in range(games):
        standing = rules.opening_score(rules.lengths[0], {})
        bot: Side = "white" if number % 2 else "black"
        position, player, version = rules.start(standing, {}), player_for(variant, level), 0
        assert player
        while (side := position.turn) != "over":
            version += 1
            if side == "chance" or side != bot:
                position = position.after(position.auto or chance.choice(list(position.actions())))
                continue
            decision = player.decide(position, standing.view(), bot, seed=f"{number}:{version}")
            assert decision.action in position.actions()
            position = position.after(decision.action)
        assert position.outcome
        won += position.outcome.winner == bot
    return won


class TestOutlook:
    def test_pips_count_checkers_in_stock_as_off_the_board(self) -> None:
        assert pips(half({6: 2, 13: 1}, bar=1, stock=2)) == 12 + 13 + 25 + 50
        assert pips(half({1: 2})) == 2 + 3.0

    def test_a_blot_six_away_is_in_more_danger_than_one_far_off(self) -> None:
        near, far = half({10: 1}), half({3: 1})
        shooter = half({21: 2})  # on my 4-point
        assert danger(near, shooter, soon=True) == pytest.approx(17 / 36 * 15)
        assert danger(far, shooter, soon=True) == 0
        assert danger(half({10: 2}), shooter, soon=True) == 0

    def test_points_count_only_while_an_opposing_checker_is_behind_them(self) -> None:
        assert held(half({5: 2}), half({24: 1})) == pytest.approx(1.6)
        assert held(half({5: 2}), half({10: 5})) == 0

    def test_both_sides_see_the_same_game(self) -> None:
        view = {"board": {"white": half({6: 5, 8: 3, 13: 1}), "black": half({6: 4, 20: 2})}}
        assert position_equity(view, "white", "white") == pytest.approx(-position_equity(view, "black", "white"))
        assert position_equity(view, "white", "white") > position_equity(view, "white", "black")


class TestDecisions:
    def test_it_rolls_when_the_dice_wait_for_it(self) -> None:
        assert BOT.choose(started("hypergammon"), {"length": 5, "white": 0, "black": 0}, "white") == "roll"

    def test_it_names_the_double_that_moves_furthest(self) -> None:
        position = started("acey-deucey", "dice 61", "dice 12")
        [*_, play] = position.actions()
        named = position.after(play)
        assert named.actions() == [f"name {n}" for n in range(1, 7)]
        choice = BOT.choose(named, {"length": 15, "white": 0, "black": 0}, "white")
        assert choice in ("name 4", "name 5", "name 6")

    def test_it_does_nothing_on_the_opponents_turn(self) -> None:
        with pytest.raises(ValueError, match="nothing to decide"):
            BOT.rate_actions(started("hypergammon", "dice 61"), {"length": 5, "white": 0, "black": 0}, "black")

    def test_a_double_of_a_lost_game_is_dropped_and_of_an_even_one_taken(self) -> None:
        position = started("hypergammon", "dice 61")
        position = position.after(next(iter(position.actions()))).after("double")
        answer = BOT.choose(position, {"length": 5, "white": 0, "black": 0}, "white")
        assert answer == "take"
        assert BOT.choose(position, {"length": 5, "white": 0, "black": 4}, "white") == "take"

    @pytest.mark.parametrize("variant", ["hypergammon", "acey-deucey"])
    def test_it_gives_the_same_answer_when_asked_again(self, variant: str) -> None:
        position = started(variant, "dice 61", *(["dice 53"] if variant == "acey-deucey" else []))
        score = {"length": 15, "white": 0, "black": 0}
        assert BOT.rate_actions(position, score, "white") == BOT.rate_actions(position, score, "white")


@pytest.mark.parametrize(("variant", "level", "games", "least"), [("hypergammon", 2, 40, 24), ("acey-deucey", 1, 8, 6)])
def test_it_beats_a_random_player(variant: str, level: int, games: int, least: int) -> None:
    assert won_by_bot(variant, level, games) >= least


def test_it_plays_these_games_and_no_house_rules() -> None:
    assert why_unavailable("acey-deucey") is None
    assert why_unavailable("hypergammon", {"cube": True, "cube_cap": 64}) is None
    assert why_unavailable("hypergammon", {"desahogo": True}) == "engine_options"
    assert why_unavailable("longgammon") == "engine_variant"
