"""Chat preferences, and reading a warning."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from chat import notify
from chat.models import ChatPreferences, Sanction
from games.database import now
from games.models import Match, Seat

FIELDS = ("level", "hide_watchers", "announce")


def preferences_set(*, user: User, **preferences: object) -> ChatPreferences:
    """Save some of a user's chat preferences (`FIELDS`). Their current opponents learn whether they may write."""
    with transaction.atomic():
        row, _ = ChatPreferences.objects.get_or_create(user=user)
        changed = {name: value for name, value in preferences.items() if name in FIELDS and getattr(row, name) != value}
        for name, value in changed.items():
            setattr(row, name, value)
        if changed:
            row.save(update_fields=list(changed))
            notify.person_changed(user.pk)
        if "level" in changed:
            for match_id in Seat.objects.filter(user=user, match__status=Match.Status.LIVE).values_list(
                "match", flat=True
            ):
                notify.table_changed(match_id)
    return row


def warning_read(*, user: User, sanction_id: int) -> None:
    """Mark a warning as read: the user may write again. Idempotent."""
    with transaction.atomic():
        rows = Sanction.objects.filter(pk=sanction_id, user=user, kind=Sanction.Kind.WARNING, read_at=None)
        if rows.update(read_at=now()):
            notify.person_changed(user.pk)
