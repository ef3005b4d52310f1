"""Byes at a player's request: on the tournament's page by the player, at the desk by the director."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.web.policy import current_user, member
from games.views.request import run_action
from tournaments import services
from tournaments.selectors import lookups
from tournaments.views.responses import posted_number, run_on_desk

LONGEST_ROUND = 3  # digits


@member
@require_POST
def tournament_bye(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Ask for a bye in a round, or (`action` is remove) take the request back."""
    user, round_ = current_user(request), posted_number(request, "round", digits=LONGEST_ROUND)
    asked = request.POST.get("action") != "remove"

    def ask() -> None:
        number = lookups.entrant_number(tournament_id=tournament_id, user=user)
        services.bye_request(tournament_id=tournament_id, user=user, number=number, round=round_, asked=asked)

    texts = (_("Bye in round %(round)s requested."), _("You play round %(round)s."))
    run_action(request, ask, texts[not asked] % {"round": round_})
    return redirect("tournament", tournament_id)


@member
@require_POST
def desk_bye(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Record a bye that a player asks for, or (`action` is remove) remove it."""
    number, round_ = posted_number(request, "entrant"), posted_number(request, "round", digits=LONGEST_ROUND)
    asked = request.POST.get("action") != "remove"
    return run_on_desk(request, tournament_id, services.bye_request, number=number, round=round_, asked=asked)
