"""What happens at a time. Each function handles one row that is due, may run zero or many times, and acts once."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction

from games.models import Match
from tournaments import notify
from tournaments.errors import Refused
from tournaments.models import Meeting, TournamentRound
from tournaments.services.desk import Desk
from tournaments.services.outages import paused_at
from tournaments.services.results import _result
from tournaments.services.running import start


def tournament_due(*, tournament_id: str) -> None:
    """Start a tournament whose hour has come; where that cannot be, tell the directors, who start it by hand."""
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        due = desk.tournament.start_at
        if due is None or due > desk.moment or desk.state.phase not in ("open", "drawn"):
            return
        try:
            with transaction.atomic():
                start(desk, None)
        except Refused as refusal:
            desk = Desk.lock(tournament_id)
            desk.tournament.starts_itself = False
            desk.alert("not_started", code=refusal.code, params=dict(refusal.params))
            desk.commit()


def round_due(*, tournament_id: str) -> None:
    """Open the rounds of a tournament whose time has come, or tell the directors which one holds them up."""
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        if desk.state.phase != "running":
            desk.tournament.round_rows.update(open_at=None)
            return
        if desk.state.recess is not None:
            return
        before = len(desk.added)
        desk.advance()
        if len(desk.added) == before:
            held = desk.tournament.round_rows.filter(open_at__lte=desk.moment).first()
            if held is not None:
                desk.alert("stalled", f"{held.section}-{held.round - 1}")
        desk.commit()


def round_stalled(*, row_id: int) -> None:
    """Tell the directors of a round that does not come to its end."""
    with transaction.atomic():
        row = TournamentRound.objects.get(pk=row_id)
        desk = Desk.lock(row.tournament_id)
        row.refresh_from_db()
        if row.stalled_at is None or row.stalled_at > desk.moment or desk.state.recess is not None:
            return
        row.stalled_at = None
        row.save(update_fields=["stalled_at"])
        if any((one.section, one.round, one.state) == (row.section, row.round, "ready") for one in desk.state.pairings):
            desk.alert("stalled", f"{row.section}-{row.round}")
            desk.commit()


def meeting_due(*, meeting_id: int) -> None:
    """The reminder, the penalty or the deadline of one pairing, whichever has come."""
    with transaction.atomic():
        found = Meeting.objects.filter(pk=meeting_id).values_list("tournament_id", flat=True).first()
        if found is None:
            return
        desk = Desk.lock(found)
        if desk.state.recess is not None:  # everything comes later by as much as the break lasts
            return
        row = Meeting.objects.select_related("match", "a__user", "b__user").get(pk=meeting_id)
        if paused_at(row) is not None:
            return
        if row.remind_at is not None and row.remind_at <= desk.moment:
            Meeting.objects.filter(pk=row.pk).update(remind_at=None)
            notify.meeting_ready(row, desk.tournament)
        if row.no_show_at is not None and row.no_show_at <= desk.moment:
            _no_show(desk, row)
        if row.lock_at is not None and row.lock_at <= desk.moment:
            Meeting.objects.filter(pk=row.pk).update(lock_at=None)
            _deadline(desk, row)
        desk.commit()


def _arrived(row: Meeting) -> list[int]:
    """The numbers of those who came to the table of this pairing."""
    if row.match is None:
        return []
    here = {seat.user_id for seat in row.match.seats.all() if seat.arrived_at is not None}
    return [one.number for one in (row.a, row.b) if one.user_id in here]


def _no_show(desk: Desk, row: Meeting) -> None:
    """A penalty point for who is not there; as many as the match is long lose it, to both if neither came.

    Points are counted from the first missed minute, so a sweep that was late gives all that are due.
    """
    pairing, terms = desk.state.by_key[row.key], desk.state.rules
    if pairing.state != "ready" or row.match is None or row.match.status != Match.Status.OPEN or row.opened_at is None:
        Meeting.objects.filter(pk=row.pk).update(no_show_at=None)
        return
    first = row.opened_at + timedelta(minutes=terms.no_show_minutes)
    step = timedelta(minutes=terms.penalty_minutes)
    points = (desk.moment - first) // step + 1
    Meeting.objects.filter(pk=row.pk).update(no_show_at=first + points * step)
    length = terms.length(row.section, row.round)
    here = _arrived(row)
    for number in (row.a.number, row.b.number):
        if number not in here and desk.state.penalties_of(pairing).get(number, 0) < points:
            desk.record(
                "penalised", None, key=row.key, of=list(pairing.entrants), entrant=number, points=min(points, length)
            )
    desk.alert("no_show", row.key)
    if points >= length:
        _result(desk, None, pairing, here[0] if here else None, None, how="walkover")


def _deadline(desk: Desk, row: Meeting) -> None:
    """The last hour has passed: an unanswered report stands, who came alone wins, else the director decides."""
    pairing = desk.state.by_key[row.key]
    if pairing.state != "ready":
        return
    told = desk.state.report(pairing)
    here = _arrived(row)
    if told is not None and not told.disputed:
        _result(desk, None, pairing, told.winner, told.points)
    elif row.match is not None and row.match.status == Match.Status.OPEN and len(here) == 1:
        _result(desk, None, pairing, here[0], None, how="walkover")
    elif row.match is None or row.match.status != Match.Status.LIVE:
        desk.alert("deadline", row.key)


def lost_results() -> list[str]:
    """The finished matches whose result did not reach their tournament, by id."""
    ended = Meeting.objects.filter(
        state=Meeting.State.READY, match__status__in=(Match.Status.OVER, Match.Status.CANCELLED)
    )
    waiting = ended.exclude(tournament__phase__in=("over", "cancelled")).filter(match__ended_at__isnull=False)
    return list(waiting.order_by("pk").values_list("match_id", flat=True)[:200])
