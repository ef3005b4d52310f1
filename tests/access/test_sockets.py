"""Every frame of every socket, from every actor (docs/access.md)."""

from __future__ import annotations

import pytest

from tests.access import sockets
from tests.access.matrix_format import LETTERS
from tests.access.socket_rows import ROWS, SOCKET_ACTORS, Sent
from tests.access.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.looks]  # the permissions are the same on PostgreSQL


def test_every_socket_and_every_command_has_a_row() -> None:
    assert sockets.without_row() == []
    assert sockets.kinds_without_row() == []


def test_a_row_names_an_outcome_for_every_actor() -> None:
    assert [str(row) for row in ROWS if len(row.letters) != len(SOCKET_ACTORS) or set(row.letters) - set(LETTERS)] == []


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_every_actor_is_answered_as_the_table_says(world: World, valkey: str, row: Sent) -> None:
    assert sockets.wrong_cells(world, row) == []
