"""`python -m tools.faults.play`: play under faults from the command line; the exit status is 1 after any breach."""

from __future__ import annotations

import argparse
import random
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from tools.faults.play.breakable_site import opened
from tools.faults.play.faults import KINDS, UPGRADE, possible
from tools.faults.play.run import Plan, report, run
from tools.services import postgres
from tools.services.environment import ROOT

SOCKETS = 8192  # open at once in this process: three for each bot, and the spectators


@contextmanager
def version(commit: str | None, folder: Path) -> Iterator[Path]:
    """A checkout of an older version for the block; without one, the present."""
    if commit is None:
        yield ROOT
        return
    subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(folder), commit], cwd=ROOT, check=True)
    try:
        yield folder
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", str(folder)], cwd=ROOT, check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--acts", type=int, default=10_000, help="acknowledged acts, at least")
    parser.add_argument("--faults", type=int, default=100, help="faults, at least")
    parser.add_argument("--tables", type=int, default=20, help="matches at the same time")
    parser.add_argument("--crowd", type=int, default=1000, help="sockets of a storm of reconnects")
    parser.add_argument("--pace", type=float, default=0.15, help="seconds that a bot thinks on average")
    parser.add_argument("--minutes", type=float, default=25, help="give up after so many")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--only", action="append", metavar="FAULT", help="this kind of fault (more than once)")
    parser.add_argument(
        "--upgrade-from", metavar="COMMIT", help="one fault: this version is upgraded to the present one"
    )
    parser.add_argument("--log", type=Path, help="write the output of all processes to this file")
    options = parser.parse_args()
    only = options.only or [kind.name for kind in KINDS]
    if unknown := set(only) - {kind.name for kind in KINDS}:
        parser.error(f"no such fault: {unknown}; there are: {', '.join(kind.name for kind in KINDS)}")
    kinds = [kind for kind in possible() if kind.name in only]
    if options.upgrade_from:
        options.faults, kinds = 1, [UPGRADE]
    plan = Plan(
        seed=options.seed,
        acts=options.acts,
        faults=options.faults,
        tables=options.tables,
        crowd=options.crowd,
        pace=options.pace,
        minutes=options.minutes,
        kinds=kinds,
    )
    for kind in KINDS:
        if kind not in possible():
            print(f"{kind.name}: not possible here (apt install util-linux)")
    for number in (signal.SIGTERM, signal.SIGINT):  # a shell starts background jobs with SIGINT ignored
        signal.signal(number, lambda *_: sys.exit(143))  # so that the database is stopped
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(least, min(SOCKETS, most)), most))
    print(f"seed {plan.seed}", flush=True)
    with (
        tempfile.TemporaryDirectory(prefix="tablero-") as folder,
        version(options.upgrade_from, Path(folder) / "code") as code,
        opened(Path(folder) / "var", code=code) as site,
    ):
        if site is None:
            print(f"PostgreSQL is missing: {postgres.INSTALL}", file=sys.stderr)
            return 1
        try:
            account = run(site, plan, print_line=partial(print, flush=True))
        finally:
            if options.log:
                options.log.write_text(site.lines() + site.database.log.read_text(errors="replace"))
    print(report(account))
    return 1 if account.failed else 0


if __name__ == "__main__":
    sys.exit(main())
