"""What happens without anybody's click. Every task may run zero or many times: the rows drive the work."""

from __future__ import annotations

from celery import shared_task

from eventlog import services


@shared_task
def sweep_events() -> int:
    """Record what has happened since the last comparison, as far as somebody is subscribed."""
    return services.events_record()


@shared_task
def sweep_deliveries() -> int:
    """Send what is due at webhooks."""
    return services.deliver()


@shared_task
def sweep_old() -> int:
    """Delete the events of more than a week ago."""
    return services.events_purge()
