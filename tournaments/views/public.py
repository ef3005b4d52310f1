"""The public pages of tournaments: the list, the page of one tournament, its verifiable draw."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.web.policy import public
from accounts.web.qr_code import qr_path
from games.views.request import not_found_as_404, viewer
from tournaments.selectors import tournament_page
from tournaments.selectors.tournament_list import tournament_lists

LONGEST_NAME = 80
MOST_REQUESTED = 8  # rounds or crosstables of a large page at once


@public
@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    """List the tournaments in progress, those open for registration, and the last finished ones."""
    return render(request, "tournaments/list.html", {"lists": tournament_lists(viewer(request))})


@public
@require_safe
def tournament(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Show a tournament: brackets, tables, the viewer's next match. `?player=` highlights the path of a player.

    `?round=` requests a round or crosstable that a large page leaves out at first.
    """
    return _render_page(request, tournament_id, "tournaments/tournament.html")


@public
@require_safe
def tournament_live(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Render the part of the tournament's page that changes, for its refresh."""
    return _render_page(request, tournament_id, "tournaments/_live.html")


@public
@require_safe
def draw_json(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The published draw, as `python3 -m tournaments.draw` verifies it."""
    with not_found_as_404():
        return JsonResponse(tournament_page.draw_document(tournament_id), json_dumps_params={"indent": 1})


def _render_page(request: HttpRequest, tournament_id: str, template: str) -> HttpResponse:
    search = request.GET.get("player", "").strip()[:LONGEST_NAME]
    requested = request.GET.getlist("round")[:MOST_REQUESTED]
    with not_found_as_404():
        view = tournament_page.tournament_page(
            tournament_id=tournament_id, user=viewer(request), search=search, requested=requested
        )
    context = {"view": view, "tournament": view.tournament}
    if view.shows_check_in_code and view.viewer_entry is not None:
        number = view.viewer_entry.entrant.number
        context["check_in_qr"] = qr_path(
            request.build_absolute_uri(reverse("desk-check-in", args=[tournament_id, number]))
        )
    return render(request, template, context)
