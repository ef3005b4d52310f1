"""Words without their accents: how names are sorted, and how the words of a table are compared."""

from __future__ import annotations

import unicodedata


def without_accents(text: str) -> str:
    """The text in lower case, without accents: `Ángel` stands beside `Angela`."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
