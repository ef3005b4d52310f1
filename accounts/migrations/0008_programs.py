"""The tokens that members make for their programs."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_support")]

    operations = [
        migrations.AlterField(
            model_name="bottoken",
            name="bot",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="bot_token", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.CreateModel(
            name="PersonalToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=60)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("tail", models.CharField(max_length=4)),
                ("scopes", models.CharField(max_length=200)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="personal_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["-made_at", "-pk"]},
        ),
    ]
