"""Making a tournament, and changing it until its draw."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.policy import member, who
from accounts.roles import clubs_opening
from games.errors import Refused
from tournaments import services
from tournaments.answers import not_director
from tournaments.blueprints import BLUEPRINTS, USUAL
from tournaments.errors import NotFound
from tournaments.errors import Refused as TournamentRefused
from tournaments.formats.core import Invalid
from tournaments.forms import TournamentForm, answers_of
from tournaments.forms.clubs import ClubForm, answers_of_template
from tournaments.models import Tournament
from tournaments.selectors import entries
from tournaments.services import nights


@member
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_new(request: HttpRequest) -> HttpResponse:
    """Make a tournament, from a blueprint that `?from=` names."""
    user = who(request)
    clubs = clubs_opening(user)
    if not clubs:
        return not_director(request, "", TournamentRefused("not_club_director"))
    if request.method != "POST":
        first = next((club for club in clubs if club.slug == request.GET.get("club")), None)
        club_form = ClubForm(clubs=clubs, chosen=first)
        template = entries.template_of(clubs, request.GET.get("template", ""))
        chosen = BLUEPRINTS.get(request.GET.get("from", ""), USUAL)
        if template is not None:
            form = TournamentForm(answers={**answers_of_template(template), "name": ""})
            club_form = ClubForm(clubs=clubs, chosen=template.club)
            return _new(request, form, club_form, template.key)
        zone = entries.usual_zone(user)
        form = TournamentForm(answers={"timezone": zone or settings.TIME_ZONE, **chosen.answers})
        return _new(request, form, club_form, chosen.key, guess=not zone)
    form, club_form = TournamentForm(request.POST), ClubForm(request.POST, clubs=clubs)
    if not (form.is_valid() and club_form.is_valid()):
        return _new(request, form, club_form, status=422)
    try:
        tournament = services.tournament_create(creator=user, club=club_form.chosen(), **form.facts())
    except (Refused, Invalid) as refused:
        form.refuse(refused)
        return _new(request, form, club_form, status=422)
    messages.success(request, _("Your tournament is open for entries."))
    return redirect("tournament-desk", tournament.pk)


def _new(
    request: HttpRequest,
    form: TournamentForm,
    club_form: ClubForm,
    chosen: str = "",
    *,
    guess: bool = False,
    status: int = 200,
) -> HttpResponse:
    """`guess`: the browser may say which time zone it is in."""
    context = {
        "form": form,
        "club_form": club_form,
        "templates": entries.templates_of(list(club_form.clubs.values())),
        "blueprints": BLUEPRINTS.values(),
        "chosen": chosen,
        "guess": guess,
    }
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


@member
@require_POST
def desk_template(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Keep the terms of a tournament as a template of its club's nights."""
    try:
        tournament = entries.directed(tournament_id=tournament_id, user=who(request))
        saved = nights.template_from(
            tournament_id=tournament_id, by=who(request), name=request.POST.get("name", tournament.name)
        )
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        messages.error(request, refused.text)
        return redirect("tournament-desk", tournament_id)
    messages.success(request, _("The template %(name)s is saved.") % {"name": saved.name})
    return redirect("tournament-desk", tournament_id)


@member
@require_POST
def tournament_take_over(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """An owner of the club becomes a director of its tournament."""
    try:
        services.director_take_over(tournament_id=tournament_id, user=who(request))
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        messages.error(request, refused.text)
        return redirect("tournament", tournament_id)
    return redirect("tournament-desk", tournament_id)


def _settings(request: HttpRequest, tournament: Tournament, form: TournamentForm, status: int = 200) -> HttpResponse:
    return render(request, "tournaments/settings.html", {"tournament": tournament, "form": form}, status=status)
