"""Two channel layers, which represent two processes at one broker: the `host` that each module defines."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from games.channel_layer import LocalFirstChannelLayer


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
