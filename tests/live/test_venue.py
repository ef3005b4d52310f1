"""A tournament is taken to a laptop, whose site is killed in the middle, and its results come back once (E27)."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tools.load.http_visitor import Visitor
from tools.services import site as sites
from tools.services.site import Site

pytestmark = pytest.mark.processes

EVENING = "from tests.live import venue_evening as evening; answer = evening.{call}"
SERVICES = (
    "from accounts.models import User; from tournaments import services; dora = User.objects.get(username='dora'); "
)


def evening(site: Site, call: str) -> Any:
    return site.ask(EVENING.format(call=call))


def kill(site: Site) -> None:
    """Kill a site without warning, and start nothing again."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(site.process.pid, signal.SIGKILL)
    site.stop(signal.SIGKILL)


def enter_round(site: Site, session: str, tournament: str, *, most: int = 9) -> None:
    """Enter results at the desk of a site, as the browser sends them."""
    desk = Visitor(site.url)
    desk.use_session(session)
    for form in evening(site, f"open_results({tournament!r})")[:most]:
        desk.post(f"/tournaments/{tournament}/desk/send/", form, page=f"/tournaments/{tournament}/desk/")


def test_a_tournament_survives_a_crash_at_the_venue_and_counts_once_like_a_straight_run(tmp_path: Path) -> None:
    with sites.running(tmp_path / "club") as club:
        evening(club, "director()")
        straight, away = (evening(club, f"tournament({letter!r})") for letter in "sv")
        evening(club, f"play_straight({straight!r})")
        out = club.ask(
            SERVICES + f"copy = services.venue_take_out(tournament_id={away!r}, user=dora); "
            "answer = services.venue_file_out(copy).decode()"
        )

        laptop = sites.start(tmp_path / "laptop")
        try:
            laptop.wait_for_url()
            session = evening(laptop, "director()")
            laptop.ask(SERVICES + f"answer = services.venue_bring_here(user=dora, data={out!r}.encode()).pk")
            enter_round(laptop, session, away)
            enter_round(laptop, session, away, most=1)
            kill(laptop)
            laptop = sites.start(tmp_path / "laptop")
            laptop.wait_for_url()
            for _round in range(2):
                enter_round(laptop, session, away)
            back = laptop.ask(
                "from tournaments import services; from tournaments.models import VenueCopy; "
                "answer = services.venue_file_back(VenueCopy.objects.get()).decode()"
            )
        finally:
            kill(laptop)

        bring = SERVICES + (
            f"found = services.venue_results_bring(tournament_id={away!r}, user=dora, data={back!r}.encode()); "
            "answer = [found.is_new, len(found.results)]"
        )
        assert club.ask(bring) == [True, 6]
        expected = evening(club, f"figures({straight!r})")
        assert len(expected) == 4
        assert evening(club, f"figures({away!r})") == expected
        assert club.ask(bring) == [False, 0]
        assert evening(club, f"figures({away!r})") == expected
