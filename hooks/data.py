"""What `hooks` keeps about a person, and how each of it goes: see accounts.data.

Events name nobody: they are ids and numbers, kept for a week.
"""

from __future__ import annotations

from accounts import data
from accounts.data import OTHERS, OWNED, Table

data.keep(
    Table("hooks.Clerk", {}),
    Table("hooks.Mark", {}, plain=("subject", "status")),
    Table("hooks.Ear", {"user": OWNED}),
    Table("hooks.Event", {"by": OTHERS}, plain=("key", "kind", "subject", "data")),
    Table("hooks.Heard", {}, plain=("topic",)),
    Table("hooks.Hook", {"user": OWNED}, withheld=("secret_locked",)),
    Table("hooks.Delivery", {"hook__user": OWNED}),
)
