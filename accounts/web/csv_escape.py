"""Escape the cells of CSV files, so that no spreadsheet takes one for a formula."""

from __future__ import annotations

from typing import Any

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a formula may begin with, in some spreadsheet of some country (OWASP, CSV injection)."""


def escape_cell(value: Any) -> Any:
    """A text, after an apostrophe where a spreadsheet would read a formula; any other value as it is."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value
