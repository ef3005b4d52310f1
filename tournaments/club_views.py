"""The pages of a club that show what it plays: its front page, its hall of fame, its nights, results out of files.

Thin: parse, call one service or selector, show. Its people are the matter of `accounts.club_views`.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.club_views import forbidden, tried, viewer, visited
from accounts.errors import Refused
from accounts.limits import limited, posts
from accounts.models import Club
from accounts.policy import member, public, who
from accounts.rosters import Visit
from games.errors import Refused as PlayRefused
from games.views.common import page_of
from tournaments.blueprints import BLUEPRINTS, USUAL
from tournaments.formats.core import Invalid
from tournaments.forms import TournamentForm
from tournaments.forms.clubs import RecurrenceForm, ResultsFileForm, answers_of_template, usual_night
from tournaments.models import NightTemplate
from tournaments.selectors import clubs
from tournaments.services import imports, nights
from tournaments.sheets import decode

RECURRENCE_ACTS = {
    "pause": nights.recurrence_pause,
    "resume": nights.recurrence_resume,
    "stop": nights.recurrence_stop,
}
DATE_ACTS = {"skip": nights.night_skip, "restore": nights.night_restore}
SHOWN_LINES = 200


@public
@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """The page of a club: what it is, what it plays now, what was played last."""
    visit = visited(request, slug)
    front = clubs.front(visit.club, viewer(request))
    return render(request, "clubs/club.html", {"visit": visit, "club": visit.club, "front": front})


@public
@require_safe
def club_records(request: HttpRequest, slug: str) -> HttpResponse:
    """The hall of fame: records, champions, winners of seasons."""
    visit = visited(request, slug)
    context = {
        "visit": visit,
        "club": visit.club,
        "fame": clubs.fame(visit.club),
        "page": page_of(request, clubs.champions(visit.club)),
    }
    return render(request, "clubs/records.html", context)


# Nights


def _directed(request: HttpRequest, slug: str) -> Visit | HttpResponse:
    """The club for who directs it, or the page that says that he does not."""
    visit = visited(request, slug)
    return visit if visit.directs else forbidden(request, visit, "club_not_director")


@member
@require_safe
def club_nights(request: HttpRequest, slug: str) -> HttpResponse:
    """The templates of a club's nights, and what repeats from them."""
    visit = _directed(request, slug)
    if isinstance(visit, HttpResponse):
        return visit
    context = {"visit": visit, "club": visit.club, "templates": clubs.templates(visit.club)}
    return render(request, "clubs/nights.html", context)


@member
@require_http_methods(["GET", "HEAD", "POST"])
def template_new(request: HttpRequest, slug: str) -> HttpResponse:
    """A new template; `?from=` names a blueprint to begin with."""
    visit = _directed(request, slug)
    if isinstance(visit, HttpResponse):
        return visit
    chosen = BLUEPRINTS.get(request.GET.get("from", ""), USUAL)
    answers = {"timezone": visit.club.timezone, "name": str(chosen.name), **chosen.answers}
    return _template(request, visit, None, answers, chosen=chosen.key)


@member
@require_http_methods(["GET", "HEAD", "POST"])
def template_change(request: HttpRequest, slug: str, template_id: int) -> HttpResponse:
    """Change a template; what was opened from it stays as it is."""
    visit = _directed(request, slug)
    if isinstance(visit, HttpResponse):
        return visit
    found = _template_of(visit.club, template_id)
    return _template(request, visit, found, dict(answers_of_template(found)))


def _template_of(club: Club, template_id: int) -> NightTemplate:
    found = club.night_templates.filter(pk=template_id).first()
    if found is None:
        raise Http404
    return found


def _template(
    request: HttpRequest, visit: Visit, found: NightTemplate | None, answers: dict[str, Any], chosen: str = ""
) -> HttpResponse:
    form = TournamentForm(request.POST or None, answers=answers)
    if request.method == "POST" and form.is_valid():
        facts = {key: value for key, value in form.facts().items() if key in ("name", "terms", *nights.FACTS)}
        facts["starts_itself"] = facts["starts_itself"] and form.cleaned_data.get("starts_at") is not None
        try:
            saved = nights.template_save(
                club=visit.club, by=who(request), template_id=found.pk if found else None, **facts
            )
        except (Refused, Invalid) as refused:
            _refuse(form, refused)
        else:
            messages.success(request, _("The template %(name)s is saved.") % {"name": saved.name})
            return redirect("club-nights", visit.club.slug)
    context = {
        "visit": visit,
        "club": visit.club,
        "form": form,
        "template": found,
        "blueprints": BLUEPRINTS.values(),
        "chosen": chosen,
    }
    return render(request, "clubs/template.html", context, status=422 if form.errors else 200)


def _refuse(form: TournamentForm, refused: Refused | Invalid) -> None:
    if isinstance(refused, PlayRefused | Invalid) and refused.code != "template_name":
        form.refuse(refused)
    else:
        form.add_error("name", refused.text if isinstance(refused, Refused) else str(refused))


@member
@require_POST
def template_remove(request: HttpRequest, slug: str, template_id: int) -> HttpResponse:
    """Forget a template."""
    visit = _directed(request, slug)
    if isinstance(visit, HttpResponse):
        return visit
    done = _("The template is gone.")
    tried(request, lambda: nights.template_remove(template_id=template_id, club=visit.club, by=who(request)), done)
    return redirect("club-nights", slug)


@member
@require_http_methods(["GET", "HEAD", "POST"])
def night_repeat(request: HttpRequest, slug: str, template_id: int) -> HttpResponse:
    """Let nights open themselves from a template."""
    visit = _directed(request, slug)
    if isinstance(visit, HttpResponse):
        return visit
    found = _template_of(visit.club, template_id)
    form = RecurrenceForm(request.POST or None, initial=usual_night(found))
    if request.method == "POST" and form.is_valid():
        try:
            nights.recurrence_make(template_id=found.pk, club=visit.club, by=who(request), **form.facts())
        except Refused as refused:
            form.add_error({"rhythm": "weekdays", "opens_days": "opens_days"}.get(refused.code), refused.text)
        else:
            messages.success(request, _("The night repeats: it opens by itself."))
            return redirect("club-nights", slug)
    context = {"visit": visit, "club": visit.club, "template": found, "form": form}
    return render(request, "clubs/repeat.html", context, status=422 if form.errors else 200)


@member
@require_POST
def night_act(request: HttpRequest, slug: str, recurrence_id: int) -> HttpResponse:
    """Pause, resume or stop a night that repeats; skip a date, or take that back."""
    visit = _directed(request, slug)
    if isinstance(visit, HttpResponse):
        return visit
    action, by = request.POST.get("action", ""), who(request)
    facts: dict[str, Any] = {"recurrence_id": recurrence_id, "club": visit.club, "by": by}
    if action in RECURRENCE_ACTS:
        tried(request, lambda: RECURRENCE_ACTS[action](**facts), _("Saved."))
    elif action in DATE_ACTS and (day := _day(request.POST.get("date", ""))):
        tried(request, lambda: DATE_ACTS[action](**facts, day=day), _("Saved."))
    return redirect("club-nights", slug)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


# Results out of a file


@limited("import", when=posts)
@member
@require_http_methods(["GET", "HEAD", "POST"])
def club_import(request: HttpRequest, slug: str) -> HttpResponse:
    """Results out of a file: shown line by line first, and brought in when that is what was wanted."""
    visit = _directed(request, slug)
    if isinstance(visit, HttpResponse):
        return visit
    context: dict[str, Any] = {"visit": visit, "club": visit.club, "may_rate": imports.may_rate(visit.club)}
    form = ResultsFileForm(request.POST or None, request.FILES or None)
    if request.method != "POST":
        return render(request, "clubs/import.html", {**context, "form": form})
    if not form.is_valid():
        return render(request, "clubs/import.html", {**context, "form": form}, status=422)
    data, rated = form.given(), form.cleaned_data["rated"]
    act = imports.results_import if request.POST.get("action") == "import" else imports.results_check
    try:
        verdicts = act(club=visit.club, by=who(request), data=data, rated=rated)
    except Refused as refused:
        form.add_error("file", refused.text)
        return render(request, "clubs/import.html", {**context, "form": form}, status=422)
    counts = {what: sum(one.what == what for one in verdicts) for what in ("new", "twice", "known", "error")}
    if act is imports.results_import:
        messages.success(request, _("Results brought in: %(n)s.") % {"n": counts["new"]})
        return redirect("club-import", slug)
    context |= {
        "form": form,
        "text": decode(data),
        "rated": rated,
        "lines": clubs.told_lines(verdicts[:SHOWN_LINES]),
        "more": max(0, len(verdicts) - SHOWN_LINES),
        "counts": counts,
    }
    return render(request, "clubs/import.html", context)
