"""Where people are logged in, and the mail of the doors. Log-ins that are there already stand in the list as well."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import migrations, models


def list_log_ins(apps, schema_editor):
    from django.contrib.sessions.models import Session

    User, LogIn = apps.get_model("accounts", "User"), apps.get_model("accounts", "LogIn")
    members = set(User.objects.filter(is_guest=False).values_list("pk", flat=True))
    rows = []
    for session in Session.objects.filter(expire_date__gt=django.utils.timezone.now()).iterator(chunk_size=500):
        user_id = int(session.get_decoded().get(SESSION_KEY) or 0)
        if user_id in members:
            rows.append(LogIn(user_id=user_id, session_key=session.session_key))
    LogIn.objects.bulk_create(rows, batch_size=500, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0008_programs"), ("sessions", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="LogIn",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("session_key", models.CharField(max_length=40, unique=True)),
                ("browser", models.CharField(blank=True, default="", max_length=20)),
                ("system", models.CharField(blank=True, default="", max_length=20)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("seen_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="log_ins",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Letter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("reset", "Reset"), ("written", "Written")], default="written", max_length=10
                    ),
                ),
                ("address", models.EmailField(max_length=254)),
                ("language", models.CharField(blank=True, default="", max_length=5)),
                ("base", models.CharField(blank=True, default="", max_length=300)),
                ("subject", models.CharField(blank=True, default="", max_length=300)),
                ("body", models.TextField(blank=True, default="")),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("due_at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
            ],
            options={"ordering": ["due_at", "pk"]},
        ),
        migrations.RunPython(list_log_ins, migrations.RunPython.noop),
    ]
