"""The computer at acey-deucey and hypergammon: legal, sensible, better than chance, and bounded."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.bots import player_for, why_not
from games.bots.outlook import danger, held, outlook, pips
from games.bots.roller import Roller
from games.engine import Position, Side
from games.registry import RULES

BOT = Roller()


def half(places: dict[int, int], *, bar: int = 0, stock: int = 0, off: int = 0) -> dict[str, Any]:
    return {"points": [places.get(n, 0) for n in range(1, 25)], "bar": bar, "stock": stock, "off": off}


def started(variant: str, *actions: str) -> Position:
    rules = RULES[variant]
    position = rules.start(rules.opening_score(rules.lengths[0], {}), {})
    for action in actions:
        position = position.after(action)
    return position


def won_by_bot(variant: str, level: int, games: int) -> int:
    """Games that a bot wins against who plays anything."""
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
    def test_pips_count_the_stock_from_beyond_the_board(self) -> None:
        assert pips(half({6: 2, 13: 1}, bar=1, stock=2)) == 12 + 13 + 25 + 50
        assert pips(half({1: 2})) == 2 + 3.0

    def test_a_blot_six_away_is_in_more_danger_than_one_far_off(self) -> None:
        near, far = half({10: 1}), half({3: 1})
        shooter = half({21: 2})  # on my 4-point
        assert danger(near, shooter, soon=True) == pytest.approx(17 / 36 * 15)
        assert danger(far, shooter, soon=True) == 0
        assert danger(half({10: 2}), shooter, soon=True) == 0

    def test_points_count_only_while_somebody_is_behind_them(self) -> None:
        assert held(half({5: 2}), half({24: 1})) == pytest.approx(1.6)
        assert held(half({5: 2}), half({10: 5})) == 0

    def test_both_sides_see_the_same_game(self) -> None:
        view = {"board": {"white": half({6: 5, 8: 3, 13: 1}), "black": half({6: 4, 20: 2})}}
        assert outlook(view, "white", "white") == pytest.approx(-outlook(view, "black", "white"))
        assert outlook(view, "white", "white") > outlook(view, "white", "black")


class TestDecisions:
    def test_it_rolls_when_the_dice_wait_for_it(self) -> None:
        assert BOT.choose(started("hypergammon"), {"length": 5, "white": 0, "black": 0}, "white") == "roll"

    def test_it_names_the_double_that_goes_furthest(self) -> None:
        position = started("acey-deucey", "dice 61", "dice 12")
        [*_, play] = position.actions()
        named = position.after(play)
        assert named.actions() == [f"name {n}" for n in range(1, 7)]
        choice = BOT.choose(named, {"length": 15, "white": 0, "black": 0}, "white")
        assert choice in ("name 4", "name 5", "name 6")

    def test_it_has_nothing_to_say_on_its_rivals_turn(self) -> None:
        with pytest.raises(ValueError, match="nothing to decide"):
            BOT.judged(started("hypergammon", "dice 61"), {"length": 5, "white": 0, "black": 0}, "black")

    def test_a_double_of_a_lost_game_is_dropped_and_of_an_even_one_taken(self) -> None:
        position = started("hypergammon", "dice 61")
        position = position.after(next(iter(position.actions()))).after("double")
        answer = BOT.choose(position, {"length": 5, "white": 0, "black": 0}, "white")
        assert answer == "take"
        assert BOT.choose(position, {"length": 5, "white": 0, "black": 4}, "white") == "take"

    @pytest.mark.parametrize("variant", ["hypergammon", "acey-deucey"])
    def test_it_is_asked_again_and_says_the_same(self, variant: str) -> None:
        position = started(variant, "dice 61", *(["dice 53"] if variant == "acey-deucey" else []))
        score = {"length": 15, "white": 0, "black": 0}
        assert BOT.judged(position, score, "white") == BOT.judged(position, score, "white")


@pytest.mark.parametrize(("variant", "level", "games", "least"), [("hypergammon", 2, 40, 24), ("acey-deucey", 1, 8, 6)])
def test_it_beats_a_random_player(variant: str, level: int, games: int, least: int) -> None:
    assert won_by_bot(variant, level, games) >= least


def test_it_plays_these_games_and_no_house_rules() -> None:
    assert why_not("acey-deucey") is None
    assert why_not("hypergammon", {"cube": True, "cube_cap": 64}) is None
    assert why_not("hypergammon", {"desahogo": True}) == "engine_options"
    assert why_not("longgammon") == "engine_variant"
