"""What orders are, and when one is due. No database."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games import orders, replay
from games.dice.hands import Hand, Hands
from games.registry import RULES

OPENING = [("white", "roll"), ("black", "roll"), ("chance", "dice 31")]
TO_DOUBLE = [*OPENING, ("white", "8/5 6/5")]  # Black is to roll or double, at version 4
ENTERING = [  # hypergammon: two men of White's are hit, and can only enter
    *(("white", "roll"), ("black", "roll"), ("chance", "dice 65"), ("white", "24/13")),
    *(("black", "roll"), ("chance", "dice 55"), ("black", "22/12*/2*"), ("white", "roll"), ("chance", "dice 15")),
]
TAKE = orders.Orders().given("double take", version=4, game=1)


def state_after(*actions: tuple[str, str], length: int = 5, variant: str = "backgammon") -> replay.State:
    rules = RULES[variant]
    options = {key: term.default for key, term in rules.terms(length).items()}
    return replay.fold(replay.start(rules, length, options), actions)


class TestOrders:
    """Pure: what stands, and what is due."""

    def test_an_answer_for_now_holds_at_the_version_that_was_seen(self) -> None:
        assert TAKE.answer(version=4, game=1) == "take"
        assert TAKE.answer(version=5, game=1) is None
        assert TAKE.lapsed(version=4, game=1) == TAKE
        assert TAKE.lapsed(version=5, game=1).double is None

    def test_an_answer_for_the_game_holds_until_its_end(self) -> None:
        mine = orders.Orders().given("double drop game", version=4, game=1)
        assert mine.answer(version=40, game=1) == "drop"
        assert mine.answer(version=41, game=2) is None

    def test_the_last_word_counts(self) -> None:
        assert TAKE.given("double drop", version=4, game=1).answer(version=4, game=1) == "drop"
        assert TAKE.given("double ask", version=4, game=1).double is None
        assert TAKE.given("forced on", version=4, game=1).double == "double take"
        assert TAKE.given("forced on", version=4, game=1).given("forced off", version=4, game=1).forced is False

    def test_an_id_stands_for_one_order_and_the_last_ones_are_remembered(self) -> None:
        mine = TAKE.heard("a-1", "double take", 4)
        assert (mine.first("a-1", "double take"), mine.first("a-2", "double take")) == (4, None)
        with pytest.raises(orders.Reused):
            mine.first("a-1", "double drop")
        for n in range(2, 20):
            mine = mine.heard(f"a-{n}", "double take", 4)
        assert len(mine.told) == orders.KEPT
        assert mine.first("a-19", "double take") == 4

    def test_a_book_is_restored_to_an_equal_value(self) -> None:
        book = orders.Book().put("black", TAKE.given("forced on", version=4, game=1).heard("a-1", "forced on", 4))
        assert orders.restore(book.snapshot()) == book
        assert orders.Book().snapshot() is None
        assert orders.restore(None) == orders.Book()

    def test_what_can_be_said_of_a_double_depends_on_the_cube(self) -> None:
        now, game = list(orders.NOW), list(orders.GAME)
        doubled = [*TO_DOUBLE, ("black", "double")]
        taken = [*doubled, ("white", "take")]
        for actions, white, black in (
            ([], game, game),
            (OPENING, game, game),
            (TO_DOUBLE, [*now, *game], game),
            (doubled, [], []),
            (taken, [], game),
        ):
            state = state_after(*actions)
            assert (orders.possible(state, "white"), orders.possible(state, "black")) == (white, black), actions
        assert orders.possible(state_after(*TO_DOUBLE, length=1), "white") == []
        assert orders.possible(state_after(variant="damas", length=1), "white") == []
        paused = state_after(*TO_DOUBLE, ("server", "pause"))
        assert orders.possible(paused, "white") == []

    def test_a_double_is_answered_and_nothing_else(self) -> None:
        book = orders.Book().put("white", TAKE)
        doubled = state_after(*TO_DOUBLE, ("black", "double"))

        def due(state: replay.State, version: int, *, doubled: bool) -> Any:
            return orders.due(state, book, None, version=version, doubled=doubled)

        assert due(doubled, 5, doubled=True) == ("white", "take", "")
        assert due(doubled, 6, doubled=True) is None  # something had come between
        assert due(doubled, 5, doubled=False) is None  # it was doubled before the order
        assert due(state_after(*TO_DOUBLE), 4, doubled=False) is None

    def test_a_double_that_was_made_has_done_with_what_both_have_said(self) -> None:
        book = orders.Book(*(orders.Orders().given("double take game", version=3, game=1) for _ in range(2)))
        state = state_after(*TO_DOUBLE, ("black", "double"), ("white", "take"))
        assert book.after(state, version=4, doubled=False) == book
        assert book.after(state, version=6, doubled=True) == orders.Book(
            *(orders.Orders(game=1, seen=3) for _ in range(2))
        )

    def test_the_one_play_is_forced_and_a_choice_is_not(self) -> None:
        assert orders.forced(state_after(*OPENING), "white") is None
        state = state_after(*ENTERING, variant="hypergammon")
        assert orders.forced(state, "white") == "bar/24 bar/20"
        assert orders.forced(state, "black") is None
        mine = orders.Orders().given("forced on", version=9, game=1)
        book = orders.Book().put("white", mine)
        assert orders.due(state, book, None, version=9, doubled=False) == ("white", "bar/24 bar/20", "")
        assert orders.due(state, orders.Book().put("black", mine), None, version=9, doubled=False) is None
        offered = replace(state, offer=replay.Offer("black", draw=True))
        assert orders.due(offered, book, None, version=9, doubled=False) is None

    def test_a_roll_that_spares_the_cube_is_left_where_one_could_double(self) -> None:
        hand = Hand(order=True, unless_double=True, left="ab" * 32)
        state, book = state_after(*TO_DOUBLE), orders.Book()
        assert orders.due(state, book, Hands("", black=hand), version=4, doubled=False) is None
        always = Hands("", black=Hand(order=True, left="ab" * 32))
        assert orders.due(state, book, always, version=4, doubled=False) == ("black", "roll", "ab" * 32)
        plain = state_after(*TO_DOUBLE, length=1)
        assert orders.due(plain, book, Hands("", black=hand), version=4, doubled=False) == ("black", "roll", "ab" * 32)
