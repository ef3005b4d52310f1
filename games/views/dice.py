"""The dice really thrown against those that fair dice throw: of the whole site, and of one match. Thin."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.policy import public
from games.errors import NotFound, Refused
from games.models import Match
from games.selectors import lists, rolls
from games.views.common import viewer


@public
@require_safe
def site_dice(request: HttpRequest) -> HttpResponse:
    """The dice of all finished matches; `?variant=` chooses a game."""
    wanted = request.GET.get("variant", "")
    found = rolls.of_site(wanted)
    context = {"found": found, "wanted": wanted if wanted in found.variants else ""}
    return render(request, "games/dice.html", context)


@public
@require_safe
def match_dice(request: HttpRequest, match_id: str) -> HttpResponse:
    """The dice of a finished match, together and each player's; of one out of a file there are none of ours."""
    try:
        match = lists.match_seen(match_id=match_id, user=viewer(request))
    except NotFound as refused:
        raise Http404(refused.text) from refused
    if match.source:
        raise Http404
    if match.status != Match.Status.OVER:
        messages.error(request, Refused("not_over").text)
        return redirect("match", match_id)
    found = rolls.of_match(match)
    seats = [(seat, found.sides[seat.side]) for seat in match.seats.all()]
    return render(request, "games/match_dice.html", {"match": match, "both": found.both, "seats": seats})
