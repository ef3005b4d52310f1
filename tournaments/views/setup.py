"""Creating a tournament, changing its settings until the draw, and saving it as a template."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.clubs.roles import clubs_for_new_events
from accounts.models import Club
from accounts.web.policy import current_user, member
from accounts.web.staff import refusal_code
from games.errors import Refused
from games.views.request import not_found_as_404
from tournaments import services
from tournaments.errors import Refused as TournamentRefused
from tournaments.formats.core import Invalid
from tournaments.forms.clubs import ClubForm, answers_of_template
from tournaments.forms.settings import TournamentForm
from tournaments.forms.settings_answers import answers_of
from tournaments.models import Tournament
from tournaments.presets import DEFAULT_PRESET, PRESETS
from tournaments.roles import DeskAct
from tournaments.selectors import lookups
from tournaments.services import recurring
from tournaments.views.responses import not_director_page, tournament_or_forbidden


@member
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_new(request: HttpRequest) -> HttpResponse:
    """Create a tournament from a preset (`?from=`) or a template of a club (`?template=`)."""
    user = current_user(request)
    clubs = clubs_for_new_events(user)
    if not clubs:
        return not_director_page(request, "", TournamentRefused(refusal_code(user, "not_club_director")))
    if request.method != "POST":
        return _empty_form_page(request, clubs)
    club_form = ClubForm(request.POST, clubs=clubs)
    club = club_form.chosen() if club_form.is_valid() else None
    form = TournamentForm(request.POST, club_timezone=club.timezone if club is not None else "")
    if not (form.is_valid() and club_form.is_valid()):
        return _form_page(request, form, club_form, status=422)
    try:
        tournament = services.tournament_create(creator=user, club=club, **form.kwargs())
    except (Refused, Invalid) as error:
        form.show_refusal(error)
        return _form_page(request, form, club_form, status=422)
    messages.success(request, _("Tournament created. Registration is open."))
    return redirect("tournament-desk", tournament.pk)


def _empty_form_page(request: HttpRequest, clubs: list[Club]) -> HttpResponse:
    club = next((club for club in clubs if club.slug == request.GET.get("club")), None)
    template = lookups.template_by_number(clubs, request.GET.get("template", ""))
    if template is not None:
        form = TournamentForm(answers={**answers_of_template(template), "name": "", "timezone": ""})
        return _form_page(request, form, ClubForm(clubs=clubs, chosen=template.club), template.key)
    preset = PRESETS.get(request.GET.get("from", ""), DEFAULT_PRESET)
    form = TournamentForm(answers=preset.answers)
    return _form_page(request, form, ClubForm(clubs=clubs, chosen=club), preset.key)


def _form_page(
    request: HttpRequest, form: TournamentForm, club_form: ClubForm, chosen: str = "", *, status: int = 200
) -> HttpResponse:
    """`chosen` is the key of the preset or template."""
    context = {
        "form": form,
        "club_form": club_form,
        "templates": lookups.templates_of_clubs(list(club_form.clubs.values())),
        "presets": PRESETS.values(),
        "chosen": chosen,
    }
    return render(request, "tournaments/new.html", context, status=status)


@member
@require_safe
def game_fields(request: HttpRequest) -> HttpResponse:
    """The clocks and options of the chosen game: the part of the form that depends on it."""
    form = TournamentForm(answers={"variant": request.GET.get("variant", "")[:24]})
    return render(request, "tournaments/_form_game.html", {"form": form})


@member
@require_http_methods(["GET", "HEAD", "POST"])
def desk_settings(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Change the settings of a tournament whose registration is open."""
    tournament = tournament_or_forbidden(request, tournament_id, DeskAct.CHANGE_SETTINGS)
    if isinstance(tournament, HttpResponse):
        return tournament
    if tournament.phase != Tournament.Phase.OPEN:
        messages.error(request, TournamentRefused("already_drawn").text)
        return redirect("tournament-desk", tournament_id)
    zone = tournament.club.timezone
    answers = answers_of(tournament)
    if tournament.timezone == zone:
        answers["timezone"] = ""
    form = TournamentForm(request.POST or None, answers=answers, club_timezone=zone)
    if request.method == "POST" and form.is_valid():
        try:
            with not_found_as_404():
                services.tournament_update(tournament_id=tournament_id, user=current_user(request), **form.kwargs())
        except (Refused, Invalid) as error:
            form.show_refusal(error)
        else:
            messages.success(request, _("Settings saved."))
            return redirect("tournament-desk", tournament_id)
    context = {"tournament": tournament, "form": form}
    return render(request, "tournaments/settings.html", context, status=422 if request.method == "POST" else 200)


@member
@require_POST
def desk_template(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Save the settings of a tournament as a template of its club."""
    user = current_user(request)
    try:
        with not_found_as_404():
            tournament = lookups.desk_tournament(tournament_id=tournament_id, user=user, act=DeskAct.CHANGE_SETTINGS)
            saved = recurring.template_save_from_tournament(
                tournament_id=tournament_id, by=user, name=request.POST.get("name", tournament.name)
            )
    except Refused as refused:
        messages.error(request, refused.text)
    else:
        messages.success(request, _("Template %(name)s saved.") % {"name": saved.name})
    return redirect("tournament-desk", tournament_id)
