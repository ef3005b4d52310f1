"""Everything is killed in the middle of a match and started again: both clocks are where they were.

`OUTAGE_SECONDS=60` lets the site be away for longer.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from backgammon.demo import listening_socket
from backgammon.demo.supervisor import ProcessSpec
from tests.live.test_sockets import seated
from tests.live.test_sweeps import DUE, TIES, actions, rolled, wait_until
from tools.faults.site_processes import SiteProcesses, opened
from tools.load.socket_player import SocketPlayer
from tools.load.whole_match import play_match
from tools.services.site import Site

pytestmark = pytest.mark.processes

PROCESSES = ("broker", "clocks", "beat", "web")
AWAY = float(os.environ.get("OUTAGE_SECONDS", "6"))


def moments(site: Site, sql: str, *parameters: object) -> list[datetime]:
    """The moments in the only row of a query."""
    return [_moment(value) for value in site.rows(sql, *parameters)[0]]


def _moment(value: Any) -> datetime:
    read = datetime.fromisoformat(value) if isinstance(value, str) else value
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def start_match(site: Site) -> str:
    """A match whose opening is rolled: a clock runs."""
    match_id, _ = seated(site)
    for attempt in range(1, 20):
        site.ask(DUE.format(match_id=match_id, fields="flag_at=timezone.now()"))
        wait_until(lambda attempt=attempt: rolled(site, match_id, attempt))  # type: ignore[misc]
        if actions(site, match_id)[-1] not in TIES:
            return match_id
    raise AssertionError("nothing but ties")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteProcesses]:
    """A site whose processes are killed; each test leaves them running."""
    with opened(tmp_path_factory.mktemp("outage") / "var", starting=PROCESSES) as club:
        yield club


def test_after_an_outage_both_clocks_are_unchanged(club: SiteProcesses) -> None:
    match_id = start_match(club)
    row = "select clock_at, flag_at from games_match where id = ?"
    time.sleep(2)
    club.kill("web")
    killed = datetime.now(UTC)
    for name in ("beat", "clocks", "broker"):
        club.kill(name)
    (heartbeat,) = moments(club, "select at from games_siteheartbeat")
    assert (killed - heartbeat).total_seconds() < 5  # 0.7 s, and what a busy machine adds
    clock_at, flag_at = moments(club, row, match_id)
    reserves = club.rows("select clock from games_match where id = ?", match_id)
    time.sleep(AWAY)

    for name in PROCESSES:
        club.start(name)
    wait_until(lambda: moments(club, row, match_id)[0] > clock_at)
    (since,) = moments(club, "select since from games_siteheartbeat")
    assert (since - killed).total_seconds() > AWAY
    left = (flag_at - heartbeat).total_seconds()
    assert abs((moments(club, row, match_id)[1] - since).total_seconds() - left) < 0.01
    assert club.rows("select clock from games_match where id = ?", match_id) == reserves
    assert actions(club, match_id)[-1].startswith("chance: dice")  # nobody's flag fell


def test_clocks_run_again_only_when_the_only_web_process_serves(club: SiteProcesses, tmp_path: Path) -> None:
    """The clock gets back all that passed until the process could serve, and no more than until its first answer."""
    loaded = tmp_path / "loaded"
    web = club.parts["web"]
    slow = (*web.command[:-1], "tools.faults.web_that_starts_slowly:application")
    club.parts["web"] = ProcessSpec("web", slow, env={**web.env, "SLOW_START": str(loaded)}, pass_fds=web.pass_fds)
    match_id = start_match(club)
    row = "select flag_at, (select at from games_siteheartbeat) from games_match where id = ?"
    club.kill("web")
    killed = datetime.now(UTC)
    flag_at, heartbeat = moments(club, row, match_id)
    club.start("web")
    wait_until(lambda: listening_socket.responds(f"{club.url}/health/live"))
    answered = datetime.now(UTC)
    given_back = moments(club, row, match_id)[0] - flag_at
    served = datetime.fromtimestamp(float(loaded.read_text()), UTC)
    assert served - killed <= given_back <= answered - heartbeat


def test_two_players_come_and_play_a_match_while_the_broker_is_away(club: SiteProcesses) -> None:
    match_id, visitors = seated(club, length=1)
    players = [SocketPlayer(club.url, match_id, visitor.cookie_header) for visitor in visitors]
    club.kill("broker")
    asyncio.run(play_match(players, report=lambda line: None))
    assert all(player.over for player in players)
    club.start("broker")
    wait_until(lambda: "the broker is back" in club.lines())
