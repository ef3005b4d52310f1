"""The language of the terminal: that of LC_ALL, LC_MESSAGES or LANG if it is translated, else English."""

from __future__ import annotations

import os
from collections.abc import Mapping

LANGUAGES = ("en", "es")


def language(environ: Mapping[str, str] = os.environ) -> str:
    """Return the language in which commands print."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environ.get(name):
            return value[:2] if value[:2] in LANGUAGES else "en"
    return "en"


def activate() -> None:
    """Activate the translation into the language of the terminal."""
    from django.utils import translation

    translation.activate(language())
