"""What an event loop has one of: a web process has one loop, the tests have many, one after another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def of_loop(make: Callable[[], T]) -> Callable[[], T]:
    """A function that gives the running loop its own, made at the first call; those of closed loops are dropped."""
    made: dict[asyncio.AbstractEventLoop, T] = {}

    def here() -> T:
        loop = asyncio.get_running_loop()
        if loop not in made:
            for closed in [each for each in made if each.is_closed()]:
                del made[closed]
            made[loop] = make()
        return made[loop]

    return here
