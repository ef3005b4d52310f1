"""Secrets of webhooks are stored locked with the site's key, and no longer as they are."""

from django.db import migrations, models


def lock(apps, schema_editor):
    from accounts.box import site_box

    kept = apps.get_model("hooks", "Hook")
    for hook in kept.objects.iterator():
        hook.secret_locked = site_box("webhook").lock(hook.secret_locked)
        hook.save(update_fields=["secret_locked"])


class Migration(migrations.Migration):
    dependencies = [("hooks", "0001_events_and_webhooks")]

    operations = [
        migrations.RenameField("hook", "secret", "secret_locked"),
        migrations.AlterField("hook", "secret_locked", models.CharField(max_length=200)),
        migrations.RunPython(lock, migrations.RunPython.noop),
    ]
