"""Results: what players report, confirm and dispute over the board, and what directors enter."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.web.policy import current_user, member
from games.views.request import run_action
from tournaments import services
from tournaments.forms.results import PenaltyForm, ResultForm, ScoreForm
from tournaments.selectors import lookups
from tournaments.views.responses import LONGEST_KEY, back_to_desk, form_is_valid, submit_on_desk


@member
@require_POST
def tournament_report(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Report the result of a match that was played over the board."""
    return _claim_result(request, tournament_id, services.result_report, _("Result reported."))


@member
@require_POST
def tournament_dispute(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Dispute the result that the opponent reported."""
    success = _("The director has been notified and will contact you both.")
    return _claim_result(request, tournament_id, services.result_dispute, success)


def _claim_result(
    request: HttpRequest, tournament_id: str, service: Callable[..., object], success: str
) -> HttpResponse:
    form = ScoreForm(request.POST)
    if not form_is_valid(request, form):
        return redirect("tournament", tournament_id)
    key, winner = form.cleaned_data["key"], form.cleaned_data["winner"]

    def claim() -> None:
        points = form.points(lookups.first_entrant_number(tournament_id=tournament_id, key=key))
        service(tournament_id=tournament_id, user=current_user(request), key=key, winner=winner, points=points)

    run_action(request, claim, success)
    return redirect("tournament", tournament_id)


@member
@require_POST
def tournament_confirm(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Confirm the result that the opponent reported."""
    user, key = current_user(request), request.POST.get("key", "")[:LONGEST_KEY]
    run_action(
        request,
        lambda: services.result_confirm(tournament_id=tournament_id, user=user, key=key),
        _("Result confirmed."),
    )
    return redirect("tournament", tournament_id)


@member
@require_POST
def desk_result(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Enter a result as a director."""
    form = ResultForm(request.POST)
    if not form_is_valid(request, form):
        return back_to_desk(request, tournament_id)
    key = form.cleaned_data["key"]

    def enter() -> None:
        result = form.result(lookups.first_entrant_number(tournament_id=tournament_id, key=key))
        services.result_enter(tournament_id=tournament_id, user=current_user(request), key=key, **result)

    run_action(request, enter, _("Result saved."))
    return back_to_desk(request, tournament_id)


@member
@require_POST
def desk_penalty(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Give penalty points: the opponent starts with them."""
    form = PenaltyForm(request.POST)
    return submit_on_desk(request, tournament_id, form, services.penalty_give, form.kwargs, _("Penalty saved."))
