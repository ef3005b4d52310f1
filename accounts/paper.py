"""Codes on paper: the way in where a device is lost. Shown once, opened once each, and from then on kept as hashes.

The rows are allauth.mfa's. It makes the codes of a seed and would keep that seed, so that they could be read again
(OWASP ASVS 5.0, 6.5.2); in the moment in which they are shown we put hashes in its place, where the library keeps
codes that came from elsewhere. It counts those, and nothing else: what is typed is compared here.
"""

from __future__ import annotations

import re

from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from django.db import transaction

from accounts.box import WRONG_KEY
from accounts.models import User

HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""Argon2id at the least cost that ASVS 5.0 allows (appendix C): what is typed is compared with ten."""
MOST: int = app_settings.RECOVERY_CODE_COUNT
HASHES = "migrated_codes"
"""Where the library looks for codes that it did not make."""
OF_AN_APP = re.compile(r"\s*\d{6}\s*")
"""What an app shows; anything else that is typed where a code is asked for is taken as one on paper."""


def row_of(user: User) -> Authenticator | None:
    """Where somebody's codes are kept."""
    found: Authenticator | None = Authenticator.objects.filter(
        user=user, type=Authenticator.Type.RECOVERY_CODES
    ).first()
    return found


def codes_show(*, user: User) -> list[str]:
    """The codes that were made for him, this once; none where he has seen them, or has none. From now on their hashes
    are all that is left of them.
    """
    with transaction.atomic():
        row = _rows(user).first()
        if row is None or row.data.get("viewed_at") or "seed" not in row.data:
            return []
        try:
            codes: list[str] = row.wrap().get_unused_codes()
        except WRONG_KEY:
            return []  # they were made under another key of the site; new ones can be made
        row.wrap().mark_as_viewed()
        row.data = {"viewed_at": row.data["viewed_at"], HASHES: hashes_of(codes)}
        row.save(update_fields=["data"])
    return codes


def codes_left(row: Authenticator | None) -> int:
    """How many are good still. Nothing is opened for it."""
    if row is None:
        return 0
    if "seed" in row.data:  # made, and not shown yet
        return MOST - int(row.data["used_mask"]).bit_count()
    return len(row.data.get(HASHES, []))


def code_use(*, row: Authenticator, code: str) -> bool:
    """Whether it is one of those that are left; then it is none any more. Spaces are nobody's business."""
    typed = "".join(code.split())
    adapter = get_adapter()
    # Hashing takes its time, so it is done before the row is held; what was found there is taken away but once.
    found = next((each for each in row.data.get(HASHES, []) if _fits(adapter.decrypt(each), typed)), None)
    if found is None:
        return False
    with transaction.atomic():
        held = _rows(row.user).first()
        if held is None or found not in held.data.get(HASHES, []):
            return False
        held.data[HASHES].remove(found)
        held.save(update_fields=["data"])
    row.data = held.data
    return True


def hashes_of(codes: list[str]) -> list[str]:
    """What is kept of codes: the hash of each, with its own salt, locked like all that belongs to second steps."""
    return [get_adapter().encrypt(HASHER.hash(code)) for code in codes]


def _fits(made: str, typed: str) -> bool:
    try:
        return HASHER.verify(made, typed)
    except VerificationError:
        return False


def _rows(user: User):  # type: ignore[no-untyped-def]
    return Authenticator.objects.select_for_update().filter(user=user, type=Authenticator.Type.RECOVERY_CODES)
