"""Making a tournament, and changing it until its draw."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.policy import member, who
from games.errors import Refused
from tournaments import services
from tournaments.blueprints import BLUEPRINTS, USUAL
from tournaments.desk_views.answers import not_director
from tournaments.errors import NotFound
from tournaments.errors import Refused as TournamentRefused
from tournaments.formats.core import Invalid
from tournaments.forms import TournamentForm, answers_of
from tournaments.models import Tournament
from tournaments.selectors import entries


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


@member
@require_http_methods(["GET", "HEAD", "POST"])
def desk_settings(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Change a tournament that is open for entries."""
    try:
        tournament = entries.directed(tournament_id=tournament_id, user=who(request))
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        return not_director(request, tournament_id, refused)
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
