"""A ladder of dora's club, on which ana, bea and carlos stand in this order, and a clock that a test may move."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.clubs import services as clubs
from accounts.models import Club, Membership, User
from games import database
from games import services as play
from games.database import now
from games.models import Match
from ladders import rules
from ladders import services as ladders
from ladders.models import Ladder, LadderEvent, LadderPlayer, LadderPulse
from ladders.services import setup, sweeps, transaction
from tests.games.conftest import open_table  # noqa: F401 - a fixture

Committed = Callable[..., Any]


@pytest.fixture
def club(db: None) -> Club:
    return clubs.default_club_ensure()


@pytest.fixture
def make(club: Club, ana: User, bea: User, carlos: User, dora: User) -> Callable[..., Ladder]:
    """A function that opens a ladder of dora's with players on it: `make(kind="hill", config={"play_days": 3})`."""
    Membership.objects.get_or_create(club=club, user=dora, defaults={"role": Membership.Role.DIRECTOR})

    def make_ladder(*, joined: tuple[User, ...] = (ana, bea, carlos), **terms: Any) -> Ladder:
        wanted = {
            "name": "Torneo semanal del club",
            "kind": "challenge",
            "variant": "backgammon",
            "length": 3,
            "clock": "club",
        }
        ladder = ladders.ladder_create(by=dora, club=club, **{**wanted, **terms})
        for user in joined:
            ladders.ladder_join(ladder_id=ladder.pk, user=user)
        return ladder

    return make_ladder


@pytest.fixture
def ladder(make: Callable[..., Ladder]) -> Ladder:
    return make()


class Clock:
    """The database's clock, as far ahead as the test says."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)

    def now(self) -> Any:
        return now() + self.ahead

    def forward(self, *, outage: bool = False, **time: float) -> None:
        """Let time pass; the sweep came by all the while, unless there was an outage."""
        self.ahead += timedelta(**time)
        if not outage:
            LadderPulse.objects.update(at=self.now())


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, db: None) -> Clock:
    """A clock that ladders read instead of the database's."""
    made = Clock()
    for module in (transaction, setup, sweeps):
        monkeypatch.setattr(module, "now", made.now)
    assert database.now is now
    LadderPulse.objects.create(pk=1, at=now())
    return made


def order(ladder: Ladder) -> list[str]:
    """The names from the top, and that every row agrees with the fold of all events."""
    ladder.refresh_from_db()
    events = list(ladder.events.order_by("n"))
    assert [event.n for event in events] == list(range(1, ladder.version + 1))
    state = ladders.state_of(ladder)
    assert state == rules.fold(ladders.config_of(ladder), transaction.recorded_events(ladder))
    rows = LadderPlayer.objects.filter(ladder=ladder, rank__isnull=False).order_by("rank").select_related("user")
    assert [(row.rank, row.user_id) for row in rows] == list(enumerate(state.order, 1))
    for row in rows:
        held = state.rows[row.user_id]
        assert (row.points, row.played, row.won, row.frozen) == (held.points, held.played, held.won, held.frozen)
        assert (row.away_until, row.immune_until) == (held.away_until, held.immune_until)
    return [row.user.username for row in rows]


def kinds(ladder: Ladder) -> list[str]:
    """What happened since the players joined."""
    events = LadderEvent.objects.filter(ladder=ladder).exclude(type__in=("created", "joined"))
    return list(events.order_by("n").values_list("type", flat=True))


def arrive(match: Match) -> Match:
    """Both come to the table."""
    for seat in match.seats.all():
        match = play.match_arrive(match_id=match.pk, user=seat.user)  # type: ignore[arg-type]
    return match


def give_up(match: Match, loser: User) -> None:
    """The loser gives the match up."""
    play.match_act(match_id=match.pk, user_id=loser.pk, action="resign match", client_id=f"end-{loser.pk}")
