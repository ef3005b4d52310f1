"""What is sent without anybody's click. Every task may run zero or many times: the rows drive the work."""

from __future__ import annotations

from celery import shared_task

from notifications import services
from notifications.services import push


@shared_task
def sweep_pushes() -> int:
    """Send the notifications that are due on devices."""
    return services.pushes_send()


@shared_task
def sweep_mails() -> int:
    """Send the digests that are due."""
    return services.digests_send()


@shared_task
def sweep_expired() -> int:
    """Expire the notifications that are no longer true."""
    return services.notifications_expire()


@shared_task
def sweep_old() -> int:
    """Take back what leads to matches that are over, and delete what is old."""
    return services.notifications_expire_at_tables() + services.notifications_purge()


@shared_task
def device_try(device_id: int) -> None:
    """Send a test message to one device."""
    push.device_try(device_id=device_id)
