"""Orders in a match: a double answered in advance, forced plays, and resigning with a version."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.models import User
from games import services
from games.events import state_of
from games.models import Match
from games.selectors import match_state as selectors
from games.services import Answer
from tests.games.clock_control import Time
from tests.games.correspondence.order_frames import fresh, last, order, refusal, seen_by, standing
from tests.replayed_state import replayed_state

Open = Callable[..., Match]
Act = Callable[..., Answer]
Dice = deque[tuple[int, int]]


@pytest.mark.django_db
class TestDouble:
    def test_an_ordered_take_is_made_with_the_double(
        self, to_double: Match, time: Time, act: Act, ana: User, bea: User
    ) -> None:
        assert order(to_double, ana, "double take") == 4
        time(days=2)
        assert act(to_double, bea, "double").version == 6
        assert last(to_double, 2) == [("black", "double", "double"), ("white", "take", "ordered")]
        state = state_of(fresh(to_double))
        assert (state.position.turn, state.may("black")[:1]) == ("black", ["roll"])
        assert fresh(to_double).flag_at == time.moment + timedelta(days=3)
        assert standing(to_double, ana) is None
        assert replayed_state(fresh(to_double)) == state

    def test_an_ordered_drop_ends_the_game(self, to_double: Match, act: Act, ana: User, bea: User) -> None:
        order(to_double, ana, "double drop")
        act(to_double, bea, "double")
        match = fresh(to_double)
        assert last(match, 1) == [("white", "drop", "ordered")]
        assert {seat.side: seat.points for seat in match.seats.all()} == {"white": 0, "black": 1}
        assert state_of(match).game == 2
        assert standing(match, ana) is None

    def test_the_record_marks_a_preset_answer_and_not_a_manual_take(
        self, to_double: Match, act: Act, ana: User, bea: User, carlos: User
    ) -> None:
        order(to_double, ana, "double take")
        act(to_double, bea, "double")
        act(to_double, bea, "roll")
        event, _side = selectors.match_sync(match_id=to_double.pk, user_id=carlos.pk, after=0)
        assert [each["text"] for each in event["actions"] if each.get("ordered")] == ["take"]

    def test_a_preset_for_the_present_double_applies_at_once_or_never(
        self, to_double: Match, act: Act, next_rolls: Dice, ana: User, bea: User
    ) -> None:
        order(to_double, ana, "double drop")
        next_rolls.extend([(6, 2), (5, 2)])
        act(to_double, bea, "roll")
        assert standing(to_double, ana) is None
        act(to_double, bea, "24/16")
        act(to_double, ana, "roll")
        act(to_double, ana, "13/8 24/22")
        act(to_double, bea, "double")
        assert last(to_double, 1) == [("black", "double", "double")]
        assert "take" in state_of(fresh(to_double)).may("white")

    def test_an_order_for_the_game_waits(
        self, to_double: Match, act: Act, next_rolls: Dice, ana: User, bea: User
    ) -> None:
        order(to_double, ana, "double drop game")
        next_rolls.extend([(6, 2), (5, 2)])
        act(to_double, bea, "roll")
        act(to_double, bea, "24/16")
        act(to_double, ana, "roll")
        act(to_double, ana, "13/8 24/22")
        assert standing(to_double, ana) == "double drop game"
        act(to_double, bea, "double")
        assert last(to_double, 1) == [("white", "drop", "ordered")]
        assert standing(to_double, ana) is None

    def test_an_order_for_the_game_ends_with_the_game(self, to_double: Match, act: Act, ana: User, bea: User) -> None:
        order(to_double, ana, "double take game")
        act(to_double, bea, "resign 1", after=4)
        assert standing(to_double, ana) == "double take game"
        act(to_double, ana, "accept")
        assert standing(to_double, ana) is None

    def test_doubling_ends_the_players_own_order_for_a_later_cube(
        self, to_double: Match, act: Act, ana: User, bea: User
    ) -> None:
        order(to_double, bea, "double drop game")
        act(to_double, bea, "double")
        act(to_double, ana, "take")
        assert standing(to_double, bea) is None

    def test_an_order_can_be_changed_and_withdrawn(self, to_double: Match, act: Act, ana: User, bea: User) -> None:
        order(to_double, ana, "double drop")
        order(to_double, ana, "double take", client_id="order-2")
        assert standing(to_double, ana) == "double take"
        order(to_double, ana, "double ask", client_id="order-3")
        assert standing(to_double, ana) is None
        act(to_double, bea, "double")
        assert last(to_double, 1) == [("black", "double", "double")]

    def test_the_same_id_again_gets_the_first_answer_and_changes_nothing(
        self, to_double: Match, act: Act, ana: User, bea: User
    ) -> None:
        assert [order(to_double, ana, "double drop", after=4) for _ in range(2)] == [4, 4]
        order(to_double, ana, "double ask", client_id="order-2")
        assert order(to_double, ana, "double drop", after=4) == 4  # delayed on the network
        assert standing(to_double, ana) is None
        act(to_double, bea, "double")
        assert order(to_double, ana, "double drop", after=4) == 4
        assert refusal(lambda: order(to_double, ana, "double take", after=4)) == "id_reused"
        assert last(to_double, 1) == [("black", "double", "double")]

    def test_an_order_for_a_past_position_has_no_effect(self, to_double: Match, act: Act, ana: User, bea: User) -> None:
        act(to_double, bea, "double")
        assert refusal(lambda: order(to_double, ana, "double drop", after=4)) == "stale"
        assert refusal(lambda: order(to_double, ana, "double drop game", after=4)) == "stale"
        assert fresh(to_double).orders is None

    def test_a_resignation_offer_withdraws_it(self, to_double: Match, act: Act, ana: User, bea: User) -> None:
        order(to_double, ana, "double drop")
        act(to_double, bea, "resign 1", after=4)
        act(to_double, ana, "reject")
        act(to_double, bea, "double")
        assert last(to_double, 1) == [("black", "double", "double")]

    def test_a_beaver_is_not_ordered_nor_is_its_answer(
        self, time: Time, open_table: Open, act: Act, next_rolls: Dice, ana: User, bea: User
    ) -> None:
        next_rolls.append((3, 1))
        match = open_table(length=0, clock="days3", rated=False, options={"beavers": True})
        act(match, ana, "roll")
        act(match, bea, "roll")
        act(match, ana, "8/5 6/5")
        order(match, bea, "double drop game")
        assert refusal(lambda: order(match, ana, "double beaver", client_id="order-2")) == "bad_order"
        act(match, bea, "double")
        act(match, ana, "beaver")
        assert last(match, 1) == [("white", "beaver", "beaver")]
        assert "drop" in state_of(fresh(match)).may("black")

    def test_an_invalid_order_is_refused(
        self, to_double: Match, open_table: Open, act: Act, ana: User, bea: User, carlos: User
    ) -> None:
        live = open_table(clock="club")
        about = {"match_id": to_double.pk, "user_id": ana.pk, "client_id": "order-1"}
        for do, code in (
            (lambda: order(to_double, carlos, "double take"), "not_seated"),
            (lambda: order(to_double, bea, "double take"), "order_double"),
            (lambda: order(live, ana, "forced on"), "orders_live"),
            (lambda: order(to_double, ana, "double beaver"), "bad_order"),
            (lambda: order(to_double, ana, "double take", client_id="no spaces"), "bad_id"),
            (lambda: services.match_order(order="double take", **about), "bad_version"),
            (lambda: services.match_order(order={"double": 1}, **about), "bad_order"),
        ):
            assert refusal(do) == code
        act(to_double, bea, "resign match", after=4)
        assert refusal(lambda: order(to_double, ana, "forced on")) == "match_over"
        assert fresh(to_double).orders is None

    def test_after_the_last_day_the_flag_comes_first(self, to_double: Match, time: Time, ana: User) -> None:
        time(days=3)
        assert refusal(lambda: order(to_double, ana, "double take", after=4)) == "stale"
        assert fresh(to_double).ended_by == "flag"


@pytest.mark.django_db
class TestForced:
    @pytest.fixture
    def hit(self, time: Time, open_table: Open, act: Act, next_rolls: Dice, ana: User, bea: User) -> Match:
        """Hypergammon at three days per turn: two checkers of ana's were hit, and she is to roll."""
        next_rolls.extend([(6, 5), (5, 5), (1, 5)])
        match = open_table(variant="hypergammon", length=1, clock="days3", rated=False)
        for user, action in ((ana, "roll"), (bea, "roll"), (ana, "24/13"), (bea, "roll"), (bea, "22/12*/2*")):
            act(match, user, action)
        return match

    def test_a_forced_play_is_made_at_once(self, hit: Match, time: Time, act: Act, ana: User) -> None:
        order(hit, ana, "forced on")
        time(days=1)
        act(hit, ana, "roll")
        assert last(hit, 2) == [("chance", "dice 15", ""), ("white", "bar/24 bar/20", "ordered")]
        assert fresh(hit).flag_at == time.moment + timedelta(days=3)  # bea's days, all of them
        assert seen_by(hit, ana)["orders"]["forced"] is True

    def test_a_forced_play_already_due_is_made_with_the_order(
        self, hit: Match, time: Time, act: Act, ana: User
    ) -> None:
        act(hit, ana, "roll")
        time(days=1)
        assert order(hit, ana, "forced on") == fresh(hit).version
        assert last(hit, 1) == [("white", "bar/24 bar/20", "ordered")]
        assert fresh(hit).flag_at == time.moment + timedelta(days=3)

    def test_without_an_order_no_play_is_automatic(self, hit: Match, act: Act, ana: User) -> None:
        order(hit, ana, "forced on")
        order(hit, ana, "forced off", client_id="order-2")
        act(hit, ana, "roll")
        assert last(hit, 1) == [("chance", "dice 15", "")]
        assert seen_by(hit, ana)["orders"] == {"double": None, "forced": False, "may": []}


@pytest.mark.django_db
class TestResigning:
    def test_in_correspondence_play_a_resignation_needs_the_current_version(
        self, to_double: Match, act: Act, ana: User, bea: User
    ) -> None:
        for text in ("resign match", " resign 1"):
            assert refusal(lambda text=text: act(to_double, ana, text)) == "resign_unseen"  # type: ignore[misc]
            assert refusal(lambda text=text: act(to_double, ana, text, after=3)) == "stale"  # type: ignore[misc]
        assert act(to_double, ana, "resign 1", after=4).version == 5

    def test_in_live_play_it_does_not(self, open_table: Open, act: Act, ana: User) -> None:
        match = open_table(clock="club")
        act(match, ana, "resign match")
        assert fresh(match).ended_by == "resign"
