"""How what was asked is answered: done and said so, or refused with the reason."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.errors import Refused


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
