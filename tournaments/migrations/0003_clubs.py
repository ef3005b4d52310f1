"""Nights that open themselves, and what a club keeps of matches over the board."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_clubs"),
        ("games", "0007_time"),
        ("tournaments", "0002_undo"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="books_version",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.CreateModel(
            name="NightTemplate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80, verbose_name="name")),
                ("terms", models.JSONField()),
                ("facts", models.JSONField(default=dict)),
                ("made_at", models.DateTimeField()),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="night_templates", to="accounts.club"
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["name", "pk"],
            },
        ),
        migrations.CreateModel(
            name="OutsideResult",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=80)),
                ("event", models.CharField(blank=True, default="", max_length=80)),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="outside_results", to="accounts.club"
                    ),
                ),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="outside_result", to="games.match"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Recurrence",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80, verbose_name="name")),
                ("rhythm", models.JSONField()),
                ("hour", models.TimeField()),
                ("opens_days", models.PositiveSmallIntegerField(default=6)),
                (
                    "status",
                    models.CharField(
                        choices=[("on", "runs"), ("paused", "paused"), ("stopped", "stopped")],
                        default="on",
                        max_length=8,
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "template",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="recurrences",
                        to="tournaments.nighttemplate",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Night",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("date", models.DateField()),
                ("why", models.CharField(blank=True, default="", max_length=40)),
                (
                    "tournament",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="night",
                        to="tournaments.tournament",
                    ),
                ),
                (
                    "recurrence",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="nights", to="tournaments.recurrence"
                    ),
                ),
            ],
            options={
                "ordering": ["date"],
            },
        ),
        migrations.AddConstraint(
            model_name="nighttemplate",
            constraint=models.UniqueConstraint(fields=("club", "name"), name="night_template_once"),
        ),
        migrations.AddConstraint(
            model_name="outsideresult",
            constraint=models.UniqueConstraint(fields=("club", "key"), name="outside_result_once"),
        ),
        migrations.AddIndex(
            model_name="recurrence",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="recurrence_due_at"
            ),
        ),
        migrations.AddConstraint(
            model_name="night",
            constraint=models.UniqueConstraint(fields=("recurrence", "date"), name="night_once"),
        ),
        migrations.CreateModel(
            name="ClubRecords",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("found", models.JSONField(default=dict)),
                ("counted_at", models.DateTimeField()),
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="records", to="accounts.club"
                    ),
                ),
            ],
        ),
    ]
