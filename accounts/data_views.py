"""One's own data: take it along, or leave the site. Thin: parse, call, show."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import data as registry
from accounts import exports, leaving
from accounts.errors import Refused
from accounts.limits import TooOften, limited, spend, too_many
from accounts.models import User
from accounts.names import fold
from accounts.policy import player, who


@never_cache
@player
@require_safe
def data(request: HttpRequest) -> HttpResponse:
    """All that is kept about oneself as a file: ask for it, see it grow, fetch it."""
    template = "accounts/_data.html" if request.headers.get("HX-Request") else "accounts/data.html"
    last = exports.latest(who(request))
    return render(request, template, {"export": last, "again": exports.may_ask(last)})


@limited("export")
@player
@require_POST
def data_ask(request: HttpRequest) -> HttpResponse:
    """Ask for one's data; a worker writes it."""
    try:
        exports.export_ask(user=who(request))
    except Refused as refused:
        messages.error(request, refused.text)
    return redirect("data")


@never_cache
@player
@require_safe
def data_file(request: HttpRequest, export_id: int) -> HttpResponse:
    """One's own archive, once it is ready and for as long as it is kept."""
    found = exports.ready(who(request), export_id)
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
def leave(request: HttpRequest) -> HttpResponse:
    """Leave the site: what goes and what stays, the password, one's own name as the last word."""
    user = who(request)
    if request.method != "POST":
        return _page(request, user)
    try:
        if user.has_usable_password():
            spend(request, "leave")  # passwords are tried here
        _check(request, user)
        leaving.person_leave(user=user)
    except TooOften as refused:
        return too_many(request, refused.wait)
    except Refused as refused:
        return _page(request, user, refused=refused)
    logout(request)
    messages.success(request, _("You have left. Thank you for playing."))
    return redirect("lobby")


def _check(request: HttpRequest, user: User) -> None:
    """Raises Refused: leave_password, leave_word."""
    if user.has_usable_password() and not user.check_password(request.POST.get("password", "")):
        raise Refused("leave_password")
    if fold(request.POST.get("word", "")) != fold(user.username):
        raise Refused("leave_word")


def _page(request: HttpRequest, user: User, *, refused: Refused | None = None) -> HttpResponse:
    context = {
        "hindrances": registry.hindrances(user),
        "has_password": user.has_usable_password(),
        "bots": User.objects.filter(owner=user, is_active=True).count(),
        "refused": refused,
    }
    return render(request, "accounts/leave.html", context, status=200 if refused is None else 422)
