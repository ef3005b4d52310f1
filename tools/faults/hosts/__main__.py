"""`python -m tools.faults.hosts`: three hosts that are killed and cut off in turn; the exit status is 1 after a breach.

Skipped, with the reason and exit status 0 (1 in CI), where it cannot run.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
from functools import partial
from pathlib import Path

from tools.faults.hosts import engines, network
from tools.faults.hosts.cluster import running
from tools.faults.hosts.run import Plan, report, run
from tools.services.environment import CI

STOPPING = (signal.SIGTERM, signal.SIGINT, signal.SIGALRM)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=100, help="matches at the same time")
    parser.add_argument("--pace", type=float, default=10, help="seconds that a bot thinks on average")
    parser.add_argument("--minutes", type=float, default=25, help="give up after so many")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--only", choices=("killed", "cut off"), help="one kind of fault")
    parser.add_argument("--host", type=int, choices=network.NUMBERS, help="one host")
    parser.add_argument("--log", type=Path, help="write the output of all hosts into this folder")
    options = parser.parse_args()
    if reason := why_not():
        print(f"Skipped: {reason}", file=sys.stderr)
        return int(CI)
    for number in STOPPING:
        signal.signal(number, _stop)
    signal.alarm(int(options.minutes * 60))
    plan = Plan(
        seed=options.seed,
        matches=options.matches,
        pace=options.pace,
        kinds=(options.only,) if options.only else Plan.kinds,
        hosts=(options.host,) if options.host else network.NUMBERS,
    )
    with tempfile.TemporaryDirectory(prefix="tablero-hosts-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)  # the user of PostgreSQL goes through it
        with running(folder) as cluster:
            try:
                account = run(cluster, plan, print_line=partial(print, flush=True))
            finally:
                if options.log:
                    options.log.mkdir(parents=True, exist_ok=True)
                    for host in cluster.hosts:
                        (options.log / f"host{host.number}.log").write_text(host.lines())
    print(report(account))
    return int(account.failed)


def _stop(number: int, _: object) -> None:
    """End, and let nothing interrupt what takes everything down."""
    for each in STOPPING:
        signal.signal(each, signal.SIG_IGN)
    sys.exit(128 + number)


def why_not() -> str:
    """Return why the hosts cannot run here, or an empty text."""
    if sys.platform != "linux":
        return "network namespaces need Linux"
    if os.geteuid() != 0:
        return "network namespaces need root: sudo make test-hosts"
    if packages := engines.missing():
        return f"programs are missing: apt install {' '.join(packages)}"
    return network.why_not()


if __name__ == "__main__":
    sys.exit(main())
