"""Roles at a tournament: the table of its directors gets a role, and who gave it when.

Everybody in the table is a director, and so is whoever the version before adds while both run: the database itself has
that default. The table keeps its name; only the model is renamed.
"""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tournaments", "0001_initial"),
    ]

    operations = [
        migrations.AlterModelTable(name="director", table="tournaments_director"),
        migrations.RenameModel(old_name="Director", new_name="Official"),
        migrations.AlterField(
            model_name="official",
            name="tournament",
            field=models.ForeignKey(
                on_delete=models.deletion.CASCADE, related_name="officials", to="tournaments.tournament"
            ),
        ),
        migrations.AlterField(
            model_name="official",
            name="user",
            field=models.ForeignKey(
                on_delete=models.deletion.CASCADE, related_name="official_at", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="official",
            name="role",
            field=models.CharField(
                choices=[("scorekeeper", "Scorekeeper"), ("referee", "Referee"), ("director", "Director")],
                db_default="director",
                max_length=12,
                verbose_name="role",
            ),
        ),
        migrations.AddField(
            model_name="official",
            name="appointed_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="official",
            name="appointed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
