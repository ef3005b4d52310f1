"""An arena: players pause and come back, a director ends the pairing."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.web.policy import current_user, member
from games.views.request import run_action
from tournaments import services
from tournaments.selectors import lookups
from tournaments.views.responses import run_on_desk


@member
@require_POST
def tournament_pause(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Pause in an arena, or (`action` is back) be paired again."""
    user, paused = current_user(request), request.POST.get("action") != "back"

    def pause() -> None:
        number = lookups.entrant_number(tournament_id=tournament_id, user=user)
        services.arena_pause(tournament_id=tournament_id, user=user, number=number, paused=paused)

    run_action(request, pause)
    return redirect("tournament", tournament_id)


@member
@require_POST
def desk_stop(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """End the pairing of an arena before its time is up."""
    return run_on_desk(request, tournament_id, services.arena_stop, _("The pairing has ended."))
