"""Results that the desk sends by itself, also late after a lost connection: JSON in the answers, no page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from accounts.web.policy import current_user, member
from games.errors import Refused
from games.views.request import not_found_as_404
from tournaments import roles, services
from tournaments.errors import AffectsPairings
from tournaments.forms.results import SentResultForm
from tournaments.selectors import lookups
from tournaments.selectors.result_line import EnteredResult, entered_result
from tournaments.views.responses import posted_number

REFUSED, FORBIDDEN = 409, 403


@member
@require_POST
def desk_send(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Enter a result once, however often it is sent. Where there is one already, say who entered it and when."""
    form = SentResultForm(request.POST)
    if not form.is_valid():
        errors = sorted({str(error) for errors in form.errors.values() for error in errors})
        return _refused("form", " ".join(errors))
    user, key = current_user(request), form.cleaned_data["key"]
    result: dict[str, Any] = {}
    try:
        with not_found_as_404():
            result = form.result(lookups.first_entrant_number(tournament_id=tournament_id, key=key))
            act = services.result_enter(tournament_id=tournament_id, user=user, key=key, **result)
    except Refused as refused:
        if refused.code != "has_result":
            return _refused(refused.code, refused.text)
        entered = entered_result(tournament_id=tournament_id, user=user, key=key)
        return _has_result(refused, result, entered)
    saved = entered_result(tournament_id=tournament_id, user=user, act=act)
    return JsonResponse({"act": act, "text": saved.sentence if saved is not None else ""})


@member
@require_POST
def desk_take_back(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Undo an act that resets nothing else; where it would, the log asks first."""
    act = posted_number(request, "act", digits=8)
    try:
        with not_found_as_404():
            services.act_undo(tournament_id=tournament_id, user=current_user(request), act=act)
    except AffectsPairings as error:
        return _refused("affected", error.text)
    except Refused as refused:
        return _refused(refused.code, refused.text)
    return JsonResponse({"undone": act})


def _has_result(refused: Refused, result: dict[str, Any], entered: EnteredResult | None) -> HttpResponse:
    """A refusal that names the result that is there; if it is the same one, nothing is left to do."""
    if entered is None:
        return _refused(refused.code, refused.text)
    sent = (result["winner"], result.get("points"), result.get("how", "played"))
    if sent == (entered.winner, entered.points, entered.how):
        return JsonResponse({"text": entered.provenance})
    links = {"correct": entered.correct} if entered.correct else {}
    return _refused(refused.code, refused.text, entered=entered.provenance, **links)


def _refused(code: str, text: str, **more: str) -> HttpResponse:
    status = FORBIDDEN if code in roles.FORBIDDEN else REFUSED
    return JsonResponse({"code": code, "text": text, **more}, status=status)
