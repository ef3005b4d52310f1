"""The people who play here, and what their matches say in numbers. Thin: parse, call selectors, show."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.limits import limited, searches
from accounts.models import User
from accounts.names import fold
from accounts.naming import merged_into
from accounts.policy import public
from accounts.ties import decided_about
from games.database import now
from games.errors import NotFound
from games.selectors import lists, ratings, rolls, statistics
from games.selectors import players as people
from games.views.common import chosen, page_of, viewer
from games.views.history import matches_of

FORM_IN_LIST = 5
MOST_POINTS = 300
"""More matches than this are a smear on a graph, and a table that nobody reads."""
RANGES: dict[str, tuple[Promise, int | None]] = {
    "all": (_("All"), None),
    "year": (_("A year"), 365),
    "quarter": (_("90 days"), 90),
    "month": (_("30 days"), 30),
}
"""How far back a graph of ratings goes, in days."""


def _player(name: str) -> User:
    try:
        return lists.player_named(name)
    except NotFound as refused:
        raise Http404(refused.text) from refused


def _past_or_present(name: str) -> User:
    try:
        return lists.player_past_or_present(name)
    except NotFound as refused:
        if (found := merged_into(name)) is not None:
            return found
        raise Http404(refused.text) from refused


@public
@require_safe
def player_page(request: HttpRequest, name: str) -> HttpResponse:
    """A player's public page: ratings, form, the games he plays, and his finished matches."""
    found = _past_or_present(name)
    if found.left_at is not None:
        return render(request, "games/player_left.html", {"who": found})
    if fold(found.username) != fold(name):
        return redirect("player", found.username)  # two accounts became one
    rows = statistics.played(found)
    sparks = people.sparks(found)
    me = viewer(request)
    context = {
        "cards": [(card, sparks.get((card.variant, card.pace), [])) for card in ratings.cards(found)],
        "form": people.form(found),
        "variants": statistics.by(lambda row: row.variant, rows),
        "ties": decided_about(me, found) if me is not None and me != found else None,
    }
    return render(request, "games/player.html", {**context, **matches_of(request, found)})


@public
@require_safe
def player_rating(request: HttpRequest, name: str, variant: str, pace: str) -> HttpResponse:
    """The way of a player's rating in one pool."""
    found = _player(name)
    card = next((card for card in ratings.cards(found) if (card.variant, card.pace) == (variant, pace)), None)
    if card is None:
        raise Http404
    span = request.GET.get("range", "")
    _name, days = RANGES.get(span, RANGES["all"])
    points = ratings.series(found, variant, pace, most=MOST_POINTS)
    if days is not None:
        since = now() - timedelta(days=days)
        points = [point for point in points if point.at >= since]
    context = {
        "who": found,
        "card": card,
        "points": points,
        "ranges": RANGES,
        "range": span if span in RANGES else "all",
    }
    context["most"] = MOST_POINTS if len(points) == MOST_POINTS else None
    return render(request, "games/player_rating.html", context)


@public
@require_safe
def player_statistics(request: HttpRequest, name: str) -> HttpResponse:
    """A player's finished matches in numbers; `?variant=` and `?pace=` choose among them."""
    found = _player(name)
    rows = statistics.played(found)
    variants, paces = (
        sorted({row.variant for row in rows}),
        [pace for pace in statistics.PACES if any(row.pace == pace for row in rows)],
    )
    wanted = chosen(request, variant=variants, pace=paces)
    rows = [row for row in rows if all(value in ("", getattr(row, key)) for key, value in wanted.items())]
    figures = statistics.total(rows)
    context = {
        "who": found,
        "variants": variants,
        "paces": paces,
        "wanted": wanted,
        "figures": figures,
        "lengths": statistics.by(lambda row: row.length, rows),
        "rivals": statistics.by_rival(found, **wanted),
        "dice": rolls.of_player(found, figures, **wanted),
        "rivals_seconds": statistics.seconds_of_rivals(found, **wanted),
    }
    return render(request, "games/player_statistics.html", context)


@public
@require_safe
def player_against(request: HttpRequest, name: str, rival: str) -> HttpResponse:
    """How two players did against each other, seen from the first of them."""
    one, other = _past_or_present(name), _past_or_present(rival)
    if one == other:
        raise Http404
    return render(request, "games/player_against.html", {"both": people.head_to_head(one, other)})


@limited("search", when=searches)
@public
@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """Everybody who plays here, with a search by name."""
    search = request.GET.get("q", "").strip()[:24]
    page = page_of(request, lists.players(search))
    shown = [user.pk for user in page.object_list]
    context: dict[str, Any] = {
        "page": page,
        "search": search,
        "viewer": viewer(request),
        "forms": people.forms(shown, most=FORM_IN_LIST),
        "ratings": people.ratings(shown),
    }
    return render(request, "games/players.html", context)
