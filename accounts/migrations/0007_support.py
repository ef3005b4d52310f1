"""What the support did, bans, former names, merged accounts; and how each name looks."""

import django.db.models.deletion
import django.db.models.manager
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from accounts.lookalikes import look

BATCH = 500


def look_at_names(apps, schema_editor):
    user_model = apps.get_model("accounts", "User")
    changed = []
    for user in user_model.objects.only("pk", "username").order_by("pk").iterator(chunk_size=BATCH):
        user.name_look = look(user.username)
        changed.append(user)
        if len(changed) == BATCH:
            user_model.objects.bulk_update(changed, ["name_look"])
            changed = []
    user_model.objects.bulk_update(changed, ["name_look"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_leaving")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="name_look",
            field=models.CharField(db_index=True, default="", editable=False, max_length=96),
        ),
        migrations.RunPython(look_at_names, migrations.RunPython.noop),
        migrations.CreateModel(
            name="SupportAct",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("find", "looked for an e-mail address"),
                            ("look", "looked at private data"),
                            ("ban", "closed the account"),
                            ("lift", "opened the account again"),
                            ("rename", "changed the name"),
                            ("merge", "made one account of two"),
                            ("log_out", "logged the person out everywhere"),
                            ("reset", "made a link for a new password"),
                            ("second", "removed the second step of the log-in"),
                            ("export", "asked for the person's data"),
                        ],
                        max_length=8,
                    ),
                ),
                ("why", models.TextField(max_length=500)),
                ("data", models.JSONField(blank=True, default=dict)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "about",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="support_acts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["-at", "-pk"],
                "default_manager_name": "rows",
                "indexes": [
                    models.Index(fields=["-at", "-id"], name="support_act_last"),
                    models.Index(fields=["about", "-at"], name="support_act_about"),
                    models.Index(fields=["by", "-at"], name="support_act_by"),
                ],
            },
            managers=[("rows", django.db.models.manager.Manager())],
        ),
        migrations.CreateModel(
            name="Ban",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("why", models.TextField(max_length=500)),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                ("until", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="bans", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["-since", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None)), fields=("user",), name="ban_one_at_a_time"
                    )
                ],
                "indexes": [
                    models.Index(
                        condition=models.Q(("ended_at", None), ("until__isnull", False)),
                        fields=["until"],
                        name="ban_until",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="FormerName",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=24)),
                ("key", models.CharField(db_index=True, max_length=72)),
                ("until", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_names",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-until", "-pk"],
                "constraints": [models.UniqueConstraint(fields=("user", "key"), name="former_name_once")],
            },
        ),
        migrations.CreateModel(
            name="Merged",
            fields=[
                (
                    "gone",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="merged",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "into",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="merged_from",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("gone", models.F("into")), _negated=True), name="merged_two_accounts"
                    )
                ],
            },
        ),
    ]
