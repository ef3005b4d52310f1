"""Django code that runs beside the stand (`Stand.ask`): people who are logged in, and matches between them."""

from __future__ import annotations

import secrets

from django.conf import settings

from accounts.models import User
from analysis.models import Report
from analysis.services import report_ask
from games import services
from games.models import FROM_FILE, Match
from tests.bench.played import match
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


def finished(count: int) -> int:
    """So many matches to 7 that are over, each brought in by a member of its own; how many there are."""
    for seed in range(count):
        dora = User.objects.create_user(f"dora.{seed}")
        services.match_import(creator=dora, record=match(seed, 7), source="mat")
    return Match.objects.filter(FROM_FILE).count()


def asked() -> int:
    """A report card of each of these, at the depth that takes longest; how many are under way."""
    for over in Match.objects.filter(FROM_FILE).select_related("creator").order_by("pk"):
        report_ask(match_id=over.pk, user=over.creator, depth=Report.Depth.DEEP)
    return Report.objects.count()


def given_up() -> int:
    """Take the report cards away: a worker leaves his at the next note of progress. How many there were."""
    return Report.objects.all().delete()[0]


def cookie(user: User) -> str:
    return f"{settings.SESSION_COOKIE_NAME}={session_of(user)}"
