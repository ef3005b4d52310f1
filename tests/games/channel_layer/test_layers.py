"""The channel layer: two layers represent two processes at one broker."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from games.channel_layer import LocalFirstChannelLayer
from tests.patient_sockets import PATIENCE
from tools.services.valkey import temporary_broker


def host_of(url: str) -> dict[str, Any]:
    return {"address": url, "socket_timeout": None}


def at(url: str) -> LocalFirstChannelLayer:
    return LocalFirstChannelLayer(hosts=[host_of(url)], prefix="hub")


@pytest.fixture
def host(valkey: str) -> dict[str, Any]:
    return host_of(valkey)


async def socket(layer: LocalFirstChannelLayer, group: str = "match.1") -> str:
    channel: str = await layer.new_channel()
    await layer.group_add(group, channel)
    return channel


async def received(layer: LocalFirstChannelLayer, channel: str) -> Any:
    return await asyncio.wait_for(layer.receive(channel), PATIENCE)


def waiting(layer: LocalFirstChannelLayer, channel: str) -> int:
    return len(layer.channels[channel])


async def test_a_message_reaches_the_sockets_of_both_processes_once(
    here: LocalFirstChannelLayer, there: LocalFirstChannelLayer
) -> None:
    ana, bea = await socket(here), await socket(there)
    await here.group_send("match.1", {"type": "match.event", "n": 1})
    await there.group_send("match.1", {"type": "match.event", "n": 2})
    assert [(await received(here, ana))["n"] for _ in range(2)] == [1, 2]
    assert {(await received(there, bea))["n"] for _ in range(2)} == {1, 2}
    assert (waiting(here, ana), waiting(there, bea)) == (0, 0)


async def test_its_own_sockets_receive_it_before_the_broker(here: LocalFirstChannelLayer) -> None:
    ana = await socket(here)
    sending = asyncio.create_task(here.group_send("match.1", {"type": "match.event"}))
    await asyncio.sleep(0)
    assert waiting(here, ana) == 1
    assert not sending.done()
    await sending


async def test_the_messages_of_one_process_keep_their_order(
    here: LocalFirstChannelLayer, there: LocalFirstChannelLayer
) -> None:
    bea = await socket(there)
    for n in range(50):
        await here.group_send("match.1", {"type": "match.event", "n": n})
    assert [(await received(there, bea))["n"] for _ in range(50)] == list(range(50))


async def test_the_sockets_of_a_process_share_one_message(
    here: LocalFirstChannelLayer, there: LocalFirstChannelLayer
) -> None:
    bea, carlos = await socket(there), await socket(there)
    await here.group_send("match.1", {"type": "match.event", "n": 1})
    assert await received(there, bea) is await received(there, carlos)


async def test_a_socket_receives_only_its_groups(here: LocalFirstChannelLayer) -> None:
    ana = await socket(here)
    await here.group_send("match.2", {"type": "match.event"})
    await here.group_discard("match.1", ana)
    await here.group_send("match.1", {"type": "match.event"})
    assert waiting(here, ana) == 0


async def test_a_closed_socket_leaves_nothing_behind(here: LocalFirstChannelLayer) -> None:
    ana = await socket(here)
    listening = asyncio.create_task(here.receive(ana))
    await asyncio.sleep(0)
    await here.group_discard("match.1", ana)
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    assert (here.channels, here.groups) == ({}, {})


async def test_without_a_broker_the_sockets_of_a_process_still_reach_each_other(tmp_path: Path) -> None:
    layer = at(f"unix://{tmp_path}/nobody.sock")
    ana, bea = await socket(layer), await socket(layer)
    await layer.group_send("match.1", {"type": "match.event", "n": 1})
    assert [await received(layer, each) for each in (ana, bea)] == [{"type": "match.event", "n": 1}] * 2
    await layer.group_discard("match.1", ana)
    await layer.group_send("match.1", {"type": "match.event", "n": 2})
    assert (waiting(layer, ana), waiting(layer, bea)) == (0, 1)
    await layer.flush()


async def test_sockets_of_two_processes_reach_each_other_again_when_the_broker_is_back(
    tmp_path: Path, valkey: str
) -> None:
    """Also those that came while it was away, and by batches: the processes greet each other anew."""
    with temporary_broker(tmp_path) as url:
        assert url is not None
        here, there = at(url), at(url)
        await socket(here)
        early = await socket(there)
    await here.group_send("match.1", {"type": "match.event", "n": 0})  # lost
    late = await socket(there, "match.2")
    await there.group_discard("match.1", early)
    with temporary_broker(tmp_path):
        async with asyncio.timeout(PATIENCE):
            while not waiting(there, late):
                await here.group_send("match.2", {"type": "match.event", "n": 1})
                await asyncio.sleep(0.05)
            while waiting(there, late):
                await received(there, late)
            while not waiting(there, late):
                await here.publish_batch([("match.2", {"type": "match.event", "n": 2})])
                await asyncio.sleep(0.05)
        assert (await received(there, late))["n"] == 2
        assert waiting(there, early) == 0
        for layer in (here, there):
            await layer.flush()


async def test_a_connection_that_the_kernel_gives_up_is_replaced(
    here: LocalFirstChannelLayer, there: LocalFirstChannelLayer
) -> None:
    """Its link was cut: the error looks like that of a read which finds nothing yet."""
    channel = await socket(there)
    [shard] = there._get_layer()._shards
    shard._pubsub.connection._reader.set_exception(TimeoutError(110, "Connection timed out"))
    async with asyncio.timeout(PATIENCE):
        while not waiting(there, channel):  # what is sent before it is replaced is lost, as with a broker that restarts
            await here.group_send("match.1", {"type": "match.event"})
            await asyncio.sleep(0.05)
    assert await received(there, channel) == {"type": "match.event"}
