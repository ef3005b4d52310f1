"""The contents of the server's heartbeats: for every page every 4 s, so in few and cheap statements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from games.absence import AWAY_AFTER
from games.engine import Json, Side, opponent
from games.errors import NotFound
from games.models import Match, SiteHeartbeat
from games.services import match_sql, presence

Viewing = tuple[str, int | None]  # match, user
SILENT_SECONDS = AWAY_AFTER.total_seconds() - 0.1
"""After which a seat is looked at in detail: a little early, for what rounding does to seconds."""


@dataclass(frozen=True, slots=True)
class MatchHeartbeat:
    """The version of a match and, in live play, who is away (docs/protocol.md)."""

    version: int
    away: Json | None

    def as_json(self) -> Json:
        return {"version": self.version} if self.away is None else {"version": self.version, "away": self.away}


def match_heartbeat(*, match_id: str, user_id: int | None) -> MatchHeartbeat:
    """The heartbeat of a match for one viewer, who counts as present. Raises NotFound."""
    [heartbeat] = match_heartbeats([(match_id, user_id)])
    if heartbeat is None:
        raise NotFound
    return heartbeat


def match_heartbeats(viewings: Sequence[Viewing]) -> list[MatchHeartbeat | None]:
    """The heartbeats of matches for their viewers; None for a match that does not exist.

    In one statement for matches whose players are there, which are nearly all, and another one for the rest.
    """
    signs, moment = match_sql.last_signs(list(dict.fromkeys(match_id for match_id, _ in viewings)))
    silent = [match_id for match_id, sign in signs.items() if _may_be_away(sign, moment)]
    calm = {match_id: _calm_heartbeat(sign) for match_id, sign in signs.items()}
    if not silent:
        return [calm.get(match_id) for match_id, _ in viewings]
    rows, moment = match_sql.heartbeats(silent)
    alive = cache(presence.site_heartbeat)
    return [
        _heartbeat(match_id, user_id, rows[match_id], moment, alive) if match_id in rows else calm.get(match_id)
        for match_id, user_id in viewings
    ]


def _may_be_away(sign: match_sql.LastSign, moment: datetime) -> bool:
    return _is_live(sign.status, sign.clock) and sign.at is not None and moment.timestamp() - sign.at > SILENT_SECONDS


def _calm_heartbeat(sign: match_sql.LastSign) -> MatchHeartbeat:
    """The heartbeat while nobody is away."""
    return MatchHeartbeat(sign.version, {} if _is_live(sign.status, sign.clock) else None)


def _is_live(status: str, clock: str) -> bool:
    return status == Match.Status.LIVE and presence.is_live_clock(clock)


def _heartbeat(
    match_id: str,
    user_id: int | None,
    rows: list[tuple[Any, ...]],
    moment: datetime,
    alive: Callable[[], SiteHeartbeat | None],
) -> MatchHeartbeat:
    version, status, clock, started_at, paused = rows[0][:5]
    if not _is_live(status, clock):
        return MatchHeartbeat(version, None)
    seats = [seat[5:] for seat in rows]
    own_side: Side | None = next((side for side, user, *_ in seats if user_id is not None and user == user_id), None)
    others = {side: seen for side, _user, of_house, seen in seats if side != own_side and not of_house}
    absent = presence.absences(others, started_at, moment, alive=alive)
    counts = own_side is not None and not paused
    away: Json = {side: absence.as_json(moment, countdown=counts) for side, absence in absent.items()}
    if counts and own_side is not None and (other := absent.get(opponent(own_side))) and other.is_over(moment):
        away[opponent(own_side)]["may"] = _absence_actions(match_id, own_side)
    return MatchHeartbeat(version, away)


def _absence_actions(match_id: str, own_side: Side) -> list[str]:
    """The actions against an absent opponent once the countdown has ended."""
    match = Match.objects.get(pk=match_id)
    if not presence.waits_for(match, opponent(own_side)):
        return []
    return ["claim", "adjourn"] if match.adjournable else ["claim"]
