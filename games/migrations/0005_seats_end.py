"""Seats of finished matches learn when their match ended."""

from __future__ import annotations

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import OuterRef, Subquery


def copy(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """`ended_at` of the match of each seat, where it is over."""
    match, seat = apps.get_model("games", "Match"), apps.get_model("games", "Seat")
    ended = match.objects.filter(pk=OuterRef("match")).values("ended_at")
    seat.objects.filter(match__status="over", ended_at=None).update(ended_at=Subquery(ended))


class Migration(migrations.Migration):
    dependencies = [("games", "0004_ratings_ladders_history")]
    operations = [migrations.RunPython(copy, migrations.RunPython.noop)]
