"""The hand-written SQL statements return what the ORM would return."""

from __future__ import annotations

from datetime import timedelta

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


def test_the_last_sign_of_a_match_is_that_of_the_seat_that_is_silent_longest(match: Match) -> None:
    assert match.started_at is not None
    later = match.started_at + timedelta(seconds=3, microseconds=7)
    Seat.objects.filter(match=match, side="white").update(seen_at=later)
    Seat.objects.filter(match=match, side="black").update(seen_at=later + timedelta(seconds=1))
    with CaptureQueriesContext(connection) as queries:
        signs, moment = match_sql.last_signs([match.pk, "nobody"])
    assert len(queries) == 1
    assert abs((moment - now()).total_seconds()) < 10
    assert signs == {match.pk: match_sql.LastSign(0, "live", "club", pytest.approx(later.timestamp(), abs=1e-5))}
    Seat.objects.filter(match=match, side="black").update(seen_at=None)
    assert match_sql.last_signs([match.pk])[0][match.pk].at == pytest.approx(match.started_at.timestamp(), abs=1e-5)


def test_the_house_s_bots_are_never_silent(match: Match) -> None:
    white, black = match.seats.order_by("-side")
    User.objects.filter(pk=white.user_id).update(is_bot=True)
    later = now() + timedelta(seconds=3)
    Seat.objects.filter(pk=black.pk).update(seen_at=later)
    assert match_sql.last_signs([match.pk])[0][match.pk].at == pytest.approx(later.timestamp(), abs=1e-5)
    User.objects.filter(pk=black.user_id).update(is_bot=True)
    assert match_sql.last_signs([match.pk])[0][match.pk].at is None


def test_the_heartbeat_of_an_unknown_match_is_empty() -> None:
    assert match_sql.heartbeats(["nobody"])[0] == {}
