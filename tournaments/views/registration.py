"""Registration by the players themselves: enter, withdraw, check in."""

from __future__ import annotations

from urllib.parse import quote

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.web.policy import current_user, member
from games.views.request import run_action
from tournaments import services
from tournaments.selectors import lookups


@member
@require_POST
def tournament_enter(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Enter a tournament, or enter it again after a withdrawal."""
    user = current_user(request)
    posted = {name: request.POST.get(name, "")[:80] for name in ("nonce", "password", "invitation")}
    if run_action(request, lambda: services.entrant_register(tournament_id=tournament_id, user=user, **posted)):
        waiting = lookups.is_waiting(tournament_id=tournament_id, user=user)
        messages.success(request, _("You're on the waiting list.") if waiting else _("You're registered."))
        return redirect("tournament", tournament_id)
    query = f"?invite={quote(posted['invitation'])}" if posted["invitation"] else ""
    return redirect(reverse("tournament", args=[tournament_id]) + query)


@member
@require_POST
def tournament_leave(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Withdraw from a tournament."""
    user = current_user(request)

    def withdraw() -> None:
        number = lookups.entrant_number(tournament_id=tournament_id, user=user)
        services.entrant_withdraw(tournament_id=tournament_id, user=user, number=number)

    run_action(request, withdraw, _("You have withdrawn."))
    return redirect("tournament", tournament_id)


@member
@require_POST
def tournament_check_in(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Check in, with a nonce for the draw; or (`here` is 0) check out again."""
    user = current_user(request)
    here, nonce = request.POST.get("here", "1") != "0", request.POST.get("nonce", "")

    def check_in() -> None:
        number = lookups.entrant_number(tournament_id=tournament_id, user=user)
        services.entrant_check_in(tournament_id=tournament_id, user=user, number=number, here=here, nonce=nonce)

    run_action(request, check_in, _("You're checked in.") if here else _("You're no longer checked in."))
    return redirect("tournament", tournament_id)
