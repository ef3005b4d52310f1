"""What a director does around play: late entries, substitutes, penalties, wishes, breaks, times, invitations."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.policy import member, who
from games.database import now
from games.views.common import tried
from tournaments import services
from tournaments.answers import fits
from tournaments.desk_views.desk import _act, _back, number_of
from tournaments.forms import EntrantForm
from tournaments.forms.evening import LateForm, PasswordForm, PenaltyForm, RecessForm, RoundTimeForm, WishForm
from tournaments.models import Tournament
from tournaments.selectors import entries


def _directed(request: HttpRequest, tournament_id: str) -> Tournament | None:
    """A tournament that who asks directs; else he is told so. Raises Http404."""
    found: list[Tournament] = []
    tried(request, lambda: found.append(entries.directed(tournament_id=tournament_id, user=who(request))))
    return found[0] if found else None


@member
@require_POST
def desk_late(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Let somebody in after the draw."""
    form = LateForm(request.POST)
    if not fits(request, form):
        return _back(request, tournament_id)
    return _act(request, tournament_id, services.entrant_late, _("Entered, late."), **form.late())


@member
@require_POST
def desk_substitute(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Give the place of an entrant to another."""
    form = EntrantForm(request.POST)
    if not fits(request, form):
        return _back(request, tournament_id)
    done = _("%(name)s plays from now on.") % {"name": form.cleaned_data["name"]}
    facts = {"number": number_of(request), **form.who()}
    return _act(request, tournament_id, services.entrant_substitute, done, **facts)


@member
@require_POST
def desk_penalty(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Give penalty points: the rival's lead."""
    form = PenaltyForm(request.POST)
    if not fits(request, form):
        return _back(request, tournament_id)
    data = form.cleaned_data
    facts = {"key": data["key"], "number": data["entrant"], "points": data["points"]}
    return _act(request, tournament_id, services.penalty_give, _("The penalty is noted."), **facts)


@member
@require_POST
def desk_wish(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Add a wish for the pairings, or (`action` is remove) forget one."""
    form = WishForm(request.POST)
    if not fits(request, form):
        return _back(request, tournament_id)
    tournament = _directed(request, tournament_id)
    if tournament is None:
        return _back(request, tournament_id)
    data = form.cleaned_data
    together, apart = entries.wishes(tournament)
    chosen = {"together": together, "apart": apart}[data["kind"]]
    two = (data["a"], data["b"])
    if request.POST.get("action") == "remove":
        chosen[:] = [one for one in chosen if one != two]
    elif two not in chosen and two[::-1] not in chosen:
        chosen.append(two)
    return _act(request, tournament_id, services.pairs_wish, together=together, apart=apart)


@member
@require_POST
def desk_recess(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Begin a break, or (`action` is end) end it."""
    if request.POST.get("action") == "end":
        return _act(request, tournament_id, services.recess_end, _("Play goes on."))
    form, tournament = RecessForm(request.POST), _directed(request, tournament_id)
    if tournament is None or not fits(request, form):
        return _back(request, tournament_id)
    until = form.until(ZoneInfo(tournament.timezone), now())
    facts = {"until": until, "why": form.cleaned_data["why"], "pause": form.cleaned_data["pause"]}
    return _act(request, tournament_id, services.recess_begin, **facts)


@member
@require_POST
def desk_round_time(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Say when the next round opens."""
    form, tournament = RoundTimeForm(request.POST), _directed(request, tournament_id)
    if tournament is None or not fits(request, form):
        return _back(request, tournament_id)
    try:
        at = form.moment(tournament.timezone)
    except forms.ValidationError as error:
        messages.error(request, error.messages[0])
        return _back(request, tournament_id)
    return _act(request, tournament_id, services.round_time, at=at)


@member
@require_POST
def desk_invitation(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Make a new link that lets people in, or (`action` is password) choose the word that does."""
    if request.POST.get("action") != "password":
        return _act(request, tournament_id, services.invitation_renew, _("There is a new link."))
    form = PasswordForm(request.POST)
    if not fits(request, form):
        return _back(request, tournament_id)
    word = form.cleaned_data["password"]
    return _act(request, tournament_id, services.password_set, _("The password is chosen."), password=word)
