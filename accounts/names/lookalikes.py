"""Confusable names: two names with the same skeleton look alike (UTS 39). Pure.

The table is the part of Unicode's confusables (UTS 39, `confusables.txt`) that names can be written with: letters of
Cyrillic, Greek and Armenian that look like Latin ones, and those of the Latin alphabet that look like one another.
Accents are kept: José and Jose are two names.
"""

from __future__ import annotations

import unicodedata

_LATIN = {"0": "o", "O": "o", "1": "l", "I": "l", "ı": "i", "ɑ": "a", "ɡ": "g", "ſ": "f", "ǀ": "l", "ɩ": "i", "ĸ": "k"}
_CYRILLIC = (
    dict(zip("аеорсухѕіјһԁԛԝѵкмтг", "aeopcyxsijhdqwvkmtr", strict=True))
    | dict(zip("АВЕКМНОРСТУХЅІЈҺԚԜѴЬӀӏЗ", "ABEKMHOPCTYXSlJHQWVbll3", strict=True))
)  # fmt: skip
_GREEK = dict(zip("αορνιγσυκχεη", "aopviyoukxen", strict=True)) | dict(
    zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHlKMNOPTYX", strict=True)
)
_ARMENIAN = dict(zip("օոսհցզՕՍԼ", "onuhgqOUl", strict=True))
CONFUSABLES = _LATIN | _CYRILLIC | _GREEK | _ARMENIAN
LETTER_PAIRS = (("m", "rn"),)
"""Letters that look like a pair of other letters."""


def skeleton(name: str) -> str:
    """The skeleton of a name, the same for all names that look like it; case is folded after letters are replaced."""
    plain = "".join(_plain(letter) for letter in unicodedata.normalize("NFKC", name))
    folded = unicodedata.normalize("NFKC", plain.casefold())
    for letter, pair in LETTER_PAIRS:
        folded = folded.replace(letter, pair)
    return folded


def _plain(letter: str) -> str:
    if letter in CONFUSABLES:
        similar = CONFUSABLES[letter]
        return CONFUSABLES.get(similar, similar)
    return "o" if unicodedata.digit(letter, None) == 0 else letter
