"""An arena while it runs: pairing who is free, pauses, first moves that are missing, its end (ruling E26)."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max

from accounts.models import User
from games import events
from games.engine import SIDES
from games.models import Action, Match
from tournaments.errors import Refused
from tournaments.formats.arena import FIRST_MOVE, Arena
from tournaments.models import Meeting, Tournament
from tournaments.roles import DeskAct
from tournaments.services.results import result_record
from tournaments.services.transaction import TournamentTransaction

LOOK_AGAIN = timedelta(seconds=10)  # while the opponent has the turn


def arenas_running() -> list[str]:
    """The ids of the arenas that run."""
    running = Tournament.objects.filter(phase=Tournament.Phase.RUNNING, terms__config__format=Arena.key)
    return list(running.order_by("pk").values_list("pk", flat=True))


def arena_due(*, tournament_id: str) -> None:
    """Pair who is free now, or end the pairing if the time is up. Idempotent: whoever was paired is not free."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        state = tx.state
        if not isinstance(state.format, Arena) or state.phase != "running" or state.closed:
            return
        if state.ends_at is not None and state.ends_at <= tx.moment:
            tx.record("closed")
            tx.advance()
        elif state.current_break is None:
            wave = state.format.next_wave(state.rules.config, state.history, tx.moment)
            if wave is not None:
                whys = [{"code": why.code, "params": dict(why.params)} for why in wave.whys]
                pairs = [list(pair) for pair in wave.pairs]
                tx.record("matched", None, section=wave.section, round=wave.round, pairs=pairs, whys=whys)
        tx.commit()


def arena_pause(*, tournament_id: str, user: User, number: int, paused: bool = True) -> None:
    """Pause: not be paired until one comes back (`paused=False`). A match in play goes on. Idempotent.

    Raises Refused: not_entered, not_yours, not_arena, not_running, already_over, arena_closed, withdrawn.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        entrant = tx.competitor(number)
        if not tx.is_own(user, entrant) and not tx.may(user, DeskAct.MANAGE_ENTRANTS):
            raise Refused("not_yours")
        _check_open(tx)
        if number in tx.state.withdrawn or number not in tx.state.order:
            raise Refused("withdrawn")
        if paused != (number in tx.state.paused):
            tx.record("rested" if paused else "returned", user, entrant=number)
            tx.commit()


def arena_stop(*, tournament_id: str, user: User) -> None:
    """End the pairing before the time is up, as a director. The matches in play count.

    Raises Refused: not_director, not_arena, not_running, already_over, arena_closed.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.RUN_ROUNDS)
        _check_open(tx)
        tx.record("closed", user)
        tx.advance()
        tx.commit()


def _check_open(tx: TournamentTransaction) -> None:
    """Check that players are being paired. Raises Refused: not_arena, not_running, already_over, arena_closed."""
    if not tx.state.pairs_free_players:
        raise Refused("not_arena")
    tx.check_phase("running")
    if tx.state.closed:
        raise Refused("arena_closed")


def first_move_check(tx: TournamentTransaction, row: Meeting) -> None:
    """Let those lose who have not made a first move in time, and pause them; or set when to look again.

    Before both have arrived the time runs for whoever is not there; then for the player on turn, as long as they have
    not acted in this match.
    """
    pairing = tx.state.by_key[row.key]
    absent, again_at = _missing(row, tx.moment)
    if pairing.state != "ready" or not absent:
        Meeting.objects.filter(pk=row.pk).update(no_show_at=again_at if pairing.state == "ready" else None)
        return
    present = [number for number in pairing.entrants if number not in absent]
    result_record(tx, None, pairing, present[0] if present else None, None, how="walkover")
    if tx.state.closed:
        return
    for number in absent:
        if number not in tx.state.paused and number not in tx.state.withdrawn:
            tx.record("rested", None, entrant=number, absent=True)


def _missing(row: Meeting, moment: datetime) -> tuple[list[int], datetime | None]:
    """The entrants who have not made a first move in time; without any, when to look again (None: both have moved)."""
    match = row.match
    if match is None or row.opened_at is None or match.status not in (Match.Status.OPEN, Match.Status.LIVE):
        return [], None
    seats = list(match.seats.all())
    if match.status == Match.Status.OPEN or match.started_at is None:
        since, missing = row.opened_at, [seat for seat in seats if seat.arrived_at is None]
    else:
        actions = Action.objects.filter(match=match)
        acted = set(actions.filter(actor__in=SIDES).order_by().values_list("actor", flat=True).distinct())
        if len(acted) == len(SIDES):
            return [], None
        since = max(match.started_at, actions.aggregate(at=Max("at"))["at"] or match.started_at)
        missing = [seat for seat in seats if seat.side not in acted and events.awaits(match, seat.side)]
    if since + FIRST_MOVE > moment:
        return [], since + FIRST_MOVE
    users = {seat.user_id for seat in missing}
    absent = [entrant.number for entrant in (row.a, row.b) if entrant.user_id in users]
    return absent, None if absent else moment + LOOK_AGAIN
