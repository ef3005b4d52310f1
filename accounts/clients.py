"""Programs of others that people let in by OAuth 2 and OpenID Connect (allauth.idp): what they may ask, and for whom.

Programs are registered by the staff, in the admin. A program asks for scopes of ours, and a person grants those that he
wants to; the token lasts for an hour and is renewed by another that is used once (accounts.admissions).
"""

from __future__ import annotations

import json
import os
import secrets
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from allauth.idp.oidc import views
from allauth.idp.oidc.adapter import DefaultOIDCAdapter
from allauth.idp.oidc.models import Client, PrivateKey
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _

from accounts import admissions
from accounts.models import User
from accounts.policy import member
from accounts.scopes import SCOPES

KEY_BITS = 3072
SHOWN = {"authorization_code": "code", "refresh_token": "refresh_token"}
"""What a program shows for its tokens, by the way in which it asks."""


class ClientAdapter(DefaultOIDCAdapter):
    """How this site lets programs in."""

    scope_display = {
        **SCOPES,
        "openid": _("Know who you are here"),
        "email": _("See your e-mail address"),
        "profile": _("See your name"),
    }

    def list_private_keys(self, **wanted: Any) -> list[PrivateKey]:
        """The key that signs who somebody is; the site has one, made when it is first needed."""
        return [PrivateKey(pem=own_key())]

    def get_claims(self, purpose: Any, user: Any, client: Client, scopes: Any, email: str | None = None, **kwargs: Any):  # type: ignore[no-untyped-def]
        """Of a person his name here, and where it was granted his address: no other name is known."""
        claims = super().get_claims(purpose, user, client, scopes, email=email, **kwargs)
        hidden = ("name", "given_name", "family_name")
        return {key: value for key, value in claims.items() if key not in hidden}

    def get_user_by_sub(self, client: Client, sub: str) -> User | None:
        found = super().get_user_by_sub(client, sub)
        return found if isinstance(found, User) and not (found.is_guest or found.is_bot) else None

    def populate_server_metadata(self, data: dict[str, Any]) -> None:
        """What is offered: codes with a proof key, and our scopes."""
        data["scopes_supported"] = ["openid", "profile", "email", *SCOPES]
        data["response_types_supported"] = ["code"]
        data["grant_types_supported"] = [Client.GrantType.AUTHORIZATION_CODE, Client.GrantType.REFRESH_TOKEN]


@cache
def own_key() -> str:
    """The site's key for OpenID Connect: from the environment, else one made once and kept in `var/`."""
    return settings.OIDC_PRIVATE_KEY or _kept(settings.VAR_DIR / "oidc_key.pem")


def _kept(path: Path) -> str:
    """The key of a file, which is made whole: of two processes that make one at once, one is kept by both."""
    if not path.exists():
        key = rsa.generate_private_key(public_exponent=65537, key_size=KEY_BITS)
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        new = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(pem)
        try:
            os.link(new, path)
        except FileExistsError:
            pass
        finally:
            new.unlink()
    return path.read_text()


@method_decorator(member, name="dispatch")
class Authorize(views.AuthorizationView):
    """The page on which a member lets a program in, or does not. Nobody is let in without a proof key (PKCE, S256)."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.GET.get("code_challenge") or request.GET.get("code_challenge_method") != "S256":
            error = {"description": _("This program asks in a way that is not safe: without a proof key (PKCE, S256).")}
            return render(request, "idp/oidc/error.html", {"error": error}, status=400)
        answer = super().get(request, *args, **kwargs)
        if answer.status_code == 200 and not hasattr(answer, "_csp_update"):  # the page of an error: nothing is asked
            answer.status_code = 400
        return answer

    def _skip_consent(self) -> HttpResponse:
        """Everybody is asked, whatever was ticked in the admin. A browser that comes from the form of the log-in would
        not be led on to another site from there either: that page lets forms go to this site alone."""
        return self.render_to_response(self.get_context_data())

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        """The answer leads the browser back to the program: the policy of this page lets the form go there."""
        answer = super().render_to_response(context, **kwargs)
        where = urlsplit(str(self._request_info.get("redirect_uri") or ""))
        back = f"{where.scheme}://{where.netloc}" if where.scheme in ("http", "https") else f"{where.scheme}:"
        answer._csp_update = {"form-action": [back]}  # type: ignore[attr-defined]
        return answer


authorize = Authorize.as_view()
authorize.policy = "member"  # type: ignore[attr-defined]


class Exchange(views.TokenView):
    """Where a program gives a code, or a token that renews, for an hour's token: each once, or all of them end."""

    def post(self, request: HttpRequest) -> HttpResponse:
        shown = request.POST.get(SHOWN.get(request.POST.get("grant_type", ""), ""))
        if not shown:
            return super().post(request)
        with transaction.atomic():
            spent = admissions.token_spend(shown=shown)
            if spent is None:
                return JsonResponse({"error": "invalid_grant"}, status=400)
            answer: HttpResponse = super().post(request)
            if answer.status_code == 200:
                answer.content = json.dumps(admissions.token_given(spent=spent, answer=json.loads(answer.content)))
            else:
                transaction.set_rollback(True)  # what is no good is not used up by being shown
        return answer


exchange = Exchange.as_view()
exchange.policy = "public"  # type: ignore[attr-defined]


class HandBack(views.RevokeView):
    """Where a program gives a token back."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        with transaction.atomic():
            shown = request.POST.get("token", "")
            renews = admissions.renews(shown=shown)
            answer: HttpResponse = super().post(request, *args, **kwargs)
            if answer.status_code == 200 and renews is not None:
                admissions.admission_end(admission=renews)
        return answer


hand_back = HandBack.as_view()
hand_back.policy = "public"  # type: ignore[attr-defined]
