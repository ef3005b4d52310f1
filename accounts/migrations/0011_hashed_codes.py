"""Codes on paper that were shown already are kept as their hashes, and no longer as a seed that tells them."""

from allauth.mfa.models import Authenticator as Row
from cryptography.exceptions import InvalidTag
from cryptography.fernet import InvalidToken
from django.db import migrations


def hash_codes(apps, schema_editor):
    from accounts.paper import HASHES, hashes_of

    kept = apps.get_model("mfa", "Authenticator")
    for old in kept.objects.filter(type=Row.Type.RECOVERY_CODES).iterator():
        if "seed" not in old.data or not old.data.get("viewed_at"):
            continue
        try:
            codes = Row(type=old.type, data=old.data).wrap().get_unused_codes()
        except (InvalidTag, InvalidToken):
            continue  # locked with a key that is gone: they have opened nothing since
        old.data = {"viewed_at": old.data["viewed_at"], HASHES: hashes_of(codes)}
        old.save(update_fields=["data"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0010_admissions"), ("mfa", "0003_authenticator_type_uniq")]

    operations = [migrations.RunPython(hash_codes, migrations.RunPython.noop)]
