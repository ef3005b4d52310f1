"""The clock of a machine is set while a match is played, forward and back by an hour: libfaketime moves it for a site.

It moves the time of day only, not the clock of the timers, which nobody can set on a real machine either. On PostgreSQL
the server's clock is set, too: it is the one that counts.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.conftest import ON_POSTGRES
from tests.live.test_outage import moments, start_match
from tests.live.test_sweeps import DUE, wait_until
from tools.services import postgres
from tools.services.environment import missing
from tools.services.site import Site, running

pytestmark = pytest.mark.processes

HOUR = timedelta(hours=1)


@pytest.fixture
def clock() -> Iterator[Path]:
    """The file that says by how much the clock is wrong; the database's own user reads it, too."""
    with tempfile.TemporaryDirectory(prefix="tablero-clock-") as folder:
        Path(folder).chmod(0o755)
        path = Path(folder) / "clock"
        path.write_text("+0")
        yield path


@pytest.fixture
def site(tmp_path: Path, clock: Path) -> Iterator[Site]:
    """A site whose clock, and that of its database, is set by a file."""
    library = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
    if library is None:
        missing("libfaketime", install="apt install libfaketime")
    env = {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1"}
    env["DONT_FAKE_MONOTONIC"] = "1"
    with ExitStack() as stack:
        url = {"DATABASE_URL": stack.enter_context(faked_server(env))} if ON_POSTGRES else {}
        yield stack.enter_context(running(tmp_path / "var", "--without-accounts", **env, **url))


@contextmanager
def faked_server(env: dict[str, str]) -> Iterator[str]:
    """A PostgreSQL server that runs with `env`; its URL."""
    with postgres.running_server() as server:
        assert server is not None, "the tests run on PostgreSQL"
        server.stop()
        server.popen_options["env"] |= env
        server.start()
        yield server.url


def time_left(site: Site, match_id: str) -> tuple[datetime, timedelta]:
    """The site's last heartbeat, and the time that a running clock had left then."""
    row = "select (select at from games_siteheartbeat), flag_at from games_match where id = ?"
    alive, flag_at = moments(site, row, match_id)
    return alive, flag_at - alive


def test_a_clock_that_is_set_hurts_no_player(site: Site, clock: Path) -> None:
    match_id = start_match(site)
    began_later = "select 1 from games_match, games_siteheartbeat where games_match.id = ? and clock_at > at"
    wait_until(lambda: not site.rows(began_later, match_id))
    for offset, jump in (("+1h", HOUR), ("+0", -HOUR), ("-1h", -HOUR)):
        began = time.monotonic()
        before, left = time_left(site, match_id)
        clock.write_text(offset)
        wait_until(lambda: abs(time_left(site, match_id)[0] - before - jump) < HOUR / 2)  # noqa: B023
        after = time_left(site, match_id)[1]
        assert left - timedelta(seconds=time.monotonic() - began) <= after <= left

    site.ask(
        DUE.format(match_id=match_id, fields="flag_at=timezone.now(), clock_at=timezone.now() - timedelta(hours=1)")
    )
    wait_until(lambda: site.rows("select 1 from games_match where id = ? and status = 'over'", match_id))
    assert site.rows("select ended_by from games_match where id = ?", match_id) == [("flag",)]
    assert site.stop() == 0
