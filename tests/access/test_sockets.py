"""Every frame of every socket, from everybody who may come (docs/access.md)."""

from __future__ import annotations

import pytest

from tests.access import sockets
from tests.access.areas_of_sockets import COMERS, ROWS, Sent
from tests.access.table import LETTERS
from tests.access.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.looks]  # whoever asks, the rules are the same on PostgreSQL


def test_every_socket_and_every_command_has_a_row() -> None:
    assert sockets.without_row() == []
    assert sockets.kinds_without_row() == []


def test_a_row_says_what_everybody_gets() -> None:
    assert [str(row) for row in ROWS if len(row.letters) != len(COMERS) or set(row.letters) - set(LETTERS)] == []


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_everybody_is_answered_as_the_table_says(world: World, valkey: str, row: Sent) -> None:
    assert sockets.wrong_cells(world, row) == []
