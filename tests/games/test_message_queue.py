"""The queue of a socket: one reader, in order, whenever the messages come."""

from __future__ import annotations

import asyncio

from games.message_queue import MessageQueue


async def test_messages_come_out_in_their_order() -> None:
    queue = MessageQueue()
    queue.put_nowait({"n": 1})
    queue.put_nowait({"n": 2})
    assert len(queue) == 2
    assert await queue.get() == {"n": 1}
    queue.put_nowait({"n": 3})
    assert len(queue) == 2
    assert [await queue.get(), await queue.get()] == [{"n": 2}, {"n": 3}]
    assert len(queue) == 0


async def test_a_reader_who_waits_gets_the_next_message() -> None:
    queue = MessageQueue()
    reading = asyncio.create_task(queue.get())
    await asyncio.sleep(0)
    queue.put_nowait({"n": 1})
    queue.put_nowait({"n": 2})  # before the reader runs again
    assert await reading == {"n": 1}
    assert await queue.get() == {"n": 2}


async def test_a_reader_who_gave_up_takes_no_message() -> None:
    queue = MessageQueue()
    reading = asyncio.create_task(queue.get())
    await asyncio.sleep(0)
    queue.put_nowait({"n": 1})
    reading.cancel()
    await asyncio.wait([reading])
    assert reading.cancelled()
    queue.put_nowait({"n": 2})
    assert [await queue.get(), await queue.get()] == [{"n": 1}, {"n": 2}]
