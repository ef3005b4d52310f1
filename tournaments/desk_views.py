"""Making, entering and directing a tournament. Thin: parse, call one service, answer. A refusal is a message, never an
error page; who does not direct a tournament does not see its desk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.policy import member, who
from games.errors import Refused
from tournaments import services
from tournaments.blueprints import BLUEPRINTS, USUAL
from tournaments.errors import NotFound
from tournaments.errors import Refused as TournamentRefused
from tournaments.formats.core import Invalid
from tournaments.forms import (
    AnnouncementForm,
    EntrantForm,
    MemberForm,
    ResultForm,
    ScoreForm,
    SeedsForm,
    TournamentForm,
    answers_of,
)
from tournaments.models import Tournament
from tournaments.selectors import desk as desks
from tournaments.selectors import entries


def _try(request: HttpRequest, act: Callable[[], object], done: str = "") -> bool:
    """Do it and say so, or tell why not. Raises Http404 for a tournament that is not there."""
    try:
        act()
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        messages.error(request, refused.text)
        return False
    if done:
        messages.success(request, done)
    return True


def _complain(request: HttpRequest, form: forms.Form) -> None:
    """Say what is wrong with a small form, each thing once."""
    said = {str(error) for errors in form.errors.values() for error in errors}
    for error in sorted(said):
        messages.error(request, error)


def _number(request: HttpRequest, name: str = "entrant") -> int:
    """A number of the form; 0, which nobody has, for anything else."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0


# Making a tournament


@member
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_new(request: HttpRequest) -> HttpResponse:
    """Make a tournament, from a blueprint that `?from=` names."""
    user = who(request)
    if request.method != "POST":
        chosen = BLUEPRINTS.get(request.GET.get("from", ""), USUAL)
        zone = entries.usual_zone(user)
        form = TournamentForm(answers={"timezone": zone or settings.TIME_ZONE, **chosen.answers})
        return _new(request, form, chosen.key, guess=not zone)
    form = TournamentForm(request.POST)
    if not form.is_valid():
        return _new(request, form, status=422)
    try:
        tournament = services.tournament_create(creator=user, **form.facts())
    except (Refused, Invalid) as refused:
        form.refuse(refused)
        return _new(request, form, status=422)
    messages.success(request, _("Your tournament is open for entries."))
    return redirect("tournament-desk", tournament.pk)


def _new(
    request: HttpRequest, form: TournamentForm, chosen: str = "", *, guess: bool = False, status: int = 200
) -> HttpResponse:
    """`guess`: the browser may say which time zone it is in."""
    context = {"form": form, "blueprints": BLUEPRINTS.values(), "chosen": chosen, "guess": guess}
    return render(request, "tournaments/new.html", context, status=status)


@member
@require_safe
def tournament_terms(request: HttpRequest) -> HttpResponse:
    """The clocks and options of the chosen game: the part of the form that changes with it."""
    form = TournamentForm(answers={"variant": request.GET.get("variant", "")[:24]})
    return render(request, "tournaments/_form_game.html", {"form": form})


# Entering and reporting


@member
@require_POST
def tournament_enter(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Enter a tournament, or come back to it."""
    nonce = request.POST.get("nonce", "")
    _try(
        request,
        lambda: services.entrant_register(tournament_id=tournament_id, user=who(request), nonce=nonce),
        _("You are entered."),
    )
    return redirect("tournament", tournament_id)


@member
@require_POST
def tournament_leave(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Withdraw."""

    def leave() -> None:
        number = entries.entrant_number(tournament_id=tournament_id, user=who(request))
        services.entrant_withdraw(tournament_id=tournament_id, user=who(request), number=number)

    _try(request, leave, _("You have withdrawn."))
    return redirect("tournament", tournament_id)


@member
@require_POST
def tournament_here(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Check in, with a number for the draw; or say that one is not there after all (`here` is 0)."""
    here, nonce = request.POST.get("here", "1") != "0", request.POST.get("nonce", "")

    def check_in() -> None:
        number = entries.entrant_number(tournament_id=tournament_id, user=who(request))
        services.entrant_check_in(tournament_id=tournament_id, user=who(request), number=number, here=here, nonce=nonce)

    _try(request, check_in, _("You are checked in.") if here else _("You are no longer checked in."))
    return redirect("tournament", tournament_id)


@member
@require_POST
def tournament_report(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Tell how a match over the board ended."""
    return _story(request, tournament_id, services.result_report, _("Your result is reported."))


@member
@require_POST
def tournament_dispute(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Tell another story than one's rival."""
    return _story(request, tournament_id, services.result_dispute, _("The director is told, and will ask you both."))


def _story(request: HttpRequest, tournament_id: str, tell: Callable[..., object], done: str) -> HttpResponse:
    form = ScoreForm(request.POST)
    if not form.is_valid():
        _complain(request, form)
        return redirect("tournament", tournament_id)
    key, winner = form.cleaned_data["key"], form.cleaned_data["winner"]

    def act() -> None:
        points = form.points(entries.first_number(tournament_id=tournament_id, key=key))
        tell(tournament_id=tournament_id, user=who(request), key=key, winner=winner, points=points)

    _try(request, act, done)
    return redirect("tournament", tournament_id)


@member
@require_POST
def tournament_confirm(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Say that what the rival reported is so."""
    key = request.POST.get("key", "")[:40]
    _try(
        request,
        lambda: services.result_confirm(tournament_id=tournament_id, user=who(request), key=key),
        _("The result is confirmed."),
    )
    return redirect("tournament", tournament_id)


# The desk


@member
@require_safe
def desk(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """What a director needs, for directors only."""
    try:
        view = desks.desk(tournament_id=tournament_id, user=who(request), whole_log="log" in request.GET)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        return _not_director(request, tournament_id, refused)
    return render(request, "tournaments/desk.html", {"view": view, "tournament": view.tournament})


def _not_director(request: HttpRequest, tournament_id: str, refused: Refused) -> HttpResponse:
    context = {"tournament_id": tournament_id, "reason": refused.text}
    return render(request, "tournaments/not_director.html", context, status=403)


@member
@require_http_methods(["GET", "HEAD", "POST"])
def desk_settings(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Change a tournament that is open for entries."""
    try:
        tournament = entries.directed(tournament_id=tournament_id, user=who(request))
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        return _not_director(request, tournament_id, refused)
    if tournament.phase != Tournament.Phase.OPEN:
        messages.error(request, TournamentRefused("already_drawn").text)
        return redirect("tournament-desk", tournament_id)
    form = TournamentForm(request.POST or None, answers=answers_of(tournament))
    if request.method != "POST":
        return _settings(request, tournament, form)
    if not form.is_valid():
        return _settings(request, tournament, form, status=422)
    try:
        services.tournament_change(tournament_id=tournament_id, user=who(request), **form.facts())
    except (Refused, Invalid) as fault:
        form.refuse(fault)
        return _settings(request, tournament, form, status=422)
    messages.success(request, _("The settings are saved."))
    return redirect("tournament-desk", tournament_id)


def _settings(request: HttpRequest, tournament: Tournament, form: TournamentForm, status: int = 200) -> HttpResponse:
    return render(request, "tournaments/settings.html", {"tournament": tournament, "form": form}, status=status)


def _back(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """To the desk again, at the place that the form names; who does not direct lands on the tournament's page."""
    try:
        entries.directed(tournament_id=tournament_id, user=who(request))
    except Refused:
        return redirect("tournament", tournament_id)
    at = slugify(request.POST.get("at", "")[:40])
    return redirect(reverse("tournament-desk", args=[tournament_id]) + (f"#{at}" if at else ""))


def _act(
    request: HttpRequest, tournament_id: str, service: Callable[..., object], done: str = "", **facts: Any
) -> HttpResponse:
    """One service in the director's name, and back to the desk."""
    _try(request, lambda: service(tournament_id=tournament_id, user=who(request), **facts), done)
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
        if not _try(
            request,
            lambda section=section, wanted=wanted: services.round_open(  # type: ignore[misc]
                tournament_id=tournament_id, user=who(request), section=section, round=wanted
            ),
        ):
            break
    return _back(request, tournament_id)


@member
@require_POST
def desk_result(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Enter a result."""
    form = ResultForm(request.POST)
    if not form.is_valid():
        _complain(request, form)
        return _back(request, tournament_id)
    key = form.cleaned_data["key"]

    def enter() -> None:
        result = form.result(entries.first_number(tournament_id=tournament_id, key=key))
        services.result_enter(tournament_id=tournament_id, user=who(request), key=key, **result)

    _try(request, enter, _("The result is entered."))
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
    if not form.is_valid():
        _complain(request, form)
        return _back(request, tournament_id)
    return _act(request, tournament_id, services.announce, _("It is announced."), text=form.cleaned_data["text"])


@member
@require_POST
def desk_director(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Let a member direct, or (`action` is remove) take it back."""
    form = MemberForm(request.POST)
    if not form.is_valid():
        _complain(request, form)
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
    if not form.is_valid():
        _complain(request, form)
        return _back(request, tournament_id)
    done = _("%(name)s is entered.") % {"name": form.cleaned_data["name"]}
    return _act(request, tournament_id, services.entrant_add, done, **form.who())


@member
@require_POST
def desk_entrant(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """What a director does with one entrant: withdraw, reinstate, check-in, check-out, link."""
    number, action = _number(request), request.POST.get("action", "")
    if action == "link":
        form = MemberForm(request.POST)
        if not form.is_valid():
            _complain(request, form)
            return _back(request, tournament_id)
        player = form.cleaned_data["name"]
        return _act(request, tournament_id, services.entrant_link, number=number, player=player)
    if action in ("check-in", "check-out"):
        return _act(request, tournament_id, services.entrant_check_in, number=number, here=action == "check-in")
    if action == "reinstate":
        return _act(request, tournament_id, services.entrant_reinstate, number=number)
    if action == "withdraw":
        return _act(request, tournament_id, services.entrant_withdraw, number=number)
    return _back(request, tournament_id)


@member
@require_POST
def desk_seeds(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Give or take seeded places."""
    form = SeedsForm(request.POST, entrants=entries.entrants(tournament_id))
    if not form.is_valid():
        _complain(request, form)
        return _back(request, tournament_id)
    return _act(request, tournament_id, services.entrants_seed, _("The seeded places are given."), ranks=form.ranks())
