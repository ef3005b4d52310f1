"""The pages of dice statistics: the whole site, and one match."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.web.policy import public
from games.errors import Refused
from games.models import Match
from games.selectors import dice_reports
from games.views.request import match_or_404


@public
@require_safe
def site_dice(request: HttpRequest) -> HttpResponse:
    """The dice of all finished matches; `?variant=` selects a game."""
    wanted = request.GET.get("variant", "")
    found = dice_reports.site_dice(wanted)
    context = {"found": found, "wanted": wanted if wanted in found.variants else ""}
    return render(request, "games/dice.html", context)


@public
@require_safe
def match_dice(request: HttpRequest, match_id: str) -> HttpResponse:
    """The dice of a finished match, of both players together and of each; not of an imported match."""
    match = match_or_404(request, match_id)
    if match.source:
        raise Http404
    if match.status != Match.Status.OVER:
        messages.error(request, Refused("not_over").text)
        return redirect("match", match_id)
    found = dice_reports.match_dice(match)
    seats = [(seat, found.sides[seat.side]) for seat in match.seats.all()]
    return render(request, "games/match_dice.html", {"match": match, "both": found.both, "seats": seats})
