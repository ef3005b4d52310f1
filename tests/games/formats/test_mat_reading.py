"""Reading .mat: every known dialect, and the errors for illegal moves."""

from __future__ import annotations

import re

import pytest

from games.formats import FormatError, mat
from games.formats import read as read_file
from games.formats.record import verify
from tests.games.formats.matches import SAMPLES, codes, mat_text, play_match, plays, read

FIRST = "  1) 31: 8/5 6/5                    42: 8/4 6/4"
WON = "      Wins 1 point"


@pytest.mark.parametrize(
    ("name", "games", "score", "winner"),
    [
        ("m10.mat", 1, (1, 0), "white"),
        ("m11.mat", 5, (2, 3), "black"),
        ("m14.mat", 6, (2, 6), "black"),
        ("m18.mat", 2, (0, 8), "black"),
        ("m22.mat", 12, (15, 9), "white"),
    ],
)
def test_matches_of_gnubg_are_read_completely(name: str, games: int, score: tuple[int, int], winner: str) -> None:
    reading = read_file((SAMPLES / name).read_bytes(), name)
    assert (reading.format, reading.faults, reading.warnings) == ("mat", (), ())
    assert reading.record is not None
    assert (len(reading.record.games), reading.record.score) == (games, score)
    assert (reading.record.by, reading.record.winner) == ("score", winner)
    verify(reading.record)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("  2) 51: 24/23 13/8", "white: 24/23 13/8"),
        ("  2) 51: 13/8 24/23", "white: 24/23 13/8"),
        ("  2) 15: 13/8/7", "white: 13/7"),
        ("  2) 51: 13/7", "white: 13/7"),
        ("  2) 51: 13/8 8/7", "white: 13/7"),
        ("  2) 51 : 13/8, 6/5".replace(",", ""), "white: 13/8 6/5"),
        ("  2) 11: 8/7(2) 6/5(2)", "white: 8/7(2) 6/5(2)"),
        ("  2) 11: 8/7 8/7 6/5 6/5", "white: 8/7(2) 6/5(2)"),
        ("  9) 51: 13/8 6/5", "white: 13/8 6/5"),
        ("  2) 51: 13-8 6-5", "white: 13/8 6/5"),
    ],
)
def test_plays_are_read_however_they_are_written(line: str, expected: str) -> None:
    reading = read(FIRST, line, WON)
    assert plays(reading)[2] == expected


@pytest.mark.parametrize("bar", ["25", "bar", "Bar", "BAR"])
@pytest.mark.parametrize("mark", ["*", ""])
def test_the_bar_has_many_names_and_hits_may_go_unmarked(bar: str, mark: str) -> None:
    reading = read(f"  1) 62: 24/18 13/11                61: 13/7{mark} 8/7", f"  2) 43: {bar}/21 13/10", WON)
    assert plays(reading)[1:3] == ["black: 13/7 8/7*", "white: bar/21 13/10"]


@pytest.mark.parametrize("off", ["0", "off", "Off", "OFF"])
def test_checkers_borne_off_have_many_names(off: str) -> None:
    text = (SAMPLES / "m10.mat").read_text()
    head, game = text.split(" Game 1", 1)
    reading = mat.read(head + " Game 1" + game.replace("/0", f"/{off}"))
    assert reading.record is not None
    assert reading.record.winner == "white"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("24/14*", "24/14*"),
        ("24/14", "24/14*"),
        ("24/18*/14*", "24/18*/14*"),
        ("24/18*/14", "24/18*/14*"),
        ("24/18 18/14", "24/18*/14*"),
        ("24/20 20/14", "24/14*"),
    ],
)
def test_a_star_decides_between_two_routes_and_none_means_the_quiet_one(written: str, expected: str) -> None:
    reading = read("  1)                                62: 13/7 13/11", f"  2) 64: {written}", WON)
    assert plays(reading)[1] == f"white: {expected}"


def test_steps_written_one_by_one_hit_a_blot() -> None:
    marked, unmarked = (
        read("  1)                                62: 24/18 13/11", f"  2) 61: 13/7{star} 7/6", WON)
        for star in ("*", "")
    )
    assert plays(marked) == plays(unmarked)
    assert plays(marked)[1] == "white: 13/7*/6"


@pytest.mark.parametrize("dance_text", ["", "Cannot Move", "cannot move", "No move", "Can't move"])
def test_a_dance_is_empty_or_text_after_the_dice(dance_text: str) -> None:
    text = (SAMPLES / "m22.mat").read_text()
    expected = mat.read(text).record
    reading = mat.read(re.sub(r"( \d\d: )(?=  |\n)", rf"\g<1>{dance_text}", text))
    assert codes(reading) == ([], [])
    assert reading.record == expected


def test_a_dance_without_dice_gets_a_roll_that_cannot_be_played() -> None:
    text = (SAMPLES / "m22.mat").read_text()
    dances = len(re.findall(r" \d\d: (?=  |\n)", text))
    reading = mat.read(re.sub(r" \d\d: (?=  |\n)", "Cannot Move", text))
    assert codes(reading) == ([], ["dice_missing"] * dances)
    assert reading.record is not None
    assert reading.record.score == (15, 9)


def test_a_playable_roll_is_not_passed() -> None:
    reading = read(FIRST, "  2) 55:                            62: 24/16", WON)
    assert [(error.move, error.code, error.ruling) for error in reading.faults] == [(2, "must_play", "B5")]


RESIGNATIONS = [
    ("51: ????", "51"),
    ("????", ""),
    ("00: ????", ""),
    ("62: Concedes", "62"),
    ("Concedes", ""),
    ("Resigns", ""),
    ("64:", "64"),
]


@pytest.mark.parametrize(("cell", "dice"), RESIGNATIONS)
@pytest.mark.parametrize("points", [1, 2, 3])
def test_all_forms_of_resignation_are_read(cell: str, dice: str, points: int) -> None:
    reading = read(FIRST, f"  2) {cell}", f"{'':<36}Wins {points} point{'s' * (points > 1)}")
    assert plays(reading)[2:] == [f"white: resign {points}", "black: accept"]
    assert reading.record is not None
    game = reading.record.games[0]
    assert (game.winner, game.points, game.resigned) == ("black", points, True)
    assert (dice == "") == (game.actions[-3][1] == "8/4 6/4")
    assert reading.warnings == ()


def test_a_loser_who_concedes_has_lost_whatever_column_the_winners_line_is_in() -> None:
    reading = read(FIRST, "  2) Concedes", "      Wins 1 point")
    assert reading.record is not None
    assert reading.record.games[0].winner == "black"


@pytest.mark.parametrize(
    ("line", "winner"),
    [
        ("      Wins 1 point", "white"),
        ("  2)  Wins 1 point", "white"),
        (f"{'':<36}Wins 1 point", "black"),
        (f"  2) {'':<31}Wins 1 point", "black"),
        ("      Losses 1 point", "black"),
        (f"{'':<36}Losses 1 point", "white"),
    ],
)
def test_the_winners_line_has_an_optional_number_and_is_in_either_column(line: str, winner: str) -> None:
    reading = read(FIRST, line)
    assert reading.record is not None
    assert (reading.record.games[0].winner, reading.record.games[0].points) == (winner, 1)


def two_games(result: str, second: str, *, length: int = 5) -> str:
    return mat_text(FIRST, result, "", " Game 2", second, "  1) 31: 8/5 6/5", length=length)


def test_impossible_points_are_corrected_by_the_next_score() -> None:
    text = two_games("      Wins 1004 point", " ana : 2                         bea : 0")
    reading = mat.read(text)
    assert codes(reading) == ([], ["points_differ"])
    assert reading.record is not None
    assert (reading.record.games[0].points, reading.record.games[0].kind) == (2, "gammon")


def test_a_missing_winners_line_follows_from_the_next_score() -> None:
    reading = mat.read(two_games("", " ana : 0                         bea : 3"))
    assert codes(reading) == ([], ["result_missing"])
    assert plays(reading)[2:] == ["black: 8/4 6/4", "white: resign 3", "black: accept"][1:]


def test_impossible_points_without_a_helpful_score_are_an_error() -> None:
    reading = mat.read(two_games("      Wins 9 points", " ana : 4                         bea : 0"))
    assert codes(reading)[0] == ["points_impossible"]
    assert reading.record is None


def test_a_wrong_score_line_is_reported_when_the_play_is_right() -> None:
    reading = mat.read(two_games("      Wins 1 point", " ana : 3                         bea : 0"))
    assert reading.record is not None
    assert [note.code for note in reading.warnings] == ["score_differs"] or reading.record.games[0].points == 3


def test_a_finished_game_is_worth_what_the_rules_say() -> None:
    text = (SAMPLES / "m10.mat").read_text().replace("Wins 1 point", "Wins 2 points")
    reading = mat.read(text)
    assert codes(reading) == ([], ["points_differ"])
    assert reading.record is not None
    assert reading.record.score == (1, 0)


def test_a_double_that_was_not_answered_was_dropped() -> None:
    reading = read(FIRST, "  2)  Doubles => 2", "      Wins 1 point")
    assert plays(reading)[2:] == ["white: double", "black: drop"]
    assert codes(reading) == ([], ["drop_missing"])


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (" Doubles => 2                   Takes", ["white: double", "black: take"]),
        (" Doubles => 2                   Drops", ["white: double", "black: drop"]),
        ("Redoubles => 2                  Accepts", ["white: double", "black: take"]),
        (" Double to 2                     Pass", ["white: double", "black: drop"]),
    ],
)
def test_cube_actions_have_many_names(cells: str, expected: list[str]) -> None:
    reading = read(
        FIRST, f"  2) {cells}", WON if "Drops" in cells or "Pass" in cells else "      Wins 2 points", length=5
    )
    assert plays(reading)[2:4] == expected


NAMES = [
    (" ana: 0 bea: 0", "ana", "bea"),
    (" ana:0                           bea:0", "ana", "bea"),
    (" ana (1523,45) : 0              bea, the 2nd (1600) : 0", "ana (1523,45)", "bea, the 2nd (1600)"),
    (" María José : 0                  Ñandú 3 : 0", "María José", "Ñandú 3"),
]


@pytest.mark.parametrize(("line", "white", "black"), NAMES)
def test_names_may_hold_commas_ratings_and_any_characters(line: str, white: str, black: str) -> None:
    text = mat_text(FIRST, WON).replace(" ana : 0" + " " * 25 + "bea : 0", line)
    reading = mat.read(text)
    assert reading.record is not None
    assert reading.record.players == {"white": white, "black": black}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_encoding_and_line_ending_is_read(encoding: str, end: str) -> None:
    text = mat_text(FIRST, WON).replace("bea", "Begoña")
    reading = read_file(text.replace("\n", end).encode(encoding), "match.mat")
    assert reading.record is not None
    assert reading.record.players["black"] == "Begoña"
    assert len(plays(reading)) == 4


def test_headings_become_headers_and_options() -> None:
    headings = (
        '; [Site "Somewhere"]',
        '; [Match ID "77"]',
        '; [Player 1 "Ana M."]',
        '; [Player 2 "Bea"]',
        '; [Player 1 Elo "1600.00/25"]',
        '; [EventDate "2009.12.16"]',
        '; [EventTime "09.16"]',
        '; [Variation "Backgammon"]',
        '; [Unrated "Off"]',
        '; [Crawford "Off"]',
        '; [CubeLimit "1024"]',
    )
    reading = read(FIRST, WON, headings=headings)
    record = reading.record
    assert record is not None
    assert record.players == {"white": "Ana M.", "black": "Bea"}
    assert record.headers == {
        "Site": "Somewhere",
        "Match ID": "77",
        "Player 1 Elo": "1600.00/25",
        "EventDate": "2009.12.16",
        "EventTime": "09.16",
        "Unrated": "Off",
    }
    assert (record.options["crawford"], record.options["cube_cap"]) == (False, 1024)


CRAWFORD = [
    *(" Game 1", " ana : 0                         bea : 0", FIRST, "      Wins 2 points", ""),
    *(
        " Game 2",
        " ana : 2                         bea : 0",
        FIRST,
        "  2) 51: 13/8 6/5                    Doubles => 2",
    ),
    *("  3)  Takes", f"{'':<36}Wins 2 points"),
]


@pytest.mark.parametrize(
    ("heading", "faults", "warnings", "crawford"),
    [
        ('; [Crawford "On"]', ["crawford"], [], None),
        ('; [Crawford "Off"]', [], [], False),
        ("", [], ["no_crawford"], False),
    ],
)
def test_crawford_follows_the_heading_else_the_play(
    heading: str, faults: list[str], warnings: list[str], crawford: bool | None
) -> None:
    reading = mat.read("\n".join([heading, " 3 point match", "", *CRAWFORD]))
    assert codes(reading) == (faults, warnings)
    assert (reading.record and reading.record.options["crawford"]) == crawford


def test_a_session_has_length_0_and_gnubgs_points_are_not_jacobys() -> None:
    headings = ('; [Jacoby "On"]',)
    reading = read(FIRST, "      Wins 1 point", length=0, headings=headings)
    assert reading.record is not None
    assert (reading.record.length, reading.record.options["jacoby"]) == (0, True)
    reading = read(FIRST, "      Wins 3 points", length=0, headings=headings)
    assert codes(reading) == ([], ["points_differ"])
    assert reading.record is not None
    assert reading.record.games[0].points == 1


def test_beavers_and_automatic_doubles_are_inferred_from_the_cube() -> None:
    text = mat_text(
        FIRST, "  2)  Doubles => 4                   Beavers => 8", "  3) 51: 13/8 6/5", "      Wins 8 points", length=0
    )
    reading = mat.read(text)
    assert reading.faults == ()
    assert reading.record is not None
    assert (reading.record.options["beavers"], reading.record.options["auto_doubles"]) == (True, True)
    assert plays(reading)[2:5] == ["white: double", "black: beaver", "white: take"]
    assert reading.record.score == (8, 0)


def test_an_unfinished_game_is_read_as_far_as_it_goes() -> None:
    reading = read(FIRST, "  2) 51: 13/8 6/5")
    assert reading.record is not None
    assert (reading.record.by, reading.record.games[0].kind) == ("", "")
    verify(reading.record)


def test_after_an_error_the_rest_of_the_game_is_skipped_and_the_next_is_read() -> None:
    text = mat_text(
        FIRST,
        "  2) 51: 13/8 6/2                   61: 13/7 8/7",
        WON,
        *("", " Game 2", " ana : 1                         bea : 0", "  1) 66: 13/7", WON),
        *("", " Game 3", " ana : 2                         bea : 0", "  1) 31: 8/5 6/5", "  2) 21: 13/10", WON),
        length=7,
    )
    reading = mat.read(text)
    assert reading.record is None
    assert [(error.game, error.move, error.code, error.ruling) for error in reading.faults] == [
        (1, 2, "no_such_number", "B4"),
        (2, 1, "opening_tie", "B3"),
        (3, 2, "out_of_turn", ""),
    ]
    assert reading.faults[0].text == "51: 13/8 6/2"


@pytest.mark.parametrize(
    ("line", "code", "ruling"),
    [
        ("  2) 52: 24/19 13/11", "blocked", "B6"),
        ("  2) 52: 13/8", "must_use_both", "B5"),
        ("  2) 52: 13/8 13/11 6/4", "no_number_left", "B4"),
        ("  2) 52: 5/0 13/11", "not_all_home", "B9"),
        ("  2)  Takes", "not_now", ""),
    ],
)
def test_an_illegal_move_is_reported_with_its_rule(line: str, code: str, ruling: str) -> None:
    reading = read(FIRST, line, WON)
    assert [(error.move, error.code, error.ruling) for error in reading.faults] == [(2, code, ruling)]


def test_a_file_that_begins_late_is_read_from_its_own_score() -> None:
    text = (
        mat_text(FIRST, WON, length=5)
        .replace(" Game 1", " Game 4")
        .replace("ana : 0", "ana : 4")
        .replace("bea : 0", "bea : 2")
    )
    reading = mat.read(text)
    assert codes(reading) == ([], ["starts_late"])
    record = reading.record
    assert record is not None
    assert (record.games[0].number, record.games[0].score, record.by) == (4, (4, 2), "score")
    verify(record)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        ("hello", "no_games"),
        (" 5 point match\n", "no_games"),
        (mat_text(FIRST, length=5000), "length"),
        ('; [Variation "Chess"]\n' + mat_text(FIRST), "variation"),
    ],
)
def test_an_invalid_match_is_refused_by_code(text: str, code: str) -> None:
    with pytest.raises(FormatError) as refused:
        read_file(text.encode(), "x.mat")
    assert refused.value.code == code


@pytest.mark.parametrize("seed", range(6))
def test_a_match_of_ours_comes_back_as_it_was_written(seed: int) -> None:
    record = play_match(seed, [1, 3, 5, 7][seed % 4])
    text = mat.write(record)
    reading = mat.read(text)
    assert (reading.faults, reading.warnings) == ((), ())
    assert reading.record is not None
    assert mat.write(reading.record) == text
    assert [(game.winner, game.points) for game in reading.record.games] == [
        (game.winner, game.points) for game in record.games
    ]
    assert (reading.record.by, reading.record.winner) == (record.by, record.winner)
    verify(reading.record)
