"""The only writers of the log of events, of ears and of webhooks."""

from hooks.services.clerk import events_forget, events_take
from hooks.services.deliveries import deliver
from hooks.services.ears import kinds_of, listen, topics_of
from hooks.services.hooks import delivery_again, hook_add, hook_change, hook_remove, hook_secret_renew, hook_try

__all__ = [
    "deliver",
    "delivery_again",
    "events_forget",
    "events_take",
    "hook_add",
    "hook_change",
    "hook_remove",
    "hook_secret_renew",
    "hook_try",
    "kinds_of",
    "listen",
    "topics_of",
]
