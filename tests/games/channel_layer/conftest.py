"""Two channel layers, which represent two processes at one broker: the `host` that each module defines."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from games.channel_layer import LocalFirstChannelLayer, broker_connection
from tests.patient_sockets import PATIENCE


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker is away only when it is stopped: on a machine that pauses for seconds it has not lost what was sent."""
    monkeypatch.setattr(broker_connection, "ANSWER_SECONDS", PATIENCE)


@pytest.fixture
async def here(host: dict[str, Any]) -> AsyncIterator[LocalFirstChannelLayer]:
    layer = LocalFirstChannelLayer(hosts=[host], prefix="hub")
    yield layer
    await layer.flush()


@pytest.fixture
async def there(host: dict[str, Any]) -> AsyncIterator[LocalFirstChannelLayer]:
    layer = LocalFirstChannelLayer(hosts=[host], prefix="hub")
    yield layer
    await layer.flush()
