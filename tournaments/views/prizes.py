"""The prize sheet, for the directors of a tournament."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.web.policy import current_user, member
from games.views.request import run_action
from tournaments.forms.prizes import PurseForm
from tournaments.prizes import Purse
from tournaments.roles import DeskAct
from tournaments.selectors import prizes
from tournaments.services.prizes import purse_set
from tournaments.views.responses import form_is_valid, tournament_or_forbidden


@member
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_prizes(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Show what was paid and who gets what, and set it."""
    tournament = tournament_or_forbidden(request, tournament_id, DeskAct.SET_PRIZES)
    if isinstance(tournament, HttpResponse):
        return tournament
    view, sheet = prizes.prize_sheet(tournament_id)
    names = {entrant.number: entrant.name for entrant in view.entrants}
    purse = sheet.purse if view.state.purse else prizes.last_used_purse(view.tournament.club)
    form = PurseForm(request.POST or None, purse=purse, names=names)
    if request.method == "POST" and form_is_valid(request, form) and _save(request, tournament_id, form.purse()):
        return redirect("tournament-prizes", tournament_id)
    context = {"view": view, "tournament": view.tournament, "prizes": sheet, "form": form}
    return render(request, "tournaments/prizes.html", context)


def _save(request: HttpRequest, tournament_id: str, purse: Purse) -> bool:
    user = current_user(request)
    return run_action(
        request, lambda: purse_set(tournament_id=tournament_id, user=user, purse=purse), _("Prizes saved.")
    )
