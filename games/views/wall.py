"""Screens that show live matches: television, the wall of boards, the overlay of a stream. Thin: read, show.

What is shown comes over `/ws/wall/`; the pages hold the list of the matches for who has no script.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts import ties
from accounts.policy import public
from games import wall, words
from games.errors import NotFound
from games.registry import RULES
from games.selectors.wall import Candidate, Wish, board_seen, candidates
from games.views.common import chosen, viewer

OVERLAY = {"side": ("left", "right"), "size": ("m", "s", "l"), "theme": ("dark", "light"), "board": ("0", "1")}
"""What the address of an overlay can choose; the first of each is usual."""
LONGEST_PAGE = 80


@public
@require_safe
def tv(request: HttpRequest) -> HttpResponse:
    """The best live match, large, and the next ones beside it."""
    return render(request, "games/tv.html", {"found": _found(request, Wish())})


@public
@require_safe
def boards(request: HttpRequest) -> HttpResponse:
    """Up to sixteen live boards: of all, of whom I follow (`?of=followed`), of a game, of a tournament (`?from=`)."""
    user = viewer(request)
    said = chosen(request, of=("followed",), game=tuple(RULES))
    page = request.GET.get("from", "")[:LONGEST_PAGE]
    people = ties.followed_by(user.pk) if user is not None and said["of"] else None
    everything = _found(request, Wish())
    found = everything
    if people is not None or said["game"] or page:
        found = _found(request, Wish(said["game"], page, people))
    chosen_now = {**said, "from": page}
    context = {
        "found": found,
        "chosen": chosen_now,
        "query": urlencode({key: value for key, value in chosen_now.items() if value}),
        "games": [(key, words.variant(key)) for key in RULES],
        "events": _events([*everything, *found]),
        "most": wall.MOST,
    }
    return render(request, "games/wall.html", context)


@public
@require_safe
def overlay(request: HttpRequest, match_id: str) -> HttpResponse:
    """One match for the picture of a stream: a clear ground, 1920 x 1080, nothing else of the site."""
    user = viewer(request)
    try:
        board_seen(match_id, user_id=user.pk if user else None)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    said = chosen(request, **OVERLAY)
    look = {key: value or OVERLAY[key][0] for key, value in said.items()}
    return render(request, "games/overlay.html", {"match_id": match_id, "look": look})


def _found(request: HttpRequest, wish: Wish) -> list[Candidate]:
    """The matches that this viewer would be shown, the best first."""
    user = viewer(request)
    apart: frozenset[int] = ties.apart_from(user.pk) if user is not None else frozenset()
    seen = {one.match_id: one for one in candidates(wish) if not one.people & apart}
    best: Any = wall.ranked(one.facts for one in seen.values())
    return [seen[facts.match_id] for facts in best]


def _events(found: list[Candidate]) -> list[tuple[str, str]]:
    """The pages of what is played now, tournaments above all: address and name."""
    return sorted({one.from_url: one.event for one in found if one.from_url and one.event}.items(), key=lambda e: e[1])
