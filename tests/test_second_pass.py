"""The list of what runs on both databases names modules that exist."""

from __future__ import annotations

from tests.services import second_pass
from tools.services.environment import ROOT


def test_each_entry_names_a_module() -> None:
    modules = list((ROOT / "tests").rglob("test_*.py"))
    chosen = {entry: [path for path in modules if second_pass.matches(path, entry)] for entry in second_pass.MODULES}
    assert [entry for entry, paths in chosen.items() if not paths] == []
