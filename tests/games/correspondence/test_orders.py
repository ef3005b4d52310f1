"""What orders are, and when one is due. No database."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games import orders, replay
from games.dice.match_dice import MatchDice, SeatDice
from games.registry import RULES

OPENING = [("white", "roll"), ("black", "roll"), ("chance", "dice 31")]
TO_DOUBLE = [*OPENING, ("white", "8/5 6/5")]  # Black is to roll or double, at version 4
ENTERING = [  # hypergammon: two checkers of White's are hit, and can only enter
    *(("white", "roll"), ("black", "roll"), ("chance", "dice 65"), ("white", "24/13")),
    *(("black", "roll"), ("chance", "dice 55"), ("black", "22/12*/2*"), ("white", "roll"), ("chance", "dice 15")),
]
TAKE = orders.SeatOrders().with_order("double take", version=4, game=1)


def state_after(*actions: tuple[str, str], length: int = 5, variant: str = "backgammon") -> replay.State:
    rules = RULES[variant]
    options = {key: term.default for key, term in rules.terms(length).items()}
    return replay.fold(replay.start(rules, length, options), actions)


class TestOrders:
    """Without a database: pending orders, and orders that are due."""

    def test_a_preset_answer_for_now_applies_at_the_version_seen(self) -> None:
        assert TAKE.answer(version=4, game=1) == "take"
        assert TAKE.answer(version=5, game=1) is None
        assert TAKE.without_lapsed(version=4, game=1) == TAKE
        assert TAKE.without_lapsed(version=5, game=1).double is None

    def test_a_preset_answer_for_the_game_applies_until_its_end(self) -> None:
        book = orders.SeatOrders().with_order("double drop game", version=4, game=1)
        assert book.answer(version=40, game=1) == "drop"
        assert book.answer(version=41, game=2) is None

    def test_the_last_order_counts(self) -> None:
        assert TAKE.with_order("double drop", version=4, game=1).answer(version=4, game=1) == "drop"
        assert TAKE.with_order("double ask", version=4, game=1).double is None
        assert TAKE.with_order("forced on", version=4, game=1).double == "double take"
        assert (
            TAKE.with_order("forced on", version=4, game=1).with_order("forced off", version=4, game=1).forced is False
        )

    def test_an_id_stands_for_one_order_and_the_last_ones_are_remembered(self) -> None:
        book = TAKE.remember("a-1", "double take", 4)
        assert (book.first_answer("a-1", "double take"), book.first_answer("a-2", "double take")) == (4, None)
        with pytest.raises(orders.OrderIdReused):
            book.first_answer("a-1", "double drop")
        for n in range(2, 20):
            book = book.remember(f"a-{n}", "double take", 4)
        assert len(book.remembered) == orders.REMEMBERED
        assert book.first_answer("a-19", "double take") == 4

    def test_saved_orders_are_restored_to_an_equal_value(self) -> None:
        book = orders.MatchOrders().with_seat(
            "black", TAKE.with_order("forced on", version=4, game=1).remember("a-1", "forced on", 4)
        )
        assert orders.restore(book.snapshot()) == book
        assert orders.MatchOrders().snapshot() is None
        assert orders.restore(None) == orders.MatchOrders()

    def test_the_possible_answers_to_a_double_depend_on_the_cube(self) -> None:
        now, game = list(orders.ANSWERS_NOW), list(orders.ANSWERS_THIS_GAME)
        doubled = [*TO_DOUBLE, ("black", "double")]
        answered = [*doubled, ("white", "take")]
        for actions, white, black in (
            ([], game, game),
            (OPENING, game, game),
            (TO_DOUBLE, [*now, *game], game),
            (doubled, [], []),
            (answered, [], game),
        ):
            state = state_after(*actions)
            assert (orders.possible_answers(state, "white"), orders.possible_answers(state, "black")) == (
                white,
                black,
            ), actions
        assert orders.possible_answers(state_after(*TO_DOUBLE, length=1), "white") == []
        assert orders.possible_answers(state_after(variant="damas", length=1), "white") == []
        paused = state_after(*TO_DOUBLE, ("server", "pause"))
        assert orders.possible_answers(paused, "white") == []

    def test_only_a_double_is_answered(self) -> None:
        book = orders.MatchOrders().with_seat("white", TAKE)
        doubled = state_after(*TO_DOUBLE, ("black", "double"))

        def due(state: replay.State, version: int, *, doubled: bool) -> Any:
            return orders.due_action(state, book, None, version=version, doubled=doubled)

        assert due(doubled, 5, doubled=True) == ("white", "take", "")
        assert due(doubled, 6, doubled=True) is None  # another action came between
        assert due(doubled, 5, doubled=False) is None  # it was doubled before the order
        assert due(state_after(*TO_DOUBLE), 4, doubled=False) is None

    def test_a_double_that_was_made_ends_the_answers_of_both(self) -> None:
        book = orders.MatchOrders(
            *(orders.SeatOrders().with_order("double take game", version=3, game=1) for _ in range(2))
        )
        state = state_after(*TO_DOUBLE, ("black", "double"), ("white", "take"))
        assert book.after(state, version=4, doubled=False) == book
        assert book.after(state, version=6, doubled=True) == orders.MatchOrders(
            *(orders.SeatOrders(game=1, seen=3) for _ in range(2))
        )

    def test_the_one_play_is_forced_and_a_choice_is_not(self) -> None:
        assert orders.forced_play(state_after(*OPENING), "white") is None
        state = state_after(*ENTERING, variant="hypergammon")
        assert orders.forced_play(state, "white") == "bar/24 bar/20"
        assert orders.forced_play(state, "black") is None
        seat_orders = orders.SeatOrders().with_order("forced on", version=9, game=1)
        book = orders.MatchOrders().with_seat("white", seat_orders)
        assert orders.due_action(state, book, None, version=9, doubled=False) == ("white", "bar/24 bar/20", "")
        assert (
            orders.due_action(
                state, orders.MatchOrders().with_seat("black", seat_orders), None, version=9, doubled=False
            )
            is None
        )
        offered = replace(state, offer=replay.Offer("black", draw=True))
        assert orders.due_action(offered, book, None, version=9, doubled=False) is None

    def test_no_automatic_roll_is_made_where_a_player_could_double(self) -> None:
        seat_dice = SeatDice(order=True, unless_double=True, left="ab" * 32)
        state, book = state_after(*TO_DOUBLE), orders.MatchOrders()
        assert orders.due_action(state, book, MatchDice("", black=seat_dice), version=4, doubled=False) is None
        always = MatchDice("", black=SeatDice(order=True, left="ab" * 32))
        assert orders.due_action(state, book, always, version=4, doubled=False) == ("black", "roll", "ab" * 32)
        plain = state_after(*TO_DOUBLE, length=1)
        assert orders.due_action(plain, book, MatchDice("", black=seat_dice), version=4, doubled=False) == (
            "black",
            "roll",
            "ab" * 32,
        )
