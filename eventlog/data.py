"""What `eventlog` keeps about a person, and how each of it goes: see accounts.privacy.registry.

Events name nobody: they are ids and numbers, kept for a week.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from accounts.privacy import registry as data_registry
from accounts.privacy.registry import OTHERS, OWNED, Table
from accounts.web.encryption import register_encrypted_texts
from eventlog.models import Webhook

data_registry.register_tables(
    Table("eventlog.EventLog", {}),
    Table("eventlog.Checkpoint", {}, plain=("subject", "status")),
    Table("eventlog.Subscription", {"user": OWNED}),
    Table("eventlog.Event", {"by": OTHERS}, plain=("key", "kind", "subject", "data")),
    Table("eventlog.Topic", {}, plain=("topic",)),
    Table("eventlog.Webhook", {"user": OWNED}, withheld=("secret_locked",)),
    Table("eventlog.Delivery", {"hook__user": OWNED}),
)

register_encrypted_texts(
    "webhook",
    gettext_lazy("webhook secrets"),
    lambda: Webhook.objects.values_list("secret_locked", flat=True).iterator(),
)
