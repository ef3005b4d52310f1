"""The course of a tournament: the draw, the start, the rounds, pairing preferences, cancelling."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import User
from tournaments import draw
from tournaments.errors import Refused
from tournaments.formats.core import Entrant as EntrantNumber
from tournaments.formats.core import EntrantPair, Invalid
from tournaments.formats.matching import pair
from tournaments.formats.swiss import changed_round
from tournaments.models import Tournament
from tournaments.roles import DeskAct
from tournaments.round_schedule import next_scheduled_rounds
from tournaments.services.transaction import TournamentTransaction


def tournament_draw(*, tournament_id: str, user: User) -> Tournament:
    """Draw the order, which anyone can verify from then on, and close the entries.

    Raises Refused: not_director, already_drawn, and what the format refuses (too_few ...).
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.DRAW)
        tx.check_phase("open")
        _draw(tx, user)
        tx.commit()
    return tx.tournament


def tournament_start(*, tournament_id: str, user: User) -> Tournament:
    """Start, with the draw if it has not been made. Raises Refused as tournament_draw, already_over."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.DRAW)
        tx.check_phase("open", "drawn")
        start_locked(tx, user)
    return tx.tournament


def start_locked(tx: TournamentTransaction, by: User | None) -> None:
    """Start a locked tournament that is open or drawn."""
    if tx.state.phase == "open":
        _draw(tx, by)
    tx.record("started", by)
    tx.tournament.begun_at = tx.moment
    tx.advance()
    tx.commit()


def _draw(tx: TournamentTransaction, by: User | None) -> None:
    """Fix the order: seeded entrants first, the others by lot, or in the order of entry where seeding is by hand.

    Where check-in is required, entrants who are not checked in are withdrawn.
    """
    state, terms = tx.state, tx.state.rules
    players = [number for number in state.entrants if number not in state.withdrawn]
    if terms.check_in:
        for number in players:
            if number not in state.checked_in:
                tx.record("withdrawn", by, entrant=number, absent=True)
        players = [number for number in players if number in state.checked_in]
    try:
        tx.state.check_draw(players)
    except Invalid as error:
        raise Refused(error.code, params=tx.named_params(error)) from error
    ranked = sorted(
        (number for number in players if tx.entrants[number].seed_rank is not None),
        key=lambda number: tx.entrants[number].seed_rank or 0,
    )
    if tx.state.format.at_once and not ranked:
        raise Refused("no_host")
    rest = [number for number in players if tx.entrants[number].seed_rank is None]
    document = None
    if terms.seeding == "drawn" and rest:
        seed = bytes(tx.tournament.seed)
        nonces = {number: bytes(tx.entrants[number].nonce) for number in rest}
        rest = list(draw.order(seed, tx.tournament.pk, nonces))
        document = draw.document(seed, tx.tournament.pk, nonces, rest)
    tx.record("drawn", by, order=[*ranked, *rest], document=document)


def tournament_cancel(*, tournament_id: str, user: User) -> None:
    """Cancel the tournament: matches in play stop without a winner. Raises Refused: not_director, already_over."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.CANCEL)
        tx.check_phase("open", "drawn", "running")
        tx.record("cancelled", user)
        tx.commit()


def round_open(*, tournament_id: str, user: User, section: str, round: int) -> None:
    """Open a round, so that its pairings can be played. Raises Refused: not_director, not_running, round_unknown."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.RUN_ROUNDS)
        tx.check_phase("running")
        if not any((pairing.section, pairing.round) == (section, round) for pairing in tx.state.fixtures):
            raise Refused("round_unknown")
        if (section, round) not in tx.state.opened:
            tx.record("opened", user, section=section, round=round)
            tx.advance()
            tx.commit()


def round_pair(
    *, tournament_id: str, user: User, pairs: Sequence[EntrantPair] = (), bye: EntrantNumber | None = None
) -> None:
    """Pair the next round of a format that pairs while it runs, and open it: as proposed, or with these `pairs`.

    Raises Refused: not_director, not_running, round_unfinished, round_unknown, round_pairs.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.RUN_ROUNDS)
        tx.check_phase("running")
        try:
            paired = tx.state.next_round()
        except Invalid as error:
            raise Refused(error.code, params=tx.named_params(error)) from error
        if paired is None:
            unfinished = any(pairing.state in ("ready", "waiting") for pairing in tx.state.fixtures)
            raise Refused("round_unfinished" if unfinished else "round_unknown")
        if pairs:
            try:
                paired = changed_round(paired, pairs, bye)
            except Invalid as error:
                raise Refused(error.code) from error
        tx.record_round(paired, user)
        tx.advance()
        tx.commit()


def round_set_time(*, tournament_id: str, user: User, at: datetime | None) -> None:
    """Set when the next round opens by itself, unless rounds open as they come (None: when it would without this).

    Raises Refused: not_director, not_running, round_unknown, round_past.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.RUN_ROUNDS)
        tx.check_phase("running")
        scheduled = next_scheduled_rounds(tx.state)
        rounds = scheduled.all
        if tx.state.rules.pace == "flow" or not rounds:
            raise Refused("round_unknown")
        if at is not None and at <= tx.moment:
            raise Refused("round_past")
        for section, round_ in rounds:
            tx.record("timed", user, section=section, round=round_, at=at.isoformat() if at is not None else None)
        tx.commit()


def pairing_preferences_set(
    *, tournament_id: str, user: User, together: Sequence[EntrantPair], apart: Sequence[EntrantPair]
) -> None:
    """Set who meets in the next round that is paired, and who never does, in place of the earlier preferences.

    Raises Refused: not_director, already_over, no_wishes (this format is not paired while it runs), pairs_forced,
    pairs_forbidden (with the names of those who cannot be paired so).
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.RUN_ROUNDS)
        tx.check_phase("open", "drawn", "running")
        state = tx.state
        if state.format.sections != "table":
            raise Refused("no_wishes")
        players = [number for number in state.order or state.entrants if number not in state.withdrawn]
        if not {number for two in (*together, *apart) for number in two} <= tx.entrants.keys():
            raise Refused("not_entered")
        try:
            pair(players, {}, [], together=together, apart=apart)
        except Invalid as error:
            raise Refused(error.code, params=tx.named_params(error)) from error
        if (tuple(together), tuple(apart)) != (state.together, state.apart):
            tx.record("wished", user, together=[list(two) for two in together], apart=[list(two) for two in apart])
            if ("unpaired", "") in state.alerts:
                tx.record("settled", user, what="unpaired", key="")
            tx.advance()
            tx.commit()
