"""Round trips to other processes, as play makes them: a message through the channel layer, a call to the workers."""

from __future__ import annotations

import asyncio
import secrets
import time
from typing import Any

from asgiref.sync import async_to_sync
from channels import DEFAULT_CHANNEL_LAYER
from channels.layers import ChannelLayerManager

TIMEOUT = 3.0  # seconds


def message_ms() -> float | None:
    """Return the milliseconds that a message takes between two channel layers; None if it does not arrive."""
    return async_to_sync(_message_ms)()


async def _message_ms() -> float | None:
    sender, receiver = (ChannelLayerManager()[DEFAULT_CHANNEL_LAYER] for _ in range(2))
    group = f"doctor.{secrets.token_hex(8)}"
    try:
        async with asyncio.timeout(TIMEOUT):
            channel = await receiver.new_channel()
            await receiver.group_add(group, channel)
            received = asyncio.create_task(receiver.receive(channel))
            began = time.perf_counter()
            while not received.done():  # the subscription may take a moment
                await sender.group_send(group, {"type": "doctor.hello"})
                began = time.perf_counter()
                await asyncio.wait([received], timeout=0.2)
            await received
            return (time.perf_counter() - began) * 1000
    except Exception:
        return None
    finally:
        for layer in (sender, receiver):
            await _close(layer)


async def _close(layer: Any) -> None:
    close = getattr(layer, "flush", None)
    if close is not None:
        try:
            async with asyncio.timeout(1.0):
                await close()
        except Exception:
            return


def queues_by_worker() -> dict[str, set[str]]:
    """Return the workers that respond within some seconds, and the queues that each serves."""
    from celery import current_app

    answers = current_app.control.inspect(timeout=TIMEOUT / 2).active_queues() or {}
    return {name: {queue["name"] for queue in queues} for name, queues in answers.items()}
