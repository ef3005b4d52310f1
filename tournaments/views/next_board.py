"""The way of the host of a simultaneous exhibition from board to board."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from accounts.web.policy import current_user, player
from games.views.request import not_found_as_404
from tournaments.selectors.next_board import NextBoard, next_board_or_not_found


@player
@require_safe
def next_board(request: HttpRequest, tournament_id: str, match_id: str) -> HttpResponse:
    """Go to the board that has waited longest for the host; to the exhibition if none waits."""
    found = _found(request, tournament_id, match_id)
    if found.matches:
        return redirect("match", found.matches[0])
    messages.info(request, found.text)
    return redirect("tournament", tournament_id)


@player
@require_safe
def next_board_count(request: HttpRequest, tournament_id: str, match_id: str) -> JsonResponse:
    """How many other boards wait for the host, for the page of a board."""
    found = _found(request, tournament_id, match_id)
    return JsonResponse({"waiting": found.waiting, "text": found.text}, headers={"Cache-Control": "no-store"})


def _found(request: HttpRequest, tournament_id: str, match_id: str) -> NextBoard:
    """Raises Http404 for everybody but the host."""
    with not_found_as_404():
        return next_board_or_not_found(tournament_id=tournament_id, match_id=match_id, user=current_user(request))
