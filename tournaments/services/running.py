"""The draw, the start, the rounds and the end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import User
from tournaments import draw
from tournaments.errors import Refused
from tournaments.formats.core import Invalid, Two
from tournaments.formats.matching import pair
from tournaments.models import Tournament
from tournaments.services.desk import Desk
from tournaments.waves import next_wave


def tournament_draw(*, tournament_id: str, user: User) -> Tournament:
    """Draw the order, which anyone can check from then on; entries are closed.

    Raises Refused: not_director, already_drawn, and what the format refuses (too_few ...).
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.need_phase("open")
        _draw(desk, user)
        desk.commit()
    return desk.tournament


def tournament_start(*, tournament_id: str, user: User) -> Tournament:
    """Begin, with the draw if nobody made it yet. Raises Refused as tournament_draw, already_over."""
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.need_phase("open", "drawn")
        start(desk, user)
    return desk.tournament


def start(desk: Desk, by: User | None) -> None:
    """Begin a locked tournament that is open or drawn."""
    if desk.state.phase == "open":
        _draw(desk, by)
    desk.record("started", by)
    desk.tournament.begun_at = desk.moment
    desk.advance()
    desk.commit()


def _draw(desk: Desk, by: User | None) -> None:
    """Fix the order: seeded places first, then by lot, or by entry where the director seeds by hand.

    Only who checked in is drawn, where that was asked for; the others leave.
    """
    state, terms = desk.state, desk.state.rules
    there = [number for number in state.entrants if number not in state.withdrawn]
    if terms.check_in:
        for number in there:
            if number not in state.checked_in:
                desk.record("withdrawn", by, entrant=number, absent=True)
        there = [number for number in there if number in state.checked_in]
    try:
        desk.state.format.check(terms.config, len(there))
    except Invalid as error:
        raise Refused(error.code, params=error.params) from error
    ranked = sorted(
        (number for number in there if desk.entrants[number].seed_rank is not None),
        key=lambda number: desk.entrants[number].seed_rank or 0,
    )
    rest = [number for number in there if desk.entrants[number].seed_rank is None]
    document = None
    if terms.seeding == "drawn" and rest:
        seed = bytes(desk.tournament.seed)
        nonces = {number: bytes(desk.entrants[number].nonce) for number in rest}
        rest = list(draw.order(seed, desk.tournament.pk, nonces))
        document = draw.document(seed, desk.tournament.pk, nonces, rest)
    desk.record("drawn", by, order=[*ranked, *rest], document=document)


def tournament_cancel(*, tournament_id: str, user: User) -> None:
    """Call it all off: matches in play stop without a winner. Raises Refused: not_director, already_over."""
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.need_phase("open", "drawn", "running")
        desk.record("cancelled", user)
        desk.commit()


def round_open(*, tournament_id: str, user: User, section: str, round: int) -> None:
    """Let the pairings of a round be played. Raises Refused: not_director, not_running, round_unknown."""
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.need_phase("running")
        if not any((one.section, one.round) == (section, round) for one in desk.state.pairings):
            raise Refused("round_unknown")
        if (section, round) not in desk.state.opened:
            desk.record("opened", user, section=section, round=round)
            desk.advance()
            desk.commit()


def round_pair(*, tournament_id: str, user: User) -> None:
    """Pair the next round of a format that pairs while it runs, and open it.

    Raises Refused: not_director, not_running, round_unfinished, round_unknown.
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.need_phase("running")
        try:
            paired = desk.state.next_round()
        except Invalid as fault:
            raise Refused(fault.code, params=desk.named(fault)) from fault
        if paired is None:
            waiting = any(one.state in ("ready", "waiting") for one in desk.state.pairings)
            raise Refused("round_unfinished" if waiting else "round_unknown")
        desk.pair(paired, user)
        desk.advance()
        desk.commit()


def round_time(*, tournament_id: str, user: User, at: datetime | None) -> None:
    """Say when the next round opens by itself, where rounds do not open as they come (None: as it was before).

    Raises Refused: not_director, not_running, round_unknown, round_past.
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.need_phase("running")
        wave = next_wave(desk.state)
        rounds = wave.rounds or wave.unpaired
        if desk.state.rules.pace == "flow" or not rounds:
            raise Refused("round_unknown")
        if at is not None and at <= desk.moment:
            raise Refused("round_past")
        for section, round_ in rounds:
            desk.record("timed", user, section=section, round=round_, at=at.isoformat() if at is not None else None)
        desk.commit()


def pairs_wish(*, tournament_id: str, user: User, together: Sequence[Two], apart: Sequence[Two]) -> None:
    """Say who meets in the next round that is paired, and who never does; what was wished before is forgotten.

    Raises Refused: not_director, already_over, no_wishes (this format is not paired while it runs), pairs_forced,
    pairs_forbidden (with the names of those who cannot be paired so).
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.need_phase("open", "drawn", "running")
        state = desk.state
        if state.format.sections != "table":
            raise Refused("no_wishes")
        there = [number for number in state.order or state.entrants if number not in state.withdrawn]
        if not {number for two in (*together, *apart) for number in two} <= desk.entrants.keys():
            raise Refused("not_entered")
        try:
            pair(there, {}, [], together=together, apart=apart)
        except Invalid as fault:
            raise Refused(fault.code, params=desk.named(fault)) from fault
        if (tuple(together), tuple(apart)) != (state.together, state.apart):
            desk.record("wished", user, together=[list(two) for two in together], apart=[list(two) for two in apart])
            if ("unpaired", "") in state.alerts:
                desk.record("settled", user, what="unpaired", key="")
            desk.advance()
            desk.commit()
