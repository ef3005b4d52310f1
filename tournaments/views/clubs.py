"""The pages of a club that show its tournaments: its front page and its hall of fame.

The pages about its members are in `accounts.clubs.views`.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.clubs.views import club_access_or_404, viewer
from accounts.web.policy import public
from games.views.request import paginate
from tournaments.selectors import club_page


@public
@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """The front page of a club: what it is, what is played there now, the last results."""
    access = club_access_or_404(request, slug)
    front = club_page.club_page(access.club, viewer(request))
    return render(request, "clubs/club.html", {"access": access, "club": access.club, "front": front})


@public
@require_safe
def club_records(request: HttpRequest, slug: str) -> HttpResponse:
    """The hall of fame: records, champions, winners of seasons."""
    access = club_access_or_404(request, slug)
    context = {
        "access": access,
        "club": access.club,
        "fame": club_page.hall_of_fame(access.club),
        "page": paginate(request, club_page.tournaments_won(access.club)),
    }
    return render(request, "clubs/hall_of_fame.html", context)
