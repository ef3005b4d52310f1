"""Sections that apps add to the support's page of a person. Nothing here knows the apps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from accounts.models import User


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a section: a text, a link, and details beside it."""

    text: str
    url: str = ""
    facts: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A section; `more` is the URL of the page that has all rows."""

    title: str
    rows: list[Row]
    more: str = ""


ReadSections = Callable[[User, User], Iterable[Section]]
_readers: list[ReadSections] = []


def section(read: ReadSections) -> ReadSections:
    """Register a function of the person and the viewer, with a bounded number of rows and queries."""
    _readers.append(read)
    return read


def sections(about: User, viewer: User) -> list[Section]:
    """Every section of a person that has rows."""
    return [section for read in _readers for section in read(about, viewer) if section.rows]
