"""Decode match files: their encodings and line ends."""

from __future__ import annotations

import codecs
import re
import unicodedata

from games.formats.errors import FormatError

MOST_BYTES = 8 * 1024 * 1024
"""A longer file is refused without reading it. An SGF file with an analysis has a megabyte and more."""
MOST_TEXT = 1024 * 1024
"""The limit of all other formats, and of pasted text: without an analysis no match needs a tenth of it."""
LONGEST_NAME = 80

# What a file may declare; others are either rare or slow to decode.
_DECLARED = frozenset(
    {"utf-8", "utf8", "iso-8859-1", "latin-1", "latin1", "iso-8859-15", "windows-1252", "cp1252", "ascii"}
)

_SOMETHING = re.compile(r"[^\0 \t\r\n\f\v]")

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(data: bytes, *, declared: str = "", most: int = MOST_TEXT) -> str:
    """Decode a file: by its byte order mark, else UTF-16 where every other byte is 0, else as declared, else
    UTF-8, else Latin-1, which can be anything. Line ends become line feeds. Raises FormatError (`too_large`, `empty`).
    """
    if len(data) > most:
        raise FormatError("too_large", most=most)
    text = _decoded(data, declared)
    if not _SOMETHING.search(text):
        raise FormatError("empty")
    for found, line_feed in (("\r\n", "\n"), ("\r", "\n"), ("\0", " ")):
        text = text.replace(found, line_feed)  # one at a time, so that at most two copies exist
    return text


def decode_head(data: bytes, most: int) -> str:
    """The first `most` characters of a file, as `decode` has them."""
    return _decoded(data[: 4 * most], "").replace("\r", "\n").replace("\0", " ")[:most]


def _decoded(data: bytes, declared: str) -> str:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    head = data[:2000]
    if len(head) > 3 and (zeros := head.count(0)) * 3 > len(head):
        odd_zeros = head[1::2].count(0)
        return data.decode("utf-16-le" if odd_zeros * 2 > zeros else "utf-16-be", "replace")
    for encoding in (declared.strip().lower(), "utf-8"):
        if encoding in _DECLARED:
            try:
                return data.decode(encoding)
            except UnicodeDecodeError:
                continue
    return data.decode("latin-1")


def plain(text: str, most: int = LONGEST_NAME) -> str:
    """One line of printable text: a name or a heading, cut to `most` characters."""
    line = " ".join(text[: most * 4].split())
    if line.isprintable():
        return line[:most].strip()
    return "".join(letter for letter in line if unicodedata.category(letter)[0] != "C")[:most].strip()
