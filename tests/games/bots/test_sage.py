"""bgsage's judgement: the cube at every kind of score, resignations; and what this project relies on in the library."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from games.bots import engine_for, why_unavailable
from games.bots.engine_boards import board_of
from games.bots.sage import LAST_AWAY, Sage, Stakes, _nets
from tests.games.bots.engine_positions import START, Table, board, score

bgsage = pytest.importorskip("bgsage", reason="the package bgsage is not installed")
bgbot_cpp = pytest.importorskip("bgbot_cpp", reason="the package bgsage is not installed")

BOT = Sage()
RACE = board({6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}, {6: 4, 5: 4, 4: 3, 7: 2, 8: 2})  # 52 pips against 86
BLITZ = board(
    {24: 2, 13: 5, 8: 1, 6: 3, 3: 2, 1: 2}, {20: 1, 13: 5, 8: 3, 6: 5}, opponent_bar=1
)  # 55, without a legal play
SHUTOUT = board({6: 4, 5: 2, 4: 2, 3: 2, 8: 3, 7: 2}, {23: 1, 13: 4, 8: 3, 6: 5}, opponent_bar=2)
CLOSED_OUT = board({6: 3, 5: 3, 4: 2, 3: 2, 2: 2, 1: 2, 8: 1}, {13: 5, 8: 3, 6: 5}, opponent_bar=2)
BEHIND = board({6: 4, 5: 4, 4: 3, 7: 2, 8: 2}, {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2})
ANSWER = ("take", "drop")


def rolls(count: int) -> list[int]:
    """Both sides need `count` rolls, doubles aside: all checkers on their one-points."""
    return board({1: 2 * count}, {1: 2 * count})


def random_positions(count: int) -> list[list[int]]:
    """Boards of the side to roll, from games half well and half badly played."""
    chance, found, places = Random(17), [], list(START)
    while len(found) < count:
        if bgbot_cpp.check_game_over(places):
            places = list(START)
        found.append(places)
        boards = bgbot_cpp.possible_moves(places, chance.randint(1, 6), chance.randint(1, 6))
        if chance.random() < 0.5:
            places = chance.choice(boards)
        else:
            places = max(boards, key=lambda position: _nets(os.getpid()).evaluate_board(position, found[-1])["equity"])
        places = bgbot_cpp.flip_board(places)
    return found


def test_the_engine_is_available() -> None:
    assert why_unavailable("backgammon") is None
    assert why_unavailable("nackgammon") is None
    assert engine_for("backgammon") is engine_for("nackgammon")


class TestDoubling:
    @pytest.mark.parametrize("length", [7, 25, 64, 99])
    @pytest.mark.parametrize("places", [RACE, BLITZ, rolls(3), rolls(4)], ids=["race", "blitz", "3 rolls", "4 rolls"])
    def test_doubles_at_the_edge_of_the_market_and_beyond(self, places: list[int], length: int) -> None:
        assert BOT.choose(Table(places), score(length), "white") == "double"

    @pytest.mark.parametrize("places", [START, BEHIND], ids=["start", "behind"])
    def test_does_not_make_a_wrong_double(self, places: list[int]) -> None:
        assert BOT.choose(Table(places), score(7), "white") == "roll"

    @pytest.mark.parametrize("places", [CLOSED_OUT, SHUTOUT])
    def test_plays_on_for_a_gammon(self, places: list[int]) -> None:
        assert BOT.choose(Table(places), score(7), "white") == "roll"

    def test_never_doubles_without_access_to_the_cube(self) -> None:
        """Even where a caller offers it."""
        assert BOT.choose(Table(RACE), score(5, 4, 2, crawford=True), "white") == "roll"
        assert BOT.choose(Table(RACE), score(5, 2, 4, crawford=True), "white") == "roll"
        assert BOT.choose(Table(RACE, value=2, owner="black"), score(5), "white") == "roll"
        assert BOT.choose(Table(RACE, ("roll",)), score(5), "white") == "roll"

    @pytest.mark.parametrize(("own_score", "value", "owner"), [(4, 1, None), (3, 2, "white"), (1, 4, "white")])
    def test_a_dead_cube_is_left_alone(self, own_score: int, value: int, owner: str | None) -> None:
        table = Table(RACE, value=value, owner=owner)  # type: ignore[arg-type]
        assert BOT.choose(table, score(5, own_score, 0), "white") == "roll"

    @pytest.mark.parametrize("away", range(2, 8))
    @pytest.mark.parametrize("places", [START, RACE, BEHIND], ids=["start", "ahead", "behind"])
    def test_trailing_after_crawford_it_doubles_at_once(self, places: list[int], away: int) -> None:
        assert BOT.choose(Table(places), score(8, 8 - away, 7), "white") == "double"

    def test_black_is_white_seen_from_the_other_side(self) -> None:
        table = Table(bgbot_cpp.flip_board(RACE), turn="black")
        assert BOT.choose(table, score(7), "black") == "double"


class TestAnswering:
    """White answers: the board is seen from White's side, Black is to roll."""

    def answer(self, black: list[int], *args: int, **more: object) -> str:
        table = Table(bgbot_cpp.flip_board(black), ANSWER, **more)  # type: ignore[arg-type]
        return BOT.choose(table, score(*args), "white")

    @pytest.mark.parametrize("length", [7, 25, 64, 99])
    @pytest.mark.parametrize(
        ("places", "expected"),
        [
            (START, "take"),
            (BEHIND, "take"),
            (BLITZ, "take"),
            (rolls(4), "take"),
            (rolls(3), "drop"),
            (RACE, "drop"),
            (SHUTOUT, "drop"),
        ],
        ids=["start", "ahead", "blitz", "4 rolls", "3 rolls", "race", "shutout"],
    )
    def test_takes_and_drops(self, places: list[int], expected: str, length: int) -> None:
        assert self.answer(places, length) == expected

    @pytest.mark.parametrize("places", [RACE, SHUTOUT, CLOSED_OUT, board({1: 1}, {6: 5})])
    def test_takes_when_dropping_loses_the_match(self, places: list[int]) -> None:
        assert self.answer(places, 5, 0, 3, value=2, owner="black") == "take"
        assert self.answer(places, 5, 0, 4) == "take"

    def test_the_free_drop_is_used(self) -> None:
        """One away after Crawford: against an even number away dropping costs nothing, against an odd one a lot."""
        assert self.answer(START, 5, 4, 3) == "drop"
        assert self.answer(START, 5, 4, 2) == "take"

    def test_the_score_changes_the_decision(self) -> None:
        """21% are too few at 0-0; four points away against two the redouble wins the match, and dropping leaves 18%."""
        assert self.answer(rolls(3), 0) == "drop"
        assert self.answer(rolls(3), 9, 5, 7) == "take"


class TestResignations:
    @pytest.mark.parametrize("turn", ["white", "black"])
    def test_accepts_a_resignation_at_the_games_value(self, turn: str) -> None:
        last = board({1: 2}, {6: 5})
        assert BOT.accepts(Table(last, turn=turn, levels=(1,)), score(7), "white", 1)  # type: ignore[arg-type]

    def test_refuses_a_single_when_winning_a_gammon(self) -> None:
        certain = Table(board({1: 2}, {13: 10, 6: 5}), levels=(1, 2))
        assert [BOT.accepts(certain, score(7), "white", level) for level in (1, 2)] == [False, True]
        assert not BOT.accepts(Table(CLOSED_OUT), score(7), "white", 1)
        assert BOT.accepts(Table(CLOSED_OUT), score(7), "white", 2)

    def test_accepts_any_resignation_that_wins_the_match(self) -> None:
        certain = board({1: 2}, {13: 10, 6: 5})
        assert BOT.accepts(Table(certain), score(7, 6, 0), "white", 1)
        assert BOT.accepts(Table(certain, value=4, owner="white"), score(7, 3, 0), "white", 1)
        assert not BOT.accepts(Table(certain, value=2, owner="white"), score(7, 3, 0), "white", 1)

    def test_accepts_the_maximum_that_can_be_won(self) -> None:
        """The nets see a backgammon where no checker can be caught any more; the rules rule it out."""
        table = Table(board({1: 2}, {13: 10, 6: 5}), levels=(1, 2))
        assert BOT.equity(table, score(7), "white") > 3
        assert BOT.accepts(table, score(7), "white", 2)

    @pytest.mark.parametrize(
        "table",
        [
            Table(START),
            Table(START, turn="black"),
            Table(START, ANSWER),
            Table(START, ANSWER, turn="black"),
            Table(START, ("8/5 6/5", "24/23 13/10")),
            Table(START, ("8/5 6/5", "24/23 13/10"), turn="black"),
            Table(START, (), "chance", rollers=("white", "black")),
            Table(START, (), "chance", rollers=("black",)),
            Table(START, ("roll",), cube=False),
        ],
    )
    @pytest.mark.parametrize("side", ["white", "black"])
    def test_accepts_a_generous_resignation_at_any_time(self, table: Table, side: str) -> None:
        assert BOT.accepts(table, score(7), side, 1)  # type: ignore[arg-type]
        worth = BOT.equity(table, score(7), "white")
        assert -1 <= worth == pytest.approx(-BOT.equity(table, score(7), "black"))

    def test_an_impossible_level_is_an_error(self) -> None:
        with pytest.raises(ValueError, match="cannot resign"):
            BOT.accepts(Table(START, levels=(1,)), score(7), "white", 2)


class TestContract:
    def test_only_the_side_to_act_is_answered(self) -> None:
        for table in (Table(START), Table(START, (), "over"), Table(START, (), "chance", rollers=("white",))):
            with pytest.raises(ValueError, match="nothing to decide"):
                BOT.choose(table, score(5), "black")

    def test_it_rolls_when_the_dice_wait_for_it(self) -> None:
        both = Table(START, (), "chance", rollers=("white", "black"))
        assert BOT.choose(both, score(5), "white") == BOT.choose(both, score(5), "black") == "roll"

    def test_a_forced_action_is_taken(self) -> None:
        assert BOT.choose(Table(START, ("pass",)), score(5), "white") == "pass"

    def test_equal_plays_are_ordered_deterministically(self) -> None:
        """In a lost game every play has the same equity."""
        lost = board({23: 2, 13: 5, 8: 3, 6: 5}, {1: 1})
        plays = ("13/11 6/5", "8/6 6/5", "23/21 23/22")
        table, mirror = Table(lost, plays), Table(lost, plays[::-1])
        assert BOT.choose(table, score(5), "white") == BOT.choose(mirror, score(5), "white")


class TestTheLibrary:
    """What this project relies on; review a release that changes one of these before using it."""

    def test_no_legal_play_leaves_the_same_board(self) -> None:
        blocked_board = board({6: 4, 8: 3, 13: 7}, dict.fromkeys(range(1, 7), 2), bar=1)
        assert bgbot_cpp.possible_moves(blocked_board, 1, 2) == [blocked_board]

    def test_the_match_equity_table_ends(self) -> None:
        assert bgbot_cpp.get_met(LAST_AWAY, LAST_AWAY - 1) < 0.5
        assert bgbot_cpp.get_met(LAST_AWAY + 1, LAST_AWAY + 2) == 0.5
        assert bgbot_cpp.mwc2eq(bgbot_cpp.eq2mwc(1.0, 40, 40), 40, 40) == 0

    def test_it_plays_games_of_fifteen_checkers(self) -> None:
        """Why hypergammon is excluded: losing with three checkers on the board is a gammon, but the engine says no."""
        assert bgbot_cpp.check_game_over(board({}, {13: 10, 6: 5})) == 2
        assert bgbot_cpp.check_game_over(board({}, {13: 2, 6: 1})) == 1
        shares = [
            _nets(os.getpid()).evaluate_board(position, position)["probs"][1]
            for position in (board({1: 1}, {13: 10, 6: 5}), board({1: 1}, {13: 2, 6: 1}))
        ]
        assert shares[0] > 0.95
        assert shares[1] < 0.9

    def test_threads_share_the_nets(self) -> None:
        places = random_positions(300)

        def judge() -> list[float]:
            stakes = Stakes(5, 7, False, 1, "centered")
            nets = _nets(os.getpid())
            return [
                stakes.cube(position).hold + nets.evaluate_board(position, position)["equity"] for position in places
            ]

        alone = judge()
        with ThreadPoolExecutor(4) as pool:
            assert all(found.result() == alone for found in [pool.submit(judge) for _ in range(16)])

    @pytest.mark.parametrize("length", [26, 64, 99])
    def test_long_matches_use_a_valid_equity(self, length: int) -> None:
        for white, black in [(0, 0), (length - 3, 0), (0, length - 3), (length - 26, 0)]:
            stakes = Stakes.of(Table(START).view(None), score(length, white, black), "white")
            assert (stakes.won(1), stakes.won(2)) == pytest.approx((1, 2), abs=0.8)
            assert stakes.cube(START).hold != 0
            plays = ("8/5 6/5", "24/23 13/10", "6/3 6/5")
            assert BOT.choose(Table(START, plays), score(length, white, black), "white") == "8/5 6/5"

    def test_it_agrees_with_the_front_of_the_library(self) -> None:
        front, chance = bgsage.BgBotAnalyzer(), Random(3)
        for places in random_positions(60):
            own_score, opponent_score = chance.randrange(7), chance.randrange(7)
            crawford = (own_score == 6) != (opponent_score == 6) and chance.random() < 0.5
            value, owner = chance.choice([(1, None), (2, "white"), (2, "black"), (4, "white")])
            table = Table(places, value=value, owner=owner)
            stakes = Stakes.of(table.view(None), score(7, own_score, opponent_score, crawford=crawford), "white")
            assert board_of(table.view(None), "white") == places
            options = {"away1": 7 - own_score, "away2": 7 - opponent_score, "is_crawford": crawford}
            known = front.cube_action(places, value, str(stakes.owner), **options)
            found = stakes.cube(places)
            assert known.equity_nd == pytest.approx(found.hold)
            if not stakes.away <= 2 * value < stakes.opponent_away:
                assert (known.equity_dt, known.should_double) == (pytest.approx(found.double_take), found.doubles)
            die, other = chance.randint(1, 6), chance.randint(1, 6)
            best = front.checker_play(places, die, other, value, str(stakes.owner), **options).moves[0]
            nets = _nets(os.getpid())
            boards = bgbot_cpp.possible_moves(places, die, other)
            worth = [stakes.worth(nets.evaluate_board(position, places)["probs"], position) for position in boards]
            assert max(worth) == pytest.approx(best.equity, abs=1e-6)

    def test_a_forked_child_makes_its_own_nets(self) -> None:
        assert BOT.choose(Table(RACE), score(7), "white") == "double"
        nets = _nets(os.getpid())
        assert _nets(os.getpid()) is nets
        if not hasattr(os, "fork"):
            pytest.skip("this system does not fork")
        if not (child := os.fork()):
            right = BOT.choose(Table(RACE), score(7), "white") == "double" and _nets(os.getpid()) is not nets
            os._exit(0 if right else 1)
        assert os.waitpid(child, 0)[1] == 0
