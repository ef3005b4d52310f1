"""A live match is backed up while it is played, its site is destroyed, and the match continues from the backup."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.conftest import ON_POSTGRES
from tests.live.test_sockets import seated
from tools.faults.site_processes import opened
from tools.load.socket_player import SocketPlayer
from tools.services.environment import ROOT
from tools.services.site import Site, temporary_database

pytestmark = [pytest.mark.processes, pytest.mark.timeout(900)]

PROCESSES = ("broker", "web")
ENOUGH = 8  # acts before, and again after


@pytest.fixture
def env(populated_database: str, tmp_path: Path) -> Iterator[dict[str, str]]:
    """A database of this test's own, with all tables."""
    with ExitStack() as stack:
        if ON_POSTGRES:
            url = temporary_database(
                os.environ["DATABASE_URL"], "tablero_keeping", copied=populated_database.rsplit("/", 1)[1]
            )
            yield {"DATABASE_URL": stack.enter_context(url)}
        else:
            (tmp_path / "var").mkdir(mode=0o700)
            shutil.copy(populated_database, tmp_path / "var" / "tablero.sqlite3")
            yield {}


def manage(site: Site, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *words], cwd=ROOT, env=site.env, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


async def play(players: list[SocketPlayer], acts: int, acked: list[int], *, until: asyncio.Event | None = None) -> None:
    """Play so many acts, and on until the event; `acked` are the acknowledged versions."""
    done = 0
    while done < acts or (until is not None and not until.is_set()):
        due = next((player for player in players if player.due), None)
        if due is None:
            await asyncio.sleep(0.01)
            continue
        answer, _ = await due.act(due.next_action() or "roll")
        if answer["t"] == "refused":
            assert answer["code"] == "stale", answer
            await asyncio.sleep(0.02)
            continue
        acked.append(answer["version"])
        done += 1
        for player in players:
            await player.reach(answer["version"])


async def seat_down(site: Site, match_id: str, cookies: list[str]) -> list[SocketPlayer]:
    players = [SocketPlayer(site.url, match_id, cookie, seed=number) for number, cookie in enumerate(cookies)]
    for player in players:
        await player.sit()
    return players


def test_a_match_continues_from_the_backup(tmp_path: Path, env: dict[str, str]) -> None:
    with opened(tmp_path / "var", starting=PROCESSES, **env) as site:
        match_id, visitors = seated(site, length=25)
        cookies = [visitor.cookie_header for visitor in visitors]
        before: list[int] = []
        during: list[int] = []
        file = tmp_path / "club.zip"

        async def play_during_backup() -> None:
            players = await seat_down(site, match_id, cookies)
            await play(players, ENOUGH, before)
            backup_done = asyncio.Event()
            playing = asyncio.create_task(play(players, 1, during, until=backup_done))
            try:
                await asyncio.to_thread(manage, site, "backup", str(file))
            finally:
                backup_done.set()
                await playing
            for player in players:
                await player.leave()

        asyncio.run(play_during_backup())
        assert during, "nobody acted while the backup was taken"
        rows = "select n, actor, text from games_action where match_id = ? order by n"
        played = site.rows(rows, match_id)
        clock = site.rows("select clock from games_match where id = ?", match_id)
        assert clock

        for name in reversed(PROCESSES):
            site.kill(name)
        destroy(site)
        manage(site, "restore", str(file))

        kept = site.rows(rows, match_id)
        assert len(kept) >= max(before)
        assert kept == played[: len(kept)]
        (site.var / "run").mkdir(mode=0o700, exist_ok=True)
        site.start("broker")
        site.start_web()

        async def play_after_restore() -> list[int]:
            players = await seat_down(site, match_id, cookies)  # with the old sessions
            assert [player.frame["version"] for player in players] == [len(kept)] * 2
            after: list[int] = []
            await play(players, ENOUGH, after)
            for player in players:
                await player.leave()
            return after

        after = asyncio.run(play_after_restore())
        assert len(kept) < min(after) <= len(kept) + 2  # a roll and its dice are two actions
        assert site.rows(rows, match_id)[: len(kept)] == kept
        assert site.rows("select status from games_match where id = ?", match_id) == [("live",)]


def destroy(site: Site) -> None:
    """Delete the site's folder and its tables."""
    shutil.rmtree(site.var)
    if url := site.env.get("DATABASE_URL"):
        import psycopg

        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
