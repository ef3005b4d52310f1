"""The club of a request, for its directors."""

from __future__ import annotations

from rest_framework.request import Request

from accounts.api.errors import Problem
from accounts.api.views import viewer
from accounts.clubs import selectors as club_selectors
from accounts.models import Club
from accounts.web.staff import refusal_code
from tournaments.errors import Refused


def directed_club(request: Request, slug: str) -> Club:
    """A club that the viewer directs. Raises Problem 404, Refused("not_club_director")."""
    access = club_selectors.club_access(slug=slug, user=viewer(request))
    if access is None:
        raise Problem("nothing_here", status=404)
    if not access.can_direct:
        raise Refused(refusal_code(viewer(request), "not_club_director"))
    return access.club
