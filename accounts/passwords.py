"""Passwords that anybody would try first: the site's own words, with or without a number behind them, and dates."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.models import Club, User
from accounts.names import fold

_GAME = "backgammon gammon damas dama ajedrez chaquete tabla tablas dados dado dice cube cubo fichas partida torneo"
_HOUSE = "tablero club game play player jugador admin owner director propietario password contraseña contrasena clave"
WORDS = frozenset(_GAME.split()) | frozenset(_HOUSE.split()) | {"juego", "secreto", "hola"}
"""The words of the game and of the house (docs/security.md, 6.1.2). To them come the words of the clubs' names."""
SHORTEST = 4
MOST_CLUBS = 200
DATES = ("%Y%m%d", "%d%m%Y", "%m%d%Y")
APART = ("%Y %m %d", "%d %m %Y", "%m %d %Y")
LIVED = range(1900, 2101)


class OurWordsValidator:
    """A password is more than words of the site and of its clubs, whatever digits and marks stand round them."""

    def validate(self, password: str, user: User | None = None) -> None:
        said = re.findall(r"[^\W\d_]+", fold(password))
        if said and set(said) <= WORDS | _of_the_clubs():
            raise ValidationError(
                _("This is made of words that anybody would try here: the game, the site, the club."), code="our_words"
            )

    def get_help_text(self) -> str:
        return _("Not the name of the game, the site or the club alone.")


class DatesValidator:
    """A password is more than a day: whoever knows a birthday knows it. Other digits are taken like any characters."""

    def validate(self, password: str, user: User | None = None) -> None:
        if reads_as_date(password):
            raise ValidationError(_("This is a date: whoever knows a birthday would try it."), code="a_date")

    def get_help_text(self) -> str:
        return _("Not a date.")


def reads_as_date(password: str) -> bool:
    """Whether it is a day and nothing else, in any order of its parts.

    >>> [reads_as_date(each) for each in ("17041985", "1985-04-17", "4/17/1985", "17041985!!", "98765432")]
    [True, True, True, False, False]
    """
    said = " ".join(re.split(r"[\s./-]+", password.strip()))
    for shape in APART if " " in said else DATES:
        with suppress(ValueError):
            return datetime.strptime(said, shape).year in LIVED  # noqa: DTZ007 - a day, nobody's hour
    return False


def _of_the_clubs() -> set[str]:
    names = Club.objects.order_by("pk").values_list("name", flat=True)[:MOST_CLUBS]
    return {word for name in names for word in re.findall(r"[^\W\d_]+", fold(name)) if len(word) >= SHORTEST}
