"""Read the parameters of a request, and turn refusals into messages or 404 pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest

from accounts.models import User
from games.errors import NotFound, Refused
from games.models import Match
from games.selectors.matches import visible_match

PAGE = 25


def viewer(request: HttpRequest) -> User | None:
    """The signed-in user, or None for an anonymous visitor."""
    return request.user if request.user.is_authenticated else None


def paginate(request: HttpRequest, rows: QuerySet[Any], size: int = PAGE) -> Page[Any]:
    """The page of a list that the query parameter ``page`` names."""
    return Paginator(rows, size).get_page(request.GET.get("page"))


def query_choices(request: HttpRequest, **choices: Sequence[str]) -> dict[str, str]:
    """The query parameters with these names; a value that is not among its choices becomes empty."""
    values = {key: request.GET.get(key, "") for key in choices}
    return {key: value if value in choices[key] else "" for key, value in values.items()}


@contextmanager
def not_found_as_404() -> Iterator[None]:
    """Turn NotFound into a 404 page."""
    try:
        yield
    except NotFound as error:
        raise Http404(error.text) from error


def match_or_404(request: HttpRequest, match_id: str) -> Match:
    """The match with its seats, if the viewer may see it. Raises Http404."""
    with not_found_as_404():
        return visible_match(match_id=match_id, user=viewer(request))


def run_action(request: HttpRequest, act: Callable[[], object], success: str = "") -> bool:
    """Run an action and show a message: of success, or the reason of a refusal. Raises Http404."""
    try:
        with not_found_as_404():
            act()
    except Refused as refused:
        messages.error(request, refused.text)
        return False
    if success:
        messages.success(request, success)
    return True
