"""Indexes that others make superfluous are dropped: an act wrote into twenty, and writes into fourteen."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

SUPERFLUOUS = {"games_match": ("id", "rematch_of_id", "creator_id", "invited_id"), "games_action": ("match_id",)}
"""Tables, and columns whose own indexes are dropped, but for unique ones. PostgreSQL has one more of a text, for LIKE."""


def drop_superfluous(apps, schema_editor):
    """Drop them as they are called. Altering the fields would make SQLite copy both tables."""
    quoted = schema_editor.connection.ops.quote_name
    for table, columns in SUPERFLUOUS.items():
        for column in columns:
            for suffix in ("", "_like"):
                name = schema_editor._create_index_name(table, [column], suffix=suffix)
                schema_editor.execute(f"DROP INDEX IF EXISTS {quoted(name)}")


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0003_web_processes"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(drop_superfluous, migrations.RunPython.noop)],
            state_operations=[
                migrations.AlterField(
                    model_name="match",
                    name="creator",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="matches_created",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.AlterField(
                    model_name="match",
                    name="invited",
                    field=models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="challenges",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.AlterField(
                    model_name="action",
                    name="match",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="actions",
                        to="games.match",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("invited__isnull", False)), fields=["invited"], name="match_invited"
            ),
        ),
    ]
