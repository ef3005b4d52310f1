"""Who comes late, and who comes in another's place: late entries, substitutes, penalty points."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from games.models import Match
from tournaments.errors import Affects, Refused
from tournaments.evening import Person, why_not_late
from tournaments.formats.core import Key, Pairing
from tournaments.models import Entrant
from tournaments.services.desk import Desk
from tournaments.services.entry import entrant_new, known_as, need_person, take_place, written_name
from tournaments.services.results import _result


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
    """A director lets somebody in after the draw: by account, by name, or (`number`) one who waits for a place.

    In a bracket he takes a bye whose holder has not begun his next match; where everybody meets he comes before the
    first result; in a Swiss he is paired from the next round on, and has lost the rounds before it (`half`: half a
    point for each). `points` of penalty count in his first match, where it is known already.

    Raises Refused: not_director, not_running, entered, late_back (he left: he comes back), members_only, no_name,
    no_bye, late_started, late_results, late_last, late_out, penalty.
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.need_phase("drawn", "running")
        one = _comes(desk, user, number=number, player=player, name=name)
        missed = len(desk.state.rounds) if desk.state.format.sections == "table" else 0
        desk.record("late", user, entrant=one.number, missed=missed, half=half)
        _check_late(desk, one.number)
        first = next((each for each in desk.state.pairings if one.number in each.entrants), None)
        if points and first is not None and len(first.entrants) == 2:
            _penalise(desk, user, first, one.number, points)
        desk.advance()
        desk.commit()
    return one


def _comes(desk: Desk, user: User, *, number: int | None, player: User | None, name: str) -> Entrant:
    if number is not None:
        one = desk.entrant(number)
        if number not in desk.state.waiting:
            raise Refused("not_waiting")
        desk.record("admitted", user, entrant=number)
        return one
    need_person(player)
    known = known_as(desk, player)
    if known is not None and known.number in desk.state.order:
        raise Refused("late_back")
    one = known or entrant_new(desk, player=player, name=name)
    take_place(desk, user, one)
    return one


def _check_late(desk: Desk, number: int) -> None:
    """Whether what has been played stands with the one who came late."""
    if code := why_not_late(desk.before, desk.state, number):
        raise Refused(code)
    if desk.state.format.sections == "table":
        return
    try:
        desk.need_agreement(None, told=())
    except Affects as affects:
        raise Refused("late_started") from affects


def entrant_substitute(
    *, tournament_id: str, user: User, number: int, name: str = "", player: User | None = None
) -> Entrant:
    """Another takes the place of an entrant from now on. What was played stays the predecessor's, in his ratings too.

    Raises Refused: not_director, already_over, not_entered, entered, replaced, members_only, no_name, in_play.
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.need_phase("open", "drawn", "running")
        one = desk.entrant(number)
        need_person(player)
        people = desk.state.people.get(number) or (Person(one.user_id, one.name),)
        if player is not None and any(other.user_id == player.pk for other in desk.entrants.values()):
            raise Refused("entered")
        if player is not None and not any(person.user == player.pk for person in people):
            known_as(desk, player)
        in_play = {key for key, match in _matches(desk, Match.Status.LIVE)}
        if any(number in desk.state.by_key[key].entrants for key in in_play):
            raise Refused("in_play")
        comes = Person(player.pk, player.username) if player is not None else Person(None, written_name(name))
        first = {"user": people[0].user, "name": people[0].name}
        facts = {"user": comes.user, "name": comes.name, "was": one.name, "first": first}
        desk.record("substituted", user, entrant=number, **facts)
        if number in desk.state.withdrawn:
            desk.record("reinstated", user, entrant=number)
        desk.advance()
        desk.commit()
    return one


def _matches(desk: Desk, status: str) -> list[tuple[Key, str]]:
    rows = desk.tournament.meetings.filter(state="ready", match__status=status).order_by()
    return list(rows.values_list("key", "match_id"))  # type: ignore[arg-type]


def penalty_give(*, tournament_id: str, user: User, key: Key, number: int, points: int) -> None:
    """A director gives an entrant penalty points in a match that has not begun: the rival's lead (0 takes them back).

    As many as the match is long lose it. Raises Refused: not_director, not_running, no_pairing, not_ready, not_entered,
    penalty, in_play.
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.need_phase("running")
        pairing = desk.pairing(key)
        if pairing.state != "ready":
            raise Refused("not_ready")
        if number not in pairing.entrants:
            raise Refused("not_entered")
        if key in {each for each, _match in _matches(desk, Match.Status.LIVE)}:
            raise Refused("in_play")
        _penalise(desk, user, pairing, number, points)
        desk.advance()
        desk.commit()


def _penalise(desk: Desk, user: User, pairing: Pairing, number: int, points: int) -> None:
    length = desk.state.rules.length(pairing.section, pairing.round)
    if not 0 <= points <= length:
        raise Refused("penalty", params={"most": length})
    desk.record("penalised", user, key=pairing.key, of=list(pairing.entrants), entrant=number, points=points)
    if points == length:
        rival = next(other for other in pairing.entrants if other != number)
        _result(desk, user, pairing, rival, None, how="walkover")
