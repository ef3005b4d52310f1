"""The report of a match. Thin: parse, call, show."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.web.policy import current_user, player, public
from analysis import services
from analysis.errors import Refused
from analysis.selectors import reports, training
from games.errors import NotFound
from games.models import Match


def _viewer(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated else None


def _match_or_404(match_id: str, user: User | None) -> Match:
    try:
        return reports.analysable_match(match_id=match_id, user=user)
    except NotFound as refused:
        raise Http404(refused.text) from refused


@public
@require_safe
def report(request: HttpRequest, match_id: str) -> HttpResponse:
    """The report of a finished match, or how far it is, or the form that asks for it.

    htmx asks for the part that changes while it is made, and for the whole page once it is ready.
    """
    user = _viewer(request)
    match = _match_or_404(match_id, user)
    cards = reports.report_status(match, user)
    context = {"match": match, "cards": cards, "refusal": Refused(cards.refusal).text if cards.refusal else ""}
    if request.headers.get("HX-Request"):
        if cards.coming is None:
            return HttpResponse(headers={"HX-Refresh": "true"})
        return render(request, "analysis/_coming.html", context)
    if cards.ready is not None:
        errors = reports.report_errors(match, cards.ready)
        bottom = reports.side_of(match, user)
        own_side = bottom if user and services.can_request(match, user) else ""
        context |= {
            "report": cards.ready,
            "players": reports.player_summaries(match, cards.ready),
            "graph": reports.winning_chances(cards.ready),
            "errors": errors,
            "board": {"steps": reports.steps_json(errors), "bottom": bottom, "direction": reports.direction_of(user)},
            "own_side": own_side,
            "own_worst": reports.worst_error(errors, own_side),
            "trains": user is not None and training.cards_added(cards.ready, errors, user),
        }
    return render(request, "analysis/report.html", context | {"preferences": reports.preferences_of(user)})


@public
@require_safe
def report_summary(request: HttpRequest, match_id: str) -> HttpResponse:
    """The part of the result dialog about the analysis: the numbers, the progress, or the button that asks for it."""
    return _summary(request, match_id)


def _summary(request: HttpRequest, match_id: str, refusal: str = "") -> HttpResponse:
    user = _viewer(request)
    match = _match_or_404(match_id, user)
    cards = reports.report_status(match, user)
    context = {
        "match": match,
        "cards": cards,
        "card": reports.quick_card(match, user) if cards.ready else None,
        "refusal": refusal,
        "reason": Refused(cards.refusal).text if cards.refusal else "",
        "asks": bool(cards.depths) and not refusal,
    }
    return render(request, "analysis/_summary.html", context)


@player
@require_POST
def report_ask(request: HttpRequest, match_id: str) -> HttpResponse:
    """Ask for a report; a worker makes it. A script that asks (HX-Request) gets the part of the result dialog."""
    part = "HX-Request" in request.headers
    try:
        services.report_ask(match_id=match_id, user=current_user(request), depth=request.POST.get("depth", "quick"))
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        if part:
            return _summary(request, match_id, refused.text)
        messages.error(request, refused.text)
        if refused.code in ("report_not_over", "report_not_yours"):
            return redirect("match", match_id)
    return _summary(request, match_id) if part else redirect("report", match_id)


@player
@require_POST
def preferences(request: HttpRequest) -> HttpResponse:
    """Store what a player wants of the analysis."""
    posted = request.POST
    services.preferences_save(user=current_user(request), always="always" in posted, public="public" in posted)
    messages.success(request, _("Saved."))
    path = posted.get("match", "")
    return redirect("report", path) if path.isalnum() else redirect("lobby")
