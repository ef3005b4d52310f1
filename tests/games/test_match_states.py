"""The states of many matches, read together, are those that each viewer would get alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships
from games import services
from games.errors import NotFound, ViewerBlocked
from games.models import Match
from games.selectors.match_state import Viewing, match_event, match_events
from games.services import Answer
from tests.games.clock_control import Time

pytestmark = pytest.mark.django_db

Open = Callable[..., Match]
Act = Callable[..., Answer]


@pytest.fixture
def played(
    open_table: Open, act: Callable[..., Answer], next_rolls: deque[tuple[int, int]], ana: User, bea: User
) -> Match:
    """Ana has rolled and is to play."""
    next_rolls.append((3, 1))
    match = open_table()
    for user in (ana, bea):
        act(match, user, "roll")
    return match


def alone(viewing: Viewing) -> Any:
    match_id, user_id = viewing
    try:
        return match_event(match_id=match_id, user_id=user_id)
    except NotFound as refusal:
        return type(refusal)


def together(*viewings: Viewing) -> list[Any]:
    return [type(each) if isinstance(each, NotFound) else each for each in match_events(viewings)]


def test_everybody_sees_what_they_see_alone(
    time: Time, played: Match, open_table: Open, ana: User, bea: User, carlos: User
) -> None:
    seek = services.match_create(creator=ana, variant="backgammon", length=5, clock="club", rated=True)
    over = open_table()
    services.match_act(match_id=over.pk, user_id=ana.pk, action="resign match", client_id="tab-1")
    viewings: list[Viewing] = [
        *((played.pk, viewer) for viewer in (ana.pk, bea.pk, carlos.pk, None)),
        *((match.pk, carlos.pk) for match in (seek, over)),
        ("nobodys", ana.pk),
    ]
    assert together(*viewings) == [alone(viewing) for viewing in viewings]
    assert [side for _, side in together(*viewings[:4])] == ["white", "black", None, None]


def test_who_is_blocked_sees_nothing_beside_those_who_are_not(
    played: Match, ana: User, bea: User, carlos: User
) -> None:
    relationships.relationship_create(by=bea, about=carlos, kind=relationship_selectors.BLOCK)
    first, second = together((played.pk, carlos.pk), (played.pk, ana.pk))
    assert first is ViewerBlocked
    assert second[1] == "white"


def test_a_deadline_that_has_passed_is_carried_out_before_it_is_seen(time: Time, played: Match, ana: User) -> None:
    played.refresh_from_db()
    assert played.flag_at is not None
    time.moment = played.flag_at + timedelta(seconds=1)
    [(event, _side)] = together((played.pk, ana.pk))
    assert event["match"]["status"] == "over"


@pytest.mark.parametrize("count", [1, 3])
def test_two_statements_read_matches_in_play_however_many(open_table: Open, ana: User, bea: User, count: int) -> None:
    matches = [open_table() for _ in range(count)]
    with CaptureQueriesContext(connection) as queries:
        together(*((match.pk, user.pk) for match in matches for user in (ana, bea)))
    assert len(queries) == 2
