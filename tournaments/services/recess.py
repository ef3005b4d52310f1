"""A break for everybody, or until another day: nothing new opens, and no deadline passes while it lasts."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F

from accounts.models import User
from games import services as play
from games.errors import Refused as PlayRefused
from games.models import Match
from tournaments.errors import Refused
from tournaments.models import Meeting
from tournaments.services.desk import Desk

LONGEST_WHY = play.LONGEST_WHY


def recess_begin(
    *, tournament_id: str, user: User, until: datetime | None = None, why: str = "", pause: bool = True
) -> None:
    """Begin a break `until` a moment, or (None) until a director ends it; `pause` stops the matches in play, too.

    Raises Refused: not_director, not_running, recess, recess_past.
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.need_phase("running")
        if desk.state.recess is not None:
            raise Refused("recess")
        if until is not None and until <= desk.moment:
            raise Refused("recess_past")
        said = " ".join(why.split())[:LONGEST_WHY]
        desk.record(
            "recess",
            user,
            since=desk.moment.isoformat(),
            until=until.isoformat() if until is not None else None,
            why=said,
            keys=_pause(desk, user, said) if pause else [],
        )
        desk.commit()


def _pause(desk: Desk, user: User, why: str) -> list[str]:
    """Pause every match in play; the keys of those that were not paused before."""
    done = []
    for key, match_id in _in_play(desk):
        try:
            play.match_pause(match_id=match_id, by=user, why=why)
            done.append(key)
        except PlayRefused:  # it has just ended, or is paused
            continue
    return sorted(done)


def _in_play(desk: Desk) -> list[tuple[str, str]]:
    live = desk.tournament.meetings.filter(match__status=Match.Status.LIVE).order_by("match")
    return list(live.values_list("key", "match_id"))  # type: ignore[arg-type]


def recess_end(*, tournament_id: str, user: User) -> None:
    """End the break now. Raises Refused: not_director, no_recess."""
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        if desk.state.recess is None:
            raise Refused("no_recess")
        _end(desk, user)


def recess_due(*, tournament_id: str) -> None:
    """End a break whose time is over."""
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        due = desk.tournament.recess_at
        if due is not None and due <= desk.moment and desk.state.recess is not None:
            _end(desk, None)


def _end(desk: Desk, by: User | None) -> None:
    """Play goes on: what was paused for the break is resumed, and every deadline comes so much later."""
    recess = desk.state.recess
    if recess is None:
        return
    lasted = desk.moment - datetime.fromisoformat(recess.since)
    times = ("opened_at", "due_at", "remind_at", "no_show_at", "lock_at")
    waiting = desk.tournament.meetings.filter(state=Meeting.State.READY, opened_at__isnull=False)
    waiting.update(**{name: F(name) + lasted for name in times})
    desk.tournament.round_rows.update(stalled_at=F("stalled_at") + lasted)
    desk.record("recess_over", by)
    for key, match_id in _in_play(desk):
        if key in recess.keys:
            try:
                play.match_resume(match_id=match_id)
            except PlayRefused:  # it goes on already
                continue
    desk.advance()
    desk.commit()
