"""Match files in and out: .mat (Jellyfish), SGF, PDN and our own JSON. Pure: no Django, no database, no clock.

`read` takes any bytes and answers within about a second: a `Reading` with a record, or with the faults that the rules
found in it, or a coded `FormatError`. Concrete rules are reached through `games.registry` only.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from games.formats import archive, mat, pdn, sgf
from games.formats.errors import FormatError
from games.formats.record import Fault, GameRecord, Holds, Reading, Record
from games.formats.text import decode

FORMATS = ("mat", "sgf", "pdn", "json")
WRITERS: dict[str, Callable[[Record], str]] = {
    "mat": mat.write,
    "sgf": sgf.write,
    "pdn": pdn.write,
    "json": archive.write,
}
_HOLDS: dict[str, Holds] = {"mat": mat.HOLDS, "sgf": sgf.HOLDS, "pdn": pdn.HOLDS}
"""What each format can hold; our own JSON holds everything."""
_ENDINGS = {"mat": "mat", "txt": "mat", "gam": "mat", "sgf": "sgf", "pdn": "pdn", "json": "json"}
_MAT = re.compile(r"^\s*(?:;\s*\[|-?\d{1,9}[ -]*points?[ -]+match|Game\s+\d)", re.IGNORECASE | re.MULTILINE | re.ASCII)
_HEAD = 4000
"""How many characters tell the format."""


def sniff(data: bytes, filename: str = "") -> str:
    """The format of a file, by what it begins with, else by its name. Raises FormatError."""
    text = decode(data)[:_HEAD].lstrip()
    if text[:1] == "{":
        return "json"
    if re.match(r"\(\s*;", text):
        return "sgf"
    if re.match(r'\[\s*\w{1,40}\s+"', text):
        return "mat" if re.search(r"point match", text) else "pdn"
    if _MAT.search(text):
        return "mat"
    ending = filename.lower().rpartition(".")[2]
    if ending in _ENDINGS:
        return _ENDINGS[ending]
    raise FormatError("unknown_format")


def read(data: bytes, filename: str = "") -> Reading:
    """The match in a file. Raises FormatError for what is no match at all."""
    kind = sniff(data, filename)
    if kind == "sgf":
        return sgf.read(data)
    text = decode(data)
    if kind == "json":
        return archive.read(text)
    return pdn.read(text) if kind == "pdn" else mat.read(text)


def kinds(record: Record) -> list[str]:
    """The formats that can hold a match."""
    return [kind for kind in FORMATS if kind not in _HOLDS or _HOLDS[kind].refusal(record) is None]


def write(record: Record, kind: str) -> str:
    """The match as text of a format. Raises FormatError for a match that it cannot hold, or an unknown format."""
    if kind not in WRITERS:
        raise FormatError("unknown_format")
    return WRITERS[kind](record)


__all__ = [
    "FORMATS",
    "Fault",
    "FormatError",
    "GameRecord",
    "Reading",
    "Record",
    "kinds",
    "read",
    "sniff",
    "write",
]
