"""What the views of this app share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest

from accounts.models import User
from games.errors import NotFound, Refused

PAGE = 25


def viewer(request: HttpRequest) -> User | None:
    """Who looks: a player, or None for a passer-by."""
    return request.user if request.user.is_authenticated else None


def page_of(request: HttpRequest, things: QuerySet[Any], size: int = PAGE) -> Page[Any]:
    """The page of a list that the address asks for."""
    return Paginator(things, size).get_page(request.GET.get("page"))


def chosen(request: HttpRequest, **choices: Sequence[str]) -> dict[str, str]:
    """What the address chooses of these; what is none of them is no choice."""
    said = {key: request.GET.get(key, "") for key in choices}
    return {key: value if value in choices[key] else "" for key, value in said.items()}


def tried(request: HttpRequest, act: Callable[[], object], done: str = "") -> bool:
    """Do it and say so, or tell why not. Raises Http404 for what is not there."""
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
