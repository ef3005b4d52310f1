"""Who may be called what: a name is free when nobody has it, nobody had it, and none that looks like it is there."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.lookalikes import look
from accounts.models import FormerName, Merged, User
from accounts.names import RESERVED, fold, validate_name

NOBODY = 0  # no account has this number
_RESERVED_LOOKS = frozenset(look(name) for name in RESERVED)


def name_check(name: str, *, but: User | None = None) -> None:
    """Let a name pass that somebody new, or `but`, may have. One query more than the rules of names need.

    Raises ValidationError: those of `validate_name`, and ``name_taken``, ``name_alike``, ``name_reserved``.
    """
    validate_name(name)
    like_check(name, but=but)
    if User.objects.filter(name_key=fold(name)).exclude(pk=but.pk if but is not None else NOBODY).exists():
        raise ValidationError(_("Somebody already plays under this name."), code="name_taken")


def like_check(name: str, *, but: User | None = None) -> None:
    """The part of `name_check` that forms do not know: former names, and names that look like this one."""
    seen, mine = look(name), but.pk if but is not None else NOBODY
    if seen in _RESERVED_LOOKS:
        raise ValidationError(_("This name is reserved."), code="name_reserved")
    if FormerName.objects.filter(key=fold(name), user__left_at=None).exclude(user=mine).exists():
        raise ValidationError(_("Somebody already plays under this name."), code="name_taken")
    others = User.objects.filter(name_look=seen, left_at=None, is_guest=False).exclude(pk=mine)
    if others.exclude(name_key=fold(name)).exists():
        raise ValidationError(_("This name looks like that of somebody else."), code="name_alike")


def merged_into(name: str) -> User | None:
    """Where an account of this name went, when it became part of another one."""
    found = Merged.objects.filter(gone__name_key=fold(name), into__is_active=True).select_related("into").first()
    return found.into if found is not None else None
