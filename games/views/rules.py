"""The pages to read: the rules of the games, and a position looked at by its id. Thin; nothing here writes."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import select_template
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.web.policy import public
from backgammon.languages import DEFAULT, first_supported
from games.formats import position_ids as ids
from games.formats.errors import TEXTS, FormatError
from games.rules_pages import PAGE_BY_KEY, PAGE_BY_RULING, PAGES

LONGEST = 2000
"""Characters looked at; people paste an id with words around it."""
SHOWN = 24
"""Plays listed at once; the rest opens on demand."""


@public
@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The first page of the rules: what there is to read."""
    return render(request, "rules/index.html", {"pages": PAGES})


@public
@require_safe
def rules_page(request: HttpRequest, page: str) -> HttpResponse:
    """One page of the rules in the reader's language; in English where it is not translated."""
    found = PAGE_BY_KEY.get(page)
    if found is None:
        raise Http404
    languages = (first_supported(get_language()), DEFAULT)
    template: Any = select_template([f"rules/{language}/{found.key}.html" for language in languages])
    at = PAGES.index(found)
    context = {
        "page": found,
        "pages": PAGES,
        "before": PAGES[at - 1] if at else None,
        "after": PAGES[at + 1] if at + 1 < len(PAGES) else None,
        "sections": {section.anchor: section for section in found.sections},
        "prose_language": template.template.name.split("/")[1],
    }
    return HttpResponse(template.render(context, request))


@public
@require_safe
def ruling(request: HttpRequest, ruling: str) -> HttpResponse:
    """A ruling by its number: to its section. Every refusal in play cites one, and links here."""
    number = ruling.upper()
    found = PAGE_BY_RULING.get(number)
    if found is None:
        raise Http404
    return redirect(f"{reverse('rules-page', args=[found.key])}#{number}")


@public
@require_safe
def verify_dice(request: HttpRequest) -> HttpResponse:
    """The script that checks the dice of a match without this site: docs/verify_dice.py, as it is."""
    return HttpResponse(
        (settings.BASE_DIR / "docs" / "verify_dice.py").read_bytes(),
        content_type="text/x-python; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="verify_dice.py"'},
    )


@public
@require_safe
def position(request: HttpRequest) -> HttpResponse:
    """A position by its XGID or GNU Backgammon ID (`?id=`): board, facts, ids, and the legal plays of its dice."""
    text = request.GET.get("id", "").strip()
    if not text:
        return render(request, "games/position.html", {"text": ""})
    try:
        found = _read(text[:LONGEST])
    except FormatError as error:
        context = {"text": text[:LONGEST], "code": error.code, "error": _(TEXTS[error.code])}
        return render(request, "games/position.html", context, status=422)
    return render(request, "games/position.html", {"text": text, **_facts(found)})


def _read(text: str) -> Any:
    """The position of an id. Raises `FormatError`."""
    try:
        return ids.read(text)
    except FormatError:
        return ids.read(text.replace(" ", "+"))  # what a plus sign becomes in an address written by hand


def _facts(found: Any) -> dict[str, Any]:
    """What the page says of a position."""
    view = found.view(found.turn)
    plays = [] if view["dice"] is None else list(found.actions())
    ids = found.gnubg_ids()
    return {
        "position": view,
        "score": found.score.view(),
        "xgid": found.xgid(),
        "gnubg": f"{ids[0]}:{ids[1]}",
        "ascii": found.diagram("white"),
        "plays": plays[:SHOWN],
        "more": plays[SHOWN:],
        "count": len(plays),
        "board": {"position": view, "you": found.turn, "may": found.may(found.turn)},
    }
