"""Error rates: a player's own, and the ranking of all players who show theirs. Thin: parse, call, show."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.web.policy import current_user, member, public
from analysis import error_ranking
from analysis.error_rates import KINDS
from analysis.models import AnalysisPreferences
from analysis.phases import PHASES
from analysis.selectors import error_rates
from games.errors import NotFound
from games.selectors.players import player_named
from games.views.request import viewer


@public
@require_safe
def player_errors(request: HttpRequest, name: str) -> HttpResponse:
    """A player's error rates by match, phase and kind of decision: one's own, or public ones."""
    try:
        found = player_named(name)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    is_own, open_to_all = viewer(request) == found, error_rates.shows_error_rates(found)
    if not (is_own or open_to_all):
        return render(request, "analysis/player_errors.html", {"player": found, "closed": True}, status=403)
    errors = error_rates.player_errors(found)
    context = {
        "player": found,
        "is_own": is_own,
        "open": open_to_all,
        "errors": errors,
        "phases": [(name, errors.parts[name]) for name in PHASES if name in errors.parts],
        "kinds": [(name, errors.parts[name]) for name in KINDS if name in errors.parts],
        "rolling": error_rates.ROLLING,
        "window": error_ranking.WINDOW_DAYS,
        "least": error_ranking.LEAST_DECISIONS,
    }
    return render(request, "analysis/player_errors.html", context)


@member
@require_POST
def errors_show(request: HttpRequest) -> HttpResponse:
    """Show one's error rates to everybody, and in the ranking, or to nobody."""
    user = current_user(request)
    AnalysisPreferences.objects.update_or_create(user=user, defaults={"public": request.POST.get("public") == "on"})
    return redirect("player-errors", user.username)


@public
@require_safe
def error_ladder(request: HttpRequest) -> HttpResponse:
    """Members by their error rate in the rolling window, each with the interval it is known in."""
    context = {
        "ranking": error_rates.ranked_players(),
        "window": error_ranking.WINDOW_DAYS,
        "least": error_ranking.LEAST_DECISIONS,
        "least_matches": error_ranking.LEAST_MATCHES,
    }
    return render(request, "analysis/error_ladder.html", context)
