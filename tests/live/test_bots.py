"""A member's bot at the real server: the example of the docs plays a whole match; the socket announces its turns."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.running.test_demo import is_part, processes_of
from tools.load.http_visitor import Visitor
from tools.services.site import Site

pytestmark = pytest.mark.processes

CLIENT = Path(__file__).parents[2] / "clients" / "python"
EXAMPLE = Path(__file__).parents[2] / "docs" / "example_bot.py"
TOKEN = re.compile(r"tablero_[\w-]{40,}")
OVER = "select status, winner from games_match where id = ?"
PATIENCE = 180  # seconds without an action
WHOLE_MATCH = 800  # seconds: how long a match lasts is the dice's affair


def brought(site: Site) -> tuple[str, str, Visitor]:
    """A new member's bot: (its name, its token, the member)."""
    visitor = Visitor(site.url)
    visitor.sign_up(site.name("bea"))
    name = site.name("robot")
    _, page = visitor.post("/settings/bots/", {"name": name}, page="/settings/bots/")
    found = TOKEN.search(page)
    assert found, page[-2000:]
    return name, found.group(0), visitor


def ended(site: Site, match_id: str) -> bool:
    return site.rows(OVER, match_id)[0][0] == "over"


def actions(site: Site, match_id: str) -> int:
    """How many actions the match has so far."""
    return int(site.rows("select count(*) from games_action where match_id = ?", match_id)[0][0])


@pytest.mark.looks
def test_the_example_of_the_docs_answers_a_challenge_and_plays(site: Site) -> None:
    name, token, member = brought(site)
    program = subprocess.Popen([sys.executable, str(EXAMPLE), site.url, token], env={**os.environ, "no_proxy": "*"})
    try:
        member.challenge(name, length=1, clock="none", rated=False)
        [(match_id,)] = _waited(
            lambda: site.rows(
                "select m.id from games_match m join accounts_user u on u.id = m.invited_id "
                "where u.username = ? and m.status = 'live'",
                name,
            )
        )
        assert _waited(lambda: site.rows("select 1 from games_action where match_id = ? and actor = 'black'", match_id))
    finally:
        program.send_signal(signal.SIGTERM)
        program.wait(60)


@pytest.mark.looks
@pytest.mark.timeout(WHOLE_MATCH + 100)
def test_the_example_of_the_docs_plays_a_match_against_the_computer_to_its_end(site: Site) -> None:
    _, token, _ = brought(site)
    offer = {"variant": "hypergammon", "length": 1, "clock": "none", "to": "Pipa"}
    request = urllib.request.Request(  # noqa: S310
        f"{site.url}/api/v1/matches/",
        json.dumps(offer).encode(),
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
        match_id = json.load(answer)["id"]
    program = subprocess.Popen([sys.executable, str(EXAMPLE), site.url, token], env={**os.environ, "no_proxy": "*"})
    try:
        while not ended(site, match_id):
            seen = actions(site, match_id)
            _waited(lambda seen=seen: actions(site, match_id) > seen or ended(site, match_id))
    finally:
        program.send_signal(signal.SIGTERM)
        program.wait(60)
    assert site.rows("select ended_by, rated from games_match where id = ?", match_id) == [("score", 0)]


@pytest.mark.looks
@pytest.mark.timeout(WHOLE_MATCH + 100)
def test_the_bot_of_the_client_plays_a_match_against_the_computer_and_ends(site: Site) -> None:
    name, token, _ = brought(site)
    env = {**os.environ, "no_proxy": "*", "PYTHONPATH": str(CLIENT / "src")}
    command = [sys.executable, str(CLIENT / "examples" / "bot.py"), site.url, token, "Pipa"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=WHOLE_MATCH)
    assert (done.returncode, done.stderr) == (0, "")
    played = "select m.ended_by from games_match m join accounts_user u on u.id = m.creator_id where u.username = ?"
    assert site.rows(played, name) == [("score",)]


@pytest.mark.looks
@pytest.mark.timeout(WHOLE_MATCH + 100)
def test_the_asynchronous_bot_plays_several_matches_at_once_and_ends(site: Site) -> None:
    name, token, _ = brought(site)
    env = {**os.environ, "no_proxy": "*", "PYTHONPATH": str(CLIENT / "src")}
    command = [sys.executable, str(CLIENT / "examples" / "async_bot.py"), site.url, token, "Pipa", "Rosco", "Dadila"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=WHOLE_MATCH)
    assert (done.returncode, done.stderr) == (0, "")
    mine = "from games_match m join accounts_user u on u.id = m.creator_id where u.username = ?"
    assert site.rows(f"select m.ended_by {mine}", name) == [("score",)] * 3
    began, first_end = site.rows(f"select max(m.started_at), min(m.ended_at) {mine}", name)[0]
    assert began < first_end


@pytest.mark.looks
def test_an_event_stream_of_the_asynchronous_client_yields_what_happens_on_the_site(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(CLIENT / "src")
    from tablero_client import AsyncClient

    _, token, _ = brought(site)

    async def scene() -> tuple[str, str]:
        club = AsyncClient(site.url, token=token)
        after = (await club.call("events"))["after"]
        match = await club.call("match_offer", variant="backgammon", length=1, clock="none")
        async for event in club.events(kinds=["match.created"], after=after):
            return event["subject"], f"match:{match['id']}"
        raise AssertionError

    seen, offered = asyncio.run(asyncio.wait_for(scene(), PATIENCE))
    assert seen == offered


@pytest.mark.looks
def test_a_bots_socket_needs_no_origin_and_sends_pending_events(site: Site) -> None:
    name, token, member = brought(site)
    address = site.url.replace("http", "ws") + "/ws/bot/"

    async def scene() -> list[object]:
        headers = {"Authorization": f"Bearer {token}"}
        async with connect(address, additional_headers=headers, origin=None, compression=None, proxy=None) as socket:
            before = json.loads(await asyncio.wait_for(socket.recv(), 60))
            await asyncio.to_thread(member.challenge, name, length=1, clock="none", rated=False)
            update = json.loads(await asyncio.wait_for(socket.recv(), 60))
            return [before["events"], [(event["t"], event["rated"]) for event in update["events"]]]

    assert asyncio.run(scene()) == [[], [("challenge", False)]]


@pytest.mark.looks
def test_a_socket_without_a_valid_token_is_closed(site: Site) -> None:
    async def scene() -> int | None:
        headers = {"Authorization": "Bearer tablero_nothing"}
        address = site.url.replace("http", "ws") + "/ws/bot/"
        async with connect(address, additional_headers=headers, origin=None, compression=None, proxy=None) as socket:
            try:
                await asyncio.wait_for(socket.recv(), 60)
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else None
        return None

    assert asyncio.run(scene()) == 4401


def test_the_computer_plays_on_after_its_worker_died_in_the_middle_of_a_match(site: Site) -> None:
    begun = match_against_the_computer(site)
    killed = thinkers(site)
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    later = match_against_the_computer(site)
    black = "select 1 from games_action where match_id = ? and actor = 'black'"
    for match_id in (begun, later):
        assert _waited(lambda match_id=match_id: site.rows(black, match_id))
    assert not set(thinkers(site)) & set(killed)


def match_against_the_computer(site: Site) -> str:
    """The match that a new guest has begun."""
    url, _ = Visitor(site.url).post("/guest/", {"go": "bot"})
    return url.rstrip("/").rsplit("/", 1)[1]


def thinkers(site: Site) -> list[int]:
    """The processes in which the bots' worker does its work: its children, never itself."""
    listed = {pid: command for pid, command in processes_of(site.var).items() if is_part(command, "bots")}
    return [pid for pid in listed if _parent(pid) in listed and "parent_watch" not in listed[_parent(pid)]]


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


def _waited(found: object) -> list[tuple[object, ...]]:
    """The result of `found()`, once it has one."""
    began = time.monotonic()
    while not (rows := found()):  # type: ignore[operator]
        assert time.monotonic() - began < PATIENCE, "it never happened"
        time.sleep(0.2)
    return rows  # type: ignore[no-any-return]
