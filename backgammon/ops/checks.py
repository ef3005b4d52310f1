"""What the settings say that cannot be wanted, as Django's checks: `manage.py check` and `doctor` show them."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register
from django.utils.translation import gettext as _

LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]"})
LIMIT = re.compile(r"\d+/\d*[smhd]/(who|ip)")
USUAL_SENDER = "tablero@localhost"


def install() -> None:
    """Let Django ask these with its own."""
    register(settings_agree)


def settings_agree(app_configs: Any = None, **options: Any) -> list[CheckMessage]:
    """Everything that is wrong or strange in how the settings go together."""
    return [*_doors(), *_mail(), *_numbers()]


def _doors() -> Iterator[CheckMessage]:
    hosts = set(settings.ALLOWED_HOSTS)
    if "*" in hosts:
        yield Warning(_("ALLOWED_HOSTS has *: the site answers under any name."), id="tablero.W001")
    if settings.HTTPS and hosts <= LOCAL:
        yield Error(_("HTTPS is on, and ALLOWED_HOSTS has no name that a certificate could be for."), id="tablero.E001")
    if settings.HTTPS and not settings.TRUST_PROXY:
        hint = _("Set TRUST_PROXY=1 if a proxy ends https and sets X-Forwarded-Proto and X-Forwarded-For.")
        yield Warning(
            _("HTTPS is on without TRUST_PROXY: every request is redirected for ever."), hint=hint, id="tablero.W002"
        )
    if settings.TRUST_PROXY and not settings.HTTPS:
        yield Warning(_("TRUST_PROXY is on without HTTPS: cookies travel in the clear."), id="tablero.W003")
    for origin in settings.CSRF_TRUSTED_ORIGINS:
        if settings.HTTPS and not origin.startswith("https://"):
            yield Warning(_("CSRF_TRUSTED_ORIGINS has an address without https: %s") % origin, id="tablero.W004")
    name = urlsplit(settings.SITE_URL).hostname or ""
    if not _allowed(name, hosts):
        yield Warning(_("SITE_URL leads to a name that is not in ALLOWED_HOSTS."), id="tablero.W005")


def _mail() -> Iterator[CheckMessage]:
    if settings.HAS_MAIL and settings.DEFAULT_FROM_EMAIL == USUAL_SENDER:
        yield Warning(
            _("Mail is sent, and DEFAULT_FROM_EMAIL is not set: most servers turn it away."), id="tablero.W006"
        )


def _numbers() -> Iterator[CheckMessage]:
    try:
        ZoneInfo(settings.TIME_ZONE)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        yield Error(_("TIME_ZONE is no time zone: write it like Europe/Madrid."), id="tablero.E002")
    for name in ("NOTICE_MAIL_AFTER", "NOTICE_PUSH_AFTER", "REPORTS_A_DAY", "QUESTIONS_A_DAY", "VACATION_DAYS"):
        if getattr(settings, name) < 0:
            yield Error(_("%s cannot be below 0.") % name, id="tablero.E003")
    for action, limit in settings.LIMITS.items():
        if not LIMIT.fullmatch(str(limit)):
            text = _("LIMITS has something for %s that cannot be read: write it like 60/h/who or 10/10m/ip.")
            yield Error(text % action, id="tablero.E004")
    if settings.METRICS_TOKEN and len(settings.METRICS_TOKEN) < 16:
        yield Warning(_("METRICS_TOKEN is short enough to be guessed: 16 characters at least."), id="tablero.W007")


def _allowed(name: str, hosts: set[str]) -> bool:
    """Whether a name is one of the hosts: as it is, in brackets, or below one that begins with a dot."""
    try:
        if ipaddress.ip_address(name).version == 6:
            name = f"[{name}]"
    except ValueError:
        pass
    return "*" in hosts or name in hosts or any(host.startswith(".") and name.endswith(host) for host in hosts)
