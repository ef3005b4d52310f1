"""Calendars as text for calendar programs: the part of iCalendar (RFC 5545) that our feeds need. Pure.

Lines end with CRLF and have at most 75 octets; longer ones are folded (section 3.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

MOST_OCTETS = 75
PRODUCT = "-//Tablero//Tablero//EN"


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """An event: `uid` stays the same for the same event, `changed_at` says when it was last changed."""

    uid: str
    start: datetime
    summary: str
    changed_at: datetime
    description: str = ""
    url: str = ""
    cancelled: bool = False


def calendar_text(name: str, events: Iterable[CalendarEvent]) -> str:
    """A whole calendar with this name."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{PRODUCT}", f"X-WR-CALNAME:{_escape(name)}"]
    for event in events:
        lines += _event_lines(event)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _event_lines(event: CalendarEvent) -> list[str]:
    lines = [
        "BEGIN:VEVENT",
        f"UID:{_escape(event.uid)}",
        f"DTSTAMP:{_utc(event.changed_at)}",
        f"DTSTART:{_utc(event.start)}",
        f"SUMMARY:{_escape(event.summary)}",
    ]
    lines += [f"DESCRIPTION:{_escape(event.description)}"] if event.description else []
    lines += [f"URL:{event.url}"] if event.url else []
    lines += ["STATUS:CANCELLED"] if event.cancelled else []
    return [*lines, "END:VEVENT"]


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escape(text: str) -> str:
    """A text value (section 3.3.11), without other control characters."""
    text = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    text = text.replace("\r\n", "\n").replace("\n", "\\n")
    return "".join(letter for letter in text if letter >= " " and letter != "\x7f")


def _folded(line: str) -> Iterator[str]:
    """The line in parts of at most 75 octets, never inside a character; all but the first begin with a space."""
    part, size = "", 0
    for letter in line:
        octets = len(letter.encode())
        if size + octets > MOST_OCTETS:
            yield part
            part, size = " ", 1
        part, size = part + letter, size + octets
    yield part
