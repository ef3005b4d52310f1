"""One object for each event loop: a web process has one loop, the tests have many, one after another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def per_event_loop(make: Callable[[], T]) -> Callable[[], T]:
    """A function that returns the object of the running loop, made at the first call; closed loops lose theirs."""
    made: dict[asyncio.AbstractEventLoop, T] = {}

    def current() -> T:
        loop = asyncio.get_running_loop()
        if loop not in made:
            for closed in [each for each in made if each.is_closed()]:
                del made[closed]
            made[loop] = make()
        return made[loop]

    return current
