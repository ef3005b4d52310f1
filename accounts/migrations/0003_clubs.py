"""Clubs say who they are, who may join and what counts; the default club stays open to everybody."""

import accounts.models
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def open_the_default(apps, schema_editor):
    facts = {"joining": "open", "makers": "members", "timezone": settings.TIME_ZONE}
    apps.get_model("accounts", "Club").objects.filter(is_default=True).update(**facts)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_default_club"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="about",
            field=models.TextField(blank=True, default="", max_length=2000, verbose_name="about the club"),
        ),
        migrations.AddField(
            model_name="club",
            name="joining",
            field=models.CharField(
                choices=[
                    ("open", "Anybody may join"),
                    ("ask", "One asks, and an owner answers"),
                    ("invited", "By invitation"),
                ],
                default="ask",
                max_length=8,
                verbose_name="how one joins",
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="makers",
            field=models.CharField(
                choices=[("directors", "Directors"), ("members", "Any member")],
                default="directors",
                max_length=10,
                verbose_name="who opens events",
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="meets",
            field=models.CharField(blank=True, default="", max_length=120, verbose_name="when it meets"),
        ),
        migrations.AddField(
            model_name="club",
            name="outside",
            field=models.BooleanField(default=False, verbose_name="results over the board count for the ratings"),
        ),
        migrations.AddField(
            model_name="club",
            name="place",
            field=models.CharField(blank=True, default="", max_length=120, verbose_name="place"),
        ),
        migrations.AddField(
            model_name="club",
            name="rated",
            field=models.CharField(
                choices=[("all", "All of them"), ("choose", "As the director chooses"), ("none", "None")],
                default="choose",
                max_length=8,
                verbose_name="rated events",
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="timezone",
            field=models.CharField(default="UTC", max_length=64, verbose_name="time zone"),
        ),
        migrations.AddField(
            model_name="club",
            name="website",
            field=models.URLField(blank=True, default="", verbose_name="web page"),
        ),
        migrations.AddField(
            model_name="membership",
            name="until",
            field=models.DateField(blank=True, null=True, verbose_name="member until"),
        ),
        migrations.CreateModel(
            name="ClubEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=16)),
                ("data", models.JSONField(blank=True, default=dict)),
                ("at", models.DateTimeField()),
                (
                    "about",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="events", to="accounts.club"
                    ),
                ),
            ],
            options={
                "ordering": ["-at", "-pk"],
                "indexes": [models.Index(fields=["club", "-at", "-id"], name="club_event_last")],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "token",
                    models.CharField(default=accounts.models.new_token, editable=False, max_length=32, unique=True),
                ),
                ("made_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("most_uses", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("uses", models.PositiveSmallIntegerField(default=0)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("email", models.EmailField(blank=True, default="", max_length=254)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="accounts.club"
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["-made_at", "-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("most_uses", None), ("uses__lte", models.F("most_uses")), _connector="OR"),
                        name="invitation_not_used_up_twice",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="JoinRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.CharField(blank=True, default="", max_length=200)),
                ("asked_at", models.DateTimeField()),
                ("accepted", models.BooleanField(blank=True, null=True)),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "answered_by",
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="requests", to="accounts.club"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="club_requests",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["asked_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("accepted", None)),
                        fields=("club", "user"),
                        name="join_request_one_at_a_time",
                    )
                ],
            },
        ),
        migrations.RunPython(open_the_default, migrations.RunPython.noop),
    ]
