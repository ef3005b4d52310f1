"""What is asked for while a read is under way is read together by the next one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from games.group_read import MAX_READS, GroupRead, NotWanted

pytestmark = pytest.mark.django_db


class Reads:
    """`read` notes what is asked for; `boards` of ten are not there, and with `away` nothing is."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []
        self.away = False

    def read(self, keys: Sequence[int]) -> list[str | Exception]:
        self.groups.append(list(keys))
        if self.away:
            raise ConnectionError("the database is away")
        return [KeyError(key) if key == 10 else f"board {key}" for key in keys]


def asked(reads: Reads, *keys: int, unwanted: tuple[int, ...] = ()) -> list[Any]:
    """The answers to keys that are asked for at once, errors in their places."""

    async def scene() -> list[Any]:
        group = GroupRead(reads.read)
        return await asyncio.gather(
            *(group.ask(key, lambda key=key: key not in unwanted) for key in keys),  # type: ignore[misc]
            return_exceptions=True,
        )

    return asyncio.run(scene())


def test_keys_that_are_asked_for_at_once_are_one_read_and_each_gets_its_answer() -> None:
    reads = Reads()
    assert asked(reads, 1, 2, 3) == ["board 1", "board 2", "board 3"]
    assert reads.groups == [[1, 2, 3]]


def test_a_key_that_is_asked_for_during_a_read_waits_for_the_next_one() -> None:
    reads = Reads()
    group: GroupRead[int, str]

    async def scene() -> list[str]:
        nonlocal group
        group = GroupRead(reads.read)
        first = asyncio.ensure_future(group.ask(1))
        await asyncio.sleep(0)  # the read has begun
        await asyncio.sleep(0)
        return [await first, *await asyncio.gather(group.ask(2), group.ask(3))]

    assert asyncio.run(scene()) == ["board 1", "board 2", "board 3"]
    assert reads.groups == [[1], [2, 3]]


def test_an_error_is_that_of_its_key_alone() -> None:
    first, second = asked(Reads(), 10, 2)
    assert isinstance(first, KeyError)
    assert second == "board 2"


def test_a_read_that_fails_fails_for_all_of_its_group() -> None:
    reads = Reads()
    reads.away = True
    assert [str(answer) for answer in asked(reads, 1, 2)] == ["the database is away"] * 2


def test_what_nobody_waits_for_is_not_read() -> None:
    reads = Reads()
    first, second = asked(reads, 1, 2, unwanted=(1,))
    assert isinstance(first, NotWanted)
    assert second == "board 2"
    assert reads.groups == [[2]]


def test_a_crowd_is_read_in_groups() -> None:
    reads = Reads()
    assert len(asked(reads, *range(100, 100 + MAX_READS + 1))) == MAX_READS + 1
    assert [len(group) for group in reads.groups] == [MAX_READS, 1]
