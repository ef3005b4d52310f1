"""The hand-written SQL statements return what the ORM would return."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import services
from games.database import now
from games.models import Match, Seat
from games.services import match_sql

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    ana, bea = User.objects.create_user("ana"), User.objects.create_user("bea")
    seek = services.match_create(creator=ana, variant="backgammon", length=3, clock="club", rated=True)
    services.match_join(match_id=seek.pk, user=bea)
    return Match.objects.get(pk=seek.pk)


def test_the_lock_returns_the_match(match: Match) -> None:
    with transaction.atomic():
        locked = match_sql.match_lock(match.pk)
    assert locked is not None
    for field in Match._meta.concrete_fields:
        assert getattr(locked, field.attname) == getattr(match, field.attname), field.attname
    assert (locked._state.adding, locked._state.db) == (False, match._state.db)


def test_an_unknown_match_is_not_locked() -> None:
    with transaction.atomic():
        assert match_sql.match_lock("nobody") is None


def test_a_heartbeat_is_one_statement_for_both_seats(match: Match) -> None:
    Seat.objects.filter(match=match, side="white").update(seen_at=now())
    with CaptureQueriesContext(connection) as queries:
        rows, moment = match_sql.heartbeats([match.pk])
    assert len(queries) == 1
    assert abs((moment - now()).total_seconds()) < 10
    expected = {
        seat.side: (0, "live", "club", match.started_at, False, seat.side, seat.user_id, False, seat.seen_at)
        for seat in match.seats.all()
    }
    assert {row[5]: row for row in rows[match.pk]} == expected


def test_the_heartbeat_of_an_unknown_match_is_empty() -> None:
    assert match_sql.heartbeats(["nobody"])[0] == {}
