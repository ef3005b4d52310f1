"""Finished matches: one's own, and any player's. Thin: parse, call one selector, show."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.policy import player, who
from games.selectors import lists
from games.views.common import page_of


@player
@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """One's own finished matches."""
    return render(request, "games/history.html", matches_of(request, who(request)))


def matches_of(request: HttpRequest, owner: User) -> dict[str, Any]:
    """What a list of a player's finished matches needs: the filter of the address, and a page of rows."""
    request.player = owner  # type: ignore[attr-defined]
    chosen = lists.HistoryFilter(request.GET, queryset=lists.finished(owner), request=request)
    page = page_of(request, chosen.qs if chosen.is_valid() else lists.finished(owner))
    return {
        "who": owner,
        "filter": chosen,
        "filtered": any(request.GET.get(name) for name in chosen.filters),
        "page": page,
        "rows": lists.rows(page.object_list, owner),
        "totals": lists.totals(owner),
    }
