"""The moderators' pages. Every view checks anew who moderates; for anyone else they are a 404."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.errors import Refused
from accounts.models import User
from accounts.web.policy import current_user, member
from chat import moderators, services
from chat.errors import NotFound
from chat.forms import CaseForm
from chat.selectors import cases
from games.views.request import paginate, query_choices


def _moderator(request: HttpRequest) -> User:
    """Return the moderator who asks. Raises Http404 for anyone else."""
    user = current_user(request)
    if not moderators.is_moderator(user):
        raise Http404
    return user


@member
@require_safe
def moderation(request: HttpRequest) -> HttpResponse:
    """The cases that wait, and those that were closed."""
    user = _moderator(request)
    closed = bool(query_choices(request, show=["closed"])["show"])
    page = paginate(request, cases.queue(user, closed=closed))
    return render(request, "chat/moderation.html", {"page": page, "closed": closed})


@member
@require_safe
def moderation_log(request: HttpRequest) -> HttpResponse:
    """Everything that moderators did."""
    return render(request, "chat/moderation_log.html", {"page": paginate(request, cases.log(_moderator(request)))})


@member
@require_http_methods(["GET", "HEAD", "POST"])
def case(request: HttpRequest, case_id: int) -> HttpResponse:
    """Show a case with the messages around it, and carry out acts in it."""
    user = _moderator(request)
    try:
        found = cases.case_page(case_id=case_id, user=user)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    form = CaseForm(
        request.POST if request.method == "POST" else None, acts=found.acts, initial={"message": _pointed_at(found)}
    )
    if request.method == "POST" and form.is_valid():
        posted = form.cleaned_data
        try:
            services.case_act(
                case_id=case_id,
                by=user,
                act=posted["act"],
                why=posted["why"],
                message_id=_line(request),
                span=posted["span"],
            )
        except Refused as refused:
            form.add_error(None, refused.text)
        else:
            messages.success(request, _("Done. The decision is in the log."))
            return redirect("case", case_id)
    return render(request, "chat/case.html", {"found": found, "form": form}, status=422 if form.errors else 200)


def _pointed_at(found: cases.CasePage) -> int | None:
    """The first message of a case that was reported and is still there."""
    return next((line.message.pk for line in found.lines if line.reported and not line.message.removed_at), None)


def _line(request: HttpRequest) -> int | None:
    """The message that was chosen in the page."""
    value = request.POST.get("message", "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 15 else None
