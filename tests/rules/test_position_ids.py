"""Position ids of other programs, both ways: GNU Backgammon's Position ID and Match ID, and XGID."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backgammon.rules import VARIANTS, Board, Cube, Money, Position, Score, gnubg_ids
from backgammon.rules.position_fields import PositionFields

from .positions import played, to_move

SAMPLE = Path(__file__).parents[1] / "data" / "plays_sample.jsonl"
BACKGAMMON = VARIANTS["backgammon"]


def test_position_ids_of_the_sample_agree_both_ways():
    for line in SAMPLE.read_text(encoding="utf-8").splitlines():
        known = json.loads(line)
        seen = Board.from_wire(known["board"], checkers=15)
        assert gnubg_ids.position_id(seen) == known["position_id"]
        assert gnubg_ids.board_of(known["position_id"], checkers=15) == seen


def test_the_start_has_the_well_known_ids():
    start = to_move({24: 2, 13: 5, 8: 3, 6: 5}, {1: 2, 12: 5, 17: 3, 19: 5}, dice=(5, 2), score=Score(9, 2, 4))
    assert start.gnubg_ids()[0] == "4HPwATDgc/ABMA"
    assert start.xgid() == "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:2:4:0:9:6"


def test_the_match_id_of_the_gnu_backgammon_manual():
    moment = gnubg_ids.read("4HPwATDgc/ABMA", "QYkqASAAIAAA", checkers=15)
    assert moment == PositionFields(BACKGAMMON.board, "black", "move", (5, 2), Cube(2, "white"), Score(9, 2, 4))


@pytest.mark.parametrize(
    ("xgid", "position", "match"),
    [
        ("XGID=aaab-bE-B---cE-a-A-caB----:2:1:-1:46:4:2:0:7:6", "4DP4EAbQIQ6YVQ", "QgnzAEAAEAAE"),
        ("XGID=-DD-aaaAAA--aB--b--caabbB-:2:1:-1:65:3:1:0:7:6", "70GFATC2OoZABQ", "Qgn3ADAACAAE"),
    ],
)
def test_gnu_backgammon_translates_an_xgid_into_the_same_ids(xgid, position, match):
    """Pairs written by GNU Backgammon 1.07 after `set xgid`."""
    assert Position.from_xgid(BACKGAMMON, xgid).gnubg_ids() == (position, match)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    mover=st.sampled_from(["white", "black"]),
    phase=st.sampled_from(["roll", "move", "doubled"]),
    cube=st.sampled_from([Cube(), Cube(2, "white"), Cube(4, "black")]),
    points=st.tuples(st.integers(0, 6), st.integers(0, 6)),
    length=st.sampled_from([0, 7]),
)
def test_ids_round_trip(seed, mover, phase, cube, points, length):
    if phase == "doubled" and cube.owner not in (None, mover):
        return
    for seen, rolled in islice(played(seed), 15):
        dice = (max(rolled), min(rolled)) if phase == "move" else None
        crawford_played = length > 0 and max(points) == 6 and seed % 2 == 0
        score = Score(length, *points, crawford_played=crawford_played)
        position = Position(BACKGAMMON, score, seen, mover, phase, cube, dice)
        assert Position.from_xgid(BACKGAMMON, position.xgid()) == position
        assert Position.from_gnubg_ids(BACKGAMMON, *position.gnubg_ids()) == position


@pytest.mark.parametrize(
    ("flag", "money"),
    [("0", Money()), ("1", Money(jacoby=True)), ("2", Money(beavers=True)), ("3", Money(jacoby=True, beavers=True))],
)
def test_an_xgid_of_a_money_session_encodes_jacoby_and_beavers(flag, money):
    text = f"XGID=-b----E-C---eE---c-e----B-:1:-1:1:52:2:4:{flag}:0:6"
    position = Position.from_xgid(BACKGAMMON, text)
    assert (position.money, position.score, position.xgid()) == (money, Score(0, 2, 4), text)


def test_a_match_id_of_a_money_session_encodes_jacoby():
    for jacoby in (False, True):
        session = to_move({6: 15}, {24: 15}, dice=None, score=Score(0), jacoby=jacoby)
        assert Position.from_gnubg_ids(BACKGAMMON, *session.gnubg_ids()) == session


def test_a_double_in_the_ids_of_gnu_backgammon_awaits_the_opponent_s_answer():
    white = to_move({6: 15}, {24: 15}, dice=None).after("double")
    for position in (white, replace(white, mover="black")):
        assert Position.from_gnubg_ids(BACKGAMMON, *position.gnubg_ids()) == position


def test_a_beaver_in_the_ids_awaits_the_doublers_answer():
    doubled = to_move({6: 15}, {24: 15}, dice=None, score=Score(0), beavers=True).after("double")
    beaver = doubled.after("beaver")
    assert (doubled.xgid().split(":")[4], beaver.xgid().split(":")[4]) == ("D", "B")
    for position in (doubled, beaver):
        assert Position.from_xgid(BACKGAMMON, position.xgid()) == position
    assert Position.from_gnubg_ids(BACKGAMMON, *beaver.gnubg_ids()) == beaver


@pytest.mark.parametrize(("cap", "length", "in_play"), [(6, 9, True), (1, 9, True), (0, 9, False), (6, 1, False)])
def test_an_xgid_with_a_cap_of_one_or_to_one_point_has_no_cube(cap, length, in_play):
    text = f"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:{length}:{cap}"
    assert Position.from_xgid(BACKGAMMON, text).cube.in_play is in_play


def test_an_unknown_owner_in_a_match_id_is_nobody():
    assert gnubg_ids.read("4HPwATDgc/ABMA", "YYkqASAAIAAA", checkers=15).cube.owner is None


def test_a_board_with_more_checkers_than_an_id_holds_has_none():
    full, more = (Board.setup(((6, count),)) for count in (15, 16))
    assert gnubg_ids.board_of(gnubg_ids.position_id(full), checkers=15) == full
    with pytest.raises(ValueError, match="too many checkers"):
        gnubg_ids.position_id(more)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "XGID=",
        "-b----E-C---eE---c-e----B-:0:0:1:52:2:4:0:9",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:72:2:4:0:9:6",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:B:2:4:0:9:6",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:R:2:4:3:0:6",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:9:4:0:9:6",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:4:1:9:6",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:1:6",
        "XGID=-b----E-C---eE---c-e----C-:0:0:1:00:2:4:0:9:6",
        "XGID=Ab----E-C---eE---c-e----A-:0:0:1:00:2:4:0:9:6",
        "XGID=-b----E-C---eE---c-e----B-:1:1:-1:D:2:4:0:9:6",
    ],
)
def test_an_invalid_xgid_is_refused(text):
    with pytest.raises(ValueError):
        Position.from_xgid(BACKGAMMON, text)


@pytest.mark.parametrize(
    ("position", "match"),
    [
        ("", "QYkqASAAIAAA"),
        ("4HPwATDgc/ABM", "QYkqASAAIAAA"),
        ("4HPwATDgc/AB!A", "QYkqASAAIAAA"),
        ("//////////////", "QYkqASAAIAAA"),
        ("4HPwATDgc/ABMA", ""),
        ("4HPwATDgc/ABMA", "////////////"),
        ("4HPwATDgc/ABMA", "cAgAAAAAAAAA"),
    ],
)
def test_an_invalid_gnubg_id_is_refused(position, match):
    with pytest.raises(ValueError):
        Position.from_gnubg_ids(BACKGAMMON, position, match)
