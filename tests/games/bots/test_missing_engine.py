"""Without the engine's wheel the site runs, and another engine plays."""

from __future__ import annotations

import subprocess
import sys
from typing import ClassVar

import pytest

from games import bots
from games.bots import sage

HIDDEN = """
import sys
sys.modules["bgsage"] = sys.modules["bgbot_cpp"] = None
from games.bots import ENGINES, EngineMissing, engine_for, why_unavailable
assert engine_for("backgammon").name in ("GNU Backgammon", "Plain")
assert why_unavailable("backgammon") is None
assert why_unavailable("damas") is None and why_unavailable("longgammon") == "engine_variant"
engine, _gnubg, *others = ENGINES
assert all(other.available() and other.reason() is None for other in others)
assert not engine.available() and "bgsage" in engine.reason()
try:
    engine.choose(None, {}, "white")
except EngineMissing as error:
    assert str(error) == engine.reason()
else:
    raise AssertionError("an absent engine played")
"""

LAZY = """
import sys
import games.bots
assert not {"bgsage", "bgbot_cpp", "numpy", "django"} & set(sys.modules), "loaded before anybody asked for an engine"
"""


@pytest.mark.parametrize("script", [HIDDEN, LAZY], ids=["hidden", "lazy"])
def test_the_engine_runs_in_its_own_process(script: str) -> None:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def _fresh():
    sage._unavailable_reason.cache_clear()
    yield
    sage._unavailable_reason.cache_clear()


@pytest.mark.usefixtures("_fresh")
def test_older_releases_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("bgsage", reason="the package bgsage is not installed")
    monkeypatch.setattr(sage.metadata, "version", lambda _: "1.7.20260829")
    assert bots.engine_for("backgammon") is not bots.ENGINES[0]
    assert "older" in str(sage.Sage().reason())


@pytest.mark.usefixtures("_fresh")
def test_missing_weights_are_a_missing_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = pytest.importorskip("bgsage.weights", reason="the package bgsage is not installed")

    class Nowhere:
        weight_paths_list: ClassVar[list[str]] = ["/nowhere/net.weights"]

    monkeypatch.setattr(weights, "default_weights", Nowhere)
    assert bots.engine_for("nackgammon") is not bots.ENGINES[0]
    assert "weights" in str(sage.Sage().reason())


def test_games_it_cannot_analyse_are_left_out() -> None:
    for variant in ("longgammon", ""):
        assert bots.engine_for(variant) is None
        assert bots.why_unavailable(variant) == "engine_variant"
