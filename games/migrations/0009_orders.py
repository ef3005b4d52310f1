"""Orders: what the players of a match by correspondence have said beforehand."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0008_presence")]
    operations = [
        migrations.AddField(model_name="match", name="orders", field=models.JSONField(blank=True, null=True)),
    ]
