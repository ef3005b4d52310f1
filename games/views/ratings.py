"""The pages of ratings: the lists, their logs and computation, and the correction of a result."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.web.policy import current_user, member, public
from games import ratings, services
from games.engine import SIDES, Side, opponent
from games.errors import NotFound, Refused
from games.models import Match, RatingPool
from games.registry import RULES
from games.selectors import ratings as rating_selectors
from games.services.ratings import standing_of
from games.views.request import not_found_as_404, paginate, viewer

ROWS = 50


@public
@require_safe
def pools(request: HttpRequest) -> HttpResponse:
    """All rating pools with matches."""
    return render(request, "games/ratings.html", {"pools": rating_selectors.pools(), "days": rating_selectors.ACTIVE})


@public
@require_safe
def pool(request: HttpRequest, variant: str, pace: str) -> HttpResponse:
    """The list of a pool: the recently active players, or with `?all` all of them."""
    found = _pool(variant, pace)
    include_inactive = "all" in request.GET
    page = paginate(
        request,
        rating_selectors.pool_ratings(found, active_days=None if include_inactive else rating_selectors.ACTIVE),
        ROWS,
    )
    context = {
        "pool": found,
        "system": RULES[variant].rating,
        "include_inactive": include_inactive,
        "days": rating_selectors.ACTIVE,
        "page": page,
        "rows": rating_selectors.standings(list(page.object_list), first=page.start_index()),
        "you": viewer(request),
    }
    return render(request, "games/rating_pool.html", context)


@public
@require_safe
def log(request: HttpRequest, variant: str, pace: str) -> StreamingHttpResponse:
    """The log of a pool, from which its list can be recomputed: a header and one line of JSON for each match."""
    chunks = rating_selectors.log_chunks(_pool(variant, pace))
    answer = StreamingHttpResponse(_async_chunks(chunks), content_type="application/x-ndjson; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{variant}-{pace}.jsonl"'
    return answer


@public
@require_safe
def script(request: HttpRequest) -> HttpResponse:
    """The source of the module that computes the ratings; it runs stand-alone on a downloaded log."""
    text = Path(ratings.__file__).read_text(encoding="utf-8")
    disposition = {"Content-Disposition": 'attachment; filename="ratings.py"'}
    return HttpResponse(text, content_type="text/x-python; charset=utf-8", headers=disposition)


@member
@require_POST
def result_correct(request: HttpRequest, match_id: str) -> HttpResponse:
    """A director corrects the winner of a finished match, and whether it counts."""
    winner = request.POST.get("winner", "")
    try:
        changed = services.result_correct(
            match_id=match_id,
            by=current_user(request),
            winner=None if winner == "nobody" else winner,  # type: ignore[arg-type]
            counts="counts" in request.POST,
            reason=request.POST.get("reason", ""),
        )
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        messages.error(request, refused.text)
    else:
        text = _("Result corrected.") if changed else _("That is already the result. Nothing has changed.")
        messages.success(request, text)
    return redirect("match", match_id)


def match_ratings_context(match: Match, user: User | None) -> dict[str, Any]:
    """The context of a finished match's page about ratings and corrections; its seats are fetched."""
    return {
        "updates": rating_selectors.rating_changes(match),
        "annulled": rating_selectors.is_annulled(match),
        "pace": rating_selectors.pool_of_match(match),
        "corrections": rating_selectors.corrections(match),
        "may_correct": services.correctable(match, user),
    }


@dataclass(frozen=True, slots=True)
class DisplayedRating:
    """The rating beside a name, whether it is provisional, and what a running match is about for its player."""

    value: float
    provisional: bool = False
    stakes: rating_selectors.Stakes | None = None


def displayed_ratings(match: Match, side: Side | None) -> dict[str, DisplayedRating]:
    """The ratings beside the names of a rated match, keyed for the viewer; its seats are fetched."""
    by_side: dict[str, DisplayedRating] = {}
    if match.status == Match.Status.OVER:
        for update in rating_selectors.rating_changes(match) if match.rated else ():
            by_side[update.side] = DisplayedRating(update.before)
    elif match.rated:
        known = rating_selectors.current_ratings(match)
        for each in SIDES:
            own, other = known.get(each), known.get(opponent(each))
            standing = standing_of(own) if own else ratings.Standing()
            by_side[each] = DisplayedRating(
                standing.rating, standing.provisional, rating_selectors.stakes(match, own, other)
            )
    own_side = side or SIDES[0]
    return {"me" if each == own_side else "them": rating for each, rating in by_side.items()}


def _pool(variant: str, pace: str) -> RatingPool:
    with not_found_as_404():
        return rating_selectors.pool_named(variant, pace)


async def _async_chunks(chunks: Iterator[str]) -> AsyncIterator[str]:
    """Iterate over the chunks asynchronously, with one in memory at a time."""
    while (chunk := await sync_to_async(lambda: next(chunks, None))()) is not None:
        yield chunk
