"""The public pages of tournaments. Thin: one selector, shown. What is written goes through tournaments.desk_views."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.policy import public
from games.views.common import viewer
from tournaments.errors import NotFound
from tournaments.selectors import pages

LONGEST_NAME = 80
MOST_ASKED = 8  # parts of a large page at once


@public
@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """What runs, what one can enter, and what ended last."""
    return render(request, "tournaments/list.html", {"lists": pages.tournaments(viewer(request))})


@public
@require_safe
def tournament(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The page of a tournament: brackets, tables, my next match. `?player=` marks the path of one player.

    `?round=` asks for a part that a large page shows only to who wants it.
    """
    return _page(request, tournament_id, "tournaments/tournament.html")


@public
@require_safe
def live(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The part of that page that changes, for its refresh."""
    return _page(request, tournament_id, "tournaments/_live.html")


@public
@require_safe
def draw_json(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The published draw, as `python3 -m tournaments.draw` checks it."""
    try:
        return JsonResponse(pages.draw_document(tournament_id), json_dumps_params={"indent": 1})
    except NotFound as refused:
        raise Http404(refused.text) from refused


def _page(request: HttpRequest, tournament_id: str, template: str) -> HttpResponse:
    search = request.GET.get("player", "").strip()[:LONGEST_NAME]
    asked = request.GET.getlist("round")[:MOST_ASKED]
    try:
        view = pages.page(tournament_id=tournament_id, user=viewer(request), search=search, asked=asked)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    return render(request, template, {"view": view, "tournament": view.tournament})
