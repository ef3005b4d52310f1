"""The page of vacations from correspondence matches."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.web.policy import current_user, member
from games import services
from games.errors import Refused
from games.selectors.vacations import away_until


@member
@require_http_methods(["GET", "HEAD", "POST"])
def vacation(request: HttpRequest) -> HttpResponse:
    """Show the vacation days left this year; start a vacation, or end it (`action` is ``back``)."""
    user = current_user(request)
    if request.method != "POST":
        context = {"away": away_until(user), "left": services.days_left(user=user)}
        return render(request, "games/vacation.html", context)
    if request.POST.get("action") == "back":
        services.vacation_end(user=user)
        messages.success(request, _("Welcome back. Your clocks are running again."))
        return redirect("vacation")
    text = request.POST.get("days", "")
    days = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0
    try:
        services.vacation_begin(user=user, days=days)
        messages.success(request, _("Your correspondence clocks are paused until you are back."))
    except Refused as refused:
        messages.error(request, refused.text)
    return redirect("vacation")
