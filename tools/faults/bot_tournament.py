"""An unattended tournament of bots at real sockets while processes are killed:
`python -m tools.faults.bot_tournament --players 64` (make faults).

It starts the site's processes one by one in a new folder; the tournament starts automatically at its time. The worker
is killed twice and beat once; the broker is killed once and hangs once for some seconds. One match in four is played at
a web process that does not announce the end of matches, so that only the sweep can find it. Loopback only.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.faults.site_processes import SiteProcesses, opened
from tools.faults.tournament_player import TournamentPlayer
from tools.services import postgres
from tools.services.site import temporary_database
from tournaments.formats.core import Config, History
from tournaments.formats.registry import FORMATS

PrintLine = Callable[[str], object]


@dataclass(frozen=True)
class Fault:
    """A process is killed when this share of the results is in, and started again `away` seconds later.

    With `hangs` it is suspended for that time with all its connections open.
    """

    share: float
    process: str
    away: float
    hangs: bool = False


FAULTS = (
    Fault(0.1, "clocks", 2),
    Fault(0.3, "beat", 2),
    Fault(0.45, "broker", 4),
    Fault(0.6, "broker", 3, hangs=True),
    Fault(0.75, "clocks", 2),
)
FORMATS_OF_BOTS = ("knockout", "double")


@dataclass
class TournamentResult:
    """The result of a tournament."""

    audit: dict[str, Any]
    seconds: float
    faults: list[str] = field(default_factory=list)
    deaf: int = 0
    lost: list[str] = field(default_factory=list)
    count: Counter[str] = field(default_factory=Counter)

    @property
    def wrong(self) -> list[str]:
        """Everything that is wrong, in sentences."""
        return [*self.audit["wrong"], *(f"acknowledged and not in the record: {act}" for act in self.lost)]


async def play_tournament(
    club: SiteProcesses,
    *,
    players: int,
    format_: str = "knockout",
    variant: str = "backgammon",
    faults: Sequence[Fault] = FAULTS,
    minutes: float = 20,
    print_line: PrintLine = print,
) -> TournamentResult:
    """Play one tournament to its end. Raises TimeoutError with the end of the log if it does not get there."""
    call = f"opened({players}, format_={format_!r}, variant={variant!r}, seconds=4)"
    made = await asyncio.to_thread(
        club.ask, f"from tools.faults import tournament_data; answer = tournament_data.{call}"
    )
    entrants = [TournamentPlayer(name, cookie, club.urls) for name, cookie in made["cookies"].items()]
    started = time.monotonic()
    playing = [asyncio.create_task(each.play_on()) for each in entrants]
    happened: list[str] = []
    killing = asyncio.create_task(_kill(club, made["id"], faults, matches(players, format_), happened, print_line))
    try:
        async with asyncio.timeout(minutes * 60):
            while await _asked(club, "select phase from tournaments_tournament where id = ?", made["id"]) != "over":
                for task in (killing, *playing):
                    if task.done():
                        task.result()
                await asyncio.sleep(0.3)
            await killing
    except TimeoutError as error:
        found = await asyncio.to_thread(_audit, club, made["id"])
        raise TimeoutError(f"{found['wrong']} {found['kinds']}\n{club.lines()[-4000:]}") from error
    finally:
        for task in (killing, *playing):
            task.cancel()
        await asyncio.gather(killing, *playing, return_exceptions=True)
    seconds = time.monotonic() - started
    audit = await asyncio.to_thread(_audit, club, made["id"])
    recorded = set(audit.pop("acts"))
    acked = [act for each in entrants for act in each.acked]
    count = sum((each.count for each in entrants), Counter(acts=len(acked)))
    deaf = sum(each.url_of(match) == club.urls[-1] for each in entrants for match in each.announced) // 2
    return TournamentResult(audit, seconds, happened, deaf, sorted(set(acked) - recorded), count)


async def _kill(
    club: SiteProcesses,
    tournament_id: str,
    faults: Sequence[Fault],
    expected: int,
    happened: list[str],
    print_line: PrintLine,
) -> None:
    """Cause the faults, each when its share of the results is in."""
    counting = "select count(*) from tournaments_tournamentevent where tournament_id = ? and kind = 'result'"
    for fault in faults:
        while (results := await _asked(club, counting, tournament_id)) < fault.share * expected:
            await asyncio.sleep(0.1)
        if fault.hangs:
            club.suspend(fault.process)
            await asyncio.sleep(fault.away)
            club.resume(fault.process)
        else:
            club.kill(fault.process)
            await asyncio.sleep(fault.away)
            await asyncio.to_thread(club.start, fault.process)
        ending = "hung" if fault.hangs else "killed"
        happened.append(f"{fault.process} {ending} after {results} results, for {fault.away:g} s")
        print_line(happened[-1])


async def _asked(club: SiteProcesses, sql: str, *parameters: object) -> Any:
    return (await asyncio.to_thread(club.rows, sql, *parameters))[0][0]


def matches(players: int, format_: str) -> int:
    """Return the number of matches of such a tournament."""
    config = Config(format_, consolation="progressive")
    drawn = FORMATS[format_].pairings(config, History(tuple(range(1, players + 1))))
    return sum(pairing.state in ("ready", "waiting") for pairing in drawn)


def _audit(club: SiteProcesses, tournament_id: str) -> dict[str, Any]:
    audit = club.ask(f"from tools.faults import tournament_data; answer = tournament_data.audited({tournament_id!r})")
    return dict(audit)


def report(result: TournamentResult) -> str:
    """Return the result as text."""
    audit = result.audit
    return "\n".join(
        [
            f"{audit['phase']} after {result.seconds:.0f} s: {audit['champion']} wins",
            f"begun {audit['started_late']} s after its hour",
            f"pairings {audit['pairings']}, ended by {audit['how']}, events {audit['kinds']}",
            f"{result.deaf} matches ended unannounced; {audit['late']} results taken later than half a second",
            f"players: {dict(result.count)}",
            *(result.wrong or ["nothing lost, nothing doubled"]),
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=64)
    parser.add_argument("--format", choices=FORMATS_OF_BOTS, default="knockout")
    parser.add_argument("--variant", default="backgammon")
    parser.add_argument("--minutes", type=float, default=20, help="give up after so many")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL of its own")
    options = parser.parse_args()
    with ExitStack() as stack:
        env: dict[str, str] = {}
        if options.postgres:
            if (url := stack.enter_context(postgres.temporary_server())) is None:
                print(f"PostgreSQL is missing: {postgres.INSTALL}", file=sys.stderr)
                return 1
            env["DATABASE_URL"] = stack.enter_context(temporary_database(url, "tablero_faults"))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tablero-"))
        club = stack.enter_context(opened(Path(folder) / "var", **env))
        result = run(
            club, players=options.players, format_=options.format, variant=options.variant, minutes=options.minutes
        )
    print(report(result))
    return 1 if result.wrong or result.audit["phase"] != "over" else 0


def run(club: SiteProcesses, **chosen: Any) -> TournamentResult:
    """Run `play_tournament` in an event loop of its own, with a thread for each player's requests."""

    async def whole() -> TournamentResult:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(64))
        return await play_tournament(club, **chosen)

    return asyncio.run(whole())


if __name__ == "__main__":
    sys.exit(main())
