"""The director's pause: the clocks of matches on this site stand until he lets them go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.db import transaction

from accounts.models import User
from games import services as play
from games.errors import Refused as PlayRefused
from games.models import Match
from games.services import outage
from tournaments.errors import Refused
from tournaments.formats.core import Key
from tournaments.services.desk import Desk
from tournaments.services.outages import paused_at, put_off


def matches_pause(*, tournament_id: str, user: User, keys: Sequence[Key], why: str = "") -> None:
    """Pause the matches of these pairings that are in play; the players see who did it, and why.

    Raises Refused: not_director, no_match_in_play.
    """
    said = why.strip()[: play.LONGEST_WHY]
    with transaction.atomic():
        desk = _desk(tournament_id, user)
        done = _each(desk, keys, lambda match_id: play.match_pause(match_id=match_id, by=user, why=said))
        desk.record("paused", user, keys=sorted(done), why=said)
        desk.commit()


def matches_resume(*, tournament_id: str, user: User, keys: Sequence[Key]) -> None:
    """Let the paused matches of these pairings go on, and their deadlines, later by the pause.

    Raises Refused: not_director, no_match_in_play.
    """
    with transaction.atomic():
        desk = _desk(tournament_id, user)
        done = _each(desk, keys, lambda match_id: _resume(desk, match_id))
        desk.record("resumed", user, keys=sorted(done))
        desk.commit()


def _resume(desk: Desk, match_id: str) -> None:
    row = desk.tournament.meetings.select_related("match").get(match=match_id)
    since = paused_at(row)
    play.match_resume(match_id=match_id)
    if since is None:
        return
    # Not the time of an outage that no heartbeat has found yet: that one gives it back.
    gap = desk.moment - since - outage.owed(since, desk.moment)
    if put_off(row, gap) and row.due_at is not None:
        rounds = desk.tournament.round_rows.filter(section=row.section, round=row.round)
        rounds.filter(stalled_at__lt=row.due_at).update(stalled_at=row.due_at)  # no alert before the last deadline


def _desk(tournament_id: str, user: User) -> Desk:
    desk = Desk.lock(tournament_id)
    desk.need_director(user)
    return desk


def _each(desk: Desk, keys: Sequence[Key], act: Callable[[str], Any]) -> list[Key]:
    """Do it with each match that is in play and not yet so; the keys of those with which it was done."""
    live = desk.tournament.meetings.filter(key__in=keys, match__status=Match.Status.LIVE).order_by("match")
    done = []
    for key, match_id in live.values_list("key", "match"):
        try:
            act(match_id)
            done.append(key)
        except PlayRefused:  # it has just ended, or is as it should be
            continue
    if not done:
        raise Refused("no_match_in_play")
    return done
