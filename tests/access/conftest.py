"""The world of the matrix, built once for a process; a cell takes back what it wrote."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.test import override_settings

from tests.access.asking import undrawn
from tests.access.world import World


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """The club's evening."""
    strict = override_settings(STAFF_SECOND_STEP=True)  # as on a real site
    with strict, django_db_blocker.unblock(), transaction.atomic():
        yield World()
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Refusals are what is asked for; and what a page looks like is asked by the tests of the pages."""
    log = logging.getLogger("django.request")
    before = log.level
    log.setLevel(logging.CRITICAL)
    with undrawn():
        yield
    log.setLevel(before)
