"""What a test opens in the thread of async code is closed when it ends: see `_closed_connections`."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async
from channels.db import aclose_old_connections
from django.db import connection

from accounts.models import User


@pytest.mark.django_db(transaction=True)
async def test_a_query_opens_a_connection() -> None:
    assert await User.objects.acount() == 0
    assert await sync_to_async(lambda: connection.connection is not None)()


async def test_a_later_test_has_none_and_a_consumer_closes_nothing() -> None:
    assert await sync_to_async(lambda: connection.connection)() is None
    await aclose_old_connections()
