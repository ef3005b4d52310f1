"""Every page and every GET response, rendered in full on PostgreSQL.

How pages look and what they say is asked on SQLite alone; here each is made for the one who sees the most of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from tests.access import matrix
from tests.access.cell_check import quietly
from tests.access.matrix_format import Area
from tests.access.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """The data whose pages are rendered."""
    with quietly(rendered=True), django_db_blocker.unblock(), transaction.atomic():
        yield World()
        transaction.set_rollback(True)


@pytest.mark.parametrize("area", matrix.load_areas(), ids=lambda area: area.name)
def test_every_page_shows_its_content(world: World, area: Area) -> None:
    assert matrix.failing_pages(world, area) == []
