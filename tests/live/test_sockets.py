"""Players of code at the real server: whole matches, and frames that no page would send."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tools.load.http_visitor import Visitor
from tools.load.socket_player import SocketPlayer
from tools.load.whole_match import run
from tools.services.site import Site

pytestmark = pytest.mark.processes

AFTERWARDS = """
from games.models import Match
from games.events import state_of
from tests.replayed_state import replayed_state
match = Match.objects.get(pk={match_id!r})
answer = {{
    "same": replayed_state(match) == state_of(match),
    "numbers": list(match.actions.values_list("n", flat=True)),
    "texts": sorted(set(match.actions.filter(text__in=["double", "take", "drop"]).values_list("text", flat=True))),
    "crawford": any(game.score_before["crawford"] for game in match.games.all()),
    "by": match.ended_by,
}}
"""


def seated(site: Site, length: int = 3) -> tuple[str, list[Visitor]]:
    """Two new members in a match: (match id, visitors)."""
    visitors = [Visitor(site.url) for _ in range(2)]
    names = [site.name("ana"), site.name("bea")]
    for visitor, name in zip(visitors, names, strict=True):
        visitor.sign_up(name)
    visitors[0].challenge(names[1], length=length)
    return visitors[1].accept_first(), visitors


@pytest.mark.postgres
def test_a_match_to_five_with_a_double_a_take_a_drop_and_a_crawford_game(site: Site) -> None:
    match_id = asyncio.run(run(site.url, length=5, report=lambda line: None))
    facts = site.ask(AFTERWARDS.format(match_id=match_id))
    assert facts["numbers"] == list(range(1, len(facts["numbers"]) + 1))
    assert facts["texts"] == ["double", "drop", "take"]
    assert (facts["crawford"], facts["same"], facts["by"]) == (True, True, "score")


@pytest.mark.looks
def test_a_frame_of_a_megabyte_closes_only_its_own_socket(site: Site) -> None:
    match_id, visitors = seated(site)

    async def scene() -> tuple[list[str], int | None, int]:
        ana, bea = [SocketPlayer(site.url, match_id, visitor.cookie_header) for visitor in visitors]
        await ana.sit()
        headers = {"Cookie": visitors[1].cookie_header, "Origin": site.url}
        async with connect(bea.url, additional_headers=headers, compression=None, proxy=None) as socket:
            await socket.send(json.dumps({"t": "act", "id": "a-1", "action": "x" * 1_000_000}))
            frames_seen: list[str] = []
            with suppress(ConnectionClosed):
                while True:
                    frames_seen.append(json.loads(await asyncio.wait_for(socket.recv(), 60)).get("code", ""))
            code = socket.close_code
        await bea.sit()
        await ana.act("roll")
        await bea.reach(1)
        await bea.act("roll")
        await ana.reach(3)
        version = ana.frame["version"]
        await ana.leave()
        await bea.leave()
        return frames_seen, code, version

    frames_seen, code, version = asyncio.run(scene())
    assert frames_seen[-1] == "too_large"
    assert code == 4413
    assert version >= 3


@pytest.mark.looks
def test_a_socket_from_another_site_port_or_scheme_is_refused(site: Site) -> None:
    match_id, visitors = seated(site)

    async def close_code_from(origin: str) -> int:
        headers = {"Cookie": visitors[0].cookie_header, "Origin": origin}
        try:
            url = f"{site.url.replace('http', 'ws', 1)}/ws/match/{match_id}/"
            async with connect(url, additional_headers=headers, proxy=None):
                return 101
        except Exception as error:
            return int(getattr(getattr(error, "response", None), "status_code", 0))

    port = urlsplit(site.url).port
    others = ["http://evil.example", "http://127.0.0.1:9", f"https://127.0.0.1:{port}"]
    assert [asyncio.run(close_code_from(origin)) for origin in others] == [403] * 3
    assert asyncio.run(close_code_from(site.url)) == 101
