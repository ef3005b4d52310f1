"""The first owner of a site: who holds the link that its terminal printed chooses a name and a password, once.

The link ends in `#` and a code, which no browser sends to a server: it is in no log and in no Referer. The code is
signed, works for a day, and only until somebody has used it or a new one was printed.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import timedelta

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import services
from accounts.errors import Refused
from accounts.models import Club, Membership, User
from backgammon.ops.models import OwnerLink
from games.database import now

LASTS = timedelta(hours=24)
REFUSALS = {
    "owner_code": _("This code does not work: it is not the last one that was printed, or older than a day."),
    "owner_there": _("This site has an owner already."),
}


class NotNow(Refused):
    """Refused with one of the codes of REFUSALS."""

    texts = REFUSALS


def is_needed() -> bool:
    """Whether nobody looks after this site: no superuser, and no owner of the club that all members belong to."""
    people = User.objects.filter(is_active=True, is_bot=False, is_guest=False)
    owners = Membership.objects.filter(club__is_default=True, role=Membership.Role.OWNER, user__in=people)
    return not people.filter(is_superuser=True).exists() and not owners.exists()


def link_new() -> str:
    """The path of a new link; the one before works no longer. Raises NotNow("owner_there")."""
    with transaction.atomic():
        _lock()
        if not is_needed():
            raise NotNow("owner_there")
        code = _signer().sign(secrets.token_urlsafe(16))
        OwnerLink.objects.update_or_create(pk=OwnerLink.THE_ROW, defaults={"digest": _digest(code), "made_at": now()})
    return f"{reverse('first-owner')}#{code}"


def owner_create(*, code: str, name: str, password: str) -> User:
    """Make the first owner of the holder of a code: a superuser who owns the default club. It happens once.

    The row of the club is locked, so that of two who come at once one is made and the other is told. Raises NotNow, and
    what the database raises for a name that somebody took meanwhile.
    """
    try:
        _signer().unsign(code)
    except BadSignature:
        raise NotNow("owner_code") from None
    with transaction.atomic():
        _lock()
        if not is_needed():
            raise NotNow("owner_there")
        link = OwnerLink.objects.filter(pk=OwnerLink.THE_ROW).first()
        if link is None or now() - link.made_at > LASTS or not hmac.compare_digest(link.digest, _digest(code)):
            raise NotNow("owner_code")
        user = User(username=name, is_staff=True, is_superuser=True)
        user.set_password(password)
        user.save()
        services.member_welcome(user=user)
        Membership.objects.filter(user=user, club__is_default=True).update(role=Membership.Role.OWNER)
        link.delete()
    return user


def _lock() -> None:
    Club.objects.select_for_update().get(pk=services.club_ensure_default().pk)


def _signer() -> Signer:
    return Signer(salt="backgammon.ops.owner")


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
