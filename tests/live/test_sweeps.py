"""What beat and the workers do by themselves, seen from outside."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import pytest

from tests.live.test_sockets import seated
from tools.load.http_visitor import Visitor
from tools.services.site import Site

pytestmark = pytest.mark.processes

DUE = """
from datetime import timedelta
from django.utils import timezone
from games.models import Match
Match.objects.filter(pk={match_id!r}).update({fields})
answer = None
"""


def rolled(site: Site, match_id: str, times: int) -> bool:
    return sum(text.startswith("chance") for text in actions(site, match_id)) >= times


PATIENCE = 60  # seconds until what should come in two: a busy machine is ten times slower
TIES = [f"chance: dice {number}{number}" for number in range(1, 7)]


def wait_until(true: Callable[[], object], *, seconds: float = PATIENCE) -> float:
    """Seconds until `true()` holds. Raises AssertionError when it never does."""
    started = time.monotonic()
    while not true():
        assert time.monotonic() - started < seconds, "it never happened"
        time.sleep(0.05)
    return time.monotonic() - started


def actions(site: Site, match_id: str) -> list[str]:
    rows = site.rows("select actor, text from games_action where match_id = ? order by n", match_id)
    return [f"{actor}: {text}" for actor, text in rows]


def test_a_missing_roller_is_held_and_later_their_flag_falls_without_any_request(site: Site) -> None:
    match_id, _ = seated(site)
    for attempt in range(1, 20):  # a tied opening waits for both again
        site.ask(DUE.format(match_id=match_id, fields="flag_at=timezone.now()"))
        wait_until(partial(rolled, site, match_id, attempt))
        if actions(site, match_id)[-1] not in TIES:
            break
    assert actions(site, match_id)[:2] == ["server: hold white", "server: hold black"]
    hours_ago = "flag_at=timezone.now(), clock_at=timezone.now() - timedelta(hours=1)"
    site.ask(DUE.format(match_id=match_id, fields=hours_ago))
    wait_until(lambda: site.rows("select 1 from games_match where id = ? and status = 'over'", match_id))
    assert site.rows("select ended_by from games_match where id = ?", match_id) == [("flag",)]


def test_the_computer_plays_on_when_its_task_was_lost(site: Site) -> None:
    visitor = Visitor(site.url)
    url, _ = visitor.post("/guest/", {"go": "bot"})
    match_id = url.rstrip("/").rsplit("/", 1)[1]
    wait_until(lambda: "black: roll" in actions(site, match_id))  # the computer rolls for the opening at once
    site.ask(
        DUE.format(match_id=match_id, fields="bot_at=timezone.now() - timedelta(minutes=1), flag_at=timezone.now()")
    )
    wait_until(lambda: any(text.startswith("chance: dice") for text in actions(site, match_id)))
