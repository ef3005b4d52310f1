"""The language of the terminal: that of LC_ALL, LC_MESSAGES or LANG if the site speaks it, else English."""

from __future__ import annotations

import os
from collections.abc import Mapping

TONGUES = ("en", "es")


def language(environ: Mapping[str, str] = os.environ) -> str:
    """The language in which commands speak."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if said := environ.get(name):
            return said[:2] if said[:2] in TONGUES else "en"
    return "en"


def speak() -> None:
    """Let gettext speak the language of the terminal from now on."""
    from django.utils import translation

    translation.activate(language())
