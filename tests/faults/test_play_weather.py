"""What stands between the bots and the house does what it says: crumbs, holes, resets; frames twice, late, never."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from tests.faults.play.post import Post
from tests.faults.play.weather import Door, Weather

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def door(weather: Weather) -> AsyncIterator[tuple[Door, Ends]]:
    """A door to a server that says everything back, and one connection through it."""

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(100):
                writer.write(piece)
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    entrance = Door("127.0.0.1", server.sockets[0].getsockname()[1], weather, random.Random(1))
    await entrance.open()
    reader, writer = await asyncio.open_connection("127.0.0.1", int(entrance.url.rsplit(":", 1)[1]))
    try:
        yield entrance, (reader, writer)
    finally:
        writer.transport.abort()
        await entrance.close()
        server.close()


async def said(ends: Ends, text: bytes) -> bytes:
    ends[1].write(text)
    return await asyncio.wait_for(ends[0].readexactly(len(text)), 30)


async def test_in_fair_weather_and_in_crumbs_every_byte_comes_in_its_order() -> None:
    weather = Weather()
    async with door(weather) as (_, ends):
        assert await said(ends, b"8/5 6/5") == b"8/5 6/5"
        weather.crumb = 2
        assert await said(ends, bytes(range(200))) == bytes(range(200))


async def test_a_hole_swallows_everything_and_closes_for_nobody() -> None:
    async with door(Weather()) as (entrance, ends):
        await said(ends, b"roll")
        entrance.some(1)[0].hole = True
        ends[1].write(b"roll")

        with pytest.raises(TimeoutError):
            await asyncio.wait_for(ends[0].read(1), 0.2)


async def test_a_reset_is_no_goodbye() -> None:
    async with door(Weather()) as (entrance, ends):
        await said(ends, b"roll")
        entrance.some(1)[0].reset()

        with pytest.raises(ConnectionResetError):
            await asyncio.wait_for(ends[0].read(1), 30)


FRAMES = [{"n": n} for n in range(300)]


def sent(mischief: str | None) -> list[int]:
    post = Post(random.Random(1))
    post.mischief = mischief
    return [passed["n"] for frame in FRAMES for passed in post.through(frame, "out")]


def test_frames_go_once_and_in_order_in_fair_weather() -> None:
    assert sent(None) == list(range(300))


def test_frames_are_duplicated() -> None:
    assert len(sent("duplicated")) > 350
    assert sorted(set(sent("duplicated"))) == list(range(300))


def test_frames_come_late_but_come() -> None:
    numbers = sent("reordered")

    assert numbers != sorted(numbers)
    assert len(numbers) == len(set(numbers)) > 295


def test_frames_are_lost() -> None:
    assert len(sent("lost")) < 250
    assert sent("lost") == sorted(set(sent("lost")))
