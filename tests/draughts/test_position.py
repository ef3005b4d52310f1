"""A game from the opening roll to its end: turns, wins, draws, resignation, views and snapshots (D6, D7, D9)."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from draughts import SIDES, Illegal, Outcome, Position, Score
from draughts.board import BIT
from draughts.options import MatchOptions

from .positions import DAMAS, game, last_ply, stands, to_move

OPTIONS = st.fixed_dictionaries({"mode": st.sampled_from(["soplar", "obligatoria"]), "ley_cantidad": st.booleans()})


def refusal(position: Position, action: str) -> tuple[str, str]:
    """The code and the ruling with which an action is refused."""
    with pytest.raises(Illegal) as refused:
        position.after(action)
    return refused.value.code, refused.value.ruling


def ended(position: Position) -> tuple[str | None, int, str]:
    """Winner, points and kind of a game that is over."""
    assert position.outcome is not None
    assert (position.turn, position.phase, position.actions()) == ("over", "over", [])
    assert [position.may(side) + position.draws(side) for side in SIDES] == [[], []]
    return position.outcome.winner, position.outcome.points, position.outcome.kind


def shuffled(position: Position, *moves: str, times: int) -> Position:
    """The position after these moves, over and over."""
    for _ in range(times):
        for move in moves:
            position = position.after(move)
    return position


def kings_moved(position: Position) -> list[Position]:
    """The positions after each quiet move of a king."""
    kings = position.state.board.kings
    return [
        position.after(f"{move.source}-{move.target}")
        for move in position.moves
        if kings & BIT[move.source] and not move.captured
    ]


class TestD9ColoursByLot:
    def test_both_roll_one_die_for_the_first_game(self):
        start = game()
        assert (start.turn, start.phase, start.rollers, start.auto) == ("chance", "opening", SIDES, None)
        assert [start.may(side) for side in SIDES] == [["roll"], ["roll"]]
        assert len(start.actions()) == 36
        assert refusal(start, "11-16") == ("not_now", "")
        assert start.resignations("white") == start.draws("white") == []

    @pytest.mark.parametrize(("dice", "black"), [("dice 53", "white"), ("dice 35", "black")])
    def test_the_higher_roll_has_black_and_opens(self, dice, black):
        position = game(dice)
        assert (position.turn, position.black, position.rollers) == (black, black, ())
        assert position.colours[black] == "black"
        assert position.actions() == [
            *("11-16", "11-17", "12-17", "12-18", "13-18", "13-19", "14-19", "14-20", "15-20"),
        ]

    def test_a_tie_is_rolled_again(self):
        assert game("dice 33") == game()

    @pytest.mark.parametrize("dice", ["dice 07", "dice 1", "dice 111", "dice", "dice 1 2", "dice ３１"])
    def test_impossible_dice_are_refused(self, dice):
        assert refusal(game(), dice) == ("not_now", "")

    def test_later_games_alternate_colours_without_a_roll(self):
        first = game("dice 53")
        score = Score(3).after(first.conceded("white", 1).outcome)
        second = game(score=score)
        assert (second.phase, second.turn, second.rollers) == ("move", "black", ())
        assert second.colours == {"white": "white", "black": "black"}
        third = game(score=score.after(second.conceded("white", 1).outcome))
        assert third.colours == {"white": "black", "black": "white"}


class TestTurns:
    def test_the_sides_move_in_turn(self):
        position = game("dice 12", "11-16", "40-35")
        assert (position.turn, position.may("black"), position.may("white")) == ("black", ["move"], [])

    @pytest.mark.parametrize(
        "action", ["roll", "dice 12", "pass", "huff", "huff x", "huff 123", "compel", "", "x" * 500]
    )
    def test_an_action_out_of_phase_is_refused(self, action):
        code, _ = refusal(game("dice 12"), action)
        assert code in {"not_now", "unreadable_move", "no_infraction"}

    @pytest.mark.parametrize("action", ["roll", "dice 12", "resign 1"])
    def test_what_belongs_to_another_phase_is_not_now(self, action):
        assert refusal(game("dice 12"), action) == ("not_now", "")

    @pytest.mark.parametrize("action", [None, 7, b"11-16"])
    def test_a_non_text_is_refused(self, action):
        assert refusal(game("dice 12"), action)[0] == "unreadable_move"


class TestD6Wins:
    def test_taking_the_last_man_wins(self):
        assert ended(to_move("B:W22:B17", "17x28")) == ("black", 1, "game")

    def test_an_opponent_without_a_move_has_lost(self):
        assert ended(to_move("B:W36:B22,31", "22-27")) == ("black", 1, "blocked")

    def test_the_seat_that_has_the_colour_wins(self):
        assert ended(to_move("B:W22:B17", "17x28", black="white")) == ("white", 1, "game")


class TestD7Draws:
    KINGS = "B:WK50:BK36"

    def test_only_kings_left_the_game_is_drawn_after_ten_plies(self):
        moves = ("36-31", "50-45", "31-36", "45-50")
        position = shuffled(to_move(self.KINGS), *moves, times=2)
        assert position.view(None)["countdown"] == {"rule": "kings", "left": 2}
        assert ended(position.after("36-31").after("50-45")) == (None, 1, "kings")

    def test_the_count_begins_with_the_first_such_position(self):
        position = to_move("B:WK50:BK36,41")
        assert position.view(None)["countdown"] is None
        assert position.after("41-46").state.plies_left == 10

    def test_a_capture_does_not_start_it_again(self):
        position = shuffled(to_move("B:WK50,K44:BK36,K6"), "36-31", "50-45", "31-36", "45-50", times=1)
        assert position.state.plies_left == 6
        assert position.after("6-11").after("44x6").state.plies_left == 4

    def test_a_win_on_the_tenth_ply_counts(self):
        assert ended(last_ply("W:WK5:BK37").after("5x46")) == ("white", 1, "game")
        assert ended(last_ply("W:WK5:BK37").after("5-10").after("huff 10"))[0] == "black"
        assert ended(last_ply("W:WK5:BK36").after("5-10")) == (None, 1, "kings")

    def test_a_huff_that_leaves_only_kings_starts_the_count(self):
        position = to_move("B:WK50,22:B17,K1", "1-6", "huff 17")
        assert position.state.plies_left is None
        position = to_move("B:WK50,K22:B17,K1", "1-6", "huff 17")
        assert position.state.plies_left == 10

    def test_a_huff_ends_the_repetitions(self):
        position = to_move("B:WK50,22:B17,K1", "1-6")
        assert position.state.king_history == ("1/50", "6/50")
        assert position.after("huff 17").state.king_history == ("6/50",)

    def test_the_side_to_move_may_claim_a_draw_after_a_threefold_repetition(self):
        position = to_move("B:WK50,40:BK36,1")
        moves = ("36-31", "50-45", "31-36", "45-50")
        twice = shuffled(position, *moves, times=1)
        assert (twice.draws("black"), twice.draws("white")) == (["offer-draw"], [])
        thrice = shuffled(position, *moves, times=2)
        assert thrice.draws("black") == ["offer-draw", "claim-draw"]
        assert ended(thrice.drawn("claim")) == (None, 1, "claim")
        assert thrice.after("1-6").draws("white") == ["offer-draw"]

    def test_the_same_men_with_the_other_side_to_move_are_another_position(self):
        position = to_move("B:WK50,40:BK36,1", "36-31", "50-45", "31-27", "45-50", "27-36", "50-45")
        assert len(set(position.state.king_history)) < len(position.state.king_history)
        assert not position.state.claimable

    def test_the_side_to_move_may_claim_a_draw_after_25_moves_each_without_progress(self):
        position = to_move("B:WK50,40:BK36,1")
        for _ in range(50):
            assert not position.state.claimable
            position = next(
                after
                for after in kings_moved(position)
                if after.state.king_history[-1] not in position.state.king_history
            )
        assert position.draws("black") == ["offer-draw", "claim-draw"]
        assert position.after("1-6").draws("white") == ["offer-draw"]

    def test_the_repetition_record_stays_short(self):
        position = shuffled(to_move("B:WK50,40:BK36,1"), "36-31", "50-45", "31-36", "45-50", times=40)
        assert len(position.state.king_history) == 51
        assert len(json.dumps(position.snapshot())) < 1500

    def test_a_draw_can_be_offered_by_the_side_to_move_once_both_have_moved(self):
        assert game("dice 12").draws("black") == game("dice 12", "11-16").draws("white") == []
        position = game("dice 12", "11-16", "40-35")
        assert (position.draws("black"), position.draws("white")) == (["offer-draw"], [])
        assert ended(position.drawn("agreement")) == (None, 1, "agreement")

    @pytest.mark.parametrize("kind", ["agreement", "claim", "kings", ""])
    def test_an_invalid_draw_claim_is_refused(self, kind):
        for position in (game(), game("dice 12"), to_move("B:W22:B17", "17x28")):
            with pytest.raises(Illegal) as refused:
                position.drawn(kind)
            assert (refused.value.code, refused.value.ruling) == ("draw_not_now", "D7")
            assert refused.value.params == {"kind": kind}


class TestD9GivingUp:
    def test_a_resignation_ends_the_game_at_once(self):
        position = game("dice 12")
        assert position.resigns_at_once
        assert [position.resignations(side) for side in SIDES] == [[(1, 1)], [(1, 1)]]
        assert ended(position.conceded("white", 1)) == ("black", 1, "resign")

    @pytest.mark.parametrize("level", [0, 2, 3])
    def test_a_resignation_has_one_level(self, level):
        with pytest.raises(Illegal) as refused:
            game("dice 12").conceded("white", level)
        assert (refused.value.code, refused.value.ruling) == ("resign_level", "D9")
        assert refused.value.params == {"level": level}

    def test_running_out_of_time_loses_the_game(self):
        flagged = game("dice 12", "11-16").flagged("white")
        assert ended(flagged) == ("black", 1, "flag")
        with pytest.raises(Illegal, match="not_now"):
            flagged.flagged("black")


class TestView:
    def test_the_view_matches_the_protocol(self):
        view = to_move("B:W22,50:B17", black="white").view("white")
        assert view == {
            "family": "squares",
            "phase": "move",
            "turn": "white",
            "colours": {"white": "black", "black": "white"},
            "board": {"white": {"men": [17], "kings": []}, "black": {"men": [22, 50], "kings": []}},
            "mode": "soplar",
            "dice": None,
            "cube": None,
            "pips": None,
            "outcome": None,
            "huff": None,
            "countdown": None,
            "tree": [
                {"text": "17-21", "from": 17, "to": 21, "taken": [], "path": [17, 21]},
                {"text": "17x28", "from": 17, "to": 28, "taken": [22], "path": [17, 28]},
            ],
        }

    def test_the_kings_of_each_seat_are_shown(self):
        board = to_move("B:W22,K50:BK17,18").view(None)["board"]
        assert board == {"white": {"men": [22], "kings": [50]}, "black": {"men": [18], "kings": [17]}}

    def test_the_moves_are_shown_to_the_side_to_act_only(self):
        position = game("dice 12")
        assert len(position.view("black")["tree"]) == 9
        assert position.view("white")["tree"] is position.view(None)["tree"] is None

    def test_before_the_roll_whites_seat_is_drawn_with_white(self):
        view = game().view("white")
        assert (view["phase"], view["colours"], view["tree"]) == ("opening", None, None)
        assert view["board"]["white"]["men"][0] == 36

    def test_the_outcome_is_shown(self):
        view = to_move("B:W22:B17", "17x28").view("black")
        assert (view["phase"], view["outcome"]) == ("over", {"winner": "black", "points": 1, "kind": "game"})


class TestRules:
    def test_the_rules_list_the_available_options(self):
        assert (DAMAS.key, DAMAS.family, DAMAS.lengths, DAMAS.money) == ("damas", "squares", (1, 2, 3, 5, 7), False)
        assert (DAMAS.name, DAMAS.clock_kind(3), DAMAS.rating) == ("Damas", "sudden", "glicko2")
        terms = {key: (term.choices, term.default, term.house) for key, term in DAMAS.terms(3).items()}
        assert terms == {
            "mode": (("soplar", "obligatoria"), "soplar", False),
            "ley_cantidad": ((False, True), False, True),
        }

    def test_the_usual_options_are_soplar_without_ley_de_cantidad(self):
        assert MatchOptions.of({}) == MatchOptions() == MatchOptions(mode="soplar", ley_cantidad=False)
        assert (MatchOptions().mode, MatchOptions().ley_cantidad) == ("soplar", False)

    def test_only_ley_de_cantidad_is_a_house_rule(self):
        terms = DAMAS.terms(1)
        assert [terms["mode"].is_house_rule(mode) for mode in ("soplar", "obligatoria")] == [False, False]
        assert [terms["ley_cantidad"].is_house_rule(value) for value in (False, True)] == [False, True]

    @pytest.mark.parametrize(
        "options", [{"mode": "free"}, {"mode": None}, {"ley_cantidad": 1}, {"ley_cantidad": "yes"}]
    )
    def test_invalid_options_are_refused(self, options):
        with pytest.raises(ValueError, match="must be one of"):
            DAMAS.opening_score(3, options)
        with pytest.raises(ValueError, match="must be one of"):
            game(**options)

    def test_ley_de_cantidad_is_one_flag(self):
        chain = "B:W21,22,33:B17,1"
        assert to_move(chain, mode="obligatoria", ley_cantidad=True).actions() == ["17x39"]
        assert to_move(chain, mode="obligatoria").actions() == ["17x26", "17x39"]
        assert refusal(to_move(chain, ley_cantidad=True), "17x26") == ("more_must_be_taken", "D2")


def random_games(seed: int, options: dict[str, object]) -> list[Position]:
    """Each position of a random game of up to 120 actions."""
    chance = Random(seed)
    positions = [game(chance.choice(["dice 12", "dice 21"]), **options)]
    while positions[-1].outcome is None and len(positions) < 120:
        positions.append(positions[-1].after(chance.choice(positions[-1].actions())))
    return positions


@settings(max_examples=10, deadline=None)
@given(st.integers(), OPTIONS)
def test_every_position_of_a_game_is_kept_and_restored(seed, options):
    for position in [game(**options), *random_games(seed, options)]:
        snapshot = json.loads(json.dumps(position.snapshot()))
        assert DAMAS.restore(snapshot) == position
        assert len(json.dumps(snapshot)) < 3000


@settings(max_examples=10, deadline=None)
@given(st.integers(), OPTIONS)
def test_each_text_that_is_listed_reads_as_itself_and_is_shown(seed, options):
    for position in random_games(seed, options)[::6]:
        texts = position.actions()
        assert len(set(texts)) == len(texts)
        assert [position.canonical(text) for text in texts] == texts
        if position.outcome is None:
            view = position.view(position.turn)
            rights = [f"huff {square}" for square in view["huff"]["squares"]] + ["compel"] if view["huff"] else []
            assert texts == rights + [move["text"] for move in view["tree"]]
            assert position.may(position.turn) == (["move"] if view["tree"] else []) + rights
            assert all(position.why("", move["text"]) is None for move in view["tree"])


@settings(max_examples=10, deadline=None)
@given(st.integers(), OPTIONS)
def test_men_are_conserved_but_for_those_taken_or_huffed(seed, options):
    positions = random_games(seed, options)
    for position, following in pairwise(positions):
        if following.compelled:
            assert following.state == position.infraction.before
            continue
        before, pieces = (sum(map(int.bit_count, each.state.board[:2])) for each in (position, following))
        assert pieces in {before - len(move.takes) for move in position.moves} | {before - 1}
        assert not following.state.board.black & following.state.board.white


def test_a_score_that_a_game_gives_remembers_who_had_black():
    outcome = game("dice 21").conceded("black", 1).outcome
    assert outcome == Outcome("white", 1, "resign", "white")
    assert Score(3).after(outcome).black_next == "black"


def test_a_bot_needs_no_django_to_use_the_rules():
    code = "import draughts, sys; sys.exit(any(name in sys.modules for name in ('django', 'games', 'backgammon')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_position_can_be_shown_as_fen():
    assert stands(to_move("W:W50,K49:BK1,2")) == "W:WK49,50:BK1,2"
