"""Delivery of messages to the sockets: at once from a worker, or by the event loop on behalf of its database thread."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from games import traces
from games.channel_layer import LocalFirstChannelLayer

log = logging.getLogger(__name__)

GroupMessage = tuple[str, dict[str, Any]]

TIMEOUT = 1.0  # seconds, where a caller waits for it
BACKGROUND_TIMEOUT = 10.0  # seconds, of a loop that may itself be busy for a second when a thousand clients reconnect

_under_way: set[asyncio.Task[None]] = set()  # the loop itself keeps only weak references
_collected: ContextVar[list[GroupMessage] | None] = ContextVar("collected", default=None)


@contextmanager
def collecting() -> Iterator[list[GroupMessage]]:
    """Collect the messages of this block for `deliver` instead of sending them."""
    messages: list[GroupMessage] = []
    token = _collected.set(messages)
    try:
        yield messages
    finally:
        _collected.reset(token)


def send(group: str, message: dict[str, Any]) -> None:
    """Send a message to a group, or add it to those that are collected."""
    messages = _collected.get()
    if messages is None:
        async_to_sync(deliver)([(group, message)])
    else:
        messages.append((group, message))


def deliver_in_background(messages: list[GroupMessage]) -> None:
    """Deliver messages in the background of the running loop, in the order of the calls."""
    if messages:
        _run_in_background(deliver(messages, timeout=BACKGROUND_TIMEOUT))


def _run_in_background(delivery: Coroutine[Any, Any, None]) -> None:
    task = asyncio.get_running_loop().create_task(delivery)
    _under_way.add(task)
    task.add_done_callback(_under_way.discard)


def deliver_batch(messages: list[GroupMessage], of: Sequence[traces.Trace | None] = ()) -> None:
    """Deliver messages to the sockets of this process at once, and to all others in the background.

    `of` are the traces of the acts that they tell.
    """
    layer = get_channel_layer()
    if not isinstance(layer, LocalFirstChannelLayer):
        deliver_in_background(messages)
        return
    if traces.active is None:
        layer.deliver_here(messages)
    else:
        with traces.active.step("send to sockets here", of):
            layer.deliver_here(messages)
    _run_in_background(_publish(layer, messages, of))


async def _publish(
    layer: LocalFirstChannelLayer, messages: list[GroupMessage], of: Sequence[traces.Trace | None]
) -> None:
    if traces.active is None:
        await _publish_batch(layer, messages)
        return
    with traces.active.step("publish to the broker", of):
        await _publish_batch(layer, messages)


async def _publish_batch(layer: LocalFirstChannelLayer, messages: list[GroupMessage]) -> None:
    try:
        async with asyncio.timeout(BACKGROUND_TIMEOUT):
            await layer.publish_batch(messages)
    except Exception as error:
        log.warning("no broker to send %d messages to other processes: %s", len(messages), error)


def is_delivering() -> bool:
    """Whether messages in the background are still neither delivered nor lost."""
    return bool(_under_way)


async def deliver(messages: list[GroupMessage], *, timeout: float = TIMEOUT) -> None:
    """Deliver messages in their order. A broker that is away loses them: rows are written, heartbeats heal the rest.

    A broker that does not answer costs no more than `timeout` seconds: a whole small site may wait here.
    """
    if traces.active is None:
        await _deliver(messages, timeout)
        return
    with traces.active.step("send to sockets and broker", [traces.current.get()]):
        await _deliver(messages, timeout)


async def _deliver(messages: list[GroupMessage], timeout: float) -> None:
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        async with asyncio.timeout(timeout):
            for group, message in messages:
                try:
                    await layer.group_send(group, message)
                except TimeoutError:
                    raise
                except Exception as error:
                    log.warning("no broker to send to %s: %s", group, error)
    except TimeoutError:
        log.warning("the broker does not answer: %d messages may be lost", len(messages))
