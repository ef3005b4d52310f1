"""Ratings: the lists, how they are computed, their logs, and correcting a result. Thin: parse, call, show."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.policy import member, public, who
from games import ratings, services
from games.engine import SIDES, Side
from games.errors import NotFound, Refused
from games.models import Match, RatingPool
from games.registry import RULES
from games.selectors import ratings as read
from games.views.common import page_of, viewer

ROWS = 50


@public
@require_safe
def pools(request: HttpRequest) -> HttpResponse:
    """Every pool that somebody has played in."""
    return render(request, "games/ratings.html", {"pools": read.pools(), "days": read.ACTIVE})


@public
@require_safe
def pool(request: HttpRequest, variant: str, pace: str) -> HttpResponse:
    """The list of a pool: who was active lately, or with `?all` everybody."""
    found = _pool(variant, pace)
    everybody = "all" in request.GET
    page = page_of(request, read.listed(found, active_days=None if everybody else read.ACTIVE), ROWS)
    context = {
        "pool": found,
        "system": RULES[variant].rating,
        "everybody": everybody,
        "days": read.ACTIVE,
        "page": page,
        "rows": read.standings(list(page.object_list), first=page.start_index()),
        "you": viewer(request),
    }
    return render(request, "games/rating_pool.html", context)


@public
@require_safe
def log(request: HttpRequest, variant: str, pace: str) -> StreamingHttpResponse:
    """The log of a pool, from which its list can be computed: a head and one line of JSON for each match."""
    chunks = read.log_chunks(_pool(variant, pace))
    answer = StreamingHttpResponse(_streamed(chunks), content_type="application/x-ndjson; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{variant}-{pace}.jsonl"'
    return answer


@public
@require_safe
def script(request: HttpRequest) -> HttpResponse:
    """The very module that computes the ratings; it runs by itself on a downloaded log."""
    text = Path(ratings.__file__).read_text(encoding="utf-8")
    disposition = {"Content-Disposition": 'attachment; filename="ratings.py"'}
    return HttpResponse(text, content_type="text/x-python; charset=utf-8", headers=disposition)


@member
@require_POST
def result_correct(request: HttpRequest, match_id: str) -> HttpResponse:
    """A director says who won a finished match, and whether it counts."""
    said = request.POST.get("winner", "")
    try:
        changed = services.result_correct(
            match_id=match_id,
            by=who(request),
            winner=None if said == "nobody" else said,  # type: ignore[arg-type]
            counts="counts" in request.POST,
            reason=request.POST.get("reason", ""),
        )
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        messages.error(request, refused.text)
    else:
        said = _("The result is corrected.") if changed else _("That is already the result: nothing was changed.")
        messages.success(request, said)
    return redirect("match", match_id)


def about(match: Match, user: User | None) -> dict[str, Any]:
    """What the page of a finished match says of ratings and corrections; its seats are fetched."""
    return {
        "updates": read.of_match(match),
        "annulled": read.annulled(match),
        "pace": read.pace_of(match.clock_preset),
        "corrections": read.corrections(match),
        "may_correct": services.correctable(match, user),
    }


def beside(match: Match, side: Side | None) -> dict[str, float]:
    """The ratings with which the players of a rated match sit, for the strips of this viewer; its seats are fetched."""
    held: dict[str, float]
    if match.status == Match.Status.OVER:
        held = {update.side: update.before for update in read.of_match(match)} if match.rated else {}
    else:
        held = {each: row.rating for each, row in read.rating_of(match).items()}
    mine = side or SIDES[0]
    return {"me" if each == mine else "them": rating for each, rating in held.items()}


def _pool(variant: str, pace: str) -> RatingPool:
    try:
        return read.pool_named(variant, pace)
    except NotFound as refused:
        raise Http404(refused.text) from refused


async def _streamed(chunks: Iterator[str]) -> AsyncIterator[str]:
    """The chunks as an asynchronous server sends them, one in memory at a time."""
    while (chunk := await sync_to_async(lambda: next(chunks, None))()) is not None:
        yield chunk
