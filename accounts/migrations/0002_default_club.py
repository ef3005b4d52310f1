"""Every site has a club from its first day."""

from django.db import migrations


def make(apps, schema_editor):
    club = apps.get_model("accounts", "Club")
    if not club.objects.filter(is_default=True).exists():
        club.objects.create(name="Tablero", slug="tablero", is_default=True)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [migrations.RunPython(make, migrations.RunPython.noop)]
