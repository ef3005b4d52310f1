"""The list of what runs on both databases names modules that exist."""

from __future__ import annotations

from tests.services import second_pass
from tools.services.environment import ROOT


def test_each_entry_names_a_module() -> None:
    modules = list((ROOT / "tests").rglob("test_*.py"))
    entries = [*second_pass.MODULES, *second_pass.COMMITTING]
    assert [entry for entry in entries if not any(second_pass.matches(path, entry) for path in modules)] == []


def test_a_module_that_is_not_named_is_not_imported_in_the_second_pass() -> None:
    names = ("rules/test_plays.py", "games/test_races.py", "accounts/test_clubs.py", "live/test_sweeps.py")
    assert [second_pass.is_collected(ROOT / "tests" / name) for name in names] == [False, True, True, True]
