"""What live play adds to the rules of the games: draws, sessions without end, resignations and flags of one game."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.models import User
from games import replay, services
from games.errors import Refused
from games.events import state_of
from games.models import Game, Match, Seat
from games.registry import RULES
from games.selectors import match_state as tables
from games.services import Answer
from tests.replayed_state import replayed_state

Open = Callable[..., Match]
Act = Callable[..., Answer]
Dice = deque[tuple[int, int]]

OPENING = [("white", "roll"), ("black", "roll")]


def damas(length: int = 1, mode: str = "soplar") -> replay.State:
    """ana (the white seat) has won the opening roll: she has Black, and opens."""
    state = replay.start(RULES["damas"], length, {"mode": mode})
    return replay.fold(state, [*OPENING, ("chance", "dice 52")])


def money(**options: object) -> replay.State:
    """A session where White has rolled the higher die and has played."""
    state = replay.start(RULES["backgammon"], 0, options)
    return replay.fold(state, [*OPENING, ("chance", "dice 31"), ("white", "8/5 6/5")])


class TestDraws:
    def test_the_higher_die_has_black_and_opens(self) -> None:
        state = damas()
        assert state.position.view(None)["colours"] == {"white": "black", "black": "white"}
        assert (state.on_clock, state.may("black")) == ("white", ["resign 1", "resign match"])

    def test_a_draw_offer_does_not_stop_the_game_and_lapses_when_the_opponent_plays(self) -> None:
        state = replay.fold(damas(), [("white", "11-16"), ("black", "36-31"), ("white", "offer-draw")])
        assert state.may("black")[:2] == ["accept", "reject"]
        assert (state.on_clock, "move" in state.may("white"), "offer-draw" in state.may("white")) == (
            "white",
            True,
            False,
        )
        state = state.after("white", "12-17")
        assert state.offer == replay.Offer("white", draw=True)
        state = state.after("black", "37-32")
        assert state.offer is None
        assert "offer-draw" in state.may("white")

    def test_a_rejected_draw_is_not_offered_again_before_ones_next_move(self) -> None:
        before = replay.fold(damas(), [("white", "11-16"), ("black", "36-31")])
        state = replay.fold(before, [("white", "offer-draw"), ("black", "reject")])
        assert "offer-draw" not in state.may("white")
        with pytest.raises(replay.PlayRefused, match="draw_not_now"):
            state.after("white", "offer-draw")
        later = replay.fold(state, [("white", "12-17"), ("black", "37-32")])
        assert "offer-draw" in later.may("white")

    def test_an_accepted_draw_is_half_a_point_each_and_the_colours_change(self) -> None:
        played = [("white", "11-16"), ("black", "36-31"), ("white", "offer-draw"), ("black", "accept")]
        state = replay.fold(damas(length=2), played)
        assert (state.score.points("white"), state.score.points("black"), state.game) == (0.5, 0.5, 2)
        assert state.position.view(None)["colours"] == {"white": "white", "black": "black"}
        assert (state.opening, state.on_clock) == (False, "black")

    def test_no_draw_can_be_claimed_at_the_start(self) -> None:
        with pytest.raises(replay.PlayRefused, match="draw_not_now"):
            damas().after("white", "claim-draw")

    def test_backgammon_has_no_draw(self) -> None:
        state = money()
        with pytest.raises(replay.PlayRefused, match="draw_not_now"):
            state.after("black", "offer-draw")


class TestResigningAtOnce:
    def test_resigning_a_damas_game_needs_no_answer(self) -> None:
        state = damas(length=2).after("white", "resign 1")
        assert (state.score.points("black"), state.game, state.offer) == (1, 2, None)

    def test_resigning_an_acey_deucey_game_needs_no_answer_either(self) -> None:
        state = replay.start(RULES["acey-deucey"], 30, {})
        state = replay.fold(state, [*OPENING, ("chance", "dice 31"), ("chance", "dice 64"), ("white", "resign 1")])
        assert (state.score.points("black"), state.game, state.opening) == (15, 2, True)


class TestMoneySessions:
    def test_either_ends_a_session_between_two_games(self) -> None:
        state = money()
        with pytest.raises(replay.PlayRefused, match="no_end"):
            state.after("black", "end")
        state = replay.fold(state, [("black", "double"), ("white", "drop")])
        assert (state.opening, "end" in state.may("white"), "resign match" in state.may("white")) == (True, True, False)
        assert state.after("white", "end").result == replay.Result("black", "ended")

    def test_a_session_may_end_in_a_tie(self) -> None:
        state = replay.start(RULES["backgammon"], 0, {})
        assert state.after("black", "end").result == replay.Result(None, "ended")

    def test_a_match_to_n_has_no_end_button(self) -> None:
        state = replay.start(RULES["backgammon"], 3, {})
        with pytest.raises(replay.PlayRefused, match="no_end"):
            state.after("white", "end")

    def test_a_flag_loses_the_running_game_at_the_cubes_value(self) -> None:
        state = replay.fold(money(), [("black", "double"), ("white", "take")])
        state = state.after("server", "flag black")
        assert (state.score.points("white"), state.game, state.result) == (2, 2, None)
        assert state.ended == {"game": 1, "winner": "white", "points": 2, "kind": "flag", "resigned": False}

    def test_a_match_is_lost_by_a_flag(self) -> None:
        state = replay.fold(replay.start(RULES["backgammon"], 3, {}), [*OPENING, ("chance", "dice 31")])
        assert state.after("server", "flag white").result == replay.Result("black", "flag")


@pytest.mark.parametrize("variant", sorted(RULES))
def test_a_snapshot_restores_every_game(variant: str) -> None:
    rules = RULES[variant]
    state = replay.fold(replay.start(rules, rules.lengths[0], {}), [*OPENING, ("chance", "dice 62")])
    assert replay.restore(rules, {}, state.snapshot()) == state


class TestThroughTheServices:
    def test_a_session_of_two_games_is_saved_and_ends(
        self, open_table: Open, act: Act, next_rolls: Dice, ana: User, bea: User
    ) -> None:
        match = open_table(length=0, clock="game5", rated=False, options={"jacoby": True, "beavers": True})
        next_rolls.extend([(3, 1)])
        for user, text in [
            (ana, "roll"),
            (bea, "roll"),
            (ana, "8/5 6/5"),
            (bea, "double"),
            (ana, "beaver"),
            (bea, "drop"),
        ]:
            act(match, user, text)
        match.refresh_from_db()
        assert match.clock == {"white": 300_000, "black": 300_000, "delay": 12_000, "delay_left": 0, "running": None}
        act(match, bea, "end")
        match.refresh_from_db()
        assert (match.status, match.winner, match.ended_by) == ("over", "white", "ended")
        assert list(Game.objects.filter(match=match).values_list("winner", "points", "kind")) == [
            ("white", 2, "drop"),
            ("", 0, "ended"),
        ]
        assert replayed_state(match) == state_of(match)

    def test_a_tied_session_has_no_winner(self, open_table: Open, act: Act, ana: User) -> None:
        match = open_table(length=0, clock="none", rated=False)
        act(match, ana, "end")
        match.refresh_from_db()
        assert (match.status, match.winner, match.ended_by) == ("over", "", "ended")
        assert list(match.seats.values_list("won", flat=True)) == [None, None]
        event, _ = tables.match_event(match_id=match.pk, user_id=ana.pk)
        assert event["match"]["result"] == {"winner": None, "by": "ended"}

    def test_every_damas_game_has_the_full_clock_and_half_points_are_kept(
        self, open_table: Open, act: Act, next_rolls: Dice, ana: User, bea: User
    ) -> None:
        match = open_table(variant="damas", length=2, clock="min5", options={"mode": "obligatoria"})
        next_rolls.extend([(2, 5)])
        act(match, ana, "roll")
        act(match, bea, "roll")
        act(match, bea, "11-16")
        Match.objects.filter(pk=match.pk).update(
            clock_at=Match.objects.get(pk=match.pk).clock_at - timedelta(seconds=90)
        )
        act(match, ana, "36-31")
        match.refresh_from_db()
        assert 209_000 <= match.clock["white"] <= 210_000
        act(match, bea, "offer-draw")
        act(match, ana, "accept")
        match.refresh_from_db()
        assert (match.clock["white"], match.clock["black"], match.clock["running"]) == (300_000, 300_000, "white")
        assert sorted(Seat.objects.filter(match=match).values_list("points", flat=True)) == [0.5, 0.5]
        assert Game.objects.get(match=match, number=1).kind == "agreement"

    def test_a_flag_in_damas_loses_the_game_and_the_next_one_begins(
        self, open_table: Open, act: Act, next_rolls: Dice, ana: User, bea: User
    ) -> None:
        match = open_table(variant="damas", length=2, clock="min5")
        next_rolls.extend([(5, 2)])
        act(match, ana, "roll")
        act(match, bea, "roll")
        row = Match.objects.get(pk=match.pk)
        late = timedelta(minutes=6)
        Match.objects.filter(pk=match.pk).update(clock_at=row.clock_at - late, flag_at=row.flag_at - late)
        services.match_touch(match_id=match.pk)
        match.refresh_from_db()
        assert (match.status, match.clock["running"]) == ("live", "black")
        assert Game.objects.filter(match=match).count() == 2
        assert list(Game.objects.filter(match=match, number=1).values_list("winner", "kind")) == [("black", "flag")]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"length": 0, "clock": "game5"}, "money_rated"),
        ({"options": {"as_libre": True}}, "house_rated"),
        ({"options": {"cube_cap": 4}}, "house_rated"),
        ({"variant": "damas", "length": 1, "clock": "min5", "options": {"ley_cantidad": True}}, "house_rated"),
        ({"options": {"cube": 1}}, "options"),
        ({"options": {"cube_cap": 7}}, "options"),
        ({"options": {"jacoby": True}}, "options"),
        ({"variant": "damas", "length": 1, "clock": "min5", "options": {"mode": "gratis"}}, "options"),
        ({"variant": "acey-deucey", "length": 15, "clock": "game5", "options": {"cube": True}}, "options"),
        ({"variant": "acey-deucey", "length": 15}, "clock"),
        ({"variant": "damas", "length": 1}, "clock"),
        ({"clock": "min5"}, "clock"),
        ({"variant": "acey-deucey", "length": 0, "clock": "game5"}, "length"),
        ({"variant": "damas", "length": 0, "clock": "min5"}, "length"),
    ],
)
def test_each_game_has_its_own_terms(ana: User, terms: dict[str, object], code: str) -> None:
    wanted: dict[str, object] = {"variant": "backgammon", "length": 5, "clock": "club", "rated": True}
    with pytest.raises(Refused) as refused:
        services.match_create(creator=ana, **{**wanted, **terms})  # type: ignore[arg-type]
    assert refused.value.code == code
    assert Match.objects.count() == 0
