"""Time: pauses, reminders, until when the site was alive, and vacations."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0006_dice"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]
    operations = [
        migrations.AddField(model_name="match", name="pause", field=models.JSONField(blank=True, null=True)),
        migrations.AddField(model_name="match", name="remind_at", field=models.DateTimeField(blank=True, null=True)),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("remind_at__isnull", False)), fields=["remind_at"], name="match_remind_at"
            ),
        ),
        migrations.CreateModel(
            name="Alive",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("since", models.DateTimeField()),
            ],
            options={
                "verbose_name_plural": "alive",
                "constraints": [models.CheckConstraint(condition=models.Q(("id", 1)), name="alive_is_one_row")],
            },
        ),
        migrations.CreateModel(
            name="Vacation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("starts_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="vacations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["user", "starts_at"],
                "indexes": [models.Index(fields=["user", "-ends_at"], name="vacation_user_ends")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("ends_at__gte", models.F("starts_at"))),
                        name="vacation_ends_after_its_start",
                    )
                ],
            },
        ),
    ]
