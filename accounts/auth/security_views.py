"""The security pages of the settings: two-factor authentication, active sessions and recovery codes."""

from __future__ import annotations

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.views import GenerateRecoveryCodesView
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.auth import linked_accounts, mfa, recovery_codes, sso
from accounts.auth import selectors as auth_selectors
from accounts.auth import services as auth_services
from accounts.errors import Refused
from accounts.web import staff
from accounts.web.policy import current_user, member


@never_cache
@member
@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """The user's second factors and active sessions."""
    user = current_user(request)
    auth_services.session_ensure_recorded(
        user=user, session=request.session, user_agent=request.headers.get("User-Agent", "")
    )
    auth_services.sessions_prune(user=user)
    kinds = list(Authenticator.objects.filter(user=user).values_list("type", flat=True))
    context = {
        "sessions": auth_selectors.sessions_of(user, here=request.session.session_key),
        "has_app": Authenticator.Type.TOTP in kinds,
        "passkeys": kinds.count(Authenticator.Type.WEBAUTHN),
        "has_codes": Authenticator.Type.RECOVERY_CODES in kinds,
        "must_set_up_mfa": staff.must_set_up_mfa(user),
        "sso_name": sso.provider_name(),
        "linked": linked_accounts.linked_account_of(user) if sso.provider_name() else None,
        "passkeys_work": mfa.passkeys_work(request),
    }
    return render(request, "accounts/security.html", context)


@member
@require_POST
@mfa.reauthentication_required
def session_end(request: HttpRequest, session_id: int) -> HttpResponse:
    """End another session of the user."""
    try:
        auth_services.session_end(user=current_user(request), session_id=session_id)
    except Refused as refused:
        messages.error(request, refused.text)
    else:
        messages.success(request, _("Session ended."))
    return redirect("security")


@member
@require_POST
@mfa.reauthentication_required
def sessions_end(request: HttpRequest) -> HttpResponse:
    """End all sessions but the present one."""
    auth_services.sessions_end(user=current_user(request), keep=request.session.session_key)
    messages.success(request, _("You have been signed out everywhere else."))
    return redirect("security")


@never_cache
@member
@require_safe
@mfa.reauthentication_required
def recovery_codes_page(request: HttpRequest) -> HttpResponse:
    """The recovery codes: the codes once, then only how many are left."""
    user = current_user(request)
    if (row := recovery_codes.recovery_codes_of(user)) is None:
        raise Http404
    shown = recovery_codes.recovery_codes_reveal(user=user)
    return render(
        request, "accounts/recovery_codes.html", {"codes": shown, "left": recovery_codes.remaining_count(row)}
    )


class GenerateRecoveryCodes(GenerateRecoveryCodesView):  # type: ignore[misc]
    """Generates new recovery codes. Old ones are counted without decryption: unreadable ones are replaced as well."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        left = recovery_codes.remaining_count(recovery_codes.recovery_codes_of(current_user(self.request)))
        context: dict[str, Any] = super(GenerateRecoveryCodesView, self).get_context_data(**kwargs)
        return {**context, "unused_code_count": left}
