"""What a name looks like: two names with the same look cannot be told apart by reading them. Pure.

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
ALIKE = _LATIN | _CYRILLIC | _GREEK | _ARMENIAN
WIDE = (("m", "rn"),)
"""Letters that look like two others beside each other."""


def look(name: str) -> str:
    """The look of a name, the same for all that could be mistaken for it; case is folded after the letters are."""
    plain = "".join(_plain(letter) for letter in unicodedata.normalize("NFKC", name))
    folded = unicodedata.normalize("NFKC", plain.casefold())
    for wide, pair in WIDE:
        folded = folded.replace(wide, pair)
    return folded


def _plain(letter: str) -> str:
    if letter in ALIKE:
        found = ALIKE[letter]
        return ALIKE.get(found, found)
    return "o" if unicodedata.digit(letter, None) == 0 else letter
