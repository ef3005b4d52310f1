"""The fair play report of a club, for who directs it. Thin: parse, write down who looked, show."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts import rosters
from accounts.policy import member, who
from analysis import ladder
from analysis.errors import Refused
from analysis.selectors import fair_play
from analysis.services.fair_play import fair_play_look
from games.views.common import page_of

REASON = "fair_play_not_director"


def _visited(request: HttpRequest, slug: str) -> rosters.Visit:
    found = rosters.visit(slug=slug, user=who(request))
    if found is None:
        raise Http404
    return found


def _forbidden(request: HttpRequest, visit: rosters.Visit) -> HttpResponse:
    context = {"visit": visit, "club": visit.club, "reason": Refused(REASON).text}
    return render(request, "clubs/forbidden.html", context, status=403)


@member
@require_safe
def club_fair_play(request: HttpRequest, slug: str) -> HttpResponse:
    """Who stands out among the members of a club. Looking is written down."""
    visit = _visited(request, slug)
    if not visit.directs:
        return _forbidden(request, visit)
    fair_play_look(club=visit.club, by=who(request))
    context = {
        "visit": visit,
        "club": visit.club,
        "findings": fair_play.report_of(visit.club),
        "looks": fair_play.looks(visit.club),
        "window": ladder.WINDOW_DAYS,
        "least": fair_play.LEAST_DECISIONS,
    }
    return render(request, "analysis/fair_play.html", context)


@member
@require_safe
def club_fair_play_player(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The matches behind one player's numbers. Looking is written down."""
    visit = _visited(request, slug)
    if not visit.directs:
        return _forbidden(request, visit)
    about = fair_play.member_of(visit.club, name)
    if about is None:
        raise Http404
    fair_play_look(club=visit.club, by=who(request), about=about)
    found = next((one for one in fair_play.report_of(visit.club) if one.numbers.who == about), None)
    page = page_of(request, fair_play.matches_of(about))
    context = {"visit": visit, "club": visit.club, "about": about, "finding": found, "page": page}
    return render(request, "analysis/fair_play_player.html", context)
