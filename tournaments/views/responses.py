"""Steps that many views share: validate a small form, run one service of the desk, answer a refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify

from accounts.web.policy import current_user
from games.errors import Refused
from games.views.request import not_found_as_404, run_action
from tournaments.models import Tournament
from tournaments.roles import DeskAct
from tournaments.selectors import lookups

LONGEST_KEY = 40
LONGEST_ENTRANT_NUMBER = 5  # digits


def form_is_valid(request: HttpRequest, form: forms.Form) -> bool:
    """Whether a small form is valid; if not, show each of its errors once as a message."""
    if form.is_valid():
        return True
    for error in sorted({str(error) for errors in form.errors.values() for error in errors}):
        messages.error(request, error)
    return False


def posted_number(request: HttpRequest, name: str, *, digits: int = LONGEST_ENTRANT_NUMBER) -> int:
    """A number of the posted form; 0, which nothing has, for anything else."""
    return number_in(request.POST.get(name, ""), digits=digits)


def number_in(text: str, *, digits: int) -> int:
    """The number that a text of at most so many ASCII digits is; 0 for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else 0


def not_director_page(request: HttpRequest, tournament_id: str, refused: Refused) -> HttpResponse:
    """The page with the reason for a user whose role does not allow it: 403."""
    context = {"tournament_id": tournament_id, "reason": refused.text}
    return render(request, "tournaments/not_director.html", context, status=403)


def tournament_or_forbidden(request: HttpRequest, tournament_id: str, act: DeskAct) -> Tournament | HttpResponse:
    """A tournament at which the user may do an act, or the page that says why not. Raises Http404."""
    try:
        with not_found_as_404():
            return lookups.desk_tournament(tournament_id=tournament_id, user=current_user(request), act=act)
    except Refused as refused:
        return not_director_page(request, tournament_id, refused)


def tournament_or_none(request: HttpRequest, tournament_id: str, act: DeskAct) -> Tournament | None:
    """A tournament at which the user may do an act; else None, and a message why not. Raises Http404."""
    found: list[Tournament] = []
    user = current_user(request)
    run_action(request, lambda: found.append(lookups.desk_tournament(tournament_id=tournament_id, user=user, act=act)))
    return found[0] if found else None


# Acts of the desk


def back_to_desk(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Redirect to the section of the desk that the form names (`at`); who has no role, to the tournament's page."""
    try:
        lookups.desk_tournament(tournament_id=tournament_id, user=current_user(request), act=DeskAct.VIEW_DESK)
    except Refused:
        return redirect("tournament", tournament_id)
    at = slugify(request.POST.get("at", "")[:40])
    anchor = at if at[:1].isalpha() else ""  # some forms have a field `at` that is a time
    return redirect(reverse("tournament-desk", args=[tournament_id]) + (f"#{anchor}" if anchor else ""))


def run_on_desk(
    request: HttpRequest, tournament_id: str, service: Callable[..., object], success: str = "", **kwargs: Any
) -> HttpResponse:
    """Run one service as the user, and go back to the desk."""
    user = current_user(request)
    run_action(request, lambda: service(tournament_id=tournament_id, user=user, **kwargs), success)
    return back_to_desk(request, tournament_id)


def submit_on_desk(
    request: HttpRequest,
    tournament_id: str,
    form: forms.Form,
    service: Callable[..., object],
    kwargs: Callable[[], dict[str, Any]],
    success: str = "",
) -> HttpResponse:
    """Run one service with the `kwargs` of a valid form, or show the errors of the form; go back to the desk."""
    if not form_is_valid(request, form):
        return back_to_desk(request, tournament_id)
    return run_on_desk(request, tournament_id, service, success, **kwargs())
