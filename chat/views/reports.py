"""Reporting something, and what one has to read oneself."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.errors import Refused
from accounts.models import User
from accounts.names.validation import fold
from accounts.web.policy import current_user, player
from chat import services
from chat.errors import NotFound
from chat.errors import Refused as ChatRefused
from chat.forms import ReportForm
from chat.models import Message
from chat.selectors import cases
from chat.visibility import active_sanctions, chat_viewer, visible_messages
from games.database import now
from games.selectors.matches import visible_match
from games.views.request import paginate, run_action


@player
@require_http_methods(["GET", "HEAD", "POST"])
def report_new(request: HttpRequest) -> HttpResponse:
    """Report what the address names: `?message=17`, `?player=bea` (with `&match=` where it happened), `?match=...`."""
    try:
        subject = _subject(request)
    except Refused as refused:
        raise Http404(refused.text) from refused
    form = ReportForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            services.report_make(by=current_user(request), **_service_arguments(subject), **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, refused.text)
        else:
            messages.success(request, _("Thank you. The moderators will review your report and notify you."))
            return redirect("reports")
    return render(request, "chat/report.html", {"form": form, **subject}, status=422 if form.errors else 200)


@player
@require_safe
def reports(request: HttpRequest) -> HttpResponse:
    """What one has reported, and what came of it."""
    return render(request, "chat/reports.html", {"page": paginate(request, cases.reports_of(current_user(request)))})


@player
@require_safe
def about_me(request: HttpRequest) -> HttpResponse:
    """Show what moderators have written to the user, and the user's sanctions."""
    return render(request, "chat/about_me.html", {"sanctions": active_sanctions(current_user(request), now())})


@player
@require_POST
def warning_read(request: HttpRequest, sanction_id: int) -> HttpResponse:
    """The person has read a warning."""
    run_action(
        request, lambda: services.warning_read(user=current_user(request), sanction_id=sanction_id), _("Thank you.")
    )
    return redirect("about-me")


def _subject(request: HttpRequest) -> dict[str, Any]:
    """What is to be reported: `message`, `about`, `match`. Raises Refused where this person cannot see it."""
    user, query = current_user(request), request.GET
    number = query.get("message", "")
    if number:
        message = _message(user, int(number)) if number.isascii() and number.isdigit() and len(number) < 15 else None
        if message is None:
            raise NotFound("no_message")
        return {"message": message, "about": message.by, "match": message.match}
    name, match_id = query.get("player", ""), query.get("match", "")
    about = User.objects.filter(name_key=fold(name), is_active=True).first() if name else None
    match = visible_match(match_id=match_id, user=user) if match_id else None
    if (name and about is None) or (about is None and match is None):
        raise ChatRefused("report_nothing")
    if about == user:
        raise ChatRefused("report_self")
    return {"message": None, "about": about, "match": match}


def _message(user: User, number: int) -> Message | None:
    match_id = Message.objects.filter(pk=number).values_list("match", flat=True).first()
    if match_id is None:
        return None
    seen = visible_messages(chat_viewer(match_id=match_id, user_id=user.pk)).select_related("match")
    return seen.filter(pk=number, removed_at=None).first()


def _service_arguments(subject: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `report_make` for what is reported."""
    message, about, match = subject["message"], subject["about"], subject["match"]
    if message is not None:
        return {"message_id": message.pk}
    return {"about": about, "match_id": match.pk if match else None}
