"""Breaks of a tournament, for some minutes or until another day: nothing opens, and no deadline passes meanwhile."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F

from accounts.models import User
from games import services as play
from games.errors import Refused as PlayRefused
from games.models import Match
from tournaments.errors import Refused
from tournaments.formats.core import Key
from tournaments.models import Meeting
from tournaments.roles import DeskAct
from tournaments.services.transaction import TournamentTransaction

MAX_REASON = play.MAX_PAUSE_REASON


def break_start(
    *, tournament_id: str, user: User, until: datetime | None = None, why: str = "", pause: bool = True
) -> None:
    """Start a break `until` a moment, or (None) until a director ends it; `pause` pauses the matches in play, too.

    Raises Refused: not_director, not_running, recess, recess_past.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.RUN_ROUNDS)
        tx.check_phase("running")
        if tx.state.current_break is not None:
            raise Refused("recess")
        if until is not None and until <= tx.moment:
            raise Refused("recess_past")
        reason = " ".join(why.split())[:MAX_REASON]
        tx.record(
            "recess",
            user,
            since=tx.moment.isoformat(),
            until=until.isoformat() if until is not None else None,
            why=reason,
            keys=_pause_matches(tx, user, reason) if pause else [],
        )
        tx.commit()


def break_end(*, tournament_id: str, user: User) -> None:
    """End the break now. Raises Refused: not_director, no_recess."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.RUN_ROUNDS)
        if tx.state.current_break is None:
            raise Refused("no_recess")
        _end(tx, user)


def break_due(*, tournament_id: str) -> None:
    """End a break whose time is over."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        ends_at = tx.tournament.break_ends_at
        if ends_at is not None and ends_at <= tx.moment and tx.state.current_break is not None:
            _end(tx, None)


def _end(tx: TournamentTransaction, by: User | None) -> None:
    """Resume the matches that were paused for the break, and move every deadline by its duration."""
    ended = tx.state.current_break
    if ended is None:
        return
    duration = tx.moment - datetime.fromisoformat(ended.since)
    columns = ("opened_at", "due_at", "remind_at", "no_show_at", "lock_at")
    opened = tx.tournament.meetings.filter(state=Meeting.State.READY, opened_at__isnull=False)
    opened.update(**{name: F(name) + duration for name in columns})
    tx.tournament.round_rows.update(stalled_at=F("stalled_at") + duration)
    tx.record("recess_over", by)
    for key, match_id in _matches_in_play(tx):
        if key in ended.keys:
            try:
                play.match_resume(match_id=match_id)
            except PlayRefused:  # it was resumed already
                continue
    tx.advance()
    tx.commit()


def _pause_matches(tx: TournamentTransaction, user: User, reason: str) -> list[Key]:
    """Pause every match in play; the keys of those that were not paused before."""
    paused = []
    for key, match_id in _matches_in_play(tx):
        try:
            play.match_pause(match_id=match_id, by=user, reason=reason)
            paused.append(key)
        except PlayRefused:  # it has just ended, or is paused
            continue
    return sorted(paused)


def _matches_in_play(tx: TournamentTransaction) -> list[tuple[Key, str]]:
    """The live matches of the tournament: the keys of their pairings, and their ids."""
    live = tx.tournament.meetings.filter(match__status=Match.Status.LIVE).select_related("match").order_by("match")
    return [(row.key, row.match.pk) for row in live if row.match is not None]
