"""What a process of the site sets up once, when Django is ready."""

from __future__ import annotations

from django.conf import settings

VERSION = "tablero@0.1.0"


def everything() -> None:
    """The notes of workers, the checks of the settings, and errors sent to where the club wants them."""
    from backgammon.ops import checks, pulse, sentry

    pulse.install()
    checks.install()
    if settings.SENTRY_DSN:
        sentry.install(settings.SENTRY_DSN, release=VERSION)
