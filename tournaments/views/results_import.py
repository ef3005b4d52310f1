"""Importing the results of a club from a file."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.errors import Refused
from accounts.web.limits import is_post, limited
from accounts.web.policy import current_user, member
from tournaments.forms.clubs import ResultsFileForm
from tournaments.results_csv import decode
from tournaments.selectors.import_preview import import_lines
from tournaments.services import results_import
from tournaments.views.recurring_events import directed_club

SHOWN_LINES = 200


@limited("import", when=is_post)
@member
@require_http_methods(["GET", "HEAD", "POST"])
def club_import(request: HttpRequest, slug: str) -> HttpResponse:
    """Preview the results of a file line by line, then (`action` is import) import them."""
    access = directed_club(request, slug)
    if isinstance(access, HttpResponse):
        return access
    form = ResultsFileForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {
        "access": access,
        "club": access.club,
        "may_rate": results_import.may_rate(access.club),
        "form": form,
    }
    if request.method != "POST":
        return render(request, "clubs/import.html", context)
    if not form.is_valid():
        return render(request, "clubs/import.html", context, status=422)
    data, rated = form.content(), form.cleaned_data["rated"]
    imports = request.POST.get("action") == "import"
    service = results_import.results_import if imports else results_import.results_check
    try:
        outcomes = service(club=access.club, by=current_user(request), data=data, rated=rated)
    except Refused as refused:
        form.add_error("file", refused.text)
        return render(request, "clubs/import.html", context, status=422)
    counts = {kind: sum(line.status == kind for line in outcomes) for kind in ("new", "twice", "known", "error")}
    if imports:
        messages.success(request, _("Results imported: %(n)s.") % {"n": counts["new"]})
        return redirect("club-import", slug)
    context |= {
        "text": decode(data),
        "rated": rated,
        "lines": import_lines(outcomes[:SHOWN_LINES]),
        "more": max(0, len(outcomes) - SHOWN_LINES),
        "counts": counts,
    }
    return render(request, "clubs/import.html", context)
