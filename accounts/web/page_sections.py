"""Sections that apps add to pages of other apps: the lobby, the page of a club.

An app registers the rows and the template of a section for a slot of a page from `AppConfig.ready()`; the page shows
the sections of its slots. Nothing here knows the apps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Rows = Callable[..., Sequence[Any]]

_slots: dict[str, list[tuple[str, Rows]]] = {}


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: the template includes `template` with `rows`."""

    template: str
    rows: Sequence[Any]


def section(slot: str, template: str) -> Callable[[Rows], Rows]:
    """Register a function that reads the rows of a section, with a bounded number of queries."""

    def register(read: Rows) -> Rows:
        _slots.setdefault(slot, []).append((template, read))
        return read

    return register


def sections(slot: str, **context: Any) -> list[Section]:
    """The sections of a slot that have rows; `context` is what the page knows, as its slot says."""
    found = [Section(template, read(**context)) for template, read in _slots.get(slot, ())]
    return [section for section in found if section.rows]
