"""What `hooks` keeps about a person, and how each of it goes: see accounts.data.

Events name nobody: they are ids and numbers, kept for a week.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from accounts import data
from accounts.box import keeps
from accounts.data import OTHERS, OWNED, Table
from hooks.models import Hook

data.keep(
    Table("hooks.Clerk", {}),
    Table("hooks.Mark", {}, plain=("subject", "status")),
    Table("hooks.Ear", {"user": OWNED}),
    Table("hooks.Event", {"by": OTHERS}, plain=("key", "kind", "subject", "data")),
    Table("hooks.Heard", {}, plain=("topic",)),
    Table("hooks.Hook", {"user": OWNED}, withheld=("secret_locked",)),
    Table("hooks.Delivery", {"hook__user": OWNED}),
)

keeps(
    "webhook",
    gettext_lazy("secrets of webhooks"),
    lambda: Hook.objects.values_list("secret_locked", flat=True).iterator(),
)
