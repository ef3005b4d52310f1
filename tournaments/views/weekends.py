"""Weekends: the page for players, and what organizers do about a weekend as a whole."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.clubs.roles import may_create_events
from accounts.clubs.views import club_access_or_404
from accounts.models import Club
from accounts.web.policy import current_user, member, public
from accounts.web.staff import refusal_code
from games.errors import Refused
from games.views.request import not_found_as_404, run_action, viewer
from tournaments.errors import Refused as TournamentRefused
from tournaments.forms.weekends import WeekendForm, WeekendTournamentsForm
from tournaments.models import Weekend
from tournaments.selectors.weekends import desk as weekend_desk
from tournaments.selectors.weekends import lookups, page
from tournaments.services import weekends as services
from tournaments.views.responses import not_director_page
from tournaments.views.weekend_responses import back_to_weekend, run_on_weekend, weekend_or_forbidden
from tournaments.weekend_roles import WeekendAct


@public
@require_safe
def weekend(request: HttpRequest, weekend_id: str) -> HttpResponse:
    """Show a weekend to its players: schedule, their matches now, tournaments and results."""
    return _render_page(request, weekend_id, "weekends/weekend.html")


@public
@require_safe
def weekend_live(request: HttpRequest, weekend_id: str) -> HttpResponse:
    """Render the part of the weekend's page that changes, for its refresh."""
    return _render_page(request, weekend_id, "weekends/_live.html")


def _render_page(request: HttpRequest, weekend_id: str, template: str) -> HttpResponse:
    with not_found_as_404():
        view = page.weekend_page(weekend_id=weekend_id, user=viewer(request))
    return render(request, template, {"view": view, "weekend": view.weekend})


@member
@require_http_methods(["GET", "HEAD", "POST"])
def weekend_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a weekend of a club, for those who may create its tournaments."""
    club = club_access_or_404(request, slug).club
    user = current_user(request)
    if not may_create_events(user, club):
        return not_director_page(request, "", TournamentRefused(refusal_code(user, "not_club_director")))
    return _weekend_form(request, club, None)


@member
@require_http_methods(["GET", "HEAD", "POST"])
def weekend_change(request: HttpRequest, weekend_id: str) -> HttpResponse:
    """Change the name, the place and the days of a weekend."""
    seen = weekend_or_forbidden(request, weekend_id, WeekendAct.ORGANIZE)
    return seen if isinstance(seen, HttpResponse) else _weekend_form(request, seen.weekend.club, seen.weekend)


def _weekend_form(request: HttpRequest, club: Club, weekend: Weekend | None) -> HttpResponse:
    form = WeekendForm(request.POST or None, weekend=weekend)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            weekend_id, user = weekend.pk if weekend is not None else None, current_user(request)
            try:
                with not_found_as_404():
                    saved = services.weekend_save(user=user, club=club, weekend_id=weekend_id, **form.cleaned_data)
            except Refused as refused:
                form.add_error(None, refused.text)
            else:
                return redirect("weekend-desk", saved.pk)
    return render(request, "weekends/form.html", {"form": form, "club": club, "weekend": weekend}, status=status)


@member
@require_safe
def desk(request: HttpRequest, weekend_id: str) -> HttpResponse:
    """The desk of a weekend: conflicts, tournaments, boards; what the viewer may do."""
    seen = weekend_or_forbidden(request, weekend_id, WeekendAct.VIEW_DESK)
    if isinstance(seen, HttpResponse):
        return seen
    view = weekend_desk.weekend_desk(seen)
    context: dict[str, Any] = {"view": view, "weekend": seen.weekend, "may": seen.may}
    if WeekendAct.ORGANIZE in seen.may:
        offered = lookups.tournaments_offered(seen.weekend, current_user(request))
        context["tournaments_form"] = WeekendTournamentsForm(offered=offered, weekend=seen.weekend)
    return render(request, "weekends/desk.html", context)


@member
@require_POST
def weekend_tournaments(request: HttpRequest, weekend_id: str) -> HttpResponse:
    """Set of which tournaments a weekend consists."""
    return run_on_weekend(
        request,
        weekend_id,
        services.weekend_set_tournaments,
        _("Tournaments saved."),
        tournament_ids=request.POST.getlist("tournaments")[: 4 * services.MOST_TOURNAMENTS],
    )


@member
@require_POST
def weekend_publish(request: HttpRequest, weekend_id: str) -> HttpResponse:
    """Publish a weekend, or (`action` is hide) hide it again."""
    published = request.POST.get("action") != "hide"
    success = _("Everybody can see the weekend now.") if published else _("Only its officials see the weekend now.")
    return run_on_weekend(request, weekend_id, services.weekend_publish, success, published=published)


@member
@require_POST
def weekend_remove(request: HttpRequest, weekend_id: str) -> HttpResponse:
    """Delete a weekend."""
    user = current_user(request)
    with not_found_as_404():
        slug = lookups.weekend_seen(weekend_id=weekend_id, user=user).weekend.club.slug
    success = _("Weekend deleted. Its tournaments are kept.")
    if run_action(request, lambda: services.weekend_remove(weekend_id=weekend_id, user=user), success):
        return redirect("club", slug)
    return back_to_weekend(request, weekend_id)
