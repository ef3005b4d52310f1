"""Two sites in one database: while a block plays at the venue, the club's site is put aside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction

from accounts.clubs.services import default_club_ensure
from accounts.models import Membership, User
from games.models import Rating
from tests.tournaments.conftest import fresh, ready
from tournaments import services
from tournaments.errors import Refused
from tournaments.models import Placing, Tournament
from tournaments.services import results_sync


@dataclass
class Venue:
    """What was played at the venue: its tournament, and the file of the results when the block is over."""

    tournament: Tournament
    results: bytes = b""


@contextmanager
def played_at_venue(out: bytes, *, director: User) -> Iterator[Venue]:
    """Bring a tournament to the venue's site for the block; everything that is written there stays there."""
    with transaction.atomic():
        savepoint = transaction.savepoint()
        Tournament.objects.all().delete()
        Membership.objects.get_or_create(club=default_club_ensure(), user=director, defaults={"role": "owner"})
        venue = Venue(services.venue_bring_here(user=director, data=out))
        yield venue
        venue.results = services.venue_file_back(venue.tournament.venue_copies.get())
        transaction.savepoint_rollback(savepoint)


def taken_out(tournament: Tournament, user: User) -> bytes:
    """Take a tournament out, and return its file."""
    return services.venue_file_out(services.venue_take_out(tournament_id=tournament.pk, user=user))


def sync(tournament: Tournament) -> None:
    """Bring the placings and ratings of a club up to date, as the sweep does."""
    results_sync.tournament_sync_results(tournament_id=tournament.pk)


def figures(tournament: Tournament) -> dict[str, list[tuple[object, ...]]]:
    """The ratings of everybody, and the places and master points of a tournament."""
    ratings = Rating.objects.order_by("user__username", "pool")
    columns = (
        "user__username",
        "pool__variant",
        "pool__pace",
        "rating",
        "experience",
        "matches",
        "wins",
        "form",
        "peak",
    )
    places = Placing.objects.filter(tournament=tournament).order_by("number")
    return {
        "ratings": list(ratings.values_list(*columns)),
        "places": list(
            places.values_list("number", "name", "place", "sharing", "wins", "master_wins", "master_placement")
        ),
    }


def code_of(act: Callable[..., object], **arguments: Any) -> str:
    with pytest.raises(Refused) as found, transaction.atomic():
        act(**arguments)
    assert found.value.text
    return found.value.code


def enter(made: Tournament, user: User, key: str) -> None:
    """Enter a result that depends on the pairing alone."""
    pairing = fresh(made).by_key[key]
    a, b = pairing.entrants
    points = (5, (a + b) % 5) if (a * b) % 3 else ((a + 2 * b) % 5, 5)
    winner = a if points[0] == 5 else b
    services.result_enter(tournament_id=made.pk, user=user, key=key, winner=winner, points=points)


def play(made: Tournament, user: User, *, rounds: int = 3, each: Callable[[], object] = lambda: None) -> None:
    """Play rounds: in each the last pairing first, with a correction and an undo on the way."""
    if fresh(made).phase == "open":
        services.tournament_start(tournament_id=made.pk, user=user)
    for _round in range(rounds):
        keys = ready(made)
        for key in reversed(keys):
            enter(made, user, key)
            each()
        result = fresh(made).by_key[keys[0]].result
        assert result is not None
        a, b = fresh(made).by_key[keys[0]].entrants
        loser = b if result.winner == a else a
        points = (5, 1) if loser == a else (1, 5)
        change = {"key": keys[0], "winner": loser, "points": points, "why": "Read wrong"}
        services.result_correct(tournament_id=made.pk, user=user, **change, agreed=set(ready(made)))
        each()
