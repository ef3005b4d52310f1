"""Set up a process of the site, once, when Django is ready."""

from __future__ import annotations

from django.conf import settings

from backgammon import __version__


def set_up() -> None:
    """Install task monitoring, settings checks and, where they are set, error reports and traces."""
    from backgammon.ops import sentry, settings_checks, task_monitor

    task_monitor.install()
    settings_checks.register_checks()
    if settings.SENTRY_DSN:
        sentry.install(settings.SENTRY_DSN, release=f"tablero@{__version__}")
    if settings.TRACES:
        from backgammon.ops import traces

        traces.install()
