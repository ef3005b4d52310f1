"""Recovery codes: shown once, usable once each, and stored as hashes from the moment they are shown.

The rows are allauth.mfa's. The library derives the codes from a seed and would keep that seed, so that they could be
read again (OWASP ASVS 5.0, 6.5.2); when they are shown we replace it by hashes, stored where the library keeps codes
that were migrated. It only counts those: what a user enters is compared here.
"""

from __future__ import annotations

import re

from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from accounts.web.encryption import DECRYPTION_ERRORS

HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""Argon2id at the least cost that ASVS 5.0 allows (appendix C): what is entered is compared with ten hashes."""
CODE_COUNT: int = app_settings.RECOVERY_CODE_COUNT
HASHES_KEY = "migrated_codes"
"""Where the library looks for codes that it did not generate."""
TOTP_CODE = re.compile(r"\s*\d{6}\s*")
"""The code of an app; anything else that is entered where a code is asked for is taken as a recovery code."""


def recovery_codes_of(user: User) -> Authenticator | None:
    """The row that stores a user's codes."""
    found: Authenticator | None = Authenticator.objects.filter(
        user=user, type=Authenticator.Type.RECOVERY_CODES
    ).first()
    return found


def recovery_codes_reveal(*, user: User) -> list[str]:
    """The codes that were generated for the user, this once; none where they were shown before, or there are none.

    From now on only their hashes are stored.
    """
    with transaction.atomic():
        row = _locked_rows(user).first()
        if row is None or row.data.get("viewed_at") or "seed" not in row.data:
            return []
        try:
            codes: list[str] = row.wrap().get_unused_codes()
        except DECRYPTION_ERRORS:
            return []  # encrypted with another key of the site; the user can generate new ones
        row.wrap().mark_as_viewed()
        row.data = {"viewed_at": row.data["viewed_at"], HASHES_KEY: hash_codes(codes)}
        row.save(update_fields=["data"])
    return codes


def remaining_count(row: Authenticator | None) -> int:
    """How many codes are left. Nothing is decrypted for it."""
    if row is None:
        return 0
    if "seed" in row.data:  # generated, and not shown yet
        return CODE_COUNT - int(row.data["used_mask"]).bit_count()
    return len(row.data.get(HASHES_KEY, []))


def recovery_code_use(*, row: Authenticator, code: str) -> bool:
    """Use up one of the remaining codes; returns whether it was one. Spaces are ignored."""
    entered = "".join(code.split())
    adapter = get_adapter()
    # Hashing is slow, so it is done before the row is locked; the matching hash is then removed only once.
    found = next(
        (stored for stored in row.data.get(HASHES_KEY, []) if _matches(adapter.decrypt(stored), entered)), None
    )
    if found is None:
        return False
    with transaction.atomic():
        locked = _locked_rows(row.user).first()
        if locked is None or found not in locked.data.get(HASHES_KEY, []):
            return False
        locked.data[HASHES_KEY].remove(found)
        locked.save(update_fields=["data"])
    row.data = locked.data
    return True


def hash_codes(codes: list[str]) -> list[str]:
    """What is stored of the codes: the hash of each, with its own salt, encrypted like all secrets of MFA."""
    return [get_adapter().encrypt(HASHER.hash(code)) for code in codes]


def _matches(code_hash: str, entered: str) -> bool:
    try:
        return HASHER.verify(code_hash, entered)
    except VerificationError:
        return False


def _locked_rows(user: User) -> QuerySet[Authenticator]:
    return Authenticator.objects.select_for_update().filter(user=user, type=Authenticator.Type.RECOVERY_CODES)
