"""The databases of earlier versions, each as a backup that this version has to be able to read and bring up to date.

`python -m tests.ops.releases add` keeps one of the version that pyproject names, at every release before its tag is
set; the `dev` ones were made by the code of their day, before there were releases.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent


def releases() -> list[Path]:
    """The backups, the oldest version first."""
    return sorted(FOLDER.glob("*.zip"), key=lambda path: path.stem)


def release(version: str) -> Path:
    return FOLDER / f"{version}.zip"
