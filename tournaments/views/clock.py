"""The match clock of a pairing that is played over the board: a phone beside the board, with its score sheet."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.web.policy import current_user, member
from games.errors import Refused
from games.views.request import not_found_as_404
from tournaments.selectors import match_clock as selector
from tournaments.views.responses import not_director_page


@member
@require_safe
def match_clock(request: HttpRequest, tournament_id: str, key: str) -> HttpResponse:
    """Show the match clock of an open pairing to its two players and to officials."""
    try:
        with not_found_as_404():
            clock = selector.match_clock(tournament_id=tournament_id, user=current_user(request), key=key)
    except Refused as refused:
        if refused.code == "not_yours":
            return not_director_page(request, tournament_id, refused)
        messages.error(request, refused.text)
        return redirect("tournament", tournament_id)
    return render(request, "tournaments/clock.html", {"clock": clock, "tournament": clock.tournament})
