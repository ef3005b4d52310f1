"""The OAuth 2 endpoints: allauth's, with PKCE required and every code and refresh token valid once."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

from allauth.idp.oidc import views
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _

from accounts.programs import oauth_grants
from accounts.web.policy import declare_policy, member, public

TOKEN_PARAMETERS = {"authorization_code": "code", "refresh_token": "refresh_token"}
"""The parameter with the code or refresh token, by grant type."""


@method_decorator(member, name="dispatch")
class AuthorizeView(views.AuthorizationView):
    """The page on which a member authorises an app or declines. PKCE (S256) is required."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.GET.get("code_challenge") or request.GET.get("code_challenge_method") != "S256":
            error = {"description": _("This app's request is not secure: it doesn't use PKCE (S256).")}
            return render(request, "idp/oidc/error.html", {"error": error}, status=400)
        response = super().get(request, *args, **kwargs)
        if response.status_code == 200 and not hasattr(response, "_csp_update"):  # an error page, not the question
            response.status_code = 400
        return response

    def _skip_consent(self) -> HttpResponse:
        """Ask in any case, whatever the app's settings in the admin. A browser that comes from the sign-in form could
        not be redirected to another site anyway: that page's policy allows forms to this site alone."""
        return self.render_to_response(self.get_context_data())

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        """Let the content security policy of this page allow the form to redirect to the app."""
        response = super().render_to_response(context, **kwargs)
        url = urlsplit(str(self._request_info.get("redirect_uri") or ""))
        target = f"{url.scheme}://{url.netloc}" if url.scheme in ("http", "https") else f"{url.scheme}:"
        response._csp_update = {"form-action": [target]}  # type: ignore[attr-defined]
        return response


authorize = declare_policy(AuthorizeView.as_view(), "member")


class TokenView(views.TokenView):
    """Exchanges a code or a refresh token for an access token: each once, or the grant is revoked."""

    def post(self, request: HttpRequest) -> HttpResponse:
        submitted_token = request.POST.get(TOKEN_PARAMETERS.get(request.POST.get("grant_type", ""), ""))
        if not submitted_token:
            return super().post(request)
        with transaction.atomic():
            used = oauth_grants.token_mark_used(token=submitted_token)
            if used is None:
                return JsonResponse({"error": "invalid_grant"}, status=400)
            response: HttpResponse = super().post(request)
            if response.status_code == 200:
                answer = oauth_grants.grant_record_tokens(used=used, answer=json.loads(response.content))
                response.content = json.dumps(answer)
            else:
                transaction.set_rollback(True)  # an invalid token is not used up
        return response


token = public(TokenView.as_view())


class RevokeView(views.RevokeView):
    """Revokes a token that an app gives back."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        with transaction.atomic():
            grant = oauth_grants.grant_of_refresh_token(token=request.POST.get("token", ""))
            response: HttpResponse = super().post(request, *args, **kwargs)
            if response.status_code == 200 and grant is not None:
                oauth_grants.grant_revoke(grant=grant)
        return response


revoke = public(RevokeView.as_view())
