"""What the lobby says is on tonight."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from games.database import now
from tests.tournaments.staging import staged
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def starts_in(tournament: Tournament, hours: float) -> str:
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=now() + timedelta(hours=hours))
    return Client().get("/").content.decode()


def test_a_tournament_of_the_next_hours_is_on_tonight_and_one_of_next_week_is_not() -> None:
    made = staged("knockout", 4, drawn=False)
    assert f'id="tonight-{made.pk}"' in starts_in(made, 3)
    assert "Tonight" not in starts_in(made, 24 * 7)


def test_a_running_tournament_is_on_whenever_it_began() -> None:
    made = staged("swiss", 4, rounds=3)
    page = starts_in(made, -48)
    assert f'id="tonight-{made.pk}"' in page
    assert "live now" in page
