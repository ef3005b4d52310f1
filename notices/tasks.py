"""What is sent without anybody's click. Every task may run zero or many times: the rows drive the work."""

from __future__ import annotations

from celery import shared_task

from notices import services
from notices.services import push


@shared_task
def sweep_pushes() -> int:
    """Hand on the notices that are due on somebody's devices."""
    return services.pushes_send()


@shared_task
def sweep_mails() -> int:
    """Send the digests that are due."""
    return services.mails_send()


@shared_task
def sweep_truth() -> int:
    """Take back the notices that are no longer true."""
    return services.notices_check()


@shared_task
def sweep_old() -> int:
    """Take back what leads to matches that are over, and delete what is old."""
    return services.notices_check_tables() + services.notices_forget()


@shared_task
def device_try(device_id: int) -> None:
    """Send a word to one device, for its owner to see that it arrives."""
    push.device_try(device_id=device_id)
