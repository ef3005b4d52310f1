"""Liveness and readiness probes for proxies and supervisors.

The responses have fixed words only: no versions, host names or error texts.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.web.policy import public
from backgammon.ops import broker_client
from backgammon.ops.models import ReadinessCheck
from games.connections import registry

FILE_BYTES = 64 * 1024  # more than one move needs, and nothing to a disk
CACHE_SECONDS = 1.0  # seconds that a result is reused: a flood of requests costs one check a second


@public
@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """Respond that this process runs. Nothing else is checked."""
    return HttpResponse("alive\n", content_type="text/plain; charset=utf-8", headers={"Cache-Control": "no-store"})


@public
@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """Respond 200 while this process can serve matches, else 503, with the state of each need."""
    results = check_needs()
    is_ready = all(results.values())
    body = {"ready": is_ready, **{name: "ok" if good else "away" for name, good in results.items()}}
    return JsonResponse(body, status=200 if is_ready else 503, headers={"Cache-Control": "no-store"})


def check_needs() -> dict[str, bool]:
    """Return what this process needs, and whether each is available. Results are cached for a second."""
    results = {"serving": not registry.is_closing()}
    with _lock:
        for name, check in NEEDS.items():
            checked_at, good = _cache.get(name, (0.0, False))
            if not checked_at or time.monotonic() - checked_at > CACHE_SECONDS:
                good = _passes(check)
                _cache[name] = (time.monotonic(), good)
            results[name] = good
    return results


def clear_results() -> None:
    """Check everything again at the next request."""
    with _lock:
        _cache.clear()


def check_database() -> bool:
    """Whether the database can be written: one row, and its commit."""
    ReadinessCheck.objects.update_or_create(pk=ReadinessCheck.THE_ROW, defaults={"at": timezone.now()})
    return True


def check_files() -> bool:
    """Whether the folder of data can be written: a small file, down to the disk, which is removed again."""
    path = settings.VAR_DIR / f".ready-{os.getpid()}"
    try:
        with open(path, "wb") as file:
            file.write(bytes(FILE_BYTES))
            file.flush()
            os.fsync(file.fileno())
    finally:
        path.unlink(missing_ok=True)
    return True


def check_migrations() -> bool:
    """Whether all migrations are applied. Once they are, this holds as long as the process runs."""
    global _migrated
    if not _migrated:
        executor = MigrationExecutor(connection)
        _migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return _migrated


def check_broker() -> bool:
    """Whether the broker responds."""
    return bool(broker_client.client(settings.REDIS_URL).ping())


def _passes(check: Callable[[], bool]) -> bool:
    try:
        return check()
    except Exception:
        connection.close_if_unusable_or_obsolete()
        return False


NEEDS: dict[str, Callable[[], bool]] = {
    "database": check_database,
    "files": check_files,
    "migrations": check_migrations,
    "broker": check_broker,
}
_lock = threading.Lock()
_cache: dict[str, tuple[float, bool]] = {}
_migrated = False
