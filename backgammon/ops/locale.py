"""The language of the terminal: that of LC_ALL, LC_MESSAGES or LANG if it is translated, else English."""

from __future__ import annotations

import os
from collections.abc import Mapping

from backgammon.languages import DEFAULT, first_supported


def language(environ: Mapping[str, str] = os.environ) -> str:
    """Return the language in which commands print."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environ.get(name):
            return first_supported(value[:2])
    return DEFAULT


def activate() -> None:
    """Activate the translation into the language of the terminal."""
    from django.utils import translation

    translation.activate(language())
