"""What a heartbeat of the server says of a table: for every page every 4 s, so in few and cheap statements."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine import Json, Side, rival
from games.errors import NotFound
from games.models import Match
from games.services import presence, rows


@dataclass(frozen=True, slots=True)
class Pulse:
    """The version of a match and, where it is played live, who is away (docs/protocol.md)."""

    version: int
    away: Json | None

    def as_json(self) -> Json:
        return {"version": self.version} if self.away is None else {"version": self.version, "away": self.away}


def match_pulse(*, match_id: str, user_id: int | None) -> Pulse:
    """The pulse of a match for one viewer, who is taken for present. Raises NotFound."""
    told, moment = rows.pulse(match_id)
    if not told:
        raise NotFound
    version, status, clock, started_at, paused = told[0][:5]
    if status != Match.Status.LIVE or not presence.live(clock):
        return Pulse(version, None)
    seats = [seat[5:] for seat in told]
    mine: Side | None = next((side for side, user, *_ in seats if user_id is not None and user == user_id), None)
    others = {side: seen for side, _user, is_bot, seen in seats if side != mine and not is_bot}
    gone = presence.absences(others, started_at, moment)
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
