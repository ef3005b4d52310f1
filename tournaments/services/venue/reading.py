"""Reading what is in a venue file: every value is checked, and a file that makes no sense is refused as damaged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import DatabaseError, OperationalError

from tournaments import venue_file
from tournaments.errors import Refused
from tournaments.fold import KINDS
from tournaments.formats.core import Invalid
from tournaments.services.setup import LONGEST_NAME
from tournaments.undo import REWRITES
from tournaments.venue_file import EventContent, FileKind, Unreadable, VenueFile

MOST_ENTRANTS, MOST_EVENTS, MOST_RATING = 5_000, 200_000, 10_000
NONSENSE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, Invalid)
"""What a file can raise that was signed and makes no sense."""


@dataclass(frozen=True, slots=True)
class ReadEvent:
    """An event of a file; `by` is the name of the account that did it, "" for the site itself."""

    act: int
    kind: str
    data: Mapping[str, Any]
    at: datetime
    by: str

    @property
    def content(self) -> EventContent:
        return self.act, self.kind, self.data


def read_file(data: bytes, kind: FileKind) -> VenueFile:
    """A file whose signature is still to be checked. Raises Refused, by the code of what is wrong."""
    with damaged_is_refused():
        return venue_file.read(data, kind)


@contextmanager
def damaged_is_refused() -> Iterator[None]:
    """Refuse what a file raises that is not one of ours, or makes no sense: nothing is written."""
    try:
        yield
    except Unreadable as error:
        raise Refused(error.code, params={"most": venue_file.MOST_BYTES // 1000}) from error
    except OperationalError:  # the database, not the file
        raise
    except (*NONSENSE, DatabaseError) as error:
        raise Refused("venue_damaged") from error


def read_events(value: Any) -> list[ReadEvent]:
    """The events of a file. Raises ValueError and the like."""
    if not isinstance(value, list) or not 0 < len(value) <= MOST_EVENTS:
        raise ValueError("events")
    found = []
    for n, (act, kind, data, at, by) in enumerate(value, 1):
        if kind not in KINDS and kind not in REWRITES:
            raise ValueError("kind")
        if not isinstance(data, dict):
            raise TypeError("data")
        found.append(ReadEvent(number_in(act, n), kind, data, moment_in(at), text_in(by, 150, empty=True)))
    return found


def read_entrants(value: Any) -> list[Mapping[str, Any]]:
    """The entrants of a file, numbered from 1. Raises ValueError and the like."""
    if not isinstance(value, list) or len(value) > MOST_ENTRANTS:
        raise ValueError("entrants")
    found: list[Mapping[str, Any]] = []
    for number, row in enumerate(value, 1):
        if row["number"] != number:
            raise ValueError("number")
        nonce = bytes.fromhex(text_in(row["nonce"], 64))
        found.append(
            {
                "number": number,
                "name": text_in(row["name"], LONGEST_NAME),
                "team": None if row["team"] is None else number_in(row["team"], len(value)),
                "seed": None if row["seed"] is None else number_in(row["seed"], MOST_ENTRANTS),
                "nonce": nonce,
                "at": moment_in(row["at"]),
                "withdrawn": row.get("withdrawn") is True,
                "account": text_in(row.get("account", ""), 150, empty=True),
            }
        )
    return found


def number_in(value: Any, most: int) -> int:
    """A whole number from 1 to `most`. Raises ValueError."""
    if type(value) is not int or not 1 <= value <= most:
        raise ValueError("number")
    return value


def text_in(value: Any, most: int, *, empty: bool = False) -> str:
    """A text without NUL of at most so many characters. Raises ValueError."""
    if not isinstance(value, str) or len(value) > most or "\0" in value or not (value or empty):
        raise ValueError("text")
    return value


def moment_in(value: Any) -> datetime:
    """A moment with its offset from UTC. Raises ValueError."""
    moment = datetime.fromisoformat(text_in(value, 40))
    if moment.tzinfo is None or not 2000 < moment.year < 2200:
        raise ValueError("moment")
    return moment
