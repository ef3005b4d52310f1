"""Entering a list of players: pasted or from a file, shown line by line before anything is written."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts.web.policy import current_user, member
from games.errors import Refused
from games.views.request import not_found_as_404
from tournaments import services
from tournaments.forms.entrants_list import EntrantsListForm, line_choices
from tournaments.roles import DeskAct
from tournaments.selectors import club_people
from tournaments.views.responses import tournament_or_forbidden


@member
@require_http_methods(["GET", "HEAD", "POST"])
def desk_entrants_list(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Show what each line of a list would do, then (`action` is add) enter the lines as chosen."""
    tournament = tournament_or_forbidden(request, tournament_id, DeskAct.MANAGE_ENTRANTS)
    if isinstance(tournament, HttpResponse):
        return tournament
    form = EntrantsListForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"tournament": tournament, "form": form}
    if request.method != "POST":
        return render(request, "tournaments/entrants_list.html", context)
    if not form.is_valid():
        return render(request, "tournaments/entrants_list.html", context, status=422)
    text, user = form.content(), current_user(request)
    try:
        if request.POST.get("action") == "add":
            choices = line_choices(request.POST)
            number = services.entrants_import(tournament_id=tournament_id, user=user, text=text, choices=choices)
            added = ngettext("%(number)s player added.", "%(number)s players added.", number)
            messages.success(request, added % {"number": number})
            return redirect(reverse("tournament-desk", args=[tournament_id]) + "#players")
        lines = services.entrants_check(tournament_id=tournament_id, user=user, text=text)
    except Refused as refused:
        form.add_error("text", refused.text)
        return render(request, "tournaments/entrants_list.html", context, status=422)
    counts = Counter(line.status for line in lines)
    context |= {"lines": lines, "text": text, "counts": counts, "adds": counts["new"] + counts["member"]}
    return render(request, "tournaments/entrants_list.html", context)


@member
@require_safe
def desk_people(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Names that begin like the typed one (`q`): people of the club, and who played in its tournaments."""
    with not_found_as_404():
        try:
            names = club_people.names_like(
                tournament_id=tournament_id, user=current_user(request), typed=request.GET.get("q", "")[:80]
            )
        except Refused as refused:
            return JsonResponse({"code": refused.code, "text": refused.text}, status=403)
    return JsonResponse({"names": names})
