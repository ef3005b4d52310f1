"""Two-factor authentication: the adapter of allauth.mfa, reauthentication before dangerous acts, and passkeys.

The methods are allauth.mfa's: the code of an authenticator app, passkeys and security keys, ten recovery codes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.web.encryption import register_encrypted_texts, site_cipher


def reauthentication_required(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Ask for the password or second factor again before a dangerous act, unless it was given in the last 15 minutes.

    The middleware of allauth redirects there and back, with the submitted form.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            raise_if_reauthentication_required(request, app="accounts")
        return view(request, *args, **kwargs)

    return guarded


def passkeys_work(request: HttpRequest) -> bool:
    """Whether browsers allow passkeys at this URL: https, or localhost by name (not by number)."""
    return request.is_secure() or request.get_host().partition(":")[0] == "localhost"


def _encrypted_texts() -> Iterator[str]:
    """The encrypted texts of MFA: the secrets of apps, and of recovery codes the seed or one of the hashes."""
    rows = Authenticator.objects.exclude(type=Authenticator.Type.WEBAUTHN).values_list("data", flat=True)
    for data in rows.iterator():
        yield from filter(None, (data.get("secret"), data.get("seed"), *data.get("migrated_codes", [])[:1]))


register_encrypted_texts("second-step", gettext_lazy("two-factor authentication secrets"), _encrypted_texts)


class MFAAdapter(DefaultMFAAdapter):
    """Stores secrets encrypted with the site's key, and tells no device an e-mail address."""

    def encrypt(self, text: str) -> str:
        return site_cipher("second-step").encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return site_cipher("second-step").decrypt(encrypted_text)

    def get_totp_label(self, user: AbstractBaseUser) -> str:
        return str(user)  # never the e-mail: the label is read over a shoulder

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:
        number = Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1
        return _("Passkey %(number)s") % {"number": number}

    def get_public_key_credential_user_entity(self, user: AbstractBaseUser) -> dict[str, Any]:
        """The user as the device lists them: by username, never by e-mail."""
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return {**entity, "name": str(user), "display_name": str(user)}

    def _get_site_name(self) -> str:
        return "Tablero"
