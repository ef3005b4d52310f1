"""Password validators: no password that anybody would try first here, words of the site or the game, and no date."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.models import Club, User
from accounts.names.validation import fold

_GAME_WORDS = (
    "backgammon gammon damas dama ajedrez chaquete tabla tablas dados dado dice cube cubo fichas partida torneo"
)
_ACCOUNT_WORDS = (
    "tablero club game play player jugador admin owner director propietario password contraseña contrasena clave"
)
SITE_WORDS = frozenset(_GAME_WORDS.split()) | frozenset(_ACCOUNT_WORDS.split()) | {"juego", "secreto", "hola"}
"""The words of the game and the site (docs/security.md, 6.1.2). The words of the clubs' names are added."""
MIN_WORD_LENGTH = 4
MAX_CLUBS = 200
DATE_FORMATS = ("%Y%m%d", "%d%m%Y", "%m%d%Y")
SEPARATED_DATE_FORMATS = ("%Y %m %d", "%d %m %Y", "%m %d %Y")
PLAUSIBLE_YEARS = range(1900, 2101)


class SiteWordsValidator:
    """Refuses words of the site and of its clubs, with whatever digits and punctuation around them."""

    def validate(self, password: str, user: User | None = None) -> None:
        words = re.findall(r"[^\W\d_]+", fold(password))
        if words and set(words) <= SITE_WORDS | _club_words():
            raise ValidationError(
                _(
                    "This password only uses words that anyone would try here: the game, the site or a club. "
                    "Choose another."
                ),
                code="our_words",
            )

    def get_help_text(self) -> str:
        return _("Your password can't be just the name of the game, the site or a club.")


class DatesValidator:
    """Refuses dates, as birthdays are known to others. Other digits are allowed like any characters."""

    def validate(self, password: str, user: User | None = None) -> None:
        if is_date(password):
            raise ValidationError(_("This password is a date, which is easy to guess. Choose another."), code="a_date")

    def get_help_text(self) -> str:
        return _("Your password can't be a date.")


def is_date(password: str) -> bool:
    """Whether the password is a date and nothing else, in any order of its parts.

    >>> [reads_as_date(each) for each in ("17041985", "1985-04-17", "4/17/1985", "17041985!!", "98765432")]
    [True, True, True, False, False]
    """
    text = " ".join(re.split(r"[\s./-]+", password.strip()))
    for shape in SEPARATED_DATE_FORMATS if " " in text else DATE_FORMATS:
        with suppress(ValueError):
            return datetime.strptime(text, shape).year in PLAUSIBLE_YEARS  # noqa: DTZ007 - a date without time
    return False


def _club_words() -> set[str]:
    names = Club.objects.order_by("pk").values_list("name", flat=True)[:MAX_CLUBS]
    return {word for name in names for word in re.findall(r"[^\W\d_]+", fold(name)) if len(word) >= MIN_WORD_LENGTH}
