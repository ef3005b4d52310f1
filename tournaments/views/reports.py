"""Reports for federations: of one tournament from its desk, and of a club's tournaments of some days."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.web.limits import limited
from accounts.web.policy import current_user, member
from games.errors import Refused
from games.views.request import not_found_as_404, run_action
from tournaments import services
from tournaments.forms.reports import FederationNumbersForm, PeriodForm
from tournaments.selectors import federation_report, lookups
from tournaments.selectors.exports import csv_lines
from tournaments.selectors.federation_report import FederationReport
from tournaments.views.recurring_events import directed_club
from tournaments.views.responses import form_is_valid, not_director_page


def _is_download(request: HttpRequest) -> bool:
    return request.method != "POST" and request.GET.get("what") in federation_report.SHEETS


@limited("export", when=_is_download)
@member
@require_http_methods(["GET", "HEAD", "POST"])
def desk_report(request: HttpRequest, tournament_id: str) -> HttpResponseBase:
    """Show the report of a tournament and save member numbers; `?what=` matches or points as a file."""
    user = current_user(request)
    if request.method == "POST":
        form = FederationNumbersForm(request.POST, entrants=lookups.entrants_of(tournament_id))
        if form_is_valid(request, form):
            numbers = form.numbers_by_entrant()
            run_action(
                request,
                lambda: services.federation_numbers_set(tournament_id=tournament_id, user=user, numbers=numbers),
                _("Member numbers saved."),
            )
        return redirect("desk-report", tournament_id)
    try:
        with not_found_as_404():
            report = federation_report.tournament_report(tournament_id=tournament_id, user=user)
    except Refused as refused:
        return not_director_page(request, tournament_id, refused)
    tournament = report.tournament
    if _is_download(request):
        return _file(report, request.GET["what"], slugify(tournament.name) or f"tournament-{tournament.pk}")
    return render(request, "tournaments/report.html", {"report": report, "tournament": tournament})


@limited("export", when=_is_download)
@member
@require_safe
def club_report(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show what a club can report of some days (this year, unless they are chosen); `?what=` as a file."""
    access = directed_club(request, slug)
    if isinstance(access, HttpResponse):
        return access
    club = access.club
    today = club.today()
    days = {"first": today.replace(month=1, day=1), "last": today}
    form = PeriodForm(request.GET if {"first", "last"} & set(request.GET) else None, initial=days)
    context: dict[str, Any] = {"access": access, "club": club, "form": form}
    if form.is_bound and not form.is_valid():
        return render(request, "clubs/report.html", context, status=422)
    days = form.cleaned_data if form.is_bound else days
    report = federation_report.club_report(club=club, user=current_user(request), **days)
    if _is_download(request):
        return _file(report, request.GET["what"], f"{club.slug}-{days['first']}-{days['last']}")
    return render(request, "clubs/report.html", {**context, "report": report, **days})


def _file(report: FederationReport, sheet: str, name: str) -> StreamingHttpResponse:
    lines = csv_lines(federation_report.sheet_rows(report, sheet))
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}-report-{sheet}.csv"'
    return response
