"""What a started process may know: the caller's environment without the site's own settings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[2]
CI = os.environ.get("CI") == "true"
OURS = frozenset(
    {
        *("ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "DATABASE_URL", "DEFAULT_FROM_EMAIL", "DJANGO_SETTINGS_MODULE"),
        *("EMAIL_URL", "HTTPS", "LOG_LEVEL", "REDIS_URL", "SECRET_KEY", "STATICFILES_BACKEND", "STATIC_ROOT"),
        *(
            "ABSENCE_GRACE_SECONDS",
            "ABSENCE_SECONDS",
            "NOTICE_MAIL_AFTER",
            "NOTICE_PUSH_AFTER",
            "SITE_URL",
            "TABLERO_VAR",
            "TIME_ZONE",
            "TRUST_PROXY",
            "VAPID_PRIVATE_KEY",
            "VAPID_SUBJECT",
            "PUSH_LOOPBACK",
            "PORT",
            "HOST",
            "MAKEFLAGS",
            "MFLAGS",
            "MAKELEVEL",
        ),
    }
)


def clean(**more: str) -> dict[str, str]:
    """The environment for a process that is started as an admin would start it, with `more` set."""
    return {name: value for name, value in os.environ.items() if name not in OURS} | more


def missing(what: str, *, install: str) -> NoReturn:
    """Skip, saying what to install; in CI (CI=true) nothing may be missing, so fail."""
    reason = f"{what} is missing: {install}"
    if CI:
        pytest.fail(reason)
    pytest.skip(reason)
