"""One instance for each event loop."""

from __future__ import annotations

import asyncio

from games.event_loop import per_event_loop


def test_a_loop_keeps_its_own_and_those_of_closed_loops_are_dropped() -> None:
    made: list[object] = []

    def make() -> object:
        made.append(object())
        return made[-1]

    here = per_event_loop(make)

    async def twice() -> bool:
        return here() is here()

    assert asyncio.run(twice())
    assert asyncio.run(twice())
    assert len(made) == 2
