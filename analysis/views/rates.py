"""Error rates: a player's own, and the ladder of all who show theirs. Thin: parse, call, show."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.policy import member, public, who
from analysis import ladder
from analysis.models import Wishes
from analysis.phases import PHASES
from analysis.rates import KINDS
from analysis.selectors import rates
from games.errors import NotFound
from games.selectors import lists
from games.views.common import viewer


@public
@require_safe
def player_errors(request: HttpRequest, name: str) -> HttpResponse:
    """A player's error rates by match, phase and kind of decision: his own, or shown to all by his choice."""
    try:
        found = lists.player_named(name)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    mine, open_to_all = viewer(request) == found, rates.shown(found)
    if not (mine or open_to_all):
        return render(request, "analysis/player_errors.html", {"who": found, "closed": True}, status=403)
    errors = rates.errors_of(found)
    context = {
        "who": found,
        "mine": mine,
        "open": open_to_all,
        "errors": errors,
        "phases": [(name, errors.parts[name]) for name in PHASES if name in errors.parts],
        "kinds": [(name, errors.parts[name]) for name in KINDS if name in errors.parts],
        "rolling": rates.ROLLING,
        "window": ladder.WINDOW_DAYS,
        "least": ladder.LEAST_DECISIONS,
    }
    return render(request, "analysis/player_errors.html", context)


@member
@require_POST
def errors_show(request: HttpRequest) -> HttpResponse:
    """Show one's error rates to everybody, and on the ladder, or to nobody."""
    user = who(request)
    Wishes.objects.update_or_create(user=user, defaults={"public": request.POST.get("public") == "on"})
    return redirect("player-errors", user.username)


@public
@require_safe
def error_ladder(request: HttpRequest) -> HttpResponse:
    """Members by their error rate in the rolling window, each with the interval it is known in."""
    context = {
        "rungs": rates.rungs(),
        "window": ladder.WINDOW_DAYS,
        "least": ladder.LEAST_DECISIONS,
        "least_matches": ladder.LEAST_MATCHES,
    }
    return render(request, "analysis/error_ladder.html", context)
