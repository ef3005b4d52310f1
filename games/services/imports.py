"""Importing matches from files: replayed through the rules and archived as a whole, or not at all."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime, timedelta

from django.db import transaction

from accounts.models import User
from games.database import now
from games.engine import SIDES, Json
from games.errors import Refused
from games.formats.record import GameRecord, Record, verify
from games.models import FROM_FILE, Action, Game, Match, Seat

MAX_NAME_LENGTH = 80
MAX_IMPORTED = 2000
_DATE = re.compile(r"(\d{4})[.\-/](\d{1,2})[.\-/](\d{1,2})", re.ASCII)


def match_import(*, creator: User, record: Record, source: str, data: bytes = b"") -> Match:
    """Archive a match that was read from a file of format `source`; the same `data` again gives the same match.

    All of it in one transaction, or nothing. Raises Refused("too_many_archived"), FormatError where the record does not
    follow from its own actions.
    """
    state = verify(record)
    digest = hashlib.sha256(data).hexdigest() if data else ""
    with transaction.atomic():
        imported = Match.objects.filter(FROM_FILE, creator=creator)
        if digest and (known := imported.filter(headers__sha256=digest).first()):
            return known
        if imported.count() >= MAX_IMPORTED:
            raise Refused("too_many_archived")
        moment = now()
        played = _played(record) or moment
        match = Match.objects.create(
            variant=record.variant,
            length=record.length,
            options=dict(record.options),
            source=source,
            headers={**{key: str(value)[:200] for key, value in record.headers.items()}, "sha256": digest},
            clock_preset="none",
            status=Match.Status.OVER,
            creator=creator,
            created_at=moment,
            started_at=played,
            ended_at=played,
            version=sum(len(game.actions) for game in record.games),
            snapshot=state.snapshot(),
            winner=record.winner,
            ended_by=record.by or Match.EndedBy.UNFINISHED,
        )
        Seat.objects.bulk_create(_seats(match, record))
        Game.objects.bulk_create([_game(match, game, played) for game in record.games])
        Action.objects.bulk_create(_actions(match, record, played), batch_size=500)
    return match


def _played(record: Record) -> datetime | None:
    """The date of the match that a file gives, if any."""
    found = _DATE.search(record.headers.get("EventDate", ""))
    try:
        return datetime(*(int(part) for part in found.groups()), 12, tzinfo=UTC) if found else None  # type: ignore[misc, arg-type]
    except ValueError:
        return None


def _seats(match: Match, record: Record) -> list[Seat]:
    points = dict(zip(SIDES, record.score, strict=True))
    won = {side: record.winner == side if record.winner else None for side in SIDES}
    return [
        Seat(
            match=match,
            side=side,
            written_name=(record.players.get(side) or "?")[:MAX_NAME_LENGTH],
            points=points[side],
            won=won[side],
            ended_at=match.ended_at,
        )
        for side in SIDES
    ]


def _game(match: Match, game: GameRecord, played: datetime) -> Game:
    score: Json = {"length": match.length, **dict(zip(SIDES, game.score, strict=True))}
    return Game(
        match=match,
        number=game.number,
        score_before=score,
        winner=game.winner,
        points=int(game.points),
        kind=game.kind,
        started_at=played,
        ended_at=played if game.kind else None,
    )


def _actions(match: Match, record: Record, played: datetime) -> list[Action]:
    rows: list[Action] = []
    for game in record.games:
        for (actor, text), (white, black) in game.timed:
            rows.append(
                Action(
                    match=match,
                    n=len(rows) + 1,
                    game_number=game.number,
                    actor=actor,
                    text=text,
                    at=played + timedelta(milliseconds=len(rows)),
                    white_ms=white,
                    black_ms=black,
                )
            )
    return rows
