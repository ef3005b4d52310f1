"""The first lesson, step by step; nothing is stored. Thin: parse, ask the step, show."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from accounts.web.policy import public
from analysis import puzzles
from analysis.errors import Refused
from analysis.lesson_texts import TEXTS
from analysis.lessons import STEPS, LessonStep


def _step_or_404(number: int) -> LessonStep:
    if not 1 <= number <= len(STEPS):
        raise Http404
    return STEPS[number - 1]


@public
@require_safe
def lesson(request: HttpRequest, number: int = 1) -> HttpResponse:
    """A step: its explanation, the board, and what is to be done."""
    step = _step_or_404(number)
    position = step.position
    view = position.view(puzzles.SOLVER)
    context = {
        "step": step,
        "text": TEXTS[step.key],
        "number": number,
        "steps": range(1, len(STEPS) + 1),
        "board": step.situation(),
        "position": view,
        "dice": sorted(view["dice"] or (), reverse=True),
        "score": position.score.view(),
        "choices": step.choices,
        "ascii": position.diagram(puzzles.SOLVER),
    }
    return render(request, "analysis/lesson.html", context)


@public
@require_POST
def lesson_answer(request: HttpRequest, number: int) -> HttpResponse:
    """What is said of a decision, as a part of the page that asked or as a page of its own."""
    step = _step_or_404(number)
    context = {"text": TEXTS[step.key], "number": number, "next": number + 1 if number < len(STEPS) else None}
    status = 200
    try:
        context["right"] = step.is_right(request.POST.get("answer", "")[:60])
    except puzzles.UnplayablePuzzle:
        context["error"], status = Refused("puzzle_answer").text, 422
    if request.headers.get("HX-Request"):
        return render(request, "analysis/_lesson_verdict.html", context)
    return render(request, "analysis/lesson_verdict.html", context, status=status)
