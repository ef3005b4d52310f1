"""The people who play here. Thin: parse, call one selector, show."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.policy import public
from games.errors import NotFound
from games.selectors import lists
from games.views.common import page_of
from games.views.history import matches_of


@public
@require_safe
def player_page(request: HttpRequest, name: str) -> HttpResponse:
    """A player's public page: totals and finished matches."""
    try:
        found = lists.player_named(name)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    return render(request, "games/player.html", matches_of(request, found))


@public
@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """Everybody who plays here, with a search by name."""
    search = request.GET.get("q", "").strip()[:24]
    return render(request, "games/players.html", {"page": page_of(request, lists.players(search)), "search": search})
