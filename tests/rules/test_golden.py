"""Golden games: the files of `golden/`, each a few turns of one variant and the position that they lead to.

A file is JSON: `variant`, `length` (0: money), `options`, `actions` (lines of actions parted by ``; ``) and `end`,
some fields of what the last position shows.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from backgammon.rules import RULES

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_ends_as_it_is_written(path: Path):
    record = json.loads(path.read_text(encoding="utf-8"))
    rules = RULES[record["variant"]]
    position = rules.start(rules.opening_score(record["length"], record["options"]), record["options"])
    for action in "; ".join(record["actions"]).split("; "):
        assert position.canonical(action) == action
        position = position.after(action)
        assert rules.restore(json.loads(json.dumps(position.snapshot()))) == position
    seen = position.view(None)
    assert {name: seen[name] for name in record["end"]} == record["end"]
