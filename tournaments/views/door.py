"""What happens at the door: the director checks players in by the code on their phone, and keeps the receipts."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_safe

from accounts.web.policy import current_user, member
from games.errors import Refused
from games.views.request import not_found_as_404, run_action
from tournaments.selectors import door
from tournaments.selectors.exports import csv_lines
from tournaments.selectors.receipts import receipt_rows, receipts
from tournaments.views.responses import not_director_page
from tournaments.views.roster import ENTRANT_ACTIONS

DOOR_ACTIONS = ("check-in", "check-out", "paid", "unpaid")


@member
@require_http_methods(["GET", "HEAD", "POST"])
def desk_check_in(request: HttpRequest, tournament_id: str, number: int) -> HttpResponse:
    """Show the player whose code was scanned, and check them in, or record their fee."""
    user = current_user(request)
    action = request.POST.get("action", "check-in")
    if request.method == "POST" and action in DOOR_ACTIONS:
        service, kwargs = ENTRANT_ACTIONS[action]
        run_action(request, lambda: service(tournament_id=tournament_id, user=user, number=number, **kwargs))
        return redirect("desk-check-in", tournament_id, number)
    try:
        with not_found_as_404():
            player = door.player_at_door(tournament_id=tournament_id, user=user, number=number)
    except Refused as refused:
        return not_director_page(request, tournament_id, refused)
    return render(request, "tournaments/check_in.html", {"player": player, "tournament": player.tournament})


@member
@require_safe
def desk_receipts(request: HttpRequest, tournament_id: str) -> HttpResponseBase:
    """Show who has paid and who has to pay; `?format=csv` as a file."""
    try:
        with not_found_as_404():
            found = receipts(tournament_id=tournament_id, user=current_user(request))
    except Refused as refused:
        return not_director_page(request, tournament_id, refused)
    tournament = found.desk.tournament
    if request.GET.get("format") == "csv":
        response = StreamingHttpResponse(csv_lines(receipt_rows(found)), content_type="text/csv; charset=utf-8")
        name = slugify(tournament.name) or tournament.pk
        response["Content-Disposition"] = f'attachment; filename="{name}-receipts.csv"'
        return response
    return render(request, "tournaments/receipts.html", {"receipts": found, "tournament": tournament})
