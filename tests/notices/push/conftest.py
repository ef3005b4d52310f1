"""A push service, devices that subscribed with it, and notices for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest

from accounts.models import User
from games.database import now
from notices.models import Device, Notice
from notices.services import devices
from tests.services import push_service
from tests.services.push_service import PushService


@pytest.fixture
def service(settings: Any) -> Iterator[PushService]:
    settings.PUSH_LOOPBACK = True
    with push_service.running() as running:
        yield running


@pytest.fixture
def subscribe(service: PushService) -> Callable[..., Device]:
    """A function that adds a device: `subscribe(ana, name="phone")`."""

    def add(user: User, **more: Any) -> Device:
        told = service.subscribe(devices.own_key().public)
        keys = told["keys"]
        return devices.device_add(
            user=user, endpoint=told["endpoint"], receiver=keys["p256dh"], auth=keys["auth"], **more
        )

    return add


@pytest.fixture
def notice(db: None) -> Callable[..., Notice]:
    """A function that writes a notice: `notice(ana, "your_move", "abc")`."""

    def write(user: User, kind: str = "your_move", key: str = "abcdefghjk", **more: Any) -> Notice:
        at: datetime = more.pop("at", now())
        facts = {"data": {"from": "bea"}, "url": f"/match/{key}/", "at": at, "push_due_at": at, **more}
        return Notice.objects.create(user=user, kind=kind, key=key, **facts)

    return write
