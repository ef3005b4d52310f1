"""Cells of the tables that people take home: no spreadsheet takes one for a formula."""

from __future__ import annotations

from typing import Any

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a formula may begin with, in some spreadsheet of some country (OWASP, CSV injection)."""


def cell(value: Any) -> Any:
    """A text as a text, behind an apostrophe where it would be a formula; anything else as it is."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULAS) else value
