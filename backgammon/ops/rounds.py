"""Two questions to other processes, as play asks them: a message through the channel layer, a call to the workers."""

from __future__ import annotations

import asyncio
import secrets
import time
from typing import Any

from asgiref.sync import async_to_sync
from channels import DEFAULT_CHANNEL_LAYER
from channels.layers import ChannelLayerManager

PATIENCE = 3.0  # seconds


def message() -> float | None:
    """Milliseconds of a message from one layer to another through the broker; None when it does not come."""
    return async_to_sync(_message)()


async def _message() -> float | None:
    one, other = (ChannelLayerManager()[DEFAULT_CHANNEL_LAYER] for _ in range(2))
    group = f"doctor.{secrets.token_hex(8)}"
    try:
        async with asyncio.timeout(PATIENCE):
            channel = await other.new_channel()
            await other.group_add(group, channel)
            heard = asyncio.create_task(other.receive(channel))
            began = time.perf_counter()
            while not heard.done():  # the subscription may take a moment
                await one.group_send(group, {"type": "doctor.hello"})
                began = time.perf_counter()
                await asyncio.wait([heard], timeout=0.2)
            await heard
            return (time.perf_counter() - began) * 1000
    except Exception:
        return None
    finally:
        for each in (one, other):
            await _shut(each)


async def _shut(layer: Any) -> None:
    close = getattr(layer, "flush", None)
    if close is not None:
        try:
            async with asyncio.timeout(1.0):
                await close()
        except Exception:
            return


def workers() -> dict[str, set[str]]:
    """The workers that answer within some seconds, and the queues that each serves."""
    from celery import current_app

    answers = current_app.control.inspect(timeout=PATIENCE / 2).active_queues() or {}
    return {name: {queue["name"] for queue in queues} for name, queues in answers.items()}
