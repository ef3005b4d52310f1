"""docs/security.md lists every requirement of ASVS 5.0.0 up to level 2, and the files it names exist."""

from __future__ import annotations

import re

from tools.services.environment import ROOT

# How many requirements of levels 1 and 2 each section has; they come before those of level 3.
SECTIONS = {
    "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2,
    "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1,
    "3.2": 2, "3.3": 4, "3.4": 6, "3.5": 5, "3.7": 2,
    "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4,
    "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3,
    "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4,
    "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2,
    "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1,
    "9.1": 3, "9.2": 4,
    "10.1": 2, "10.2": 2, "10.3": 4, "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3,
    "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1,
    "12.1": 3, "12.2": 2, "12.3": 4,
    "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5,
    "14.1": 2, "14.2": 4, "14.3": 3,
    "15.1": 3, "15.2": 3, "15.3": 7,
    "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3,
    "17.1": 1, "17.2": 4, "17.3": 2,
}  # fmt: skip
STATES = {"met", "partly", "not met", "owner", "n/a"}
TEXT = (ROOT / "docs" / "security.md").read_text()
ROWS = [row.split("|")[1:4] for row in TEXT.splitlines() if re.match(r"\| \(?\d", row)]


def numbers(cell: str) -> list[str]:
    """Expand `6.5.3 – 6.5.5, 6.6.1` to single numbers."""
    found = []
    for part in cell.strip().strip("()").split(", "):
        first, _, last = part.partition(" – ")
        section, n = first.rsplit(".", 1)
        found += [f"{section}.{each}" for each in range(int(n), int((last or first).rsplit(".", 1)[1]) + 1)]
    return found


def test_every_requirement_has_its_row_once() -> None:
    wanted = [f"{section}.{n}" for section, most in SECTIONS.items() for n in range(1, most + 1)]
    assert len(wanted) == 253
    numbers_of_rows = [number for cell, *_ in ROWS if "(" not in cell for number in numbers(cell)]
    assert sorted(numbers_of_rows) == sorted(wanted)


def test_every_row_has_a_state_and_a_reason() -> None:
    assert [row for row in ROWS if row[1].strip() not in STATES or not row[2].strip()] == []


def test_every_file_it_names_exists() -> None:
    named = re.findall(r"`((?:\w+/)+[\w.]*)`", TEXT)
    assert len(named) > 50
    assert [path for path in named if not (ROOT / path).exists()] == []
