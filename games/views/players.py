"""The pages of players: profiles, ratings over time, statistics and head-to-head."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.names.validation import fold
from accounts.relationships.selectors import relationship_status
from accounts.users.name_availability import merged_into
from accounts.web.limits import is_search, limited
from accounts.web.page_sections import sections
from accounts.web.policy import public
from games.database import now
from games.errors import NotFound
from games.selectors import badges, dice_reports, ratings, statistics
from games.selectors import players as people
from games.selectors import players as player_selectors
from games.selectors.players import player_named, player_past_or_present
from games.views.history import matches_of
from games.views.request import not_found_as_404, paginate, query_choices, viewer

FORM_IN_LIST = 5
MOST_POINTS = 300
"""The most matches on a rating graph."""
RANGES: dict[str, tuple[Promise, int | None]] = {
    "all": (_("All time"), None),
    "year": (_("1 year"), 365),
    "quarter": (_("90 days"), 90),
    "month": (_("30 days"), 30),
}
"""The time spans of a rating graph, in days."""


def _player(name: str) -> User:
    with not_found_as_404():
        return player_named(name)


def _past_or_present(name: str) -> User:
    try:
        return player_past_or_present(name)
    except NotFound as refused:
        if (found := merged_into(name)) is not None:
            return found
        raise Http404(refused.text) from refused


@public
@require_safe
def player_page(request: HttpRequest, name: str) -> HttpResponse:
    """A player's public page: ratings, recent results, games, and finished matches."""
    found = _past_or_present(name)
    if found.left_at is not None:
        return render(request, "games/player_deleted.html", {"player": found})
    if fold(found.username) != fold(name):
        return redirect("player", found.username)  # merged accounts
    me, rows, lines = viewer(request), statistics.stats_rows(found), people.rating_lines(found)
    form, won = people.last_results(found)
    context = {
        "cards": lines.sparklines,
        "records": badges.records_of(rows, [card for card, _line in lines.sparklines], won),
        "graph": lines.graph,
        "more_badges": sections("badges", player=found),
        "form": form,
        "variants": statistics.stats_by(lambda row: row.variant, rows),
        "relationship": relationship_status(me, found) if me is not None and me != found else None,
    }
    return render(request, "games/player.html", {**context, **matches_of(request, found)})


@public
@require_safe
def player_rating(request: HttpRequest, name: str, variant: str, pace: str) -> HttpResponse:
    """A player's rating over time in one pool."""
    found = _player(name)
    card = next((card for card in ratings.rating_cards(found) if (card.variant, card.pace) == (variant, pace)), None)
    if card is None:
        raise Http404
    span = request.GET.get("range", "")
    _name, days = RANGES.get(span, RANGES["all"])
    points = ratings.rating_history(found, variant, pace, most=MOST_POINTS)
    if days is not None:
        since = now() - timedelta(days=days)
        points = [point for point in points if point.at >= since]
    context = {
        "player": found,
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
    """A player's statistics; `?variant=` and `?pace=` filter the matches."""
    found = _player(name)
    rows = statistics.stats_rows(found)
    variants, paces = (
        sorted({row.variant for row in rows}),
        [pace for pace in statistics.PACES if any(row.pace == pace for row in rows)],
    )
    wanted = query_choices(request, variant=variants, pace=paces)
    rows = [row for row in rows if all(value in ("", getattr(row, key)) for key, value in wanted.items())]
    stats = statistics.total_stats(rows)
    context = {
        "player": found,
        "variants": variants,
        "paces": paces,
        "wanted": wanted,
        "stats": stats,
        "lengths": statistics.stats_by(lambda row: row.length, rows),
        "opponents": statistics.stats_by_opponent(found, **wanted),
        "dice": dice_reports.player_dice(found, stats, **wanted),
        "opponents_seconds": statistics.opponents_seconds_per_play(found, **wanted),
    }
    return render(request, "games/player_statistics.html", context)


@public
@require_safe
def player_against(request: HttpRequest, name: str, opponent_name: str) -> HttpResponse:
    """The head-to-head of two players, seen from the first."""
    player, opponent = _past_or_present(name), _past_or_present(opponent_name)
    if player == opponent:
        raise Http404
    return render(request, "games/player_against.html", {"both": people.head_to_head(player, opponent)})


@limited("search", when=is_search)
@public
@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """All players, with a search by name."""
    search = request.GET.get("q", "").strip()[:24]
    page = paginate(request, player_selectors.players(search))
    shown = [user.pk for user in page.object_list]
    context: dict[str, Any] = {
        "page": page,
        "search": search,
        "viewer": viewer(request),
        "forms": people.recent_results_by_user(shown, most=FORM_IN_LIST),
        "ratings": people.main_ratings(shown),
    }
    return render(request, "games/players.html", context)
