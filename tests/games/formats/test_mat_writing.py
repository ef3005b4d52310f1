"""Writing .mat: the exact text."""

from __future__ import annotations

import pytest

from games.formats import FormatError, GameRecord, Record, mat
from games.formats.record import Action
from tests.games.formats.matches import PLAYERS, play_match


def record(*games: GameRecord, length: int = 5, **facts: object) -> Record:
    return Record("backgammon", length, PLAYERS, games, **facts)  # type: ignore[arg-type]


def game(*actions: Action, score: tuple[int, int] = (0, 0), winner: str = "", points: int = 0) -> GameRecord:
    return GameRecord(1, score, actions, winner, points, "single" if winner else "")


def body(text: str) -> list[str]:
    return text[text.index(" Game 1") :].splitlines()


OPENING = (("white", "roll"), ("black", "roll"), ("chance", "dice 31"), ("white", "8/5 6/5"))


def test_the_heading_describes_the_match() -> None:
    text = mat.write(
        record(
            game(*OPENING, score=(3, 2)),
            headers={"Match ID": "k3xPq9Zt", "Unrated": "Off", "Event": 'The "Open"'},
            options={"crawford": False, "cube_cap": 1024},
            by="flag",
            winner="white",
        )
    )
    assert text.splitlines()[:12] == [
        '; [Site "Tablero"]',
        '; [Match ID "k3xPq9Zt"]',
        '; [Unrated "Off"]',
        "; [Event \"The 'Open'\"]",
        '; [Player 1 "ana"]',
        '; [Player 2 "bea"]',
        '; [Variation "Backgammon"]',
        '; [Crawford "Off"]',
        '; [CubeLimit "1024"]',
        '; [Result "ana wins on time; score 3-2"]',
        "",
        " 5 point match",
    ]


def test_the_higher_die_starts_and_the_opponent_is_on_the_right() -> None:
    actions = (
        ("white", "roll"),
        ("black", "roll"),
        ("chance", "dice 22"),
        ("white", "roll"),
        ("server", "hold black"),
        ("chance", "dice 13"),
        ("black", "8/5 6/5"),
        ("white", "roll"),
        ("chance", "dice 46"),
        ("white", "24/14"),
    )
    assert body(mat.write(record(game(*actions)))) == [
        " Game 1",
        " ana : 0                         bea : 0",
        "  1)                                31: 8/5 6/5",
        "  2) 46: 24/14",
        "",
    ]


def test_hops_are_written_one_by_one_and_counted_ones_repeated() -> None:
    actions = (
        ("chance", "dice 64"),
        ("white", "24/18*/14"),
        ("black", "roll"),
        ("chance", "dice 33"),
        ("black", "bar/22 8/5(2)* 6/3"),
        ("white", "roll"),
        ("chance", "dice 66"),
        ("white", "6/off(4)"),
    )
    lines = body(mat.write(record(game(*actions))))
    assert lines[2] == "  1) 64: 24/18* 18/14               33: bar/22 8/5* 8/5 6/3"
    assert lines[3] == "  2) 66: 6/off 6/off 6/off 6/off"


def test_the_cube_its_answers_and_the_winner_are_in_their_columns() -> None:
    taken_game = (
        ("chance", "dice 31"),
        ("white", "8/5 6/5"),
        ("black", "double"),
        ("white", "take"),
        ("black", "roll"),
        ("chance", "dice 21"),
        ("black", "13/11 6/5"),
        ("white", "double"),
        ("black", "drop"),
    )
    assert body(mat.write(record(game(*taken_game, score=(3, 2), winner="white", points=2)))) == [
        " Game 1",
        " ana : 3                         bea : 2",
        "  1) 31: 8/5 6/5                     Doubles => 2",
        "  2)  Takes                         21: 13/11 6/5",
        "  3)  Doubles => 4                   Drops",
        "      Wins 2 points and the match",
        "",
    ]
    dropped = (("chance", "dice 31"), ("white", "8/5 6/5"), ("black", "double"), ("white", "drop"))
    assert body(mat.write(record(game(*dropped, winner="black", points=1))))[3] == (
        "  2)  Drops                          Wins 1 point"
    )


def test_a_dance_is_an_empty_cell_after_the_dice_and_a_closed_out_turn_an_empty_cell() -> None:
    actions = (
        ("chance", "dice 31"),
        ("white", "8/5 6/5"),
        ("black", "roll"),
        ("chance", "dice 66"),
        ("server", "pass"),
        ("white", "roll"),
        ("chance", "dice 52"),
        ("white", "13/8 6/4"),
        ("server", "pass"),
        ("white", "roll"),
        ("chance", "dice 21"),
        ("white", "6/4 6/5"),
    )
    lines = body(mat.write(record(game(*actions))))
    assert lines[2:5] == [
        "  1) 31: 8/5 6/5                    66:",
        "  2) 52: 13/8 6/4",
        "  3) 21: 6/4 6/5",
    ]


def test_a_beaver_is_written_as_gnubg_writes_it_and_an_automatic_double_shows_in_the_cube() -> None:
    actions = (
        *(("white", "roll"), ("black", "roll"), ("chance", "dice 22"), *OPENING),
        *(("black", "double"), ("white", "beaver"), ("black", "take"), ("black", "roll")),
        *(("chance", "dice 42"), ("black", "8/4 6/4")),
    )
    lines = body(mat.write(record(game(*actions), length=0, options={"auto_doubles": True, "beavers": True})))
    assert lines[2:5] == [
        "  1) 31: 8/5 6/5                     Doubles => 4",
        "  2)  Beavers => 8                  42: 8/4 6/4",
        "",
    ]


@pytest.mark.parametrize(
    ("by", "line"),
    [
        ("flag", "bea wins on time; score 2-1"),
        ("resign", "bea wins by resigning; score 2-1"),
        ("absent", "bea wins by absence; score 2-1"),
    ],
)
def test_a_match_lost_on_time_or_resigned_says_so_and_has_no_winners_line(by: str, line: str) -> None:
    ending = ("white", "resign match") if by == "resign" else ("server", f"{by} white")
    text = mat.write(record(game(*OPENING, ending, score=(2, 1)), by=by, winner="black"))
    assert f'; [Result "{line}"]' in text
    assert "Wins" not in text
    reread = mat.read(text).record
    assert reread is not None
    assert (reread.by, reread.winner, reread.games[-1].actions[-1]) == (by, "black", ending)


def test_house_rules_and_other_games_are_not_exported() -> None:
    with pytest.raises(FormatError) as refused:
        mat.write(record(game(*OPENING), options={"desahogo": True}))
    assert refused.value.code == "not_standard"
    with pytest.raises(FormatError) as refused:
        mat.write(Record("nackgammon", 5, PLAYERS, (game(*OPENING),)))
    assert refused.value.code == "wrong_game"


def test_a_session_says_that_it_ended() -> None:
    session = play_match(3, 0, games=2, options={"jacoby": True, "beavers": True, "auto_doubles": True})
    text = mat.write(session)
    assert " 0 point match" in text
    assert '; [Jacoby "On"]' in text
    reading = mat.read(text)
    assert reading.faults == ()
    assert reading.record is not None
    assert reading.record.score == session.score
