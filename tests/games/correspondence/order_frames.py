"""Helpers: placing orders, and what each viewer sees of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from games import events, services
from games.errors import Refused
from games.models import Action, Match
from games.selectors import match_state as selectors


def order(match: Match, user: User, text: str, *, after: int | None = None, client_id: str = "order-1") -> int:
    """At the present version, if none is given."""
    seen = fresh(match).version if after is None else after
    about = {"match_id": match.pk, "user_id": user.pk, "client_id": client_id}
    return services.match_order(order=text, after=seen, **about).version


def fresh(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def last(match: Match, count: int) -> list[tuple[str, str, str]]:
    """The last recorded actions: actor, text, and whether they were preset."""
    rows = Action.objects.filter(match=match).order_by("-n")[:count]
    return [(row.actor, row.text, row.asked) for row in reversed(rows)]


def seen_by(match: Match, user: User | None) -> Any:
    event, side = selectors.match_event(match_id=match.pk, user_id=user.pk if user else None)
    return events.for_viewer(event, side, "state")


def standing(match: Match, user: User) -> Any:
    return seen_by(match, user)["orders"]["double"]


def refusal(do: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        do()
    return refused.value.code
