"""What a started process may know: the caller's environment without the site's own settings."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[2]
CI = os.environ.get("CI") == "true"
SETTINGS = frozenset(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', (ROOT / "backgammon/settings.py").read_text("utf-8")))
OURS = SETTINGS | {"DJANGO_SETTINGS_MODULE", "PORT", "HOST", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"}


def clean(**more: str) -> dict[str, str]:
    """The environment for a process that is started as an admin would start it, with `more` set."""
    return {name: value for name, value in os.environ.items() if name not in OURS} | more


def missing(what: str, *, install: str) -> NoReturn:
    """Skip, saying what to install; in CI (CI=true) nothing may be missing, so fail."""
    reason = f"{what} is missing: {install}"
    if CI:
        pytest.fail(reason)
    pytest.skip(reason)
