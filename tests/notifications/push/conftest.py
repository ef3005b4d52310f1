"""A push service, devices that subscribed with it, and notifications for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest

from accounts.models import User
from games.database import now
from notifications.models import Notification, PushDevice
from notifications.services import devices
from tests.services import push_service
from tests.services.push_service import PushService


@pytest.fixture
def service(settings: Any) -> Iterator[PushService]:
    settings.PUSH_LOOPBACK = True
    with push_service.running() as running:
        yield running


@pytest.fixture
def subscribe(service: PushService) -> Callable[..., PushDevice]:
    """Return a function that adds a device: `subscribe(ana, name="phone")`."""

    def add(user: User, **more: Any) -> PushDevice:
        subscription = service.subscribe(devices.vapid_key().public)
        keys = subscription["keys"]
        return devices.device_add(
            user=user, endpoint=subscription["endpoint"], receiver=keys["p256dh"], auth=keys["auth"], **more
        )

    return add


@pytest.fixture
def notify(db: None) -> Callable[..., Notification]:
    """Return a function that creates a notification: `notify(ana, "your_move", "abc")`."""

    def write(user: User, kind: str = "your_move", key: str = "abcdefghjk", **more: Any) -> Notification:
        at: datetime = more.pop("at", now())
        facts = {"data": {"from": "bea"}, "url": f"/match/{key}/", "at": at, "push_due_at": at, **more}
        return Notification.objects.create(user=user, kind=kind, key=key, **facts)

    return write
