"""Cleaning of typed text: plain words on one line, in their reading order. Pure."""

from __future__ import annotations

import unicodedata

LONGEST = 300  # characters
MARKS = 4  # accents upon one letter that any language needs
JOINERS = "\u200c\u200d"  # some scripts and most families of emoji need them
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode categories that are invisible, or that reorder the text around them (bidi controls)."""
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters by category, and empty to the eye


def clean_text(text: str) -> str:
    """The text as it is kept: normal form C, no controls, bidi marks or towers of accents; white space is one blank.

    Empty when there is nothing to see.
    """
    signs: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", text):
        category = unicodedata.category(sign)
        if sign.isspace() or sign in BLANK:
            signs.append(" ")
        elif category in HIDDEN and sign not in JOINERS:
            continue
        else:
            marks = marks + 1 if category in ("Mn", "Me") else 0
            if marks <= MARKS:
                signs.append(sign)
    words = " ".join("".join(signs).split())
    return words if any(unicodedata.category(sign)[0] in "LNPS" for sign in words) else ""
