"""Django code that runs beside the stand (`Stand.ask`): people who are logged in, and matches between them."""

from __future__ import annotations

import secrets

from django.conf import settings

from accounts.models import User
from games import services
from tests.load.people import session_of

Table = tuple[str, str, str]
"""The id of a match, and the Cookie headers of its two players."""


def tables(count: int) -> list[Table]:
    """So many matches that have just begun."""
    made = []
    for number in range(count):
        ana, bea = (User.objects.create_user(f"{name}.{number}") for name in ("ana", "bea"))
        seek = services.match_create(creator=ana, variant="backgammon", length=15, clock="slow", rated=False)
        services.match_join(match_id=seek.pk, user=bea)
        made.append((seek.pk, cookie(ana), cookie(bea)))
    return made


def spectators(count: int) -> list[str]:
    """The Cookie headers of so many members."""
    return [cookie(User.objects.create_user(f"carlos.{secrets.token_hex(6)}")) for _ in range(count)]


def cookie(user: User) -> str:
    return f"{settings.SESSION_COOKIE_NAME}={session_of(user)}"
