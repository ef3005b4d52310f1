"""The neutral record: built from recorded actions, and verified by folding them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from games.formats import FormatError, __main__, json_format, mat
from games.formats.record import record_from_actions, verify
from tests.games.formats.matches import PLAYERS, SAMPLES, mat_text, play_match


def test_games_scores_and_endings_follow_from_the_actions() -> None:
    actions = [
        *(("white", "roll"), ("black", "roll"), ("chance", "dice 31"), ("white", "8/5 6/5"), ("black", "double")),
        *(("white", "drop"), ("white", "roll"), ("black", "resign match")),
    ]
    timed = [(actor, text, (1000 - n, 900)) for n, (actor, text) in enumerate(actions)]
    record = record_from_actions(variant="backgammon", length=3, options={}, players=PLAYERS, actions=timed)
    first, second = record.games
    assert (first.number, first.score, first.winner, first.points, first.kind) == (1, (0, 0), "black", 1, "drop")
    assert first.clocks[:2] == ((1000, 900), (999, 900))
    assert (second.number, second.score, second.winner, second.kind) == (2, (0, 1), "", "")
    assert (record.by, record.winner, record.standing) == ("resign", "white", "0-1")
    verify(record)


def test_a_contradictory_record_is_refused() -> None:
    record = play_match(5, 3, resigns=0)
    for other in (replace(record, winner=""), replace(record, games=record.games[:-1]), replace(record, length=99)):
        with pytest.raises(FormatError) as refused:
            verify(other)
        assert refused.value.code == "bad_record"


def test_the_command_reads_and_converts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = str(SAMPLES / "m10.mat")
    assert __main__.main(["read", sample]) == 0
    assert '"by": "score"' in capsys.readouterr().out
    assert __main__.main(["convert", sample, "--to", "json"]) == 0
    converted = json_format.read(capsys.readouterr().out)
    assert converted.record == mat.read((SAMPLES / "m10.mat").read_text()).record
    faulty, nothing = tmp_path / "faulty.mat", tmp_path / "nothing.mat"
    faulty.write_text(mat_text("  1) 31: 8/5 6/4"))
    nothing.write_text("nothing")
    assert __main__.main(["read", str(faulty)]) == 1
    assert '"game": 1' in capsys.readouterr().out
    assert [__main__.main(["read", str(path)]) for path in (nothing, tmp_path / "none")] == [2, 2]
