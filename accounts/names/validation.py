"""The rules for usernames: NFKC, one script, no hidden characters, so that none can be mistaken for another."""

from __future__ import annotations

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from backgammon.languages import LANGUAGES

SHAPE = re.compile(r"^\w[\w.\-]{0,22}\w$")
GUEST_WORDS = frozenset(language.guest for language in LANGUAGES.values())
GENERATED_NAME = re.compile(rf"^({'|'.join(sorted({*GUEST_WORDS, 'player'}))})-\d+$")
"""The names given to guests and to deleted accounts."""
RESERVED = GUEST_WORDS | {"admin", "owner", "director", "server", "white", "black", "tablero", "bot", "me"}


def normalise(name: str) -> str:
    """The name as it is stored and compared: Unicode NFKC, stripped."""
    return unicodedata.normalize("NFKC", name).strip()


def fold(name: str) -> str:
    """The key under which a name is unique: two names that differ only in case have the same."""
    return unicodedata.normalize("NFKC", normalise(name).casefold())


def _script(letter: str) -> str:
    return unicodedata.name(letter, "?").split(" ")[0]


def validate_name(name: str) -> None:
    """Raise ValidationError for a name that is misshapen, mixes scripts, or is reserved."""
    if name != normalise(name) or not SHAPE.match(name):
        raise ValidationError(_("Use 2 to 24 letters, digits, dots, dashes or underscores."), code="name_shape")
    if len({_script(c) for c in name if c.isalpha()}) > 1:
        raise ValidationError(_("Use letters from one alphabet only."), code="name_scripts")
    if name.casefold() in RESERVED or GENERATED_NAME.match(name.casefold()):
        raise ValidationError(_("This name is reserved. Choose another."), code="name_reserved")


VALIDATORS = [validate_name]
