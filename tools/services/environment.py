"""The environment of processes that tests and tools start: the caller's, without the site's own settings."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[2]
CI = os.environ.get("CI") == "true"
SETTINGS = frozenset(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', (ROOT / "backgammon/settings.py").read_text("utf-8")))
SITE_VARIABLES = SETTINGS | {"DJANGO_SETTINGS_MODULE", "PORT", "HOST", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"}

HEEDING = ("env", "--default-signal=INT,TERM,HUP")
"""Before a command: no signal is ignored. Shells ignore SIGINT for background jobs, nohup SIGHUP; make keeps that."""


def clean_environment(**more: str) -> dict[str, str]:
    """Return the environment of a process as an admin would start it, with `more` set."""
    return {name: value for name, value in os.environ.items() if name not in SITE_VARIABLES} | more


def missing(name: str, *, install: str) -> NoReturn:
    """Skip a test, saying what to install; fail in CI (CI=true), where nothing may be missing."""
    reason = f"{name} is missing: {install}"
    if CI:
        pytest.fail(reason)
    pytest.skip(reason)
