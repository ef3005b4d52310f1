"""Finished matches, loaded from a file as if ana and bea had played them here."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from accounts.models import User
from games.engine import SIDES
from games.formats import mat
from games.formats.record import Record
from games.models import Action, Game, Match, Seat

SAMPLES = Path(__file__).resolve().parents[1] / "data" / "matches"
START = datetime(2026, 3, 1, 20, tzinfo=UTC)


@cache
def sample(name: str) -> Record:
    """A record out of tests/data/matches, read once: it cannot be changed."""
    record = mat.read((SAMPLES / name).read_text()).record
    assert record is not None
    return record


def keep(record: Record, white: User, black: User, *, at: datetime = START, seconds: int = 10, **more: object) -> Match:
    """The match of a record with these players, an action every so many seconds."""
    actions = [(game.number, *action) for game in record.games for action in game.actions]
    over = at + timedelta(seconds=seconds * len(actions))
    match = Match.objects.create(
        **{
            "variant": record.variant,
            "length": record.length,
            "options": dict(record.options),
            "clock_preset": "none",
            "status": Match.Status.OVER,
            "creator": white,
            "created_at": at,
            "started_at": at,
            "ended_at": over,
            "winner": record.winner,
            "ended_by": record.by or Match.EndedBy.SCORE,
            **more,
        }
    )
    points = dict(zip(SIDES, record.score, strict=True))
    people = {"white": white, "black": black}
    Seat.objects.bulk_create(
        Seat(match=match, side=s, user=people[s], points=points[s], won=record.winner == s, ended_at=match.ended_at)
        for s in SIDES
    )
    Game.objects.bulk_create(
        Game(
            match=match,
            number=game.number,
            score_before={},
            winner=game.winner,
            points=int(game.points),
            kind=game.kind,
            started_at=at,
            ended_at=over,
        )
        for game in record.games
    )
    Action.objects.bulk_create(
        Action(
            match=match,
            n=n,
            game_number=number,
            actor=actor,
            text=text,
            at=at + timedelta(seconds=seconds * n),
        )
        for n, (number, actor, text) in enumerate(actions, 1)
    )
    return match
