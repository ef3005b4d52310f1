"""The two ends of `make release`; between them are the checks, the tests and the build.

    python -m tools.release ready          refuse a release that is not prepared
    python -m tools.release publish DIST   write constraints, SBOM and checksums beside the packages, and set the tag

Nothing leaves this machine: pushing the tag and uploading the files is up to the maintainer.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
from pathlib import Path

from backgammon import __version__
from tools.release_database import release_path
from tools.services.environment import ROOT

LOCK = ROOT / "requirements" / "base.txt"
SUMS = "SHA256SUMS"


def git(*arguments: str) -> str:
    """Return the output of a git command in this repository."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def problems(version: str, changelog: str, *, changes: str, tags: list[str], database: bool) -> list[str]:
    """Return what is missing for a release of `version`; `changes` are the uncommitted ones."""
    found = []
    if changes:
        found.append("there are uncommitted changes")
    if f"v{version}" in tags:
        found.append(f"v{version} exists: raise __version__ in backgammon/__init__.py")
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        found.append(f"CHANGELOG.md has no section `## [{version}] - YYYY-MM-DD`")
    if not database:
        found.append("its database is missing: python -m tools.release_database add")
    return found


def constraints(lock: str) -> str:
    """Return the versions of a lock without its hashes, for `pip install --constraint`."""
    return "".join(f"{line.removesuffix(chr(92)).strip()}\n" for line in re.findall(r"^[\w.-]+==.*$", lock, re.M))


def checksums(folder: Path) -> str:
    """Return the SHA-256 of every file of a folder, as `sha256sum --check` reads them."""
    files = sorted(path for path in folder.iterdir() if path.name != SUMS and not path.name.startswith("."))
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)


def publish(folder: Path) -> None:
    """Write what belongs to the packages in `folder`, and tag the commit. Raises FileNotFoundError without a wheel."""
    if not list(folder.glob("tablero-*.whl")):
        raise FileNotFoundError(f"{folder} has no wheel")
    (folder / f"tablero-{__version__}-constraints.txt").write_text(constraints(LOCK.read_text()))
    bill = folder / f"tablero-{__version__}.cdx.json"
    maker = [
        sys.executable,
        "-m",
        "cyclonedx_py",
        "requirements",
        str(LOCK),
        "--pyproject",
        str(ROOT / "pyproject.toml"),
    ]
    subprocess.run([*maker, "--output-reproducible", "--output-file", str(bill)], check=True)
    (folder / SUMS).write_text(checksums(folder))
    git("tag", "--annotate", f"v{__version__}", "--message", f"Tablero {__version__}")
    print(f"v{__version__} is tagged, and its files are in {folder}. Publish both: git push origin v{__version__}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["ready", "publish"])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist")
    options = parser.parse_args()
    if options.step == "publish":
        publish(options.folder)
        return 0
    found = problems(
        __version__,
        (ROOT / "CHANGELOG.md").read_text(),
        changes=git("status", "--porcelain"),
        tags=git("tag", "--list").split(),
        database=release_path(__version__).exists(),
    )
    for problem in found:
        print(f"not ready: {problem}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
