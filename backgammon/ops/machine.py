"""What the doctor asks of the machine: clock, mail, disk, static files, engine."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.mail import get_connection
from django.db import connection
from django.utils.translation import gettext as _

from backgammon.demo import prepare
from backgammon.ops import broker
from backgammon.ops.findings import Finding, bad, ok, warn
from games import bots, replay
from games.database import now
from games.registry import RULES

APART, FAR_APART = 0.5, 5.0  # seconds between two clocks
LITTLE, VERY_LITTLE = 2 * 1024**3, 300 * 1024**2  # bytes free
TIMEDATECTL = "timedatectl"


def clock() -> Iterator[Finding]:
    """This machine's clock beside the database's and the broker's, and whether something keeps it right."""
    apart = _apart(lambda: now().timestamp()) if connection.vendor == "postgresql" else 0.0
    with suppress(Exception):  # the broker has a line of its own
        apart = max(apart, _apart(_time_of_broker), key=abs)
    fact = _("%.1f s between this machine's clock and the others'") % abs(apart)
    advice = _(
        "Only the database's clock counts in play, but log-ins and links use this one: switch NTP on everywhere."
    )
    if abs(apart) > FAR_APART:
        yield bad("clock", fact, advice)
    elif abs(apart) > APART:
        yield warn("clock", fact, advice)
    else:
        yield ok("clock", fact)
    if _is_kept() is False:
        yield warn("clock", _("nothing keeps this machine's clock right"), _("Run: timedatectl set-ntp true"))


def mail() -> Iterator[Finding]:
    """Whether the mail server lets us in. Nothing is sent."""
    if not settings.HAS_MAIL:
        advice = _("Nobody can reset a password by himself: set EMAIL_URL, or use manage.py reset_link NAME.")
        yield ok("mail", _("none is set up. %s") % advice)
        return
    server = get_connection(timeout=settings.EMAIL_TIMEOUT)
    try:
        server.open()
    except Exception as error:
        advice = _("Are the server, the port, the name and the password in EMAIL_URL right? It says: %s")
        yield bad("mail", _("the server does not let us in"), advice % type(error).__name__)
        return
    finally:
        server.close()
    yield ok("mail", _("the server lets us in"))


def disk() -> Iterator[Finding]:
    """Room for what the site keeps, and whether it can write there."""
    folder = Path(settings.VAR_DIR)
    if not folder.is_dir():
        yield bad("disk", _("there is no folder %s") % folder, _("Run: manage.py prepare"))
        return
    free = shutil.disk_usage(folder).free
    fact = _("%(free)s free at %(folder)s") % {"free": size(free), "folder": folder}
    if free < VERY_LITTLE:
        yield bad("disk", fact, _("A full disk stops play: make room now."))
    elif free < LITTLE:
        yield warn("disk", fact, _("Make room soon: a database grows."))
    else:
        yield ok("disk", fact)
    try:
        mark = folder / f".doctor-{time.time_ns()}"
        mark.write_bytes(b"")
        mark.unlink()
    except OSError as error:
        yield bad("disk", _("%(folder)s cannot be written: %(why)s") % {"folder": folder, "why": error.strerror})
    if folder.stat().st_mode & 0o077:
        yield warn("disk", _("others can read %s") % folder, _("Run: chmod 700 %s") % folder)


def static() -> Iterator[Finding]:
    """Whether the files of the pages are collected, all of them, and those of this version."""
    advice = _("Run: manage.py prepare")
    manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
    if not hasattr(staticfiles_storage, "manifest_name"):
        yield ok("static", _("served under their own names"))
        return
    try:
        named = json.loads(manifest.read_text())["paths"]
    except (OSError, ValueError, KeyError):
        yield bad("static", _("not collected: pages have no looks"), advice)
        return
    missing = [name for name in named.values() if not (Path(settings.STATIC_ROOT) / name).exists()]
    stamp = Path(settings.VAR_DIR) / "static.stamp"
    if missing:
        yield bad(
            "static", _("%(count)s files are missing: %(name)s") % {"count": len(missing), "name": missing[0]}, advice
        )
    elif stamp.exists() and stamp.read_text() != prepare.static_fingerprint():
        yield warn("static", _("the collected files are not those of this version"), advice)
    else:
        yield ok("static", _("%s files are collected") % len(named))


def engine() -> Iterator[Finding]:
    """Whether the computer can play, and analyse."""
    why = bots.why_not("backgammon")
    if why:
        advice = _("People play on; bots of backgammon do not, and there are no report cards. Install bgsage.")
        yield warn("engine", why, advice)
        return
    found = bots.engine_for("backgammon")
    position = replay.start(RULES["backgammon"], 1, {}).position.after("dice 31")
    began = time.perf_counter()
    if found is not None:
        found.judged(position, {"length": 1, "white": 0, "black": 0}, "white")
    took = (time.perf_counter() - began) * 1000
    yield ok(
        "engine", _("%(name)s judged an opening in %(ms).0f ms") % {"name": found.name if found else "-", "ms": took}
    )


def size(count: float) -> str:
    """Bytes as people say them: "3.2 GB"."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"


def span(seconds: float) -> str:
    """A span of time as people say it: "90 s", "12 min", "5 h"."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 48 * 3600 else f"{seconds / 86400:.0f} d"


def _apart(ask: Callable[[], float]) -> float:
    """Seconds by which another clock is ahead of ours, at the middle of the question."""
    began = time.time()
    theirs = ask()
    return float(theirs - (began + time.time()) / 2)


def _time_of_broker() -> float:
    seconds, micros = broker.client(settings.REDIS_URL).time()
    return datetime.fromtimestamp(seconds, UTC).timestamp() + micros / 1e6


def _is_kept() -> bool | None:
    """Whether the system keeps its clock right; None where it does not say."""
    program = shutil.which(TIMEDATECTL)
    if program is None:
        return None
    try:
        said = subprocess.run(  # noqa: S603  (a fixed question to the system)
            [program, "show", "--property=NTPSynchronized", "--value"],
            capture_output=True,
            text=True,
            timeout=3,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return {"yes": True, "no": False}.get(said.stdout.strip())
