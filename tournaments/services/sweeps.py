"""Deadlines of tournaments. Each function handles one row that is due, and is idempotent."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction

from games.models import Match
from tournaments import notify
from tournaments.errors import Refused
from tournaments.models import Meeting, TournamentRound
from tournaments.services.arena import first_move_check
from tournaments.services.lifecycle import start_locked
from tournaments.services.outages import paused_since
from tournaments.services.results import result_record
from tournaments.services.transaction import TournamentTransaction


def tournament_due(*, tournament_id: str) -> None:
    """Start a tournament whose start time has come; if that is refused, alert the directors, who start it by hand."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        due = tx.tournament.start_at
        if due is None or due > tx.moment or tx.state.phase not in ("open", "drawn"):
            return
        try:
            with transaction.atomic():
                start_locked(tx, None)
        except Refused as refusal:
            tx = TournamentTransaction.lock(tournament_id)
            tx.tournament.starts_itself = False
            tx.alert("not_started", code=refusal.code, params=dict(refusal.params))
            tx.commit()


def round_due(*, tournament_id: str) -> None:
    """Open the rounds of a tournament whose time has come, or alert the directors to the one that blocks them."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        if tx.state.phase != "running":
            tx.tournament.round_rows.update(open_at=None)
            return
        if tx.state.current_break is not None:
            return
        before = len(tx.added)
        tx.advance()
        if len(tx.added) == before:
            blocked = tx.tournament.round_rows.filter(open_at__lte=tx.moment).first()
            if blocked is not None:
                tx.alert("stalled", f"{blocked.section}-{blocked.round - 1}")
        tx.commit()


def round_stalled(*, row_id: int) -> None:
    """Alert the directors to a round that takes too long."""
    with transaction.atomic():
        row = TournamentRound.objects.get(pk=row_id)
        tx = TournamentTransaction.lock(row.tournament_id)
        row.refresh_from_db()
        if row.stalled_at is None or row.stalled_at > tx.moment or tx.state.current_break is not None:
            return
        row.stalled_at = None
        row.save(update_fields=["stalled_at"])
        if any(
            (pairing.section, pairing.round, pairing.state) == (row.section, row.round, "ready")
            for pairing in tx.state.pairings
        ):
            tx.alert("stalled", f"{row.section}-{row.round}")
            tx.commit()


def meeting_due(*, meeting_id: int) -> None:
    """Send the reminder, give the penalty, or apply the deadline of one pairing, whichever is due.

    In an arena a missing first move loses the match.
    """
    with transaction.atomic():
        tournament_id = Meeting.objects.filter(pk=meeting_id).values_list("tournament_id", flat=True).first()
        if tournament_id is None:
            return
        tx = TournamentTransaction.lock(tournament_id)
        if tx.state.current_break is not None:  # every deadline moves when the break ends
            return
        row = Meeting.objects.select_related("match", "a__user", "b__user").get(pk=meeting_id)
        if paused_since(row) is not None:
            return
        if row.remind_at is not None and row.remind_at <= tx.moment:
            Meeting.objects.filter(pk=row.pk).update(remind_at=None)
            call = tx.state.called.get(row.key)
            notify.meeting_ready(row, tx.tournament, call.board if call is not None else None)
        if row.no_show_at is not None and row.no_show_at <= tx.moment:
            if tx.state.pairs_free_players:
                first_move_check(tx, row)
            else:
                _penalise_no_show(tx, row)
        if row.lock_at is not None and row.lock_at <= tx.moment:
            Meeting.objects.filter(pk=row.pk).update(lock_at=None)
            _apply_deadline(tx, row)
        tx.commit()


def _arrived(row: Meeting) -> list[int]:
    """The numbers of the entrants who have arrived at the board of this pairing."""
    if row.match is None:
        return []
    users = {seat.user_id for seat in row.match.seats.all() if seat.arrived_at is not None}
    return [entrant.number for entrant in (row.a, row.b) if entrant.user_id in users]


def _penalise_no_show(tx: TournamentTransaction, row: Meeting) -> None:
    """Give a penalty point for each step of lateness; as many as the match is long lose it, to both if neither came.

    Points are counted from the first missed minute, so a sweep that was late gives all that are due.
    """
    pairing, terms = tx.state.by_key[row.key], tx.state.rules
    if pairing.state != "ready" or row.match is None or row.match.status != Match.Status.OPEN or row.opened_at is None:
        Meeting.objects.filter(pk=row.pk).update(no_show_at=None)
        return
    first = row.opened_at + timedelta(minutes=terms.no_show_minutes)
    step = timedelta(minutes=terms.penalty_minutes)
    points = (tx.moment - first) // step + 1
    Meeting.objects.filter(pk=row.pk).update(no_show_at=first + points * step)
    length = terms.length(row.section, row.round)
    arrived = _arrived(row)
    for number in (row.a.number, row.b.number):
        if number not in arrived and tx.state.penalties_of(pairing).get(number, 0) < points:
            tx.record(
                "penalised", None, key=row.key, of=list(pairing.entrants), entrant=number, points=min(points, length)
            )
    tx.alert("no_show", row.key)
    if points >= length:
        result_record(tx, None, pairing, arrived[0] if arrived else None, None, how="walkover")


def _apply_deadline(tx: TournamentTransaction, row: Meeting) -> None:
    """Decide a pairing whose deadline has passed: an unanswered report stands, a player who arrived alone wins by
    walkover, else the director decides.
    """
    pairing = tx.state.by_key[row.key]
    if pairing.state != "ready":
        return
    report = tx.state.report(pairing)
    arrived = _arrived(row)
    if report is not None and not report.disputed:
        result_record(tx, None, pairing, report.winner, report.points)
    elif row.match is not None and row.match.status == Match.Status.OPEN and len(arrived) == 1:
        result_record(tx, None, pairing, arrived[0], None, how="walkover")
    elif row.match is None or row.match.status != Match.Status.LIVE:
        tx.alert("deadline", row.key)


def unrecorded_match_ids() -> list[str]:
    """The ids of finished matches whose result has not reached their tournament."""
    ended = Meeting.objects.filter(
        state=Meeting.State.READY, match__status__in=(Match.Status.OVER, Match.Status.CANCELLED)
    )
    waiting = ended.exclude(tournament__phase__in=("over", "cancelled")).filter(match__ended_at__isnull=False)
    return list(waiting.order_by("pk").values_list("match_id", flat=True)[:200])
