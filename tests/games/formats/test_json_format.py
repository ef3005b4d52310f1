"""JSON: round trips of every game, with clocks and dice."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from games.formats import FormatError, json_format, read
from games.formats.record import Record, verify
from tests.games.formats.matches import play_match


@pytest.mark.parametrize(
    ("variant", "length", "options"),
    [
        ("backgammon", 5, {}),
        ("backgammon", 3, {"desahogo": True, "as_libre": True}),
        ("backgammon", 0, {"jacoby": True, "beavers": True, "auto_doubles": True}),
        ("nackgammon", 3, {}),
        ("hypergammon", 5, {"cube_cap": 8}),
        ("acey-deucey", 15, {}),
        ("damas", 1, {}),
        ("damas", 2, {"mode": "obligatoria", "ley_cantidad": True}),
    ],
)
def test_every_game_is_read_back_as_it_was(variant: str, length: int, options: dict[str, Any]) -> None:
    record = play_match(7, length, variant=variant, options=options, games=2)
    verify(record)
    reading = read(json_format.write(record).encode(), "match.json")
    assert (reading.format, reading.record) == ("json", record)


def timed(record: Record) -> Record:
    games = tuple(
        replace(game, clocks=tuple((600_000 - 7 * n, None) for n in range(len(game.actions)))) for game in record.games
    )
    return replace(record, games=games, headers={"Event": "Open", "Round": "2"})


def test_clocks_and_headers_are_kept() -> None:
    record = timed(play_match(2, 1))
    assert json_format.read(json_format.write(record)).record == record
    first = json_format.as_json(record)["games"][0]["actions"][0]
    assert first == ["white", "roll", 600_000, None]


def broken(**change: Any) -> str:
    value = json_format.as_json(play_match(2, 1))
    return json.dumps(value | change)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "json"),
        ("[" * 100_000, "json"),
        ("[]", "json"),
        ('{"format": "tablero-match/9"}', "json_version"),
        (broken(length=-1), "json"),
        (broken(length=True), "json"),
        (broken(players={"white": "ana"}), "json"),
        (broken(players={"white": "ana", "black": "be\na"}), "json"),
        (broken(games=[]), "no_games"),
        (broken(games=[1]), "json"),
        (broken(games=[{}] * 2000), "too_long"),
        (broken(variant="chess"), "variation"),
        (broken(options={"cube": "no"}), "bad_record"),
        (broken(winner="white", by="flag"), "bad_record"),
        ('{"format": NaN}', "json"),
    ],
)
def test_another_format_is_refused_by_code(text: str, code: str) -> None:
    with pytest.raises(FormatError) as refused:
        json_format.read(text)
    assert refused.value.code == code


def test_a_record_that_does_not_follow_from_its_actions_is_refused() -> None:
    value = json_format.as_json(play_match(4, 5))
    first, game, *others = value["games"]
    for change in ({"points": 17}, {"winner": "", "kind": ""}, {"actions": game["actions"][:-1]}, {"score": [4, 4]}):
        games = [first, game | change, *others]
        with pytest.raises(FormatError) as refused:
            json_format.read(json.dumps(value | {"games": games}))
        assert refused.value.code == "bad_record"
