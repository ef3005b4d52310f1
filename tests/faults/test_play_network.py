"""The proxy and the frame faults work: fragments, black holes, resets; frames duplicated, delayed, lost."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from tools.faults.play.frame_faults import FrameFaults
from tools.faults.play.network import NetworkConditions, Proxy

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def proxy_ends(network: NetworkConditions) -> AsyncIterator[tuple[Proxy, Ends]]:
    """A proxy to a server that echoes everything, and one connection through it."""

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(100):
                writer.write(piece)
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    proxy = Proxy("127.0.0.1", server.sockets[0].getsockname()[1], network, random.Random(1))
    await proxy.open()
    reader, writer = await asyncio.open_connection("127.0.0.1", int(proxy.url.rsplit(":", 1)[1]))
    try:
        yield proxy, (reader, writer)
    finally:
        writer.transport.abort()
        await proxy.close()
        server.close()


async def echoed(ends: Ends, text: bytes) -> bytes:
    ends[1].write(text)
    return await asyncio.wait_for(ends[0].readexactly(len(text)), 60)


async def test_every_byte_arrives_in_order_even_in_small_chunks() -> None:
    network = NetworkConditions()
    async with proxy_ends(network) as (_, ends):
        assert await echoed(ends, b"8/5 6/5") == b"8/5 6/5"
        network.crumb = 2
        assert await echoed(ends, bytes(range(200))) == bytes(range(200))


async def test_a_black_hole_drops_everything_and_closes_nothing() -> None:
    async with proxy_ends(NetworkConditions()) as (proxy, ends):
        await echoed(ends, b"roll")
        proxy.sample(1)[0].hole = True
        ends[1].write(b"roll")

        with pytest.raises(TimeoutError):
            await asyncio.wait_for(ends[0].read(1), 0.2)


async def test_a_reset_is_not_a_clean_close() -> None:
    async with proxy_ends(NetworkConditions()) as (proxy, ends):
        await echoed(ends, b"roll")
        proxy.sample(1)[0].reset()

        with pytest.raises(ConnectionResetError):
            await asyncio.wait_for(ends[0].read(1), 60)


FRAMES = [{"n": n} for n in range(300)]


def sent(kind: str | None) -> list[int]:
    post = FrameFaults(random.Random(1))
    post.kind = kind
    return [passed["n"] for frame in FRAMES for passed in post.through(frame, "out")]


def test_without_a_fault_frames_pass_once_and_in_order() -> None:
    assert sent(None) == list(range(300))


def test_frames_are_duplicated() -> None:
    assert len(sent("duplicated")) > 350
    assert sorted(set(sent("duplicated"))) == list(range(300))


def test_delayed_frames_arrive_later() -> None:
    numbers = sent("reordered")

    assert numbers != sorted(numbers)
    assert len(numbers) == len(set(numbers)) > 295


def test_frames_are_lost() -> None:
    assert len(sent("lost")) < 250
    assert sent("lost") == sorted(set(sent("lost")))
