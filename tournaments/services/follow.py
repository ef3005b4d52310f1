"""The rows that follow from the events of a tournament under lock: what pages and sweeps search, and nothing more.

Whatever was undone, redone or corrected, they come to stand as if the tournament had been played so from the beginning.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Max

from accounts.models import User
from games import services as play
from games.engine import Side
from games.errors import Refused as PlayRefused
from games.models import Match
from games.registry import RULES
from tournaments import notify
from tournaments.evening import Person
from tournaments.fold import State
from tournaments.formats.core import Key, Pairing, Result
from tournaments.models import Entrant, Meeting, TournamentEvent, TournamentRound
from tournaments.terms import Terms
from tournaments.waves import Wave, next_wave

if TYPE_CHECKING:
    from tournaments.services.desk import Desk

STALLED = timedelta(hours=3)  # a round without a deadline that takes longer is shown to the director
REMIND_BEFORE = timedelta(hours=24)
OPEN = (Match.Status.OPEN, Match.Status.LIVE)
MOVING = ["a", "b", "state", "match", "opened_at", "due_at", "remind_at", "no_show_at", "lock_at"]


def options_at(terms: Terms, length: int) -> dict[str, Any]:
    """The options of a match to `length`: the usual match of a game may have more of them than a short one.

    A match to 1 point has no cube, so it takes nothing of what was agreed about the cube (B13). What no match of this
    game has stays in, for the game to refuse.
    """
    rules = RULES.get(terms.variant)
    usual = rules.terms(rules.lengths[0]) if rules else {}
    here = rules.terms(length) if rules else {}
    return {key: value for key, value in terms.options.items() if key in here or key not in usual}


def tournament(desk: Desk) -> None:
    """Its phase and times. Who undoes the start of a tournament that starts itself starts it by hand."""
    one, state = desk.tournament, desk.state
    one.terms = state.rules.as_json()
    if one.phase != state.phase:
        if state.phase in ("open", "drawn") and one.begun_at is not None:
            one.starts_itself = False
        one.phase = state.phase
        one.begun_at = _begun_at(desk)
        one.ended_at = desk.moment if state.phase in ("over", "cancelled") else None
    until = state.recess.until if state.recess is not None and state.phase == "running" else None
    one.recess_at = datetime.fromisoformat(until) if until else None
    one.start_at = one.starts_at if one.starts_itself and state.phase in ("open", "drawn") else None
    one.save()


def _begun_at(desk: Desk) -> Any:
    """When it began: a start that was undone and redone keeps its time; None while it has not begun."""
    if desk.state.phase in ("open", "drawn"):
        return None
    started = TournamentEvent.objects.filter(tournament=desk.tournament, kind="started")
    return desk.tournament.begun_at or started.aggregate(at=Max("at"))["at"]


def entrants(desk: Desk) -> None:
    """Who is there, who waits, and who has left: also who is not there any more, because his entry was undone."""
    state, before, changed = desk.state, desk.before, []
    swapped = swaps(desk)
    for number, one in desk.entrants.items():
        waits = number in state.waiting
        gone = number in state.withdrawn
        if number not in state.entrants and not waits:
            gone = one.withdrawn or number in before.entrants or number in before.waiting
        facts = (number in state.checked_in, gone, waits, number in state.paid)
        if (one.checked_in, one.withdrawn, one.waiting, one.paid) != facts or number in swapped:
            one.checked_in, one.withdrawn, one.waiting, one.paid = facts
            changed.append(one)
        if number in swapped:
            person = swapped[number]
            one.user = User.objects.get(pk=person.user) if person.user is not None else None
            one.written_name = person.name if person.user is None else ""
    Entrant.objects.bulk_update(changed, ["checked_in", "withdrawn", "waiting", "paid", "user", "written_name"])


def swaps(desk: Desk) -> Mapping[int, Person]:
    """Who sits in the place of an entrant from now on, where that is somebody else than before."""
    was, now = desk.before.people, desk.state.people
    numbers = {number for number in was.keys() | now.keys() if was.get(number) != now.get(number)}
    return {number: now[number][-1] if number in now else was[number][0] for number in numbers}


# Pairings


def meetings(desk: Desk) -> None:
    """A row for each pairing whose two are known; the matches of those that can be played, and of no others."""
    pairings = {one.key: one for one in desk.state.pairings if len(one.entrants) == 2}
    rows = {row.key: row for row in desk.tournament.meetings.select_related("match")}
    swapped = swaps(desk)
    for key in rows.keys() - pairings.keys():
        _remove(rows.pop(key))
    fresh: dict[Key, Meeting] = {}
    changed: dict[Key, Meeting] = {}
    for key, pairing in pairings.items():
        row = rows.get(key)
        if row is None:
            rows[key] = fresh[key] = _meeting(desk, pairing)
        elif _brought_up_to_date(desk, row, pairing, swapped.keys()):
            changed[key] = row
    busy = {
        number
        for key, row in rows.items()
        if row.opened_at is not None and pairings[key].state == "ready"
        for number in pairings[key].entrants
    }
    for key, pairing in pairings.items():
        if pairing.state == "done":
            if _closed(rows[key], pairing):
                changed[key] = rows[key]
        elif rows[key].opened_at is None and _may_open(desk.state, pairing, busy):
            _open(desk, rows[key])
            busy.update(pairing.entrants)
            changed[key] = rows[key]
        elif desk.before.penalties_of(pairing) != desk.state.penalties_of(pairing):
            _lead(desk, rows[key])
    Meeting.objects.bulk_create(fresh.values())
    Meeting.objects.bulk_update([row for key, row in changed.items() if key not in fresh], MOVING)


def _meeting(desk: Desk, pairing: Pairing) -> Meeting:
    a, b = (desk.entrants[number] for number in pairing.entrants)
    return Meeting(
        tournament=desk.tournament,
        key=pairing.key,
        section=pairing.section,
        round=pairing.round,
        number=pairing.number,
        a=a,
        b=b,
    )


def _brought_up_to_date(desk: Desk, row: Meeting, pairing: Pairing, swapped: Collection[int]) -> bool:
    """The two of a pairing; what was begun there by others, or before its result or its round was undone, is reset.

    Whether anything changed.
    """
    a, b = (desk.entrants[number] for number in pairing.entrants)
    same = {row.a_id, row.b_id} == {a.pk, b.pk}
    same = same and (pairing.state == "done" or not any(number in swapped for number in pairing.entrants))
    opened = desk.state.is_open(pairing.section, pairing.round)
    stays = same and (
        pairing.state == "done" or (row.state == Meeting.State.READY and (opened or row.opened_at is None))
    )
    turned = (row.a_id, row.b_id) != (a.pk, b.pk)
    row.a, row.b = a, b
    if not stays:
        _call_off(row)
        row.match, row.state = None, Meeting.State.READY
        row.opened_at = row.due_at = row.lock_at = None
    return turned or not stays


def _closed(row: Meeting, pairing: Pairing) -> bool:
    """Close a pairing that has its result, with the match that this comes from. Whether anything changed."""
    match = pairing.result.match if pairing.result is not None else ""
    if row.state == Meeting.State.DONE and row.lock_at is None and match in ("", row.match_id):
        return False
    row.state = Meeting.State.DONE
    row.lock_at = None
    _call_off(row)
    if match and match != row.match_id:
        row.match = Match.objects.filter(pk=match).first()
    return True


def _remove(row: Meeting) -> None:
    """Nobody meets here any more."""
    match = row.match
    row.delete()
    if match is not None and match.status in OPEN:
        play.match_call_off(match_id=match.pk)


def _call_off(row: Meeting) -> None:
    """End the match of a pairing that was decided elsewhere; a finished one stays linked to its pairing."""
    match, row.remind_at, row.no_show_at = row.match, None, None
    if match is not None and match.status in OPEN:
        row.match = None
        Meeting.objects.filter(pk=row.pk).update(match=None)  # before its end is announced
        play.match_call_off(match_id=match.pk)


def _may_open(state: State, pairing: Pairing, busy: set[int]) -> bool:
    """Whether a pairing may be played now: its round is open, and neither plays elsewhere in this tournament."""
    ready = pairing.state == "ready" and state.is_open(pairing.section, pairing.round)
    return ready and state.recess is None and busy.isdisjoint(pairing.entrants)


def _lead(desk: Desk, row: Meeting) -> None:
    """The penalty points of one are the lead of the other, while their match has not begun."""
    if row.match is not None and row.match.status == Match.Status.OPEN:
        play.match_lead(match_id=row.match.pk, lead=_leads(desk, row))


def _leads(desk: Desk, row: Meeting) -> dict[Side, int]:
    """The points with which the match of a pairing begins: a has White."""
    given = desk.state.penalties_of(desk.state.by_key[row.key])
    most = desk.state.rules.length(row.section, row.round) - 1
    return {"white": min(given.get(row.b.number, 0), most), "black": min(given.get(row.a.number, 0), most)}


def _open(desk: Desk, row: Meeting) -> None:
    """Let a pairing be played: its match, its deadlines, and a word to the two."""
    terms = desk.state.rules
    row.opened_at = desk.moment
    if hours := terms.hours_of(row.round):
        row.due_at = row.lock_at = desk.moment + timedelta(hours=hours)
        if row.due_at - REMIND_BEFORE > desk.moment:
            row.remind_at = row.due_at - REMIND_BEFORE
    a, b = row.a.user, row.b.user
    if a is None or b is None or terms.venue == "board":
        notify.meeting_ready(row, desk.tournament)
        return
    if terms.no_show_minutes:
        row.no_show_at = desk.moment + timedelta(minutes=terms.no_show_minutes)
    length = terms.length(row.section, row.round)
    try:
        row.match = play.match_arrange(
            white=a,
            black=b,
            variant=terms.variant,
            length=length,
            clock=terms.clock_of(row.round),
            options=options_at(terms, length),
            rated=terms.rated and not any(user.is_bot or user.is_guest for user in (a, b)),
            title=desk.tournament.name,
            from_url=f"/tournaments/{desk.tournament.pk}/",
            lead=_leads(desk, row),
            adjournable=False,
        )
    except PlayRefused as refusal:  # an account was closed meanwhile: the round goes on without this board
        desk.alert("no_board", row.key, code=refusal.code)


# Rounds


def rounds(desk: Desk) -> None:
    """A row for each round in play, and for the next one where rounds open at a time."""
    known = {(row.section, row.round): row for row in desk.tournament.round_rows.all()}
    wave = next_wave(desk.state) if desk.state.phase == "running" and desk.state.rules.pace != "flow" else Wave(None)
    due = desk.opens_at(wave)
    wave = wave if due is not None else Wave(None)
    waiting = wave.rounds or wave.unpaired
    if desk.state.phase in ("open", "drawn", "running"):  # what was undone is not open any more
        there = {(one.section, one.round) for one in desk.state.pairings}
        for one, row in list(known.items()):
            stays = one in waiting if row.opened_at is None else one in there and desk.state.is_open(*one)
            if not stays:
                row.delete()
                del known[one]
    fresh: dict[tuple[str, int], TournamentRound] = {}

    def row_of(section: str, round_: int) -> TournamentRound:
        found = known.get((section, round_)) or fresh.get((section, round_))
        if found is None:
            found = TournamentRound(tournament=desk.tournament, section=section, round=round_)
            fresh[section, round_] = found
        return found

    for section, round_ in _in_play(desk.state):
        row = row_of(section, round_)
        if row.opened_at is None:
            hours = desk.state.rules.hours_of(round_)
            row.opened_at = desk.moment
            row.open_at = None
            row.stalled_at = desk.moment + (timedelta(hours=hours) if hours else STALLED)
            row.save()
    if wave.number is not None and desk.tournament.begun_at is not None:
        for section, round_ in waiting:
            row = row_of(section, round_)
            if row.opened_at is None and row.open_at != due:
                row.open_at = due
                row.save()
    if desk.state.phase != "running":
        desk.tournament.round_rows.update(open_at=None, stalled_at=None)


def _in_play(state: State) -> Iterable[tuple[str, int]]:
    return dict.fromkeys(
        (pairing.section, pairing.round)
        for pairing in state.pairings
        if pairing.state == "ready" and state.is_open(pairing.section, pairing.round)
    )


# Matches of this site, and their ratings


def results(desk: Desk, why: str) -> None:
    """Matches whose result counts no more leave the ratings, those whose result counts again come back, and one whose
    winner a director corrected has him there, too.

    All of them are locked in one order before the first pool is (games.services.ratings).
    """
    was, now = _counting(desk.before), _counting(desk.state)
    told = {one.data.get("match") for one in desk.added if one.kind == "result" and not one.data.get("corrects")}
    changed = {match for match in was.keys() | now.keys() if was.get(match) != now.get(match)} - told
    if not changed:
        return
    by = next((one.by for one in desk.added if one.by is not None), None) or desk.tournament.created_by
    reason = ": ".join(part for part in (desk.tournament.name, why) if part)
    for match in list(Match.objects.select_for_update().filter(pk__in=changed).order_by("pk")):
        winner, counts = now.get(match.pk, (None, False))
        seats = {seat.user_id: seat.side for seat in match.seats.all()}
        side: Any = _side_of(desk, winner, seats) if winner is not None else None
        if match.pk not in now or (winner is not None and side is None):
            side, counts = match.winner or None, False  # it was played, but not for this tournament
        play.arranged_correct(match_id=match.pk, by=by, winner=side, counts=counts, reason=reason)


def _side_of(desk: Desk, number: int, seats: Mapping[int | None, str]) -> str | None:
    """The seat of an entrant, or of whoever had his place then."""
    people = (*desk.before.people.get(number, ()), *desk.state.people.get(number, ()))
    users = [desk.entrants[number].user_id, *(person.user for person in people)]
    return next((seats[user] for user in users if user is not None and user in seats), None)


def _counting(state: State) -> Mapping[str, tuple[int | None, bool]]:
    """The winner of each match of this site whose result stands, and whether it was won by playing."""
    if not any(result.match for result in state.results.values()):
        return {}
    standing: list[Result] = [one.result for one in state.pairings if one.result is not None and one.result.match]
    return {one.match: (one.winner, one.how == "played") for one in standing}
