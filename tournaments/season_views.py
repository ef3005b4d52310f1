"""The pages of seasons and of master points. Thin: parse, call one service or selector, show."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Club
from accounts.policy import member, public, who
from accounts.roles import clubs_directed, directs
from games.views.common import page_of, tried, viewer
from tournaments.errors import NotFound
from tournaments.forms.prizes import SeasonForm
from tournaments.models import Season
from tournaments.selectors import seasons
from tournaments.services.seasons import season_remove, season_save

PAGE = 50


@public
@require_safe
def season_list(request: HttpRequest) -> HttpResponse:
    """The seasons of all clubs, or of one (`?club=`); a director begins one here."""
    user, slug = viewer(request), request.GET.get("club", "")
    clubs = Club.objects.order_by("-is_default", "name")
    directed = clubs_directed(user) if user is not None else []
    context = {
        "page": page_of(request, seasons.seasons_listed(slug)),
        "clubs": [club for club in directed if slug in ("", club.slug)],
        "all_clubs": clubs.filter(slug=slug) if slug else clubs,
    }
    return render(request, "tournaments/seasons.html", context)


@public
@require_safe
def season(request: HttpRequest, season_id: int) -> HttpResponse:
    """The table of a season."""
    found = _season(season_id)
    table = seasons.table(found)
    context = {
        "season": found,
        "table": table,
        "rows": Paginator(table.rows, PAGE).get_page(request.GET.get("page")),
        "directs": directs(viewer(request), found.club),
    }
    return render(request, "tournaments/season.html", context)


@public
@require_safe
def club_master_points(request: HttpRequest, slug: str) -> HttpResponse:
    """The table of a club's master points."""
    club = _club(slug)
    rows = Paginator(seasons.master_points(club), PAGE).get_page(request.GET.get("page"))
    return render(request, "tournaments/master_points.html", {"club": club, "rows": rows})


@member
@require_http_methods(["GET", "HEAD", "POST"])
def season_new(request: HttpRequest, slug: str) -> HttpResponse:
    """A new season of a club, for who directs it."""
    return _edited(request, _club(slug), None)


@member
@require_http_methods(["GET", "HEAD", "POST"])
def season_change(request: HttpRequest, season_id: int) -> HttpResponse:
    """Another name, other days, another rule: the table counts anew."""
    found = _season(season_id)
    return _edited(request, found.club, found)


@member
@require_POST
def season_drop(request: HttpRequest, season_id: int) -> HttpResponse:
    """Take a season away."""
    found = _season(season_id)
    remove = lambda: season_remove(user=who(request), club=found.club, season_id=found.pk)  # noqa: E731
    done = tried(request, remove, _("The season is gone."))
    return redirect("seasons") if done else redirect("season", season_id)


def _edited(request: HttpRequest, club: Club, found: Season | None) -> HttpResponse:
    form = SeasonForm(request.POST or None, season=found)
    may = directs(who(request), club)
    saved: dict[str, Any] = {}
    if request.method == "POST" and form.is_valid():

        def save() -> None:
            facts = form.facts()
            made = season_save(user=who(request), club=club, season_id=found.pk if found else None, **facts)
            saved["id"] = made.pk

        if tried(request, save, _("The season is written down.")):
            return redirect("season", saved["id"])
    context = {"form": form, "club": club, "season": found, "may": may}
    return render(request, "tournaments/season_form.html", context, status=200 if may else 403)


def _season(season_id: int) -> Season:
    try:
        return seasons.season_named(season_id)
    except NotFound as refused:
        raise Http404(refused.text) from refused


def _club(slug: str) -> Club:
    found = Club.objects.filter(slug=slug).first()
    if found is None:
        raise Http404
    return found
