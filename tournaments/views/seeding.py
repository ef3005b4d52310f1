"""The page of the seeds: by rating, by hand or by lot, from one place."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.web.policy import current_user, member
from games.errors import Refused
from games.views.request import not_found_as_404, run_action
from tournaments import roles, services
from tournaments.forms.seeding import SeedingForm
from tournaments.selectors import lookups
from tournaments.selectors.seeding import seeding
from tournaments.views.responses import back_to_desk, form_is_valid, not_director_page


@member
@require_http_methods(["GET", "HEAD", "POST"])
def desk_seeds(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Show the players with their ratings and seeds, and seed them."""
    user = current_user(request)
    if request.method == "POST":
        form = SeedingForm(request.POST, entrants=lookups.entrants_of(tournament_id))
        if form_is_valid(request, form):
            kwargs = form.kwargs()
            run_action(
                request,
                lambda: services.seeding_set(tournament_id=tournament_id, user=user, **kwargs),
                _("Seeds saved."),
            )
        return redirect("desk-seeds", tournament_id)
    try:
        with not_found_as_404():
            found = seeding(tournament_id=tournament_id, user=user)
    except Refused as refused:
        if refused.code in roles.FORBIDDEN:
            return not_director_page(request, tournament_id, refused)
        messages.error(request, refused.text)
        return back_to_desk(request, tournament_id)
    form = SeedingForm(initial={"rest": found.rest}, entrants=())
    return render(request, "tournaments/seeds.html", {"seeding": found, "tournament": found.tournament, "form": form})
