"""Django code that runs beside the cluster (`Cluster.ask`): signed-in members, and matches between them."""

from __future__ import annotations

import secrets

from django.conf import settings

from accounts.models import User
from analysis.models import Report
from analysis.services import report_ask
from games import services
from games.models import FROM_FILE, Match
from tools.bench.generated_matches import match
from tools.load.sessions import session_of

Table = tuple[str, str, str]
"""The id of a match, and the Cookie headers of its two players."""


def tables(count: int) -> list[Table]:
    """Create so many matches that have just begun."""
    made = []
    for number in range(count):
        ana, bea = (User.objects.create_user(f"{name}.{number}") for name in ("ana", "bea"))
        seek = services.match_create(creator=ana, variant="backgammon", length=15, clock="slow", rated=False)
        services.match_join(match_id=seek.pk, user=bea)
        made.append((seek.pk, cookie(ana), cookie(bea)))
    return made


def spectators(count: int) -> list[str]:
    """Return the Cookie headers of so many members."""
    return [cookie(User.objects.create_user(f"carlos.{secrets.token_hex(6)}")) for _ in range(count)]


def finished(count: int) -> int:
    """Create so many finished matches to 7, each imported by a member of its own; how many there are."""
    for seed in range(count):
        dora = User.objects.create_user(f"dora.{seed}")
        services.match_import(creator=dora, record=match(seed, 7), source="mat")
    return Match.objects.filter(FROM_FILE).count()


def asked() -> int:
    """Request an analysis of each of these at the deepest level; how many are under way."""
    for over in Match.objects.filter(FROM_FILE).select_related("creator").order_by("pk"):
        report_ask(match_id=over.pk, user=over.creator, depth=Report.Depth.DEEP)
    return Report.objects.count()


def given_up() -> int:
    """Delete the analyses: a worker leaves its own at the next progress update. How many there were."""
    return Report.objects.all().delete()[0]


def cookie(user: User) -> str:
    return f"{settings.SESSION_COOKIE_NAME}={session_of(user)}"
