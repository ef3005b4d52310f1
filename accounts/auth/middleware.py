"""The middleware of sessions and of pages that need an account or two-factor authentication."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.auth import services as auth_services
from accounts.web.policy import redirect_to_signup
from accounts.web.staff import must_set_up_mfa

MEMBER_VIEWS = frozenset(
    {
        "account_change_password",
        "account_set_password",
        "idp:oidc:device_authorization",
        "mfa_index",
        "mfa_activate_totp",
        "mfa_deactivate_totp",
        "mfa_view_recovery_codes",
        "mfa_generate_recovery_codes",
        "mfa_download_recovery_codes",
        "mfa_list_webauthn",
        "mfa_add_webauthn",
        "mfa_edit_webauthn",
        "mfa_remove_webauthn",
    }
)
"""Pages of allauth for members alone. Those to sign in and up are open to guests, who may be becoming members."""


class MFAMiddleware:
    """Requires two-factor authentication for staff pages, sends guests to sign-up, and extends sessions.

    Everything else checks staff rights by `accounts.web.staff.acts_as_staff`.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        user = getattr(request, "_cached_user", None)  # no user is fetched for this
        if user is not None and user.is_authenticated and request.session.session_key:
            auth_services.session_extend(request.session)
            if not user.is_guest:
                auth_services.session_mark_seen(session_key=request.session.session_key)
        return response

    def process_view(self, request: HttpRequest, view: Callable[..., Any], *_args: Any) -> HttpResponseBase | None:
        match = request.resolver_match
        if match is not None and match.view_name in MEMBER_VIEWS and getattr(request.user, "is_guest", False):
            return redirect_to_signup(request)
        of_staff = getattr(view, "policy", None) == "staff" or (match is not None and "admin" in match.app_names)
        if not of_staff or (match is not None and match.url_name in ("logout", "jsi18n")):
            return None
        if not request.user.is_authenticated or not must_set_up_mfa(request.user):
            return None
        messages.info(request, _("To use your staff permissions, set up two-factor authentication here."))
        return redirect("mfa_index")
