"""Settings, security: the second steps, where one is logged in, and the way out of each."""

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

from accounts import log_ins, paper, second
from accounts.errors import Refused
from accounts.policy import member, who


@never_cache
@member
@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """How one comes in, and where one is logged in."""
    user = who(request)
    log_ins.log_in_ensure(user=user, session=request.session, agent=request.headers.get("User-Agent", ""))
    kinds = list(Authenticator.objects.filter(user=user).values_list("type", flat=True))
    context = {
        "log_ins": log_ins.log_ins_of(user, here=request.session.session_key),
        "has_app": Authenticator.Type.TOTP in kinds,
        "passkeys": kinds.count(Authenticator.Type.WEBAUTHN),
        "has_codes": Authenticator.Type.RECOVERY_CODES in kinds,
        "waits": second.waits_for_second_step(user),
        "passkeys_work": second.passkeys_work(request),
    }
    return render(request, "accounts/security.html", context)


@member
@require_POST
@second.confirmed
def log_in_end(request: HttpRequest, log_in_id: int) -> HttpResponse:
    """Log out one of one's other log-ins."""
    try:
        log_ins.log_in_end(user=who(request), log_in_id=log_in_id)
    except Refused as refused:
        messages.error(request, refused.text)
    else:
        messages.success(request, _("That log-in has ended."))
    return redirect("security")


@member
@require_POST
@second.confirmed
def log_ins_end(request: HttpRequest) -> HttpResponse:
    """Log out everywhere but here."""
    log_ins.log_ins_end(user=who(request), but=request.session.session_key)
    messages.success(request, _("You are logged out everywhere but here."))
    return redirect("security")


@never_cache
@member
@require_safe
@second.confirmed
def codes(request: HttpRequest) -> HttpResponse:
    """The codes on paper: themselves once, then only how many are left."""
    user = who(request)
    if (row := paper.row_of(user)) is None:
        raise Http404
    shown = paper.codes_show(user=user)
    return render(request, "accounts/codes.html", {"codes": shown, "left": paper.codes_left(row)})


class CodesAnew(GenerateRecoveryCodesView):  # type: ignore[misc]
    """New codes on paper. How many are left is counted without opening them: what no key opens is replaced as well."""

    def get_context_data(self, **about: Any) -> dict[str, Any]:
        left = paper.codes_left(paper.row_of(who(self.request)))
        context: dict[str, Any] = super(GenerateRecoveryCodesView, self).get_context_data(**about)
        return {**context, "unused_code_count": left}
