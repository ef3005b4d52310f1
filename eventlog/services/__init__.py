"""The only writers of the event log, of subscriptions and of webhooks."""

from eventlog.services.deliveries import deliver
from eventlog.services.event_log import events_purge, events_record
from eventlog.services.subscriptions import kinds_of, subscribe, topics_of
from eventlog.services.webhooks import (
    delivery_repeat,
    webhook_add,
    webhook_change,
    webhook_ping,
    webhook_remove,
    webhook_secret_renew,
)

__all__ = [
    "deliver",
    "delivery_repeat",
    "events_purge",
    "events_record",
    "kinds_of",
    "subscribe",
    "topics_of",
    "webhook_add",
    "webhook_change",
    "webhook_ping",
    "webhook_remove",
    "webhook_secret_renew",
]
