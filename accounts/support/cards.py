"""What apps tell the support of a person: sections of his card. They register; nothing here knows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from accounts.models import User


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a section: what it is, where it leads, and what there is to say beside it."""

    text: str
    url: str = ""
    facts: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the card; `more` is the page that has all of it."""

    title: str
    rows: list[Row]
    more: str = ""


Tell = Callable[[User, User], Iterable[Section]]
_tellers: list[Tell] = []


def section(tell: Tell) -> Tell:
    """Register a function of the person and of who looks, with a bounded number of rows and of queries."""
    _tellers.append(tell)
    return tell


def sections(about: User, viewer: User) -> list[Section]:
    """Every section of a card that has something in it."""
    return [each for tell in _tellers for each in tell(about, viewer) if each.rows]
