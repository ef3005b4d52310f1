"""What a heartbeat of the server says of a table: for every page every 4 s, so in few and cheap statements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from games.engine import Json, Side, rival
from games.errors import NotFound
from games.models import Alive, Match
from games.services import presence, rows

Asked = tuple[str, int | None]  # match, user


@dataclass(frozen=True, slots=True)
class Pulse:
    """The version of a match and, where it is played live, who is away (docs/protocol.md)."""

    version: int
    away: Json | None

    def as_json(self) -> Json:
        return {"version": self.version} if self.away is None else {"version": self.version, "away": self.away}


def match_pulse(*, match_id: str, user_id: int | None) -> Pulse:
    """The pulse of a match for one viewer, who is taken for present. Raises NotFound."""
    [pulse] = match_pulses([(match_id, user_id)])
    if pulse is None:
        raise NotFound
    return pulse


def match_pulses(asked: Sequence[Asked]) -> list[Pulse | None]:
    """The pulses of matches for their viewers, in their order and in one statement; None where no match is."""
    told, moment = rows.pulses(list(dict.fromkeys(match_id for match_id, _ in asked)))
    alive = cache(presence.alive)
    return [
        _pulse(match_id, user_id, told[match_id], moment, alive) if match_id in told else None
        for match_id, user_id in asked
    ]


def _pulse(
    match_id: str, user_id: int | None, told: list[tuple[Any, ...]], moment: datetime, alive: Callable[[], Alive | None]
) -> Pulse:
    version, status, clock, started_at, paused = told[0][:5]
    if status != Match.Status.LIVE or not presence.live(clock):
        return Pulse(version, None)
    seats = [seat[5:] for seat in told]
    mine: Side | None = next((side for side, user, *_ in seats if user_id is not None and user == user_id), None)
    others = {side: seen for side, _user, of_house, seen in seats if side != mine and not of_house}
    gone = presence.absences(others, started_at, moment, alive=alive)
    counts = mine is not None and not paused
    away: Json = {side: one.as_json(moment, countdown=counts) for side, one in gone.items()}
    if counts and mine is not None and (absent := gone.get(rival(mine))) is not None and absent.over(moment):
        away[rival(mine)]["may"] = _may(match_id, mine)
    return Pulse(version, away)


def _may(match_id: str, mine: Side) -> list[str]:
    """What the one who is here may do now that the countdown has ended."""
    match = Match.objects.get(pk=match_id)
    if not presence.waits_for(match, rival(mine)):
        return []
    return ["claim", "adjourn"] if match.adjournable else ["claim"]
