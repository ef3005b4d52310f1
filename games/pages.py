"""The pages to read: the rules of the games, and a position looked at by its id. Thin; nothing here writes."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from accounts.policy import public
from games.rulings import PAGE, PAGE_OF, PAGES

LANGUAGES = ("en", "es")
"""The languages that the rules are written in; a reader of another one gets the first."""


def _language() -> str:
    chosen = (get_language() or "").split("-")[0]
    return chosen if chosen in LANGUAGES else LANGUAGES[0]


@public
@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The first page of the rules: what there is to read."""
    return render(request, "rules/index.html", {"pages": PAGES})


@public
@require_safe
def rules_page(request: HttpRequest, page: str) -> HttpResponse:
    """One page of the rules in the reader's language."""
    found = PAGE.get(page)
    if found is None:
        raise Http404
    at = PAGES.index(found)
    context = {
        "page": found,
        "pages": PAGES,
        "before": PAGES[at - 1] if at else None,
        "after": PAGES[at + 1] if at + 1 < len(PAGES) else None,
        "sections": {section.anchor: section for section in found.sections},
    }
    return render(request, f"rules/{_language()}/{found.key}.html", context)


@public
@require_safe
def ruling(request: HttpRequest, ruling: str) -> HttpResponse:
    """A ruling by its number: to its section. Every refusal in play cites one, and links here."""
    number = ruling.upper()
    found = PAGE_OF.get(number)
    if found is None:
        raise Http404
    return redirect(f"{reverse('rules-page', args=[found.key])}#{number}")
