"""Broken uploads: match files, result sheets, and others."""

from __future__ import annotations

import random
from functools import cache

from django.core.files.uploadedfile import SimpleUploadedFile

from tools.fuzz.formats import HAND_MADE, SAMPLES, mutated

NAMES = (
    *("x.mat", "x.sgf", "x.pdn", "x.json", "x.csv", "x.exe", "../../etc/passwd", "x" * 300 + ".mat", "a\u202etam.exe"),
    *("x.mat\x00.png", "", " ", ".", "CON", '"; filename="y', "x.mat\r\nX-Evil: 1"),
)
KINDS = ("text/plain", "application/json", "image/png", "", "text/html; charset=utf-7", "x" * 400)
WHOLE = (
    *(b"", b"\0" * 1000, b"\xff\xfe" + b"a\0" * 500, b"\xef\xbb\xbf", b"PK\x03\x04" + bytes(200), b"GIF89a<script>"),
    *(b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"[" * 100_000, b'{"a":' * 50_000, b"1;" * 60_000, b"\n" * 50_000),
    *(b"date;player;rival;length;score\n=cmd|' /C calc'!A0;ana;bea;5;5-3\n", b"a" * 1_500_000),
)


@cache
def samples() -> tuple[bytes, ...]:
    """Return valid files to break."""
    return (*HAND_MADE, *(path.read_bytes() for path in sorted(SAMPLES.iterdir()) if path.stat().st_size < 40_000))


def upload(dice: random.Random) -> SimpleUploadedFile:
    """Return a hostile file: mostly a match with something wrong in it."""
    luck = dice.random()
    data = dice.choice(WHOLE) if luck < 0.15 else dice.choice(samples()) if luck < 0.2 else mutated(dice, samples())
    name = dice.choice(NAMES) or "x"
    return Named(name, data, content_type=dice.choice(KINDS))


class Named(SimpleUploadedFile):
    """A file that keeps its given name: a browser may send any."""

    def _set_name(self, name: str | None) -> None:
        self._name = name

    name = property(lambda self: self._name, _set_name)
