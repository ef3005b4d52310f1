"""How what was asked is answered: done and said so, or refused with the reason."""

from __future__ import annotations

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from games.errors import Refused
from tournaments.errors import NotFound


def tried(request: HttpRequest, act: Callable[[], object], done: str = "") -> bool:
    """Do it and say so, or tell why not. Raises Http404 for a tournament that is not there."""
    try:
        act()
    except NotFound as refused:
        raise Http404(refused.text) from refused
    except Refused as refused:
        messages.error(request, refused.text)
        return False
    if done:
        messages.success(request, done)
    return True


def fits(request: HttpRequest, form: forms.Form) -> bool:
    """Whether a small form can be read; if not, says what is wrong with it, each thing once."""
    if form.is_valid():
        return True
    for error in sorted({str(error) for errors in form.errors.values() for error in errors}):
        messages.error(request, error)
    return False


def not_director(request: HttpRequest, tournament_id: str, refused: Refused) -> HttpResponse:
    context = {"tournament_id": tournament_id, "reason": refused.text}
    return render(request, "tournaments/not_director.html", context, status=403)
