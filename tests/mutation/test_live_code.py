"""The code of functions is exchanged where they are; what runs at import is left to a new import."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tools.mutation.live_code import LiveCode

SOURCE = """
from functools import lru_cache

TABLE = {"clock": 12}

def plain(x):
    return x + 1

def outer(x):
    def inner(y):
        return y * 2
    return inner(x)

@lru_cache
def cached(x, more=1):
    return x - more

class Value:
    size = 3

    @property
    def double(self):
        return self.size * 2

made = [lambda x: x + 10]
"""


@pytest.fixture
def module(tmp_path: Path) -> ModuleType:
    path = tmp_path / "made.py"
    path.write_text(SOURCE, "utf-8")
    spec = importlib.util.spec_from_file_location("made", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def replaced(module: ModuleType, before: str, after: str) -> bool:
    """Whether the change could be made in place."""
    assert SOURCE.count(before) == 1
    assert module.__file__ is not None
    old, new = (
        compile(text, module.__file__, "exec", dont_inherit=True) for text in (SOURCE, SOURCE.replace(before, after))
    )
    return LiveCode({module.__file__}).replace(old, new)


@pytest.mark.parametrize(
    ("before", "after", "call", "value"),
    [
        ("x + 1\n", "x - 1\n", lambda module: module.plain(5), 4),
        ("y * 2", "y * 3", lambda module: module.outer(5), 15),
        ("x - more", "x + more", lambda module: module.cached(5), 6),
        ("self.size * 2", "self.size / 2", lambda module: module.Value().double, 1.5),
        ("x + 10", "x + 11", lambda module: module.made[0](5), 16),
    ],
)
def test_a_function_is_changed_where_it_is(
    module: ModuleType, before: str, after: str, call: Callable[[ModuleType], float], value: float
) -> None:
    kept = module.plain, module.Value, module.made
    assert replaced(module, before, after)
    assert call(module) == value
    assert (module.plain, module.Value, module.made) == kept


@pytest.mark.parametrize(
    ("before", "after"), [("12", "13"), ("size = 3", "size = 4"), ("more=1", "more=2"), ("def plain", "def simple")]
)
def test_what_runs_at_import_is_not(module: ModuleType, before: str, after: str) -> None:
    assert not replaced(module, before, after)
    assert (module.TABLE, module.Value.size, module.cached(5), module.plain(5)) == ({"clock": 12}, 3, 4, 6)


def test_the_same_source_changes_nothing(module: ModuleType) -> None:
    assert not replaced(module, "12", "12")
