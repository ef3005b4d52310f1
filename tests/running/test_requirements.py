"""A site starts with requirements/base.txt alone, without what the tests install."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tools.services.environment import ROOT, clean_environment

START = """
import importlib.abc, importlib.metadata, sys

listed = set({listed!r})
allowed = {{
    module
    for module, names in importlib.metadata.packages_distributions().items()
    if any(name.lower().replace("_", "-").replace(".", "-") in listed for name in names)
}}
others = set(importlib.metadata.packages_distributions()) - allowed


class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in others:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)


sys.meta_path.insert(0, Missing())

import backgammon.asgi, backgammon.celery, backgammon.urls
from django.core.management import call_command

backgammon.celery.app.loader.import_default_modules()
call_command("check")
"""


def test_the_site_starts_with_its_own_requirements_alone(tmp_path: Path) -> None:
    text = (ROOT / "requirements/base.txt").read_text()
    listed = [name.lower().replace("_", "-") for name in re.findall(r"^([\w.-]+)==", text, re.MULTILINE)]
    assert "django" in listed
    done = subprocess.run(
        [sys.executable, "-c", START.format(listed=listed)],
        cwd=ROOT,
        env=clean_environment(TABLERO_VAR=str(tmp_path), DJANGO_SETTINGS_MODULE="backgammon.settings"),
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr


def test_without_uv_pip_installs(tmp_path: Path) -> None:
    """A machine for which there is no uv: its lock cannot be installed."""
    (tmp_path / "Makefile").write_text((ROOT / "Makefile").read_text())
    locks = tmp_path / "requirements"
    locks.mkdir()
    (locks / "uv.txt").write_text("no requirement at all\n")
    (locks / "base.txt").write_text("")
    python = Path(sys.executable).resolve()
    command = ["make", "--no-print-directory", f"PYTHON={python}", ".venv/.base-installed"]
    done = subprocess.run(command, cwd=tmp_path, env=clean_environment(), capture_output=True, text=True, timeout=240)
    assert (done.returncode, done.stdout) == (0, "Installing what Tablero needs into .venv (once) ...\n"), done.stderr
    assert (tmp_path / ".venv/.base-installed").exists()
