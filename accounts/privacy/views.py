"""The pages to export one's data and to delete one's account."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.errors import Refused
from accounts.models import User
from accounts.names.validation import fold
from accounts.privacy import registry as data_registry
from accounts.privacy import selectors, services
from accounts.web.limits import TooOften, count_action, limited, too_many_requests
from accounts.web.policy import current_user, player


@never_cache
@player
@require_safe
def export_page(request: HttpRequest) -> HttpResponse:
    """The data export: request it, watch its progress, download it."""
    template = "accounts/_data_export.html" if request.headers.get("HX-Request") else "accounts/data_export.html"
    last = selectors.latest_export(current_user(request))
    return render(request, template, {"export": last, "may_request": selectors.may_request(last)})


@limited("export")
@player
@require_POST
def export_request(request: HttpRequest) -> HttpResponse:
    """Request an export; a worker writes it."""
    try:
        services.export_request(user=current_user(request))
    except Refused as refused:
        messages.error(request, refused.text)
    return redirect("data")


@never_cache
@player
@require_safe
def export_download(request: HttpRequest, export_id: int) -> HttpResponse:
    """Download an archive while it is kept."""
    found = selectors.ready_export(current_user(request), export_id)
    if found is None:
        raise Http404
    return HttpResponse(
        bytes(found.body or b""),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="tablero-data-{found.asked_at:%Y-%m-%d}.zip"'},
    )


@never_cache
@player
@require_http_methods(["GET", "HEAD", "POST"])
def account_delete(request: HttpRequest) -> HttpResponse:
    """Delete the account, after the password and the username are entered."""
    user = current_user(request)
    if request.method != "POST":
        return _page(request, user)
    try:
        if user.has_usable_password():
            count_action(request, "leave")  # limits guesses of the password
        _check(request, user)
        services.account_delete(user=user)
    except TooOften as refused:
        return too_many_requests(request, refused.wait)
    except Refused as refused:
        return _page(request, user, refused=refused)
    logout(request)
    messages.success(request, _("Your account has been deleted. Thank you for playing."))
    return redirect("lobby")


def _check(request: HttpRequest, user: User) -> None:
    """Raises Refused: leave_password, leave_word."""
    if user.has_usable_password() and not user.check_password(request.POST.get("password", "")):
        raise Refused("leave_password")
    if fold(request.POST.get("word", "")) != fold(user.username):
        raise Refused("leave_word")


def _page(request: HttpRequest, user: User, *, refused: Refused | None = None) -> HttpResponse:
    context = {
        "blockers": data_registry.deletion_blockers(user),
        "has_password": user.has_usable_password(),
        "bots": User.objects.filter(owner=user, is_active=True).count(),
        "refused": refused,
    }
    return render(request, "accounts/delete_account.html", context, status=200 if refused is None else 422)
