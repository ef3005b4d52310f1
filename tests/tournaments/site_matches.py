"""Matches of a tournament that are played on this site, quickly: both players make a play, then one resigns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from itertools import count
from typing import Any

from django.core.management import call_command

from accounts.models import User
from games import dice
from games import services as play
from games.models import Match
from tournaments import services
from tournaments.formats.core import Key
from tournaments.models import Meeting, Tournament

_serial = count(1)


@contextmanager
def fixed_dice() -> Iterator[None]:
    """Every roll is 3-1: White begins."""
    before = dice.replace_roller(lambda match_id, index, elements: (3, 1))
    try:
        yield
    finally:
        dice.replace_roller(before)


def play_on_site(tournament: Tournament, key: Key, winner: User) -> Match:
    """Play the open match of a pairing on this site, and record its result in the tournament."""
    match = Meeting.objects.get(tournament=tournament, key=key).match
    assert match is not None
    users: dict[str, Any] = {seat.side: seat.user for seat in match.seats.select_related("user")}
    white, black = users["white"], users["black"]
    for user in (white, black):
        play.match_arrive(match_id=match.pk, user=user)
    with fixed_dice():
        for user, action in (
            (white, "roll"),
            (black, "roll"),
            (white, "8/5 6/5"),
            (black, "roll"),
            (black, "8/5 6/5"),
            (black if winner == white else white, "resign match"),
        ):
            play.match_act(match_id=match.pk, user_id=user.pk, action=action, client_id=f"here-{next(_serial)}")
    services.match_result_record(match_id=match.pk)
    return Match.objects.get(pk=match.pk)


def assert_ratings_match_logs() -> None:
    """Check that all stored ratings equal those computed from their logs; the command exits with 1 if not."""
    call_command("ratings_rebuild", "--check", stdout=StringIO())
