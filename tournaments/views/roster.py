"""The entrants at the director's desk: add, withdraw, check in, pay, seed, late entries, substitutes, bots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.web.policy import member
from tournaments import services
from tournaments.forms.roster import BotFillForm, EntrantForm, LateEntryForm, MemberForm, SeedsForm
from tournaments.selectors import lookups
from tournaments.views.responses import back_to_desk, form_is_valid, posted_number, run_on_desk, submit_on_desk

# What a button of an entrant's row does: the service, and its keyword arguments beside the number.
ENTRANT_ACTIONS: dict[str, tuple[Callable[..., object], dict[str, Any]]] = {
    "check-in": (services.entrant_check_in, {"here": True}),
    "check-out": (services.entrant_check_in, {"here": False}),
    "paid": (services.entrant_paid, {"paid": True}),
    "unpaid": (services.entrant_paid, {"paid": False}),
    "admit": (services.entrant_admit, {}),
    "reinstate": (services.entrant_reinstate, {}),
    "withdraw": (services.entrant_withdraw, {}),
}


@member
@require_POST
def desk_entrant_add(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Add a member, or a walk-in by name."""
    form = EntrantForm(request.POST)
    if not form_is_valid(request, form):
        return back_to_desk(request, tournament_id)
    success = _("%(name)s added to the tournament.") % {"name": form.cleaned_data["name"]}
    return run_on_desk(request, tournament_id, services.entrant_add, success, **form.person())


@member
@require_POST
def desk_entrant(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Change one entrant: check in or out, paid or unpaid, admit, withdraw, reinstate, link to an account."""
    number, action = posted_number(request, "entrant"), request.POST.get("action", "")
    if action == "link":
        form = MemberForm(request.POST)

        def link() -> dict[str, Any]:
            return {"number": number, "player": form.cleaned_data["name"]}

        return submit_on_desk(request, tournament_id, form, services.entrant_link, link)
    if action not in ENTRANT_ACTIONS:
        return back_to_desk(request, tournament_id)
    service, kwargs = ENTRANT_ACTIONS[action]
    return run_on_desk(request, tournament_id, service, number=number, **kwargs)


@member
@require_POST
def desk_fill(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Fill empty places with computer players."""
    form = BotFillForm(request.POST)
    success = _("The computer has filled the empty places.")
    return submit_on_desk(request, tournament_id, form, services.entrants_fill, form.kwargs, success)


@member
@require_POST
def desk_seeds(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Set or clear seeds."""
    form = SeedsForm(request.POST, entrants=lookups.entrants_of(tournament_id))
    return submit_on_desk(
        request, tournament_id, form, services.entrants_seed, lambda: {"ranks": form.ranks()}, _("Seeds saved.")
    )


@member
@require_POST
def desk_late(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Add a late entry after the draw."""
    form = LateEntryForm(request.POST)
    return submit_on_desk(request, tournament_id, form, services.entrant_late, form.kwargs, _("Late entry added."))


@member
@require_POST
def desk_substitute(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Give the place of an entrant to a substitute."""
    form = EntrantForm(request.POST)
    if not form_is_valid(request, form):
        return back_to_desk(request, tournament_id)
    success = _("%(name)s now plays as a substitute.") % {"name": form.cleaned_data["name"]}
    number = posted_number(request, "entrant")
    return run_on_desk(request, tournament_id, services.entrant_substitute, success, number=number, **form.person())
