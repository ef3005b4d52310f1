"""Whether this process lives, and whether it is ready to serve: two tiny answers for proxies and supervisors.

They say nothing but words of our own: no versions, no names of machines, no texts of errors.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from accounts.policy import public
from backgammon.ops import broker
from games.doors import registry

KEPT = 1.0  # seconds for which an answer holds: a flood of questions costs no more than one a second


@public
@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """This process answers. It asks nothing of anybody else."""
    return HttpResponse("alive\n", content_type="text/plain; charset=utf-8", headers={"Cache-Control": "no-store"})


@public
@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """200 while this process can serve play, else 503; which of its needs are met, by name."""
    found = look()
    fine = all(found.values())
    body = {"ready": fine, **{name: "ok" if good else "away" for name, good in found.items()}}
    return JsonResponse(body, status=200 if fine else 503, headers={"Cache-Control": "no-store"})


def look() -> dict[str, bool]:
    """What this process needs, and whether it has it. The answers of the last second are kept."""
    found = {"serving": not registry.is_closing()}
    with _lock:
        for name, ask in NEEDS.items():
            moment = time.monotonic()
            at, good = _kept.get(name, (0.0, False))
            if not at or moment - at > KEPT:
                good = _try(ask)
                _kept[name] = (time.monotonic(), good)
            found[name] = good
    return found


def forget() -> None:
    """Ask everything anew at the next look."""
    with _lock:
        _kept.clear()


def database() -> bool:
    """Whether the database answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def migrations() -> bool:
    """Whether the tables are those of this code. Once they are, they stay so while this process lives."""
    global _migrated
    if not _migrated:
        executor = MigrationExecutor(connection)
        _migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return _migrated


def the_broker() -> bool:
    """Whether the broker answers."""
    return bool(broker.client(settings.REDIS_URL).ping())


def _try(ask: Callable[[], bool]) -> bool:
    try:
        return ask()
    except Exception:
        connection.close_if_unusable_or_obsolete()
        return False


NEEDS: dict[str, Callable[[], bool]] = {"database": database, "migrations": migrations, "broker": the_broker}
_lock = threading.Lock()
_kept: dict[str, tuple[float, bool]] = {}
_migrated = False
