"""The templates and recurring events of a club, for its directors."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.clubs.selectors import ClubAccess
from accounts.clubs.views import club_access_or_404, forbidden, run_service
from accounts.errors import Refused
from accounts.models import Club
from accounts.web.policy import current_user, member
from games.errors import Refused as PlayRefused
from tournaments.formats.core import Invalid
from tournaments.forms.clubs import RecurrenceForm, answers_of_template, default_recurrence
from tournaments.forms.settings import TournamentForm
from tournaments.models import EventTemplate
from tournaments.presets import DEFAULT_PRESET, PRESETS
from tournaments.selectors import recurring_events
from tournaments.services import recurring

EVENT_ACTIONS = {
    "pause": recurring.recurring_event_pause,
    "resume": recurring.recurring_event_resume,
    "stop": recurring.recurring_event_stop,
}
DATE_ACTIONS = {"skip": recurring.occurrence_skip, "restore": recurring.occurrence_restore}


def directed_club(request: HttpRequest, slug: str) -> ClubAccess | HttpResponse:
    """The access of a director to their club, or the page for everybody else. Raises Http404."""
    access = club_access_or_404(request, slug)
    return access if access.can_direct else forbidden(request, access, "club_not_director")


@member
@require_safe
def club_recurring_events(request: HttpRequest, slug: str) -> HttpResponse:
    """The templates of a club, and the recurring events of each."""
    access = directed_club(request, slug)
    if isinstance(access, HttpResponse):
        return access
    context = {"access": access, "club": access.club, "templates": recurring_events.template_rows(access.club)}
    return render(request, "clubs/recurring_events.html", context)


@member
@require_http_methods(["GET", "HEAD", "POST"])
def template_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a template; `?from=` names a preset to start with."""
    access = directed_club(request, slug)
    if isinstance(access, HttpResponse):
        return access
    preset = PRESETS.get(request.GET.get("from", ""), DEFAULT_PRESET)
    answers = {"timezone": access.club.timezone, "name": str(preset.name), **preset.answers}
    return _template_form(request, access, None, answers, preset=preset.key)


@member
@require_http_methods(["GET", "HEAD", "POST"])
def template_change(request: HttpRequest, slug: str, template_id: int) -> HttpResponse:
    """Change a template; tournaments that were created from it stay as they are."""
    access = directed_club(request, slug)
    if isinstance(access, HttpResponse):
        return access
    template = _template_or_404(access.club, template_id)
    return _template_form(request, access, template, dict(answers_of_template(template)))


def _template_or_404(club: Club, template_id: int) -> EventTemplate:
    template = club.event_templates.filter(pk=template_id).first()
    if template is None:
        raise Http404
    return template


def _template_form(
    request: HttpRequest, access: ClubAccess, template: EventTemplate | None, answers: dict[str, Any], preset: str = ""
) -> HttpResponse:
    form = TournamentForm(request.POST or None, answers=answers)
    if request.method == "POST" and form.is_valid():
        kwargs = {key: value for key, value in form.kwargs().items() if key in ("name", "terms", *recurring.FACTS)}
        kwargs["starts_itself"] = kwargs["starts_itself"] and form.cleaned_data.get("starts_at") is not None
        template_id = template.pk if template else None
        try:
            saved = recurring.template_save(
                club=access.club, by=current_user(request), template_id=template_id, **kwargs
            )
        except (Refused, Invalid) as error:
            _show_refusal(form, error)
        else:
            messages.success(request, _("Template %(name)s saved.") % {"name": saved.name})
            return redirect("club-nights", access.club.slug)
    context = {
        "access": access,
        "club": access.club,
        "form": form,
        "template": template,
        "presets": PRESETS.values(),
        "chosen": preset,
    }
    return render(request, "clubs/template.html", context, status=422 if form.errors else 200)


def _show_refusal(form: TournamentForm, error: Refused | Invalid) -> None:
    if isinstance(error, PlayRefused | Invalid) and error.code != "template_name":
        form.show_refusal(error)
    else:
        form.add_error("name", error.text if isinstance(error, Refused) else str(error))


@member
@require_POST
def template_remove(request: HttpRequest, slug: str, template_id: int) -> HttpResponse:
    """Delete a template."""
    access = directed_club(request, slug)
    if isinstance(access, HttpResponse):
        return access
    user = current_user(request)
    run_service(
        request,
        lambda: recurring.template_remove(template_id=template_id, club=access.club, by=user),
        _("Template deleted."),
    )
    return redirect("club-nights", slug)


@member
@require_http_methods(["GET", "HEAD", "POST"])
def recurring_event_new(request: HttpRequest, slug: str, template_id: int) -> HttpResponse:
    """Make a recurring event from a template."""
    access = directed_club(request, slug)
    if isinstance(access, HttpResponse):
        return access
    template = _template_or_404(access.club, template_id)
    form = RecurrenceForm(request.POST or None, initial=default_recurrence(template))
    if request.method == "POST" and form.is_valid():
        try:
            recurring.recurring_event_create(
                template_id=template.pk, club=access.club, by=current_user(request), **form.kwargs()
            )
        except Refused as refused:
            form.add_error({"rhythm": "weekdays", "opens_days": "opens_days"}.get(refused.code), refused.text)
        else:
            messages.success(request, _("Recurring event created. Each tournament will open automatically."))
            return redirect("club-nights", slug)
    context = {"access": access, "club": access.club, "template": template, "form": form}
    return render(request, "clubs/recurring_event_form.html", context, status=422 if form.errors else 200)


@member
@require_POST
def recurring_event_change(request: HttpRequest, slug: str, recurring_event_id: int) -> HttpResponse:
    """Pause, resume or stop a recurring event; skip a date of it, or restore that date."""
    access = directed_club(request, slug)
    if isinstance(access, HttpResponse):
        return access
    action = request.POST.get("action", "")
    kwargs: dict[str, Any] = {
        "recurring_event_id": recurring_event_id,
        "club": access.club,
        "by": current_user(request),
    }
    if action in EVENT_ACTIONS:
        run_service(request, lambda: EVENT_ACTIONS[action](**kwargs), _("Saved."))
    elif action in DATE_ACTIONS and (day := _date_or_none(request.POST.get("date", ""))):
        run_service(request, lambda: DATE_ACTIONS[action](**kwargs, day=day), _("Saved."))
    return redirect("club-nights", slug)


def _date_or_none(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
