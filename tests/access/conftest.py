"""The data of the matrix, created once for all its tests; each cell rolls back its writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from tests.access.cell_check import quietly
from tests.access.world import World


@pytest.fixture(scope="package")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """The data of the matrix."""
    with quietly(), django_db_blocker.unblock(), transaction.atomic():
        yield World()
        transaction.set_rollback(True)
