"""Days away from matches by correspondence."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.policy import member, who
from games import services
from games.errors import Refused
from games.selectors import lists


@member
@require_http_methods(["GET", "HEAD", "POST"])
def vacation(request: HttpRequest) -> HttpResponse:
    """How many days are left this year; go away, or (`action` is back) come back."""
    user = who(request)
    if request.method != "POST":
        context = {"away": lists.away_until(user), "left": services.days_left(user=user)}
        return render(request, "games/vacation.html", context)
    if request.POST.get("action") == "back":
        services.vacation_end(user=user)
        messages.success(request, _("Welcome back: your clocks run again."))
        return redirect("vacation")
    text = request.POST.get("days", "")
    days = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0
    try:
        services.vacation_begin(user=user, days=days)
        messages.success(request, _("Your clocks by correspondence stand until you are back."))
    except Refused as refused:
        messages.error(request, refused.text)
    return redirect("vacation")
