"""Presence: when each seat was last heard, which matches can be adjourned, and when a web process last began."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

ENDED_BY = [
    ("score", "on points"),
    ("resign", "by resignation"),
    ("flag", "on time"),
    ("ended", "by agreement"),
    ("unfinished", "unfinished"),
    ("stopped", "called off"),
    ("absent", "by absence"),
]


def in_one_sitting(apps: Any, schema_editor: Any) -> None:
    """Matches that organisers have arranged and that are still to be played: they pause those themselves."""
    matches = apps.get_model("games", "Match").objects.filter(arranged=True, from_url__startswith="/tournaments/")
    matches.filter(status__in=("open", "live")).update(adjournable=False)


class Migration(migrations.Migration):
    dependencies = [("games", "0007_time")]
    operations = [
        migrations.AddField(model_name="seat", name="seen_at", field=models.DateTimeField(blank=True, null=True)),
        migrations.AddField(model_name="match", name="adjournable", field=models.BooleanField(default=True)),
        migrations.AddField(model_name="alive", name="begun_at", field=models.DateTimeField(blank=True, null=True)),
        migrations.RunPython(in_one_sitting, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name="match",
            name="ended_by",
            field=models.CharField(blank=True, choices=ENDED_BY, default="", max_length=10),
        ),
    ]
