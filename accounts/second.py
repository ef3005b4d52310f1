"""Second steps at the log-in: who has one, whose rights wait for one, and how their secrets are kept.

The ceremonies are allauth.mfa's: a code of an authenticator app, passkeys and security keys, ten codes on paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.box import keeps, site_box
from accounts.models import User

STEPS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
"""What counts as a second step; codes on paper are only the way back where one of these is lost."""


def has_second_step(user: User) -> bool:
    """Whether his log-in asks for more than a password. One query, and none for who is nobody."""
    return user.pk is not None and Authenticator.objects.filter(user_id=user.pk, type__in=STEPS).exists()


def acts_as_staff(user: User | None) -> bool:
    """Whether somebody has the rights of the staff now: they rest until he has a second step.

    Asked everywhere in the place of `is_staff`: pages, sockets and API alike. One query for a member of the staff, kept
    with the row that was fetched for this request; none for anybody else.
    """
    if user is None or not getattr(user, "is_staff", False) or not user.is_active:
        return False
    if not settings.STAFF_SECOND_STEP:
        return True
    known: bool | None = getattr(user, "_second_step", None)
    if known is None:
        known = user._second_step = has_second_step(user)  # type: ignore[attr-defined]
    return known


def waits_for_second_step(user: User | None) -> bool:
    """Whether somebody is staff, and his rights rest until he has a second step."""
    return bool(user is not None and getattr(user, "is_staff", False) and not acts_as_staff(user))


def confirmed(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Before a dangerous act one shows again who one is: password or second step, good for a quarter of an hour.

    The middleware of allauth leads there and back, with the form that was sent.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            raise_if_reauthentication_required(request, app="accounts")
        return view(request, *args, **kwargs)

    return guarded


def passkeys_work(request: HttpRequest) -> bool:
    """Whether browsers let this address use passkeys: https, or the machine itself by name (not by number)."""
    return request.is_secure() or request.get_host().partition(":")[0] == "localhost"


def _locked() -> Iterator[str]:
    """What is locked of second steps: the secrets of apps, and of codes on paper the seed or one of the hashes."""
    rows = Authenticator.objects.exclude(type=Authenticator.Type.WEBAUTHN).values_list("data", flat=True)
    for data in rows.iterator():
        yield from filter(None, (data.get("secret"), data.get("seed"), *data.get("migrated_codes", [])[:1]))


keeps("second-step", gettext_lazy("second steps"), _locked)


class SecondStepAdapter(DefaultMFAAdapter):
    """Secrets are stored locked with the site's key, and no device is told an e-mail."""

    def encrypt(self, text: str) -> str:
        return site_box("second-step").lock(text)

    def decrypt(self, encrypted_text: str) -> str:
        return site_box("second-step").open(encrypted_text)

    def get_totp_label(self, user: AbstractBaseUser) -> str:
        return str(user)  # never the e-mail: the label is read over a shoulder

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:
        number = Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1
        return _("Passkey %(number)s") % {"number": number}

    def get_public_key_credential_user_entity(self, user: AbstractBaseUser) -> dict[str, Any]:
        """What the device lists is the player's name, never his e-mail."""
        found: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return {**found, "name": str(user), "display_name": str(user)}

    def _get_site_name(self) -> str:
        return "Tablero"
