"""Three web processes at the same matches: a player's pages at all of them act at the same moment (PostgreSQL)."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path

import pytest

from backgammon.demo import listening_socket
from tests.services.web_processes import webs
from tools.load.http_visitor import Visitor
from tools.load.socket_player import Frame, SocketPlayer, reached

pytestmark = [pytest.mark.processes, pytest.mark.postgres]

PROCESSES = 3
MATCHES = 3
ROUNDS = 20
EVENT_SECONDS = 10.0

AFTERWARDS = """
from games.models import Match
from games.events import state_of
from tests.replayed_state import replayed_state
matches = Match.objects.filter(pk__in={match_ids!r})
answer = [
    [match.version, list(match.actions.values_list("n", flat=True)), replayed_state(match) == state_of(match)]
    for match in matches
]
"""

Seat = list[SocketPlayer]
"""The pages of one player, one at each process."""


async def at_once(pages: Seat, action: str) -> list[Frame]:
    """The answers to one action that all pages of a player send at the same moment."""
    return [answer for answer, _seconds in await asyncio.gather(*(page.act(action) for page in pages))]


async def play(urls: list[str], match_id: str, cookies: list[str]) -> None:
    """Play for some rounds: in two the pages send acts of their own, in the next two one and the same act."""
    seats = [[SocketPlayer(url, match_id, cookie) for url in urls] for cookie in cookies]
    everybody = [page for pages in seats for page in pages]
    for page in everybody:
        await page.sit()
    staying = [asyncio.create_task(page.stay()) for page in everybody]
    for number in range(ROUNDS):
        pages = next(each for each in seats if each[0].due)
        sent_again = number // 2 % 2 == 1
        for process, page in enumerate(pages):
            page.page, page.count = f"{number}" if sent_again else f"{number}-{process}", 0
        answers = await at_once(pages, pages[0].next_action() or "")
        acknowledged = [answer["version"] for answer in answers if answer["t"] == "ack"]
        if sent_again:
            assert len(acknowledged) == PROCESSES, answers
            assert len(set(acknowledged)) == 1, "an act that is sent again has its first answer"
        else:
            assert len(acknowledged) == 1, answers
            assert {answer["code"] for answer in answers if answer["t"] != "ack"} == {"stale"}
        await reached(everybody, acknowledged[0], seconds=EVENT_SECONDS)
    for task in staying:
        task.cancel()
    for page in everybody:
        await page.leave()


def seated(urls: list[str]) -> list[tuple[str, list[str]]]:
    """So many matches of new members: (its id, the cookies of its players)."""
    made = []
    for number in range(MATCHES):
        visitors = [Visitor(url) for url in urls[:2]]
        for visitor, name in zip(visitors, ("ana", "bea"), strict=True):
            visitor.sign_up(f"{name}{number}")
        visitors[0].challenge(f"bea{number}", length=5)
        made.append((visitors[1].accept_first(), [visitor.cookie_header for visitor in visitors]))
    return made


def test_of_acts_at_three_processes_one_is_taken_and_one_sent_again_is_taken_once(tmp_path: Path) -> None:
    with ExitStack() as stack:
        sockets = [stack.enter_context(listening_socket.open_socket("127.0.0.1", 0)) for _ in range(PROCESSES)]
        web = stack.enter_context(webs(tmp_path / "var"))
        addresses = [web.at(each) for each in sockets]
        for each in addresses:
            each.started()
        urls = [each.url for each in addresses]
        matches = seated(urls)

        async def all_matches() -> None:
            await asyncio.gather(*(play(urls, match_id, cookies) for match_id, cookies in matches))

        asyncio.run(all_matches())
        for version, numbers, same in addresses[0].site.ask(
            AFTERWARDS.format(match_ids=[match_id for match_id, _ in matches])
        ):
            assert numbers == list(range(1, version + 1))
            assert same
