"""Events know what was done at once with them; what there was before, each by itself."""

from django.db import migrations, models
from django.db.models import F


def each_by_itself(apps, schema_editor):
    apps.get_model("tournaments", "TournamentEvent").objects.update(act=F("n"))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="tournamentevent",
            name="act",
            field=models.PositiveIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.RunPython(each_by_itself, migrations.RunPython.noop),
    ]
