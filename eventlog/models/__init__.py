"""The tables of the event log and of webhooks."""

from eventlog.models.events import Checkpoint, Event, EventLog, Subscription, Topic
from eventlog.models.webhooks import Delivery, Webhook

__all__ = ["Checkpoint", "Delivery", "Event", "EventLog", "Subscription", "Topic", "Webhook"]
