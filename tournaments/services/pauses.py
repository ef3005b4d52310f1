"""Pauses of single matches by a director: their clocks stand until the director resumes them."""

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
from tournaments.roles import DeskAct
from tournaments.services.outages import extend_deadlines, paused_since
from tournaments.services.transaction import TournamentTransaction


def matches_pause(*, tournament_id: str, user: User, keys: Sequence[Key], why: str = "") -> None:
    """Pause the matches of these pairings that are in play; the players see who did it, and the reason.

    Raises Refused: not_director, no_match_in_play.
    """
    reason = why.strip()[: play.MAX_PAUSE_REASON]
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.PAUSE_MATCHES)
        paused = _for_each_live(tx, keys, lambda match_id: play.match_pause(match_id=match_id, by=user, reason=reason))
        tx.record("paused", user, keys=sorted(paused), why=reason)
        tx.commit()


def matches_resume(*, tournament_id: str, user: User, keys: Sequence[Key]) -> None:
    """Resume the paused matches of these pairings, and move their deadlines by the pause.

    Raises Refused: not_director, no_match_in_play.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.PAUSE_MATCHES)
        resumed = _for_each_live(tx, keys, lambda match_id: _resume(tx, match_id))
        tx.record("resumed", user, keys=sorted(resumed))
        tx.commit()


def _resume(tx: TournamentTransaction, match_id: str) -> None:
    row = tx.tournament.meetings.select_related("match").get(match=match_id)
    since = paused_since(row)
    play.match_resume(match_id=match_id)
    if since is None:
        return
    # Without the time of an outage that no heartbeat has found yet: that is given back when it is found.
    pause = tx.moment - since - outage.time_owed(since, tx.moment)
    if extend_deadlines(row, pause) and row.due_at is not None:
        rounds = tx.tournament.round_rows.filter(section=row.section, round=row.round)
        rounds.filter(stalled_at__lt=row.due_at).update(stalled_at=row.due_at)  # no alert before the last deadline


def _for_each_live(tx: TournamentTransaction, keys: Sequence[Key], change: Callable[[str], Any]) -> list[Key]:
    """Change each live match of these pairings, and return the keys. Raises Refused("no_match_in_play").

    A match that has just ended, or is in the wanted state already, is passed over.
    """
    live = tx.tournament.meetings.filter(key__in=keys, match__status=Match.Status.LIVE).order_by("match")
    changed = []
    for key, match_id in live.values_list("key", "match"):
        try:
            change(match_id)
            changed.append(key)
        except PlayRefused:
            continue
    if not changed:
        raise Refused("no_match_in_play")
    return changed
