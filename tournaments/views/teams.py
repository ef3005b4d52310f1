"""The pages of teams: entering and changing one, its line-ups, and a team match with its boards."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.web.policy import current_user, member, public
from games.errors import Refused
from games.views.request import not_found_as_404, run_action, viewer
from tournaments import roles, services
from tournaments.errors import Refused as TournamentRefused
from tournaments.forms.teams import LineupForm, TeamForm, answers_of_team
from tournaments.roles import DeskAct
from tournaments.selectors import teams
from tournaments.views.responses import not_director_page

SHOWN = ["GET", "HEAD", "POST"]


@public
@require_safe
def team(request: HttpRequest, tournament_id: str, number: int) -> HttpResponse:
    """Show a team: its players and their results, its matches, and to its captain the line-ups."""
    with not_found_as_404():
        page = teams.team_page(tournament_id=tournament_id, number=number, user=viewer(request))
    return render(request, "tournaments/team.html", {"page": page, "tournament": page.view.tournament})


@public
@require_safe
def team_match(request: HttpRequest, tournament_id: str, key: str) -> HttpResponse:
    """Show a match between two teams with its boards."""
    with not_found_as_404():
        page = teams.team_match_page(tournament_id=tournament_id, key=key, user=viewer(request))
    return render(request, "tournaments/team_match.html", {"page": page, "tournament": page.view.tournament})


@member
@require_http_methods(SHOWN)
def team_new(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Enter a team, as its captain or as a director."""
    user = current_user(request)
    try:
        with not_found_as_404():
            view = teams.team_entry_page(tournament_id=tournament_id, user=user)
    except Refused as refused:
        messages.error(request, refused.text)
        return redirect("tournament", tournament_id)
    directs = roles.may(view.role, DeskAct.MANAGE_ENTRANTS)
    invitation = request.GET.get("invite", "")[:80]
    form = TeamForm(
        request.POST or None,
        boards=view.state.teams.boards,
        clubs=teams.clubs_to_play_for(user, directs=directs),
        directs=directs,
        password=view.terms.entry == "password" and not directs and not invitation,
    )
    if request.method == "POST" and form.is_valid():
        try:
            entrant = services.team_enter(
                tournament_id=tournament_id, user=user, invitation=invitation, **form.kwargs()
            )
        except TournamentRefused as refused:
            form.show_refusal(refused)
        else:
            messages.success(request, _("%(name)s is entered.") % {"name": entrant.name})
            return redirect("team", tournament_id, entrant.number)
    context = {"form": form, "tournament": view.tournament, "view": view, "directs": directs}
    return render(request, "tournaments/team_form.html", context, status=422 if form.is_bound else 200)


@member
@require_http_methods(SHOWN)
def team_change(request: HttpRequest, tournament_id: str, number: int) -> HttpResponse:
    """Change a team, as its captain or a director."""
    user = current_user(request)
    page = _managed_team(request, tournament_id, number)
    if isinstance(page, HttpResponse):
        return page
    form = TeamForm(
        request.POST or None,
        initial=answers_of_team(page),
        boards=page.view.state.teams.boards,
        clubs=teams.clubs_to_play_for(user, directs=page.directs, of=page.team),
        directs=page.directs,
    )
    if request.method == "POST" and form.is_valid():
        try:
            services.team_change(tournament_id=tournament_id, user=user, number=number, **form.kwargs())
        except TournamentRefused as refused:
            form.show_refusal(refused)
        else:
            messages.success(request, _("Team saved."))
            return redirect("team", tournament_id, number)
    context = {"form": form, "tournament": page.view.tournament, "view": page.view, "page": page}
    return render(request, "tournaments/team_form.html", context, status=422 if form.is_bound else 200)


@member
@require_http_methods(SHOWN)
def team_lineup(request: HttpRequest, tournament_id: str, number: int, section: str, round_: int) -> HttpResponse:
    """Set the line-up of a team for a round, as its captain or a director."""
    page = _managed_team(request, tournament_id, number)
    if isinstance(page, HttpResponse):
        return page
    try:
        lineup = page.lineup_of(section, round_)
    except Refused as refused:
        messages.error(request, refused.text)
        return redirect("team", tournament_id, number)
    form = LineupForm(request.POST or None, page=page, section=section, round_=round_)
    if request.method == "POST" and form.is_valid():
        try:
            services.lineup_set(
                tournament_id=tournament_id,
                user=current_user(request),
                number=number,
                section=section,
                round=round_,
                players=form.players(),
            )
        except TournamentRefused as refused:
            form.add_error(None, refused.text)
        else:
            messages.success(request, _("Line-up saved. Nobody else sees it before the round opens."))
            return redirect("team", tournament_id, number)
    context = {"form": form, "tournament": page.view.tournament, "page": page, "lineup": lineup}
    return render(request, "tournaments/team_lineup.html", context, status=422 if form.is_bound else 200)


@member
@require_POST
def team_withdraw(request: HttpRequest, tournament_id: str, number: int) -> HttpResponse:
    """Withdraw a team, as its captain or a director."""
    user = current_user(request)
    run_action(
        request,
        lambda: services.entrant_withdraw(tournament_id=tournament_id, user=user, number=number),
        _("The team has withdrawn."),
    )
    return redirect("tournament", tournament_id)


@member
@require_POST
def team_leave(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Leave one's team before the draw."""
    user = current_user(request)
    run_action(
        request,
        lambda: services.team_leave(tournament_id=tournament_id, user=user),
        _("You have left the team."),
    )
    return redirect("tournament", tournament_id)


def _managed_team(request: HttpRequest, tournament_id: str, number: int) -> teams.TeamPage | HttpResponse:
    """A team that the user manages, or the page that says why they do not. Raises Http404."""
    try:
        with not_found_as_404():
            return teams.managed_team(tournament_id=tournament_id, number=number, user=current_user(request))
    except Refused as refused:
        return not_director_page(request, tournament_id, refused)
