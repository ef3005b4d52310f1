"""Positions set up by hand or pasted, and what the engine says of them. Thin: parse, call one service, show."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.web.limits import limited
from accounts.web.policy import current_user, member, public
from analysis import puzzles
from analysis.errors import Refused
from analysis.models import PositionQuestion
from analysis.services import live_positions, questions
from games.formats import position_ids as ids
from games.formats.errors import TEXTS, FormatError

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:6"

ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
CUBES = (2, 4, 8, 16, 32, 64)


def _read(text: str) -> Any:
    """The position of an id. Raises FormatError."""
    try:
        return ids.read(text)
    except FormatError:
        return ids.read(text.replace(" ", "+"))  # what a plus sign becomes in an address written by hand


@public
@require_safe
def position_edit(request: HttpRequest) -> HttpResponse:
    """The editor, with the position of `?id=` or the start of a game."""
    text = request.GET.get("id", "").strip()
    try:
        xgid = _read(text).xgid() if text else START
    except FormatError as error:
        messages.error(request, _(TEXTS[error.code]))
        xgid = START
    return render(request, "analysis/position_edit.html", {"xgid": xgid, "rolls": ROLLS, "cubes": CUBES})


@public
@require_safe
def position_ids(request: HttpRequest) -> JsonResponse:
    """What a position (`?id=`) is called: ``{"xgid", "gnubg"}``; 422 with ``{"error"}`` where it is none."""
    try:
        found = _read(request.GET.get("id", ""))
        names = {"xgid": found.xgid(), "gnubg": ":".join(found.gnubg_ids())}
    except FormatError as error:
        return JsonResponse({"error": _(TEXTS[error.code])}, status=422)
    except ValueError:  # an XGID can hold a higher cube and a longer match than a GNU Backgammon ID
        return JsonResponse({"xgid": found.xgid(), "gnubg": ""})
    return JsonResponse(names)


@limited("analysis")
@member
@require_POST
def position_analyse(request: HttpRequest) -> HttpResponse:
    """Ask the engine about a position; its answer has a page of its own."""
    text = request.POST.get("id", "")
    try:
        row = questions.question_ask(user=current_user(request), text=text)
    except Refused as refused:
        messages.error(request, refused.text)
        known = refused.code != "question_id"
        return redirect(f"{reverse('position')}?id={quote(text, safe='')}" if known else "position")
    return redirect("position-answer", row.pk)


@member
@require_safe
def position_answer(request: HttpRequest, question_id: int) -> HttpResponse:
    """The answer to one's own question, or that it is under way; a waiting page asks for its part again."""
    row = PositionQuestion.objects.filter(pk=question_id, user=current_user(request)).first()
    if row is None:
        raise Http404
    found = _read(row.xgid)
    context: dict[str, Any] = {"question": row, "position": found.view(found.turn), "score": found.score.view()}
    if row.status == PositionQuestion.Status.READY:
        # The answer was allowed when it was asked for; a match may have come to this position since.
        context["running"] = live_positions.is_live_position(found, found.score.view(), user=current_user(request))
        context["options"] = [] if context["running"] else _options(row)
    if request.headers.get("HX-Request"):
        return render(request, "analysis/_position_answer.html", context)
    context["board"] = {"position": found.view(found.turn), "you": found.turn, "may": found.may(found.turn)}
    context["gnubg"] = ":".join(found.gnubg_ids())
    return render(request, "analysis/position_answer.html", context)


def _options(row: PositionQuestion) -> list[dict[str, Any]]:
    """What can be decided, the best first, with what each gives away."""
    answer = row.answer
    if answer["kind"] == "play":
        return [{**each, "text": each["play"]} for each in answer["plays"]]
    options = puzzles.options_of(answer)
    best = options[0][1]
    return [{"text": text, "equity": equity, "loss": best - equity} for text, equity in options]
