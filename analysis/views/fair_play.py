"""The fair play report of a club, for its directors. Thin: parse, record the view, show."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.clubs import selectors as club_selectors
from accounts.web.policy import current_user, member
from analysis import error_ranking
from analysis.errors import Refused
from analysis.selectors import fair_play
from analysis.services.fair_play import fair_play_view
from games.views.request import paginate

REASON = "fair_play_not_director"


def _visited(request: HttpRequest, slug: str) -> club_selectors.ClubAccess:
    found = club_selectors.club_access(slug=slug, user=current_user(request))
    if found is None:
        raise Http404
    return found


def _forbidden(request: HttpRequest, access: club_selectors.ClubAccess) -> HttpResponse:
    context = {"access": access, "club": access.club, "reason": Refused(REASON).text}
    return render(request, "clubs/forbidden.html", context, status=403)


@member
@require_safe
def club_fair_play(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the members of a club who stand out. Each view is recorded."""
    access = _visited(request, slug)
    if not access.can_direct:
        return _forbidden(request, access)
    fair_play_view(club=access.club, by=current_user(request))
    context = {
        "access": access,
        "club": access.club,
        "findings": fair_play.fair_play_report(access.club),
        "report_views": fair_play.report_views(access.club),
        "window": error_ranking.WINDOW_DAYS,
        "least": fair_play.LEAST_DECISIONS,
    }
    return render(request, "analysis/fair_play.html", context)


@member
@require_safe
def club_fair_play_player(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The matches behind one player's numbers. Looking is written down."""
    access = _visited(request, slug)
    if not access.can_direct:
        return _forbidden(request, access)
    about = fair_play.club_member(access.club, name)
    if about is None:
        raise Http404
    fair_play_view(club=access.club, by=current_user(request), about=about)
    found = next((each for each in fair_play.fair_play_report(access.club) if each.numbers.player == about), None)
    page = paginate(request, fair_play.tallies_of(about))
    context = {"access": access, "club": access.club, "about": about, "finding": found, "page": page}
    return render(request, "analysis/fair_play_player.html", context)
