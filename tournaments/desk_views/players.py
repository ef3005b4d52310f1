"""What an entrant does: enter, check in, leave, and tell how a match over the board ended."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.policy import member, who
from games.views.common import tried
from tournaments import services
from tournaments.answers import fits
from tournaments.forms import ScoreForm
from tournaments.selectors import entries


@member
@require_POST
def tournament_enter(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Enter a tournament, or come back to it."""
    told = {name: request.POST.get(name, "")[:80] for name in ("nonce", "password", "invitation")}
    if tried(request, lambda: services.entrant_register(tournament_id=tournament_id, user=who(request), **told)):
        waits = entries.waits(tournament_id=tournament_id, user=who(request))
        messages.success(request, _("You are on the waiting list.") if waits else _("You are entered."))
        return redirect("tournament", tournament_id)
    asked = f"?invite={quote(told['invitation'])}" if told["invitation"] else ""
    return redirect(reverse("tournament", args=[tournament_id]) + asked)


@member
@require_POST
def tournament_leave(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Withdraw."""

    def leave() -> None:
        number = entries.entrant_number(tournament_id=tournament_id, user=who(request))
        services.entrant_withdraw(tournament_id=tournament_id, user=who(request), number=number)

    tried(request, leave, _("You have withdrawn."))
    return redirect("tournament", tournament_id)


@member
@require_POST
def tournament_here(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Check in, with a number for the draw; or say that one is not there after all (`here` is 0)."""
    here, nonce = request.POST.get("here", "1") != "0", request.POST.get("nonce", "")

    def check_in() -> None:
        number = entries.entrant_number(tournament_id=tournament_id, user=who(request))
        services.entrant_check_in(tournament_id=tournament_id, user=who(request), number=number, here=here, nonce=nonce)

    tried(request, check_in, _("You are checked in.") if here else _("You are no longer checked in."))
    return redirect("tournament", tournament_id)


@member
@require_POST
def tournament_report(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Tell how a match over the board ended."""
    return _story(request, tournament_id, services.result_report, _("Your result is reported."))


@member
@require_POST
def tournament_dispute(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Tell another story than one's rival."""
    return _story(request, tournament_id, services.result_dispute, _("The director is told, and will ask you both."))


def _story(request: HttpRequest, tournament_id: str, tell: Callable[..., object], done: str) -> HttpResponse:
    form = ScoreForm(request.POST)
    if not fits(request, form):
        return redirect("tournament", tournament_id)
    key, winner = form.cleaned_data["key"], form.cleaned_data["winner"]

    def act() -> None:
        points = form.points(entries.first_number(tournament_id=tournament_id, key=key))
        tell(tournament_id=tournament_id, user=who(request), key=key, winner=winner, points=points)

    tried(request, act, done)
    return redirect("tournament", tournament_id)


@member
@require_POST
def tournament_confirm(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Say that what the rival reported is so."""
    key = request.POST.get("key", "")[:40]
    tried(
        request,
        lambda: services.result_confirm(tournament_id=tournament_id, user=who(request), key=key),
        _("The result is confirmed."),
    )
    return redirect("tournament", tournament_id)
