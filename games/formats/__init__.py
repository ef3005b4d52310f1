"""Import and export of match files: .mat (Jellyfish), SGF, PDN and our own JSON. Pure: no Django.

`read` takes any bytes and returns within about a second: a `Reading` with a record, or with the faults that the rules
found in it; or it raises a coded `FormatError`. Concrete rules are reached through `games.registry` only.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from games.formats import json_format, mat, pdn, sgf
from games.formats.decoding import MOST_BYTES, decode, decode_head
from games.formats.errors import FormatError
from games.formats.record import Fault, FormatLimits, GameRecord, Reading, Record

FORMATS = ("mat", "sgf", "pdn", "json")
WRITERS: dict[str, Callable[[Record], str]] = {
    "mat": mat.write,
    "sgf": sgf.write,
    "pdn": pdn.write,
    "json": json_format.write,
}
_LIMITS: dict[str, FormatLimits] = {"mat": mat.LIMITS, "sgf": sgf.LIMITS, "pdn": pdn.LIMITS}
"""The limits of each format; our own JSON holds everything."""
_ENDINGS = {"mat": "mat", "txt": "mat", "gam": "mat", "sgf": "sgf", "pdn": "pdn", "json": "json"}
_MAT = re.compile(r"^\s*(?:;\s*\[|-?\d{1,9}[ -]*points?[ -]+match|Game\s+\d)", re.IGNORECASE | re.MULTILINE | re.ASCII)
_HEAD = 4000
"""How many characters are read to detect the format."""


def detect_format(data: bytes, filename: str = "") -> str:
    """Detect the format of a file by its first characters, else by its name. Raises FormatError."""
    if len(data) > MOST_BYTES:
        raise FormatError("too_large", most=MOST_BYTES)
    text = decode_head(data, _HEAD).lstrip()
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
    decode(data, most=MOST_BYTES)  # an empty file is refused as empty
    raise FormatError("unknown_format")


def read(data: bytes, filename: str = "") -> Reading:
    """Read the match of a file. Raises FormatError for a file without a match."""
    kind = detect_format(data, filename)
    if kind == "sgf":
        return sgf.read(data)
    text = decode(data)
    if kind == "json":
        return json_format.read(text)
    return pdn.read(text) if kind == "pdn" else mat.read(text)


def available_formats(record: Record) -> list[str]:
    """The formats that can hold a match."""
    return [kind for kind in FORMATS if kind not in _LIMITS or _LIMITS[kind].refusal(record) is None]


def write(record: Record, kind: str) -> str:
    """Write a match in a format. Raises FormatError for a match that it cannot hold, or an unknown format."""
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
    "available_formats",
    "detect_format",
    "read",
    "write",
]
