"""The director's desk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.policy import member, who
from games.errors import Refused
from games.views.common import tried
from tournaments import services
from tournaments.answers import fits, not_director
from tournaments.errors import NotFound
from tournaments.forms import USUAL_FILL, AnnouncementForm, EntrantForm, FillForm, MemberForm, ResultForm, SeedsForm
from tournaments.selectors import desk as desks
from tournaments.selectors import entries


@member
@require_safe
def desk(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """What a director needs, for directors only."""
    try:
        view = desks.desk(tournament_id=tournament_id, user=who(request), whole_log="log" in request.GET)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        return not_director(request, tournament_id, refused)
    context = {"view": view, "tournament": view.tournament, "fill": FillForm(initial={"level": USUAL_FILL})}
    return render(request, "tournaments/desk.html", context)


def number_of(request: HttpRequest, name: str = "entrant") -> int:
    """A number of the form; 0, which nobody has, for anything else."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0


def _back(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """To the desk again, at the place that the form names; who does not direct lands on the tournament's page."""
    try:
        entries.directed(tournament_id=tournament_id, user=who(request))
    except Refused:
        return redirect("tournament", tournament_id)
    at = slugify(request.POST.get("at", "")[:40])
    place = at if at[:1].isalpha() else ""  # some forms have an hour of that name
    return redirect(reverse("tournament-desk", args=[tournament_id]) + (f"#{place}" if place else ""))


def _act(
    request: HttpRequest, tournament_id: str, service: Callable[..., object], done: str = "", **facts: Any
) -> HttpResponse:
    """One service in the director's name, and back to the desk."""
    tried(request, lambda: service(tournament_id=tournament_id, user=who(request), **facts), done)
    return _back(request, tournament_id)


@member
@require_POST
def desk_draw(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Make the draw."""
    return _act(request, tournament_id, services.tournament_draw, _("The draw is made."))


@member
@require_POST
def desk_start(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Start, with the draw if nobody made it yet."""
    return _act(request, tournament_id, services.tournament_start, _("The tournament begins."))


@member
@require_POST
def desk_cancel(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Call the tournament off: only with the box ticked."""
    if not request.POST.get("sure"):
        messages.error(request, _("Tick the box to cancel the tournament. Nothing was changed."))
        return _back(request, tournament_id)
    return _act(request, tournament_id, services.tournament_cancel, _("The tournament is cancelled."))


@member
@require_POST
def desk_round(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Open the rounds that the form names (`section number`), or pair the next one when it names none."""
    named = [one.rpartition(" ") for one in request.POST.getlist("round")]
    if not named:
        return _act(request, tournament_id, services.round_pair)
    for section, _space, number in named:
        wanted = int(number) if number.isascii() and number.isdecimal() and len(number) < 4 else 0
        if not tried(
            request,
            lambda section=section, wanted=wanted: services.round_open(  # type: ignore[misc]
                tournament_id=tournament_id, user=who(request), section=section, round=wanted
            ),
        ):
            break
    return _back(request, tournament_id)


@member
@require_POST
def desk_pause(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Pause the matches that the form names, or (`action` is resume) let them go on."""
    keys = [key[:40] for key in request.POST.getlist("key")]
    if request.POST.get("action") == "resume":
        return _act(request, tournament_id, services.matches_resume, _("They play on."), keys=keys)
    why = " ".join(request.POST.get("why", "").split())
    return _act(request, tournament_id, services.matches_pause, _("Paused: the clocks stand."), keys=keys, why=why)


@member
@require_POST
def desk_result(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Enter a result."""
    form = ResultForm(request.POST)
    if not fits(request, form):
        return _back(request, tournament_id)
    key = form.cleaned_data["key"]

    def enter() -> None:
        result = form.result(entries.first_number(tournament_id=tournament_id, key=key))
        services.result_enter(tournament_id=tournament_id, user=who(request), key=key, **result)

    tried(request, enter, _("The result is entered."))
    return _back(request, tournament_id)


@member
@require_POST
def desk_alert(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """An alert has been seen to."""
    what, key = request.POST.get("what", "")[:20], request.POST.get("key", "")[:40]
    return _act(request, tournament_id, services.alert_settle, what=what, key=key)


@member
@require_POST
def desk_announce(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Say something to everybody."""
    form = AnnouncementForm(request.POST)
    if not fits(request, form):
        return _back(request, tournament_id)
    return _act(request, tournament_id, services.announce, _("It is announced."), text=form.cleaned_data["text"])


@member
@require_POST
def desk_director(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Let a member direct, or (`action` is remove) take it back."""
    form = MemberForm(request.POST)
    if not fits(request, form):
        return _back(request, tournament_id)
    remove = request.POST.get("action") == "remove"
    service = services.director_remove if remove else services.director_add
    return _act(request, tournament_id, service, director=form.cleaned_data["name"])


# Entrants at the desk


@member
@require_POST
def desk_entrant_add(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Enter a member, or a walk-in by name."""
    form = EntrantForm(request.POST)
    if not fits(request, form):
        return _back(request, tournament_id)
    done = _("%(name)s is entered.") % {"name": form.cleaned_data["name"]}
    return _act(request, tournament_id, services.entrant_add, done, **form.who())


@member
@require_POST
def desk_entrant(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """What a director does with one entrant: withdraw, reinstate, check-in, check-out, paid, unpaid, admit, link."""
    number, action = number_of(request), request.POST.get("action", "")
    if action == "link":
        form = MemberForm(request.POST)
        if not fits(request, form):
            return _back(request, tournament_id)
        player = form.cleaned_data["name"]
        return _act(request, tournament_id, services.entrant_link, number=number, player=player)
    if action in ("check-in", "check-out"):
        return _act(request, tournament_id, services.entrant_check_in, number=number, here=action == "check-in")
    if action in ("paid", "unpaid"):
        return _act(request, tournament_id, services.entrant_paid, number=number, paid=action == "paid")
    if action == "admit":
        return _act(request, tournament_id, services.entrant_admit, number=number)
    if action == "reinstate":
        return _act(request, tournament_id, services.entrant_reinstate, number=number)
    if action == "withdraw":
        return _act(request, tournament_id, services.entrant_withdraw, number=number)
    return _back(request, tournament_id)


@member
@require_POST
def desk_fill(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Let the computer take the places that are missing."""
    form = FillForm(request.POST)
    if not fits(request, form):
        return _back(request, tournament_id)
    return _act(
        request, tournament_id, services.entrants_fill, _("The computer has taken the missing places."), **form.field()
    )


@member
@require_POST
def desk_seeds(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Give or take seeded places."""
    form = SeedsForm(request.POST, entrants=entries.entrants(tournament_id))
    if not fits(request, form):
        return _back(request, tournament_id)
    return _act(request, tournament_id, services.entrants_seed, _("The seeded places are given."), ranks=form.ranks())
