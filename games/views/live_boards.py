"""The pages that show live matches: TV, live boards, and the stream overlay.

The boards arrive over `/ws/wall/`; without JavaScript the pages still list the matches.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.relationships import selectors as relationship_selectors
from accounts.web.policy import public
from games import labels, live_boards
from games.registry import RULES
from games.selectors.live_boards import BoardFilter, Candidate, candidates, check_board_visible
from games.views.request import not_found_as_404, query_choices, viewer

OVERLAY = {"side": ("left", "right"), "size": ("m", "s", "l"), "theme": ("dark", "light"), "board": ("0", "1")}
"""The query parameters of an overlay; the first value of each is the default."""
LONGEST_PAGE = 80


@public
@require_safe
def tv(request: HttpRequest) -> HttpResponse:
    """TV: the best live match, large, and the next ones beside it."""
    return render(request, "games/tv.html", {"found": _found(request, BoardFilter())})


@public
@require_safe
def boards(request: HttpRequest) -> HttpResponse:
    """Up to sixteen live boards: all, of followed players (`?of=followed`), of a game, of an event (`?from=`)."""
    user = viewer(request)
    values = query_choices(request, of=("followed",), game=tuple(RULES))
    page = request.GET.get("from", "")[:LONGEST_PAGE]
    people = relationship_selectors.followed_ids(user.pk) if user is not None and values["of"] else None
    everything = _found(request, BoardFilter())
    found = everything
    if people is not None or values["game"] or page:
        found = _found(request, BoardFilter(values["game"], page, people))
    choices = {**values, "from": page}
    context = {
        "found": found,
        "chosen": choices,
        "query": urlencode({key: value for key, value in choices.items() if value}),
        "games": [(key, labels.variant(key)) for key in RULES],
        "events": _events([*everything, *found]),
        "most": live_boards.MAX_BOARDS,
    }
    return render(request, "games/live_boards.html", context)


@public
@require_safe
def overlay(request: HttpRequest, match_id: str) -> HttpResponse:
    """The stream overlay of one match: a transparent page of 1920 x 1080 without the rest of the site."""
    user = viewer(request)
    with not_found_as_404():
        check_board_visible(match_id, user_id=user.pk if user else None)
    values = query_choices(request, **OVERLAY)
    options = {key: value or OVERLAY[key][0] for key, value in values.items()}
    return render(request, "games/overlay.html", {"match_id": match_id, "options": options})


def _found(request: HttpRequest, board_filter: BoardFilter) -> list[Candidate]:
    """The matches that the viewer may see, the best first."""
    user = viewer(request)
    blocked: frozenset[int] = relationship_selectors.separated_by_block(user.pk) if user is not None else frozenset()
    seen = {candidate.match_id: candidate for candidate in candidates(board_filter) if not candidate.people & blocked}
    best: Any = live_boards.ranked(candidate.facts for candidate in seen.values())
    return [seen[facts.match_id] for facts in best]


def _events(found: list[Candidate]) -> list[tuple[str, str]]:
    """The events that are being played now, as (URL, name)."""
    events = {candidate.from_url: candidate.event for candidate in found if candidate.from_url and candidate.event}
    return sorted(events.items(), key=lambda event: event[1])
