"""Late entries, substitutes and penalty points."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from games.models import Match
from tournaments.errors import AffectsPairings, Refused
from tournaments.formats.core import Key, Pairing
from tournaments.models import Entrant
from tournaments.roles import DeskAct
from tournaments.roster_events import late_entry_refusal
from tournaments.services.entries import check_person, distinct_name, entrant_create, find_entrant, place_assign
from tournaments.services.results import result_record
from tournaments.services.transaction import TournamentTransaction
from tournaments.state import Person


def entrant_late(
    *,
    tournament_id: str,
    user: User,
    name: str = "",
    player: User | None = None,
    number: int | None = None,
    points: int = 0,
    half: bool = False,
) -> Entrant:
    """Add an entrant after the draw, as a director: by account, by name, or by `number` from the waiting list.

    In a bracket they take a bye whose holder has not begun the next match; in a round robin they enter before the
    first result; in a Swiss they are paired from the next round on, and have lost the rounds before it (`half`: half a
    point for each). `points` of penalty count in their first match, where it is known already.

    Raises Refused: not_director, not_running, entered, late_back (a player who withdrew: reinstate them), members_only,
    no_name, no_bye, late_started, late_results, late_last, late_out, arena_closed, arena_accounts, penalty.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.MANAGE_ENTRANTS)
        tx.check_phase("drawn", "running")
        entrant = _find_or_create(tx, user, number=number, player=player, name=name)
        missed = len(tx.state.rounds) if tx.state.format.sections == "table" else 0
        tx.record("late", user, entrant=entrant.number, missed=missed, half=half)
        _check_late(tx, entrant.number)
        first = next((pairing for pairing in tx.state.pairings if entrant.number in pairing.entrants), None)
        if points and first is not None and len(first.entrants) == 2:
            _penalise(tx, user, first, entrant.number, points)
        tx.advance()
        tx.commit()
    return entrant


def _find_or_create(
    tx: TournamentTransaction, user: User, *, number: int | None, player: User | None, name: str
) -> Entrant:
    if number is not None:
        entrant = tx.entrant(number)
        if number not in tx.state.waiting:
            raise Refused("not_waiting")
        tx.record("admitted", user, entrant=number)
        return entrant
    check_person(player)
    known = find_entrant(tx, player)
    if known is not None and known.number in tx.state.order:
        raise Refused("late_back")
    entrant = known or entrant_create(tx, player=player, name=name)
    place_assign(tx, user, entrant)
    return entrant


def _check_late(tx: TournamentTransaction, number: int) -> None:
    """Check that a late entry changes nothing that was played. Raises Refused: no_bye, late_*."""
    if code := late_entry_refusal(tx.before, tx.state, number):
        raise Refused(code)
    if tx.state.format.sections == "table":
        return
    try:
        tx.check_agreement(None, rewritten=())
    except AffectsPairings as affects:
        raise Refused("late_started") from affects


def entrant_substitute(
    *, tournament_id: str, user: User, number: int, name: str = "", player: User | None = None
) -> Entrant:
    """Put a substitute in the place of an entrant from now on. What was played stays with the predecessor, ratings too.

    Raises Refused: not_director, already_over, not_entered, is_team, entered, replaced, members_only, no_name, in_play,
    arena_accounts.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.MANAGE_ENTRANTS)
        tx.check_phase("open", "drawn", "running")
        entrant = tx.person(number)
        check_person(player)
        if tx.state.format.needs_accounts and player is None:
            raise Refused("arena_accounts")
        people = tx.state.people.get(number) or (Person(entrant.user_id, entrant.name),)
        if player is not None and any(other.user_id == player.pk for other in tx.entrants.values()):
            raise Refused("entered")
        if player is not None and not any(person.user == player.pk for person in people):
            find_entrant(tx, player)
        if any(number in tx.state.by_key[key].entrants for key in _pairings_in_play(tx)):
            raise Refused("in_play")
        substitute = Person(player.pk, player.username) if player is not None else Person(None, distinct_name(tx, name))
        first = {"user": people[0].user, "name": people[0].name}
        data = {"user": substitute.user, "name": substitute.name, "was": entrant.name, "first": first}
        tx.record("substituted", user, entrant=number, **data)
        if number in tx.state.withdrawn:
            tx.record("reinstated", user, entrant=number)
        tx.advance()
        tx.commit()
    return entrant


def _pairings_in_play(tx: TournamentTransaction) -> frozenset[Key]:
    """The keys of the pairings whose match is live."""
    rows = tx.tournament.meetings.filter(state="ready", match__status=Match.Status.LIVE).order_by()
    return frozenset(rows.values_list("key", flat=True))


def penalty_give(*, tournament_id: str, user: User, key: Key, number: int, points: int) -> None:
    """Give an entrant penalty points in a match that has not begun: the opponent's lead (0 takes them back).

    As many points as the match is long lose it.

    Raises Refused: not_director, not_running, no_pairing, not_ready, not_entered, penalty, in_play.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.GIVE_PENALTIES)
        tx.check_phase("running")
        pairing = tx.pairing(key)
        if pairing.state != "ready":
            raise Refused("not_ready")
        if number not in pairing.entrants:
            raise Refused("not_entered")
        if key in _pairings_in_play(tx):
            raise Refused("in_play")
        _penalise(tx, user, pairing, number, points)
        tx.advance()
        tx.commit()


def _penalise(tx: TournamentTransaction, user: User, pairing: Pairing, number: int, points: int) -> None:
    length = tx.state.rules.length(pairing.section, pairing.round)
    if not 0 <= points <= length:
        raise Refused("penalty", params={"most": length})
    tx.record("penalised", user, key=pairing.key, of=list(pairing.entrants), entrant=number, points=points)
    if points == length:
        opponent = next(other for other in pairing.entrants if other != number)
        result_record(tx, user, pairing, opponent, None, how="walkover")
