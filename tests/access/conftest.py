"""The world of the matrix, built once for all its tests; a cell takes back what it wrote."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from tests.access.asking import quietly
from tests.access.world import World


@pytest.fixture(scope="package")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """The club's evening."""
    with quietly(), django_db_blocker.unblock(), transaction.atomic():
        yield World()
        transaction.set_rollback(True)
