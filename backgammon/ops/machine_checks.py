"""The doctor's checks of the machine: clock, mail server, disk, static files, analysis engine."""

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

from accounts.auth import sso
from backgammon.demo import prepare
from backgammon.ops import broker_client
from backgammon.ops.checks_report import Finding, bad, ok, warn
from backgammon.site_files import command
from games import bots, replay
from games.database import now
from games.registry import RULES

SMALL_OFFSET, LARGE_OFFSET = 0.5, 5.0  # seconds between two clocks
LOW_SPACE, NO_SPACE = 2 * 1024**3, 300 * 1024**2  # bytes free
TIMEDATECTL = "timedatectl"


def check_clock() -> Iterator[Finding]:
    """Compare this machine's clock with the database's and the broker's; check that it is synchronised."""
    offset = _clock_offset(lambda: now().timestamp()) if connection.vendor == "postgresql" else 0.0
    with suppress(Exception):  # the broker has a check of its own
        offset = max(offset, _clock_offset(_broker_time), key=abs)
    fact = _("this computer's clock differs from the others by %.1f s") % abs(offset)
    advice = _(
        "Match clocks use the database server's time, but sessions and links use this "
        "computer's. Turn on NTP on every server."
    )
    if abs(offset) > LARGE_OFFSET:
        yield bad("clock", fact, advice)
    elif abs(offset) > SMALL_OFFSET:
        yield warn("clock", fact, advice)
    else:
        yield ok("clock", fact)
    if _is_synchronised() is False:
        yield warn("clock", _("this computer's clock is not synchronised"), _("Run: timedatectl set-ntp true"))


def check_mail() -> Iterator[Finding]:
    """Check that the mail server accepts our connection. Nothing is sent."""
    if not settings.HAS_MAIL:
        advice = _("Nobody can reset their own password: set EMAIL_URL, or use: %s") % command("reset_link NAME")
        yield ok("mail", _("not set up. %s") % advice)
        return
    server = get_connection(timeout=settings.EMAIL_TIMEOUT)
    try:
        server.open()
    except Exception as error:
        advice = _("Check the server, port, user name and password in EMAIL_URL. Error: %s")
        yield bad("mail", _("could not connect to the mail server"), advice % type(error).__name__)
        return
    finally:
        server.close()
    yield ok("mail", _("connected to the mail server"))


def check_single_sign_on() -> Iterator[Finding]:
    """Ask the provider of single sign-on, if there is one, what it says about itself. Nobody is signed in."""
    if not settings.SSO_ISSUER:
        yield ok("sign-on", _("single sign-on is off"))
    elif (fault := sso.provider_fault()) is None:
        yield ok("sign-on", _("%s responds") % settings.SSO_ISSUER)
    elif fault == "sso_unavailable":
        yield bad("sign-on", _("%s does not respond") % settings.SSO_ISSUER, _("Check SSO_ISSUER and the network."))
    else:
        advice = _(
            "SSO_ISSUER must be the `issuer` of its /.well-known/openid-configuration, and all URLs there https."
        )
        yield bad("sign-on", _("%s is not that OpenID Connect provider") % settings.SSO_ISSUER, advice)


def check_disk() -> Iterator[Finding]:
    """Check free space in `var/`, and that it is writable and private."""
    folder = Path(settings.VAR_DIR)
    if not folder.is_dir():
        yield bad("disk", _("folder %s does not exist") % folder, _("Run: %s") % command("prepare"))
        return
    free = shutil.disk_usage(folder).free
    fact = _("%(free)s free in %(folder)s") % {"free": format_bytes(free), "folder": folder}
    if free < NO_SPACE:
        yield bad("disk", fact, _("Nobody can play when the disk is full. Free up space now."))
    elif free < LOW_SPACE:
        yield warn("disk", fact, _("Free up space soon: the database keeps growing."))
    else:
        yield ok("disk", fact)
    try:
        probe = folder / f".doctor-{time.time_ns()}"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        yield bad("disk", _("cannot write to %(folder)s: %(why)s") % {"folder": folder, "why": error.strerror})
    if folder.stat().st_mode & 0o077:
        yield warn("disk", _("other users can read %s") % folder, _("Run: chmod 700 %s") % folder)


def check_static_files() -> Iterator[Finding]:
    """Check that the static files are collected, complete and of this version."""
    advice = _("Run: %s") % command("prepare")
    manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
    if not hasattr(staticfiles_storage, "manifest_name"):
        yield ok("static", _("served under their original names"))
        return
    try:
        named = json.loads(manifest.read_text())["paths"]
    except (OSError, ValueError, KeyError):
        yield bad("static", _("not collected: pages have no styles"), advice)
        return
    missing = [name for name in named.values() if not (Path(settings.STATIC_ROOT) / name).exists()]
    stamp = Path(settings.VAR_DIR) / "static.stamp"
    if missing:
        yield bad(
            "static",
            _("missing files: %(count)s, for example %(name)s") % {"count": len(missing), "name": missing[0]},
            advice,
        )
    elif stamp.exists() and stamp.read_text() != prepare.static_fingerprint():
        yield warn("static", _("the collected files are from another version"), advice)
    else:
        yield ok("static", _("%s files collected") % len(named))


def check_engine() -> Iterator[Finding]:
    """Check which engine plays and analyses backgammon, and that it does."""
    found = bots.engine_for("backgammon")
    position = replay.start(RULES["backgammon"], 1, {}).position.after("dice 31")
    began = time.perf_counter()
    if found is not None:
        found.rate_actions(position, {"length": 1, "white": 0, "black": 0}, "white")
    took = (time.perf_counter() - began) * 1000
    fact = _("%(name)s evaluated an opening position in %(ms).0f ms") % {
        "name": found.name if found else "-",
        "ms": took,
    }
    if found is bots.ENGINES[0]:
        yield ok("engine", fact)
    else:
        yield warn("engine", fact, engine_advice())


def engine_advice() -> str:
    """Return why the usual engine does not play here, and what would be better."""
    text = _("The usual engine is not used: %s. Where it has no wheel, install GNU Backgammon (Debian: gnubg).")
    return text % bots.ENGINES[0].reason()


def format_bytes(count: float) -> str:
    """Return a number of bytes with a unit: "3.2 GB"."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"


def format_seconds(seconds: float) -> str:
    """Return a duration with a unit: "90 s", "12 min", "5 h"."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 48 * 3600 else f"{seconds / 86400:.0f} d"


def _clock_offset(read: Callable[[], float]) -> float:
    """Return the seconds by which another clock is ahead of ours, at the middle of the call."""
    began = time.time()
    server_time = read()
    return float(server_time - (began + time.time()) / 2)


def _broker_time() -> float:
    seconds, micros = broker_client.client(settings.REDIS_URL).time()
    return datetime.fromtimestamp(seconds, UTC).timestamp() + micros / 1e6


def _is_synchronised() -> bool | None:
    """Whether the system synchronises its clock; None if it does not say."""
    program = shutil.which(TIMEDATECTL)
    if program is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603  (a fixed command)
            [program, "show", "--property=NTPSynchronized", "--value"],
            capture_output=True,
            text=True,
            timeout=3,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return {"yes": True, "no": False}.get(done.stdout.strip())
