"""Dice that anyone can check: what both seats have given, and the server's chain."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0005_seats_end")]
    operations = [
        migrations.AddField(
            model_name="match",
            name="dice",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name="DiceSecret",
            fields=[
                ("match", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name="dice_secret", serialize=False, to="games.match")),
                ("length", models.PositiveIntegerField()),
                ("seed", models.BinaryField(max_length=32)),
                ("marks", models.BinaryField()),
            ],
        ),
    ]
