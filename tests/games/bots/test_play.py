"""The computer at the real rules: its answers are legal, its openings the book's, and it beats a random player."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest

from games.bots import engine_for
from games.bots.engine_boards import after, board_of
from games.engine import Position, Score, Side
from games.registry import RULES
from tests.games.bots.engine_positions import score

pytest.importorskip("bgsage", reason="the package bgsage is not installed")

Player = Callable[[Position, Score], str]
LONGEST = 5000


def computer(position: Position, standing: Score) -> str:
    side = position.turn
    engine = engine_for("backgammon")
    assert engine
    assert side in ("white", "black")
    return engine.choose(position, standing.view(), side)


def random_player(chance: Random) -> Player:
    """Plays anything legal at random."""
    return lambda position, _: chance.choice(list(position.actions()))


def game(variant: str, standing: Score, players: dict[Side, Player], chance: Random) -> Iterator[tuple[Position, str]]:
    """One game: each position before an action of a player, with the action; last, the finished one with ``over``."""
    position = RULES[variant].start(standing, {})
    for _ in range(LONGEST):
        if position.turn == "over":
            yield position, "over"
            return
        if position.turn == "chance":
            position = position.after(chance.choice(list(position.actions())))
            continue
        action = position.auto or players[position.turn](position, standing)
        yield position, action
        position = position.after(action)
    raise AssertionError("a game without end")


def opening(variant: str, dice: str) -> Position:
    rules = RULES[variant]
    return rules.start(rules.opening_score(7, {}), {}).after(f"dice {dice}")


@pytest.mark.parametrize(
    ("dice", "play"),
    [("31", "8/5 6/5"), ("42", "8/4 6/4"), ("53", "8/3 6/3"), ("61", "13/7 8/7"), ("65", "24/13")],
)
def test_the_openings_that_everybody_plays(dice: str, play: str) -> None:
    position = opening("backgammon", dice)
    chosen = computer(position, RULES["backgammon"].opening_score(7, {}))
    assert chosen == position.canonical(play)
    black = opening("backgammon", dice[::-1])
    assert black.turn == "black"
    assert computer(black, RULES["backgammon"].opening_score(7, {})) == chosen


def test_it_does_not_matter_how_far_the_match_goes() -> None:
    for length in (1, 2, 3, 25, 26, 64, 99):
        standing = RULES["backgammon"].opening_score(length, {})
        assert computer(RULES["backgammon"].start(standing, {}).after("dice 31"), standing) == "8/5 6/5"


@pytest.mark.parametrize("variant", ["backgammon", "nackgammon"])
@pytest.mark.parametrize("style", ["random", "computer"])
def test_its_answers_are_legal_and_it_moves_the_checkers_as_the_rules_do(variant: str, style: str) -> None:
    """A thousand positions of each kind, half of them such as only a random player reaches."""
    chance, seen, plays = Random(variant + style), 0, 0
    wild = random_player(chance)
    while seen < 1000:
        standing = RULES[variant].opening_score(chance.choice([1, 3, 5, 7, 40]), {})
        for position, action in game(
            variant, standing, dict.fromkeys(("white", "black"), wild if style == "random" else computer), chance
        ):
            if action in ("over", "pass"):
                continue
            seen += 1
            choices = list(position.actions())
            assert computer(position, standing) in choices
            if "/" in action:
                plays += 1
                before = board_of(position.view(None), position.turn)  # type: ignore[arg-type]
                for choice in choices if plays % 10 == 0 else (action,):
                    shown = board_of(position.after(choice).view(None), position.turn)  # type: ignore[arg-type]
                    assert after(before, choice) == shown, (before, choice)


@pytest.mark.parametrize("variant", ["backgammon", "nackgammon"])
def test_it_beats_a_random_player(variant: str) -> None:
    chance, won, points = Random(5), 0, 0
    standing = RULES[variant].opening_score(11, {})
    for number in range(40):
        side: Side = "white" if number % 2 else "black"
        players: dict[Side, Player] = {"white": random_player(chance), "black": random_player(chance)}
        players[side] = computer
        *_, (last, _) = game(variant, standing, players, chance)
        assert last.outcome
        won += last.outcome.winner == side
        points += last.outcome.points if last.outcome.winner == side else -last.outcome.points
    assert won >= 38
    assert points >= 40


def test_two_computers_play_whole_matches_to_the_end() -> None:
    chance, crawford = Random(8), 0
    for length in (1, 3, 5, 7):
        standing: Score = RULES["backgammon"].opening_score(length, {})
        while standing.winner is None:
            crawford += bool(standing.view()["crawford"])
            *steps, (last, _) = game("backgammon", standing, {"white": computer, "black": computer}, chance)
            if standing.view()["crawford"] or length == 1:
                assert "double" not in {action for _, action in steps}
            assert last.outcome
            standing = standing.after(last.outcome)
    assert crawford


def test_without_a_cube_it_plays_on() -> None:
    rules = RULES["backgammon"]
    standing = rules.opening_score(5, {})
    position = rules.start(standing, {"cube": False})
    assert position.view(None)["cube"] is None
    assert computer(position.after("dice 31"), standing) == "8/5 6/5"


def test_the_score_as_pages_show_it_is_enough() -> None:
    standing = RULES["backgammon"].opening_score(7, {})
    assert standing.view() == score(7)
