"""Letters to the sockets: sent at once from a worker, or by the event loop on behalf of its database thread."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

log = logging.getLogger(__name__)

Letter = tuple[str, dict[str, Any]]

PATIENCE = 1.0  # seconds, where somebody waits for it
LONG_PATIENCE = 10.0  # in the background of a loop, which may itself be busy for a second when a thousand come back

_under_way: set[asyncio.Task[None]] = set()  # the loop itself keeps only weak references
_letters: ContextVar[list[Letter] | None] = ContextVar("letters", default=None)


@contextmanager
def collecting() -> Iterator[list[Letter]]:
    """Within this block letters are kept for `deliver` instead of being sent."""
    letters: list[Letter] = []
    token = _letters.set(letters)
    try:
        yield letters
    finally:
        _letters.reset(token)


def send(group: str, message: dict[str, Any]) -> None:
    """Send a message to a group, or keep it for the event loop that collects."""
    letters = _letters.get()
    if letters is None:
        async_to_sync(deliver)([(group, message)])
    else:
        letters.append((group, message))


def post(letters: list[Letter]) -> None:
    """Send letters in the background of the running loop, in the order of the calls."""
    if letters:
        task = asyncio.get_running_loop().create_task(deliver(letters, patience=LONG_PATIENCE))
        _under_way.add(task)
        task.add_done_callback(_under_way.discard)


def is_posting() -> bool:
    """Whether letters that were posted are still neither delivered nor lost."""
    return bool(_under_way)


async def deliver(letters: list[Letter], *, patience: float = PATIENCE) -> None:
    """Send letters in their order. A broker that is away loses them: rows are written, heartbeats heal the rest.

    One that is there and says nothing costs no more than `patience` seconds: a whole small site may wait here.
    """
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        async with asyncio.timeout(patience):
            for group, message in letters:
                try:
                    await layer.group_send(group, message)
                except TimeoutError:
                    raise
                except Exception as error:
                    log.warning("no broker to tell %s: %s", group, error)
    except TimeoutError:
        log.warning("the broker says nothing: %d letters may be lost", len(letters))
