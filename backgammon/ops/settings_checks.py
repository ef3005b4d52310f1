"""Django system checks of the site's settings, shown by `manage.py check` and `manage.py doctor`."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, Warning, register
from django.utils.translation import gettext as _

from accounts.web.limits import Limit
from backgammon.ops import traces
from games import bots

LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]"})
DEFAULT_SENDER = "tablero@localhost"


def register_checks() -> None:
    """Register these checks with Django."""
    register(check_settings)


def check_settings(app_configs: Any = None, **options: Any) -> list[CheckMessage]:
    """Report settings that are wrong, or that contradict each other."""
    return [*_check_hosts(), *_check_mail(), *_check_values(), *_check_traces(), *_check_engine()]


def _check_engine() -> Iterator[CheckMessage]:
    found = bots.engine_for("backgammon")
    if found is not bots.ENGINES[0]:
        name = found.name if found else "-"
        yield Info(
            _("The engine for backgammon is %(name)s: %(reason)s") % {"name": name, "reason": bots.ENGINES[0].reason()},
            id="tablero.I001",
        )


def _check_hosts() -> Iterator[CheckMessage]:
    hosts = set(settings.ALLOWED_HOSTS)
    if "*" in hosts:
        yield Warning(
            _("ALLOWED_HOSTS contains *, so the site answers to any host name. List only its own names."),
            id="tablero.W001",
        )
    if settings.HTTPS and hosts <= LOCAL:
        yield Error(
            _("HTTPS is on, but no name in ALLOWED_HOSTS can have a certificate. Add the public name of the site."),
            id="tablero.E001",
        )
    if settings.HTTPS and not settings.TRUST_PROXY:
        hint = _("Set TRUST_PROXY=1 if a proxy handles HTTPS and sets X-Forwarded-Proto and X-Forwarded-For.")
        yield Warning(
            _("HTTPS is on without TRUST_PROXY, so every request ends in a redirect loop."),
            hint=hint,
            id="tablero.W002",
        )
    if settings.TRUST_PROXY and not settings.HTTPS:
        yield Warning(_("TRUST_PROXY is on without HTTPS, so cookies are sent unencrypted."), id="tablero.W003")
    for origin in settings.CSRF_TRUSTED_ORIGINS:
        if settings.HTTPS and not origin.startswith("https://"):
            yield Warning(_("CSRF_TRUSTED_ORIGINS contains an origin without https: %s") % origin, id="tablero.W004")
    name = urlsplit(settings.SITE_URL).hostname or ""
    if not _is_allowed(name, hosts):
        yield Warning(_("The host name in SITE_URL is not in ALLOWED_HOSTS."), id="tablero.W005")


def _check_mail() -> Iterator[CheckMessage]:
    if settings.HAS_MAIL and settings.DEFAULT_FROM_EMAIL == DEFAULT_SENDER:
        yield Warning(
            _("E-mail is on, but DEFAULT_FROM_EMAIL is not set: most mail servers will reject the messages."),
            id="tablero.W006",
        )


def _check_values() -> Iterator[CheckMessage]:
    try:
        ZoneInfo(settings.TIME_ZONE)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        yield Error(_("TIME_ZONE is not a valid time zone. Use a name like Europe/Madrid."), id="tablero.E002")
    for name in (
        "NOTICE_MAIL_AFTER",
        "NOTICE_PUSH_AFTER",
        "REPORTS_A_DAY",
        "QUESTIONS_A_DAY",
        "HINTS_A_DAY",
        "VACATION_DAYS",
    ):
        if getattr(settings, name) < 0:
            yield Error(_("%s cannot be negative.") % name, id="tablero.E003")
    for action, limit in settings.LIMITS.items():
        try:
            Limit.parse(str(limit))
        except ValueError:
            text = _("LIMITS: the value for %s is not valid. Use a format like 60/h/who or 10/10m/ip.")
            yield Error(text % action, id="tablero.E004")
    if settings.METRICS_TOKEN and len(settings.METRICS_TOKEN) < 16:
        yield Warning(
            _("METRICS_TOKEN is too short and could be guessed. Use at least 16 characters."), id="tablero.W007"
        )


def _check_traces() -> Iterator[CheckMessage]:
    if settings.TRACES and not traces.is_installed():
        yield Warning(
            _("Traces are on, but the packages of OpenTelemetry are not installed, so nothing is traced."),
            hint=_("Install them: pip install --require-hashes -r requirements/traces.txt. Or set TABLERO_TRACES=0."),
            id="tablero.W008",
        )


def _is_allowed(name: str, hosts: set[str]) -> bool:
    """Whether a host name or address matches ALLOWED_HOSTS; an entry with a leading dot allows its subdomains."""
    try:
        if ipaddress.ip_address(name).version == 6:
            name = f"[{name}]"
    except ValueError:
        pass
    return "*" in hosts or name in hosts or any(host.startswith(".") and name.endswith(host) for host in hosts)
