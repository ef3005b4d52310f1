import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

USUAL = 4


def give_level(apps, schema_editor):
    """The bot that the site already had keeps its name and is the one of its strength."""
    User = apps.get_model("accounts", "User")
    bot = User.objects.filter(is_bot=True).order_by("pk").first()
    if bot is not None:
        bot.bot_level = USUAL
        bot.save(update_fields=["bot_level"])


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0003_clubs"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="bot_level",
            field=models.PositiveSmallIntegerField(blank=True, null=True, unique=True),
        ),
        migrations.AddField(
            model_name="user",
            name="owner",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="bots",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.CreateModel(
            name="BotToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "bot",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="token", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(("is_bot", True), models.Q(("bot_level", None), ("owner", None)), _connector="OR"),
                name="user_level_and_owner_of_bots",
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(("bot_level", None), ("owner", None), _connector="OR"),
                name="user_bot_of_house_or_member",
            ),
        ),
        migrations.RunPython(give_level, migrations.RunPython.noop, elidable=True),
    ]
