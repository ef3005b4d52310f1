"""How a person wants to be talked to, and that he has read what the moderators wrote."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from games.database import now
from games.models import Match, Seat
from talk import notify
from talk.models import Sanction, Wishes

FIELDS = ("level", "hide_watchers", "announce")


def wishes_set(*, user: User, **wishes: object) -> Wishes:
    """Keep some of a person's wishes (`FIELDS`). His rivals of the moment learn whether they may write to him."""
    with transaction.atomic():
        row, _ = Wishes.objects.get_or_create(user=user)
        changed = {name: value for name, value in wishes.items() if name in FIELDS and getattr(row, name) != value}
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
    """The person has read a warning: he may write again. To say so again changes nothing."""
    with transaction.atomic():
        rows = Sanction.objects.filter(pk=sanction_id, user=user, kind=Sanction.Kind.WARNING, read_at=None)
        if rows.update(read_at=now()):
            notify.person_changed(user.pk)
