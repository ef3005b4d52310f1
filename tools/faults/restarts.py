"""Measure what restarts of the only web process cost the player on the clock.

    python -m tools.faults.restarts --kills 20 [--drain] [--beside]

Each time the process is killed at a random moment (or stopped with SIGTERM: `--drain`) and started again at once. The
*outage* is the time from the kill to the first answer to `/health/live`, which is asked for every 10 ms on a new
connection. *Given back* is by how much the deadline of the running clock has moved. The *loss* is the difference: time
that the clock took from its player while nobody could act. It is negative where the clock got more back: the time from
the last heartbeat to the kill. With `--beside` another web process serves all the while: nothing may be given back.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from backgammon.demo import listening_socket
from tools.faults.site_processes import SiteProcesses, opened

LIMIT = 0.3  # seconds that one restart may cost
MATCH = """
from datetime import timedelta
from accounts.models import User
from games import services
from games.models import Match
ana, bea = (User.objects.create_user(name) for name in ("ana", "bea"))
match = services.match_create(creator=ana, variant="backgammon", length=5, clock="club", rated=False)
match = services.match_join(match_id=match.pk, user=bea)
Match.objects.update(flag_at=services.play.now() + timedelta(hours=2))
answer = None
"""


def flag_at(site: SiteProcesses) -> datetime:
    """When the running clock of the only match ends."""
    [(value,)] = site.rows("select flag_at from games_match")
    read = datetime.fromisoformat(value) if isinstance(value, str) else value
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def restart(site: SiteProcesses, *, drain: bool) -> tuple[float, float]:
    """Restart the web process: the seconds of the outage, and the seconds given back."""
    before, began = flag_at(site), time.monotonic()
    if drain:
        site.drain("web")
    else:
        site.kill("web")
    site.start("web")
    while not listening_socket.responds(f"{site.url}/health/live", timeout=30):
        time.sleep(0.01)
    outage = time.monotonic() - began
    return outage, (flag_at(site) - before) / timedelta(seconds=1)


def main() -> int:
    """Print a line for each restart; exit status 1 if one cost more than `LIMIT`."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--drain", action="store_true", help="stop with SIGTERM instead of SIGKILL")
    parser.add_argument("--beside", action="store_true", help="while another web process serves")
    options = parser.parse_args()
    losses: list[float] = []
    with tempfile.TemporaryDirectory(prefix="tablero-") as folder, opened(Path(folder) / "var") as site:
        for name in ("clocks", "beat", *(() if options.beside else ("deaf",))):
            site.kill(name)
        site.ask(MATCH)
        print("restart  outage  given back    loss", flush=True)
        for number in range(1, options.kills + 1):
            time.sleep(random.uniform(0.5, 1.5))
            outage, given = restart(site, drain=options.drain)
            losses.append(given if options.beside else outage - given)
            print(f"{number:7} {outage:6.2f} s {given:9.2f} s {losses[-1]:5.2f} s", flush=True)
    print(f"largest: {max(losses):.2f} s (at most {LIMIT} s)")
    return int(max(losses) > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
