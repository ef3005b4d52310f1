"""The trainer and the position of the day. Thin: parse, call one service, show."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.web.policy import current_user, member, player, public
from analysis import daily_puzzle, explanations, puzzles, trainer
from analysis.errors import Refused
from analysis.models import DailyPuzzle, DailyVote, Puzzle, TrainerCard
from analysis.selectors import training
from analysis.services import daily_puzzles, live_positions
from analysis.services.training import card_answer
from games.bots.engine_boards import after, board_of
from games.errors import Refused as RefusedInPlay
from games.views.request import viewer

PAST_DAYS = 14


def _asked(row: Puzzle) -> dict[str, Any]:
    """What a page needs to put a puzzle: its board, its choices, and what is played for; the higher die first."""
    found = puzzles.Puzzle.read(row.xgid, row.options)
    position: Any = found.position
    view = position.view(puzzles.SOLVER)
    return {
        "puzzle": row,
        "position": view,
        "dice": sorted(view["dice"] or (), reverse=True),
        "score": position.score.view(),
        "choices": found.choices,
        "ascii": position.diagram(puzzles.SOLVER),
        "board": found.situation(),
    }


def _verdict_context(row: Puzzle, answer: str, loss: float | None, user: User | None) -> dict[str, Any]:
    """The verdict on an answer; nothing of the position while it stands in a running match."""
    found = puzzles.Puzzle.read(row.xgid, row.options)
    position: Any = found.position
    if live_positions.is_live_position(position, position.score.view(), user=user):
        return {"running": True}
    best = found.options[0][1]
    options = [{"text": text, "equity": equity, "loss": best - equity} for text, equity in found.options]
    return {
        "puzzle": row,
        "best": found.best,
        "answer": answer,
        "loss": loss,
        "verdict": trainer.verdict_of(loss),
        "options": options,
        "words": _words(row, found, answer, loss),
    }


def _words(row: Puzzle, found: puzzles.Puzzle, answer: str, loss: float | None) -> list[explanations.Word]:
    """Why the best is better than what was answered; of a cube decision what the report said."""
    if trainer.verdict_of(loss) == "best":
        return []
    if found.choices:
        return row.words if answer == row.played else []
    board = board_of(found.position.view(None), puzzles.SOLVER)
    return explanations.explain_play(board, after(board, answer), after(board, found.best))


# The trainer


@member
@require_safe
def train(request: HttpRequest) -> HttpResponse:
    """The next card of one's own errors, and how far one has come."""
    user, today = current_user(request), daily_puzzles.today()
    card = training.next_card(user, today)
    context: dict[str, Any] = {
        "card": card,
        "standing": training.trainer_standing(user, today),
        "learned": trainer.LEARNED,
    }
    if card is not None:
        context |= _asked(card.puzzle)
    return render(request, "analysis/train.html", context)


@member
@require_POST
def train_answer(request: HttpRequest, card_id: int) -> HttpResponse:
    """An answer to one of one's cards: right or wrong, why, and when it comes again."""
    user = current_user(request)
    card = get_object_or_404(TrainerCard.objects.select_related("puzzle"), pk=card_id, user=user)
    if live_positions.is_live_position(*_position(card.puzzle), user=user):
        return _verdict(request, {"running": True, "next": "train"})
    try:
        done = card_answer(user=user, card_id=card_id, answer=request.POST.get("answer", ""))
    except RefusedInPlay as refused:
        return _verdict(request, {"error": refused.text}, status=422)
    context_of_verdict = _verdict_context(done.card.puzzle, done.answer, done.loss, user)
    standing = training.trainer_standing(user, daily_puzzles.today())
    return _verdict(request, {**context_of_verdict, "card": done.card, "standing": standing, "next": "train"})


def _position(row: Puzzle) -> tuple[Any, Any]:
    position: Any = puzzles.Puzzle.read(row.xgid, row.options).position
    return position, position.score.view()


def _verdict(request: HttpRequest, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """The answer as a part of the page that asked, or as a page of its own."""
    part = bool(request.headers.get("HX-Request"))
    template = "analysis/_verdict.html" if part else "analysis/verdict.html"
    return render(request, template, context, status=200 if part else status)


# The position of the day


@public
@require_safe
def daily_position(request: HttpRequest) -> HttpResponse:
    """The position of today, to be voted on; one's own vote, once it is given."""
    today = daily_puzzles.today()
    row = daily_puzzles.daily_pick(day=today)
    user = viewer(request)
    past = DailyPuzzle.objects.filter(day__lt=today, day__gte=today - timedelta(days=PAST_DAYS)).order_by("-day")
    context: dict[str, Any] = {"daily": row, "past": past}
    if row is not None:
        vote = DailyVote.objects.filter(daily=row, user=user).first() if user else None
        context |= {**_asked(row.puzzle), "vote": vote, "votes": row.votes.count()}
        if vote is not None:
            context["board"]["may"] = []
    return render(request, "analysis/daily.html", context)


@player
@require_POST
def daily_vote(request: HttpRequest) -> HttpResponse:
    """A vote on the position of today."""
    row = daily_puzzles.daily_pick(day=daily_puzzles.today())
    if row is None:
        raise Http404
    try:
        vote = daily_puzzles.daily_vote(user=current_user(request), row=row, answer=request.POST.get("answer", ""))
    except Refused as refused:
        return _verdict(request, {"error": refused.text}, status=422)
    if not request.headers.get("HX-Request"):
        return redirect("daily")
    return render(request, "analysis/_voted.html", {"vote": vote, "votes": row.votes.count()})


@public
@require_safe
def daily_past(request: HttpRequest, day: str) -> HttpResponse:
    """The position of a day that is over, with its answer and how the votes fell."""
    try:
        wanted = date.fromisoformat(day)
    except ValueError as error:
        raise Http404 from error
    row = DailyPuzzle.objects.select_related("puzzle__match").filter(day=wanted, day__lt=daily_puzzles.today()).first()
    if row is None:
        raise Http404
    user = viewer(request)
    votes = list(row.votes.all())
    own_vote = next((vote for vote in votes if user is not None and vote.user_id == user.pk), None)
    context_of_verdict = _verdict_context(
        row.puzzle,
        own_vote.answer if own_vote else row.puzzle.played,
        own_vote.loss if own_vote else row.puzzle.loss,
        user,
    )
    context = {**_asked(row.puzzle), **context_of_verdict, "daily": row, "vote": own_vote, "nobody": own_vote is None}
    context["shares"] = daily_puzzle.vote_shares(vote.answer for vote in votes)
    context["board"]["may"] = []
    return render(request, "analysis/daily_past.html", context)
