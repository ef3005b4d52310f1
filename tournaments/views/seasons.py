"""The pages of seasons and of master points."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.clubs.roles import clubs_directed, may_direct
from accounts.models import Club
from accounts.web.policy import current_user, member, public
from games.views.request import not_found_as_404, paginate, run_action, viewer
from tournaments.forms.seasons import SeasonForm
from tournaments.models import Season
from tournaments.selectors import seasons
from tournaments.services.seasons import season_remove, season_save

ROWS_PER_PAGE = 50


@public
@require_safe
def season_list(request: HttpRequest) -> HttpResponse:
    """The seasons of all clubs, or of one (`?club=`); directors create a season here."""
    user, slug = viewer(request), request.GET.get("club", "")
    clubs = Club.objects.order_by("-is_default", "name")
    directed = clubs_directed(user) if user is not None else []
    context = {
        "page": paginate(request, seasons.seasons_of(slug)),
        "clubs": [club for club in directed if slug in ("", club.slug)],
        "all_clubs": clubs.filter(slug=slug) if slug else clubs,
    }
    return render(request, "tournaments/seasons.html", context)


@public
@require_safe
def season(request: HttpRequest, season_id: int) -> HttpResponse:
    """A season with its table."""
    found = _season_or_404(season_id)
    table = seasons.season_table(found)
    context = {
        "season": found,
        "table": table,
        "rows": Paginator(table.rows, ROWS_PER_PAGE).get_page(request.GET.get("page")),
        "directs": may_direct(viewer(request), found.club),
    }
    return render(request, "tournaments/season.html", context)


@public
@require_safe
def club_master_points(request: HttpRequest, slug: str) -> HttpResponse:
    """The table of a club's master points."""
    club = _club_or_404(slug)
    rows = Paginator(seasons.master_points_table(club), ROWS_PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "tournaments/master_points.html", {"club": club, "rows": rows})


@member
@require_http_methods(["GET", "HEAD", "POST"])
def season_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a season of a club, for its directors."""
    return _season_form(request, _club_or_404(slug), None)


@member
@require_http_methods(["GET", "HEAD", "POST"])
def season_change(request: HttpRequest, season_id: int) -> HttpResponse:
    """Change a season; its table is computed again."""
    found = _season_or_404(season_id)
    return _season_form(request, found.club, found)


@member
@require_POST
def season_delete(request: HttpRequest, season_id: int) -> HttpResponse:
    """Delete a season."""
    found, user = _season_or_404(season_id), current_user(request)
    done = run_action(
        request, lambda: season_remove(user=user, club=found.club, season_id=found.pk), _("Season deleted.")
    )
    return redirect("seasons") if done else redirect("season", season_id)


def _season_form(request: HttpRequest, club: Club, season: Season | None) -> HttpResponse:
    form = SeasonForm(request.POST or None, season=season)
    user = current_user(request)
    may_edit = may_direct(user, club)
    if request.method == "POST" and form.is_valid():
        saved: list[Season] = []
        season_id = season.pk if season else None
        if run_action(
            request,
            lambda: saved.append(season_save(user=user, club=club, season_id=season_id, **form.kwargs())),
            _("Season saved."),
        ):
            return redirect("season", saved[0].pk)
    context = {"form": form, "club": club, "season": season, "may_edit": may_edit}
    return render(request, "tournaments/season_form.html", context, status=200 if may_edit else 403)


def _season_or_404(season_id: int) -> Season:
    with not_found_as_404():
        return seasons.season_or_not_found(season_id)


def _club_or_404(slug: str) -> Club:
    found = Club.objects.filter(slug=slug).first()
    if found is None:
        raise Http404
    return found
