"""Matches of damas as PDN."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from games.formats import FormatError, Record, pdn
from games.formats import read as read_file
from tests.games.formats.matches import codes, play_match


def same(first: Record, second: Record) -> bool:
    """Whether two records hold the same games; rejected offers are not written to PDN."""
    return [(game.winner, game.points, game.kind) for game in first.games] == [
        (game.winner, game.points, game.kind) for game in second.games
    ] and (first.by, first.winner, first.players, first.options) == (
        second.by,
        second.winner,
        second.players,
        second.options,
    )


@pytest.mark.parametrize(
    ("seed", "length", "mode"), [(1, 1, "soplar"), (2, 2, "soplar"), (3, 2, "obligatoria"), (4, 3, "obligatoria")]
)
def test_a_match_written_is_read_back(seed: int, length: int, mode: str) -> None:
    record = play_match(seed, length, variant="damas", options={"mode": mode}, resigns=0.02)
    text = pdn.write(record)
    reading = read_file(text.encode(), "match.pdn")
    assert (reading.format, reading.faults, reading.warnings) == ("pdn", (), ())
    assert reading.record is not None
    assert same(reading.record, record)
    assert pdn.write(reading.record) == text


def test_colours_alternate_with_the_names() -> None:
    record = play_match(3, 2, variant="damas", options={"mode": "obligatoria"})
    whites = [line for line in pdn.write(record).splitlines() if line.startswith('[White "')]
    assert len(whites) == len(record.games)
    assert all(first != second for first, second in pairwise(whites))


FOREIGN = '[White "bea"]\n[Black "ana"]\n[Result "0-1"]\n\n1. 11-16 {good} 40-35 (40-34) 2. 12-17 $2 0-1\n'


def test_a_foreign_file_is_read_with_an_invented_opening_roll() -> None:
    reading = pdn.read(FOREIGN)
    record = reading.record
    assert record is not None
    assert (record.players, record.length) == ({"white": "bea", "black": "ana"}, 1)
    assert record.games[0].actions[:3] == (("white", "roll"), ("black", "roll"), ("chance", "dice 12"))
    assert (record.winner, record.games[0].resigned) == ("black", True)


def test_an_illegal_move_is_reported_with_game_and_move() -> None:
    reading = pdn.read(FOREIGN.replace("40-35", "40-30"))
    assert [(error.game, error.move) for error in reading.faults] == [(1, 2)]
    assert reading.record is None
    assert codes(pdn.read(FOREIGN + FOREIGN))[0] == ["match_over"] or codes(pdn.read(FOREIGN + FOREIGN))[0] == [
        "names_differ"
    ]


HYPHENS = (
    '[White "bea"]\n[Black "ana"]\n[Mode "obligatoria"]\n\n1. 11-16 37-32 2. 12-17 39-33 3. 17-22 43-39 '
    "4. 22-27 32-21 5. 16-27 49-43 6. 7-11 38-32 7. 27-49 40-34 8. {last} *\n"
)
"""A game whose captures are written with a hyphen; at its end the king on 49 can capture, and fly, to 38."""


def test_a_hyphen_stands_for_a_capture_only_where_the_piece_could_not_make_that_quiet_move() -> None:
    record = pdn.read(HYPHENS.replace("{last}", "49x38")).record
    assert record is not None
    captures = [text for _, text in record.games[0].actions if "x" in text]
    assert captures == ["32x21", "16x27", "27x49", "49x38"]
    (fault,) = pdn.read(HYPHENS.replace("{last}", "49-38")).faults
    assert (fault.move, fault.code, fault.ruling) == (15, "must_capture", "D8")


def test_another_starting_position_or_game_is_refused() -> None:
    reading = pdn.read('[FEN "B:W50:B1"]\n' + FOREIGN)
    assert codes(reading)[0] == ["not_the_start"]
    with pytest.raises(FormatError) as refused:
        pdn.read('[GameType "20"]\n' + FOREIGN)
    assert refused.value.code == "variation"
    with pytest.raises(FormatError) as refused:
        pdn.read("[Event")
    assert refused.value.code == "pdn"


def test_all_kinds_of_spaces_are_accepted() -> None:
    assert pdn.read(FOREIGN.replace(" 40", "\xa040").replace("*", "\x85")).record == pdn.read(FOREIGN).record
    with pytest.raises(FormatError) as refused:
        pdn.read("\x85" * 30 + "?/")
    assert refused.value.code == "pdn"


@pytest.mark.parametrize(
    ("last", "by"), [(("white", "resign match"), "resign"), (("server", "absent white"), "absent")]
)
def test_a_match_that_ends_outside_its_last_game_names_the_winner(last: tuple[str, str], by: str) -> None:
    whole = play_match(3, 2, variant="damas", options={"mode": "obligatoria"})
    first = whole.games[0]
    unfinished = replace(
        first, actions=(*first.actions[:8], last), winner="", points=0, kind="", resigned=False, clocks=()
    )
    text = pdn.write(replace(whole, games=(unfinished,), by=by, winner="black"))
    assert "; bea wins, score 0-0" in text
    reread = pdn.read(text).record
    assert reread is not None
    assert (reread.by, reread.winner, reread.games[-1].actions[-1]) == (by, "black", last)
