"""Where the site's files are: in a checkout, or in an installed wheel.

A wheel holds templates, static files and catalogues in a folder of the package `backgammon` (pyproject.toml,
`force-include`). Data is never written there: without TABLERO_VAR it is in the checkout's `var/`, or for a wheel in
the user's data folder (XDG Base Directory Specification).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

CODE = Path(__file__).resolve().parent.parent
"""The folder from which the site's packages are imported."""
PACKED = Path(__file__).resolve().parent / "packed"
INSTALLED = PACKED.is_dir()
"""Whether this code comes from a wheel."""
ROOT = PACKED if INSTALLED else CODE
"""The folder with `templates`, `static`, `locale` and `docs`."""


def data_folder(environ: Mapping[str, str] = os.environ, *, installed: bool = INSTALLED) -> Path:
    """Return the folder for data: TABLERO_VAR, else that of a checkout or of this user."""
    if chosen := environ.get("TABLERO_VAR", "").strip():
        return Path(chosen).absolute()
    if not installed:
        return CODE / "var"
    shared = environ.get("XDG_DATA_HOME", "")  # the specification ignores relative paths
    return (Path(shared) if os.path.isabs(shared) else Path.home() / ".local" / "share") / "tablero"


def command(name: str) -> str:
    """Return how an admin types a command here: `tablero prepare`, in a checkout `manage.py prepare`."""
    return f"{'tablero' if INSTALLED else 'manage.py'} {name}"
