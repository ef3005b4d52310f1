"""Random whole games of every variant with any options: replayed, restored, mirrored."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from backgammon.rules import RULES, SIDES, VARIANTS, Position, Score, VariantRules, opponent

from .positions import game


def drawn(
    data: st.DataObject, *, variant: str, score: Score, options: dict[str, Any]
) -> list[tuple[Position, str, Position]]:
    """A random game, action by action: the position before, the action, the position after."""
    position = RULES[variant].start(score, options)
    chance = data.draw(st.randoms(use_true_random=False))
    steps = []
    while position.turn != "over" and len(steps) < 400:
        actions = list(position.actions())
        action = chance.choice([each for each in actions if each != "drop"] or actions)
        if action == "double" and chance.random() < 0.7:
            action = "roll"
        after = position.after(action)
        steps.append((position, action, after))
        position = after
    return steps


def options_of(data: st.DataObject, rules: VariantRules, length: int) -> dict[str, Any]:
    """What two players may have agreed on: some value for some of the terms."""
    terms = {name: st.sampled_from(term.choices) for name, term in rules.terms(length).items()}
    return data.draw(st.fixed_dictionaries({}, optional=terms))


@settings(max_examples=30, deadline=None)
@given(
    data=st.data(),
    variant=st.sampled_from(sorted(RULES)),
    length=st.sampled_from([0, 1, 7]),
    white=st.integers(0, 6),
    black=st.integers(0, 6),
)
def test_any_game_is_replayed_from_its_actions_and_restored_from_its_snapshots(data, variant, length, white, black):
    rules = RULES[variant]
    length = length if rules.money else 15
    options = options_of(data, rules, length)
    score = replace(rules.opening_score(length, options), white=white % length if length else white, black=0)
    steps = drawn(data, variant=variant, score=score, options=options)
    checkers = VARIANTS[variant].checkers
    replay = rules.start(score, options)
    for before, action, after in steps:
        assert before.canonical(action) == action
        assert json.loads(json.dumps(before.view("white")))["turn"] == before.turn
        assert (before.auto is None) or list(before.actions()) == [before.auto]
        assert sum(bool(before.may(side)) for side in SIDES) <= (2 if before.phase == "opening" else 1)
        for side in SIDES:
            for level, points in before.resignations(side):
                assert before.conceded(side, level).outcome.points == points > 0
        replay = replay.after(action)
        assert replay == after
        assert rules.restore(json.loads(json.dumps(after.snapshot()))) == after
        assert after.board.checkers == (checkers, checkers)
        assert after.board_of("white") == after.board_of("black").flipped()
    if replay.outcome:
        assert rules.restore_score(replay.score.snapshot()) == replay.score
        assert replay.score.after(replay.outcome).points(replay.outcome.winner) > replay.score.points(
            replay.outcome.winner
        )


@settings(max_examples=15, deadline=None)
@given(data=st.data(), variant=st.sampled_from(sorted(RULES)))
def test_the_same_game_with_colours_changed_is_its_mirror_image(data, variant):
    options = options_of(data, RULES[variant], 7)
    replay = RULES[variant].start(Score(7), options)
    for before, action, after in drawn(data, variant=variant, score=Score(7), options=options):
        mirrored = f"dice {action[6]}{action[5]}" if before.phase == "opening" else action
        replay = replay.after(mirrored)
        for side in SIDES:
            assert replay.board_of(side) == after.board_of(opponent(side))
        assert replay.turn == (opponent(after.turn) if after.turn in SIDES else after.turn)


def test_a_snapshot_without_the_later_options_is_still_read():
    position = game("dice 31", "8/5 6/5", "double", "take")
    older = {name: value for name, value in position.snapshot().items() if name not in ("named", "house", "money")}
    older["cube"] = older["cube"][:4]
    older["score"] = {name: value for name, value in older["score"].items() if name != "has_crawford"}
    assert RULES["backgammon"].restore(older) == position
