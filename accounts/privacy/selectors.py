"""Read a person's data exports."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone as clock

from accounts.models import DataExport, User

Status = DataExport.Status
REQUEST_INTERVAL = timedelta(days=1)
RETENTION = timedelta(days=7)
"""How long a finished archive is kept, and its link works."""


def latest_export(user: User) -> DataExport | None:
    """The export that the user requested last, without its body."""
    return DataExport.objects.filter(user=user).defer("body").order_by("-asked_at").first()


def may_request(last: DataExport | None) -> bool:
    """Whether another archive can be requested after `last`: one a day, failed ones not counted."""
    return last is None or last.status == Status.FAILED or last.asked_at <= clock.now() - REQUEST_INTERVAL


def ready_export(user: User, export_id: int) -> DataExport | None:
    """An archive of `user` that can be downloaded, with its body."""
    rows = DataExport.objects.filter(user=user, pk=export_id, status=Status.READY)
    return rows.filter(touched_at__gte=clock.now() - RETENTION).first()
