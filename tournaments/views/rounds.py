"""The rounds at the director's desk: open, pair and schedule them, pause matches, breaks, pairing preferences."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.web.policy import current_user, member
from games.database import now
from games.errors import Refused
from games.views.request import not_found_as_404, run_action
from tournaments import roles, services
from tournaments.forms.director import BreakForm, PairingPreferenceForm, RoundTimeForm
from tournaments.roles import DeskAct
from tournaments.selectors import lookups, round_preview
from tournaments.views.responses import (
    LONGEST_KEY,
    back_to_desk,
    form_is_valid,
    not_director_page,
    number_in,
    posted_number,
    run_on_desk,
    tournament_or_none,
)


@member
@require_POST
def desk_round(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Open the rounds that the form names (`section number`), or pair the next one when it names none."""
    named = [text.rpartition(" ") for text in request.POST.getlist("round")]
    if not named:
        pairs = round_preview.pairs_of(request.POST.get("pairs", ""))
        bye = posted_number(request, "bye") or None
        return run_on_desk(request, tournament_id, services.round_pair, pairs=pairs, bye=bye)
    user = current_user(request)
    for section, _space, text in named:
        number = number_in(text, digits=3)

        def open_round(section: str = section, number: int = number) -> None:
            services.round_open(tournament_id=tournament_id, user=user, section=section, round=number)

        if not run_action(request, open_round):
            break
    return back_to_desk(request, tournament_id)


@member
@require_safe
def desk_round_preview(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Show the next round before it is published, with two players (`swap`) in each other's place."""
    swapped = [number_in(text, digits=5) for text in request.GET.getlist("swap")]
    try:
        with not_found_as_404():
            preview = round_preview.round_preview(
                tournament_id=tournament_id,
                user=current_user(request),
                code=request.GET.get("pairs", ""),
                bye=number_in(request.GET.get("bye", ""), digits=5),
                swapped=swapped,
            )
    except Refused as refused:
        if refused.code in roles.FORBIDDEN:
            return not_director_page(request, tournament_id, refused)
        messages.error(request, refused.text)
        return back_to_desk(request, tournament_id)
    context = {"preview": preview, "tournament": preview.desk.tournament, "wrong_swap": len(swapped) not in (0, 2)}
    return render(request, "tournaments/round_preview.html", context)


@member
@require_POST
def desk_pause(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Pause the matches that the form names, or (`action` is resume) resume them."""
    keys = [key[:LONGEST_KEY] for key in request.POST.getlist("key")]
    if request.POST.get("action") == "resume":
        return run_on_desk(request, tournament_id, services.matches_resume, _("Matches resumed."), keys=keys)
    why = " ".join(request.POST.get("why", "").split())
    success = _("Matches paused. The clocks are stopped.")
    return run_on_desk(request, tournament_id, services.matches_pause, success, keys=keys, why=why)


@member
@require_POST
def desk_break(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Start a break, or (`action` is end) end it."""
    if request.POST.get("action") == "end":
        return run_on_desk(request, tournament_id, services.break_end, _("Play has resumed."))
    form, tournament = BreakForm(request.POST), tournament_or_none(request, tournament_id, DeskAct.RUN_ROUNDS)
    if tournament is None or not form_is_valid(request, form):
        return back_to_desk(request, tournament_id)
    kwargs = form.kwargs(ZoneInfo(tournament.timezone), now())
    return run_on_desk(request, tournament_id, services.break_start, **kwargs)


@member
@require_POST
def desk_round_time(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Schedule the next round."""
    form, tournament = RoundTimeForm(request.POST), tournament_or_none(request, tournament_id, DeskAct.RUN_ROUNDS)
    if tournament is None or not form_is_valid(request, form):
        return back_to_desk(request, tournament_id)
    try:
        at = form.moment(tournament.timezone)
    except forms.ValidationError as error:
        messages.error(request, error.messages[0])
        return back_to_desk(request, tournament_id)
    return run_on_desk(request, tournament_id, services.round_set_time, at=at)


@member
@require_POST
def desk_pairing_preference(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Add a pairing preference, or (`action` is remove) remove one."""
    form = PairingPreferenceForm(request.POST)
    if not form_is_valid(request, form):
        return back_to_desk(request, tournament_id)
    tournament = tournament_or_none(request, tournament_id, DeskAct.RUN_ROUNDS)
    if tournament is None:
        return back_to_desk(request, tournament_id)
    together, apart = lookups.pairing_preferences(tournament)
    changed = together if form.cleaned_data["kind"] == "together" else apart
    pair = (form.cleaned_data["a"], form.cleaned_data["b"])
    if request.POST.get("action") == "remove":
        changed[:] = [other for other in changed if other != pair]
    elif pair not in changed and pair[::-1] not in changed:
        changed.append(pair)
    return run_on_desk(request, tournament_id, services.pairing_preferences_set, together=together, apart=apart)
