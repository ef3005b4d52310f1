"""The entrants at the director's desk: add, withdraw, check in, pay, late entries, substitutes, bots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.web.policy import member
from tournaments import services
from tournaments.errors import Refused
from tournaments.forms.roster import BotFillForm, EntrantForm, LateEntryForm, MemberForm, member_by_name
from tournaments.models import Tournament
from tournaments.roles import DeskAct
from tournaments.views.responses import (
    back_to_desk,
    form_is_valid,
    posted_number,
    run_on_desk,
    submit_on_desk,
    tournament_or_none,
)

# What a button of an entrant's row does: the service, and its keyword arguments beside the number.
ENTRANT_ACTIONS: dict[str, tuple[Callable[..., object], dict[str, Any]]] = {
    "check-in": (services.entrant_check_in, {"here": True}),
    "check-out": (services.entrant_check_in, {"here": False}),
    "paid": (services.entrant_paid, {"paid": True}),
    "unpaid": (services.entrant_paid, {"paid": False}),
    "admit": (services.entrant_admit, {}),
    "reinstate": (services.entrant_reinstate, {}),
    "withdraw": (services.entrant_withdraw, {}),
    "pause": (services.arena_pause, {"paused": True}),
    "back": (services.arena_pause, {"paused": False}),
}


@member
@require_POST
def desk_entrant_add(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Add a member, or a walk-in by name."""
    form = EntrantForm(request.POST)
    success = _("%(name)s added to the tournament.")
    return _submit_person(request, tournament_id, form, services.entrant_add, form.person, success)


def _submit_person(
    request: HttpRequest,
    tournament_id: str,
    form: EntrantForm,
    service: Callable[..., object],
    kwargs: Callable[[], dict[str, Any]],
    success: str,
) -> HttpResponse:
    """Run a service about a person by name; where a member has that name, ask first whether they are meant."""
    if not form_is_valid(request, form):
        return back_to_desk(request, tournament_id)
    tournament = tournament_or_none(request, tournament_id, DeskAct.MANAGE_ENTRANTS)
    if tournament is None:
        return back_to_desk(request, tournament_id)
    name = form.cleaned_data["name"]
    try:
        arguments = kwargs()
    except Refused as refused:
        if refused.code == "is_member":
            return _member_question(request, tournament, name)
        messages.error(request, refused.text)
        return back_to_desk(request, tournament_id)
    return run_on_desk(request, tournament_id, service, success % {"name": name}, **arguments)


def _member_question(request: HttpRequest, tournament: Tournament, typed: str) -> HttpResponse:
    """The question whether a typed name is that of a member; the answer repeats the posted form."""
    posted = [(name, value) for name, value in request.POST.items() if name not in ("csrfmiddlewaretoken", "walk_in")]
    context = {"tournament": tournament, "player": member_by_name(typed), "typed": typed, "posted": posted}
    return render(request, "tournaments/desk_member.html", context)


@member
@require_POST
def desk_entrant(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Change one entrant: check in or out, paid or unpaid, admit, withdraw, reinstate, pause, link; or all in."""
    number, action = posted_number(request, "entrant"), request.POST.get("action", "")
    if action == "link":
        form = MemberForm(request.POST)

        def link() -> dict[str, Any]:
            return {"number": number, "player": form.cleaned_data["name"]}

        return submit_on_desk(request, tournament_id, form, services.entrant_link, link)
    if action == "check-in-all":
        return run_on_desk(request, tournament_id, services.entrants_check_in)
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
def desk_late(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Add a late entry after the draw."""
    form = LateEntryForm(request.POST)
    return _submit_person(request, tournament_id, form, services.entrant_late, form.kwargs, _("Late entry added."))


@member
@require_POST
def desk_substitute(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Give the place of an entrant to a substitute."""
    form = EntrantForm(request.POST)
    number = posted_number(request, "entrant")

    def substitute() -> dict[str, Any]:
        return {"number": number, **form.person()}

    success = _("%(name)s now plays as a substitute.")
    return _submit_person(request, tournament_id, form, services.entrant_substitute, substitute, success)
