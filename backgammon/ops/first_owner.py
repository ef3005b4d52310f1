"""Create the first owner of a site by a link that its terminal prints; the link works once.

The link ends in `#` and a code: browsers do not send it to the server, so it is in no log and no Referer header. The
code is signed and works for 24 hours, until it is used or a new one is printed.
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

from accounts.clubs import services as clubs
from accounts.errors import Refused
from accounts.models import Club, Membership, User
from backgammon.ops.models import OwnerLink
from games.database import now

LINK_LIFETIME = timedelta(hours=24)
REFUSALS = {
    "owner_code": _(
        "This code does not work: it is over 24 hours old, or a newer one has replaced it. Run "
        "manage.py first_owner to get a new link."
    ),
    "owner_there": _("This site already has an owner."),
}


class FirstOwnerRefused(Refused):
    """Refuse with one of the codes of REFUSALS."""

    texts = REFUSALS


def is_needed() -> bool:
    """Whether the site has no owner: no superuser, and no owner of the default club."""
    people = User.objects.filter(is_active=True, is_bot=False, is_guest=False)
    owners = Membership.objects.filter(club__is_default=True, role=Membership.Role.OWNER, user__in=people)
    return not people.filter(is_superuser=True).exists() and not owners.exists()


def link_create() -> str:
    """Return the path of a new link; the previous one no longer works. Raises FirstOwnerRefused("owner_there")."""
    with transaction.atomic():
        _lock()
        if not is_needed():
            raise FirstOwnerRefused("owner_there")
        code = _signer().sign(secrets.token_urlsafe(16))
        OwnerLink.objects.update_or_create(pk=OwnerLink.THE_ROW, defaults={"digest": _digest(code), "made_at": now()})
    return f"{reverse('first-owner')}#{code}"


def owner_create(*, code: str, name: str, password: str) -> User:
    """Create the first owner by a code: a superuser who owns the default club. This works once.

    The club's row is locked, so that only one of two simultaneous requests succeeds. Raises FirstOwnerRefused, and
    IntegrityError if the name was taken meanwhile.
    """
    try:
        _signer().unsign(code)
    except BadSignature:
        raise FirstOwnerRefused("owner_code") from None
    with transaction.atomic():
        _lock()
        if not is_needed():
            raise FirstOwnerRefused("owner_there")
        link = OwnerLink.objects.filter(pk=OwnerLink.THE_ROW).first()
        if link is None or now() - link.made_at > LINK_LIFETIME or not hmac.compare_digest(link.digest, _digest(code)):
            raise FirstOwnerRefused("owner_code")
        user = User(username=name, is_staff=True, is_superuser=True)
        user.set_password(password)
        user.save()
        clubs.member_set_up(user=user)
        Membership.objects.filter(user=user, club__is_default=True).update(role=Membership.Role.OWNER)
        link.delete()
    return user


def _lock() -> None:
    Club.objects.select_for_update().get(pk=clubs.default_club_ensure().pk)


def _signer() -> Signer:
    return Signer(salt="backgammon.ops.first_owner")


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
