"""Passwords that anybody would try here first: the site's own words, with or without a number behind them."""

from __future__ import annotations

import re

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


def _of_the_clubs() -> set[str]:
    names = Club.objects.order_by("pk").values_list("name", flat=True)[:MOST_CLUBS]
    return {word for name in names for word in re.findall(r"[^\W\d_]+", fold(name)) if len(word) >= SHORTEST}
