"""Whether a username is free: nobody has it, nobody had it, and it does not look like another one."""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.models import FormerName, MergedAccount, User
from accounts.names.lookalikes import skeleton
from accounts.names.validation import RESERVED, fold, normalise, validate_name

MAX_NAME = 24  # characters
HIGHEST_SUGGESTION = 9
NO_PK = 0  # no account has this primary key
_RESERVED_SKELETONS = frozenset(skeleton(name) for name in RESERVED)


def validate_available(name: str, *, exclude: User | None = None) -> None:
    """Check that a new user, or `exclude`, may take this name.

    Raises ValidationError: those of `validate_name`, and ``name_taken``, ``name_alike``, ``name_reserved``.
    """
    validate_name(name)
    validate_not_confusable(name, exclude=exclude)
    if User.objects.filter(name_key=fold(name)).exclude(pk=exclude.pk if exclude is not None else NO_PK).exists():
        raise ValidationError(_("That username is already taken."), code="name_taken")


def validate_not_confusable(name: str, *, exclude: User | None = None) -> None:
    """The checks that Django's forms do not make: former names, and names that look like this one."""
    name_skeleton, own_pk = skeleton(name), exclude.pk if exclude is not None else NO_PK
    if name_skeleton in _RESERVED_SKELETONS:
        raise ValidationError(_("This name is reserved. Choose another."), code="name_reserved")
    if FormerName.objects.filter(key=fold(name), user__left_at=None).exclude(user=own_pk).exists():
        raise ValidationError(_("That username is already taken."), code="name_taken")
    others = User.objects.filter(name_skeleton=name_skeleton, left_at=None, is_guest=False).exclude(pk=own_pk)
    if others.exclude(name_key=fold(name)).exists():
        raise ValidationError(_("This name looks too much like someone else's. Choose another."), code="name_alike")


def suggest_name(wanted: str) -> str:
    """A free username like `wanted`, with a number where that is taken; empty where none can be made of it."""
    name = re.sub(r"[^\w.\-]+", "-", normalise(wanted.partition("@")[0])).strip(".-")
    for number in ("", *range(2, HIGHEST_SUGGESTION + 1)):
        candidate = f"{name[: MAX_NAME - len(str(number))].rstrip('.-')}{number}"
        try:
            validate_available(candidate)
        except ValidationError:
            continue
        return candidate
    return ""


def merged_into(name: str) -> User | None:
    """The account into which one of this name was merged."""
    found = (
        MergedAccount.objects.filter(source__name_key=fold(name), target__is_active=True)
        .select_related("target")
        .first()
    )
    return found.target if found is not None else None
