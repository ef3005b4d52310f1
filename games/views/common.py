"""What the views of this app share."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import User

PAGE = 25


def viewer(request: HttpRequest) -> User | None:
    """Who looks: a player, or None for a passer-by."""
    return request.user if request.user.is_authenticated else None


def page_of(request: HttpRequest, things: QuerySet[Any], size: int = PAGE) -> Page[Any]:
    """The page of a list that the address asks for."""
    return Paginator(things, size).get_page(request.GET.get("page"))
