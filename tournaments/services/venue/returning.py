"""The club's site: bringing the results of a venue copy back. What came already changes nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from accounts.names.validation import fold
from tournaments import undo, venue_file
from tournaments.errors import Refused
from tournaments.fold import UNDOABLE
from tournaments.formats.core import Key
from tournaments.models import Entrant, Team, Tournament, TournamentEvent, VenueCopy
from tournaments.roles import DeskAct
from tournaments.services.results_sync import tournament_sync_results
from tournaments.services.transaction import TournamentTransaction, load_events
from tournaments.services.venue.home import secret_of
from tournaments.services.venue.reading import (
    ReadEvent,
    damaged_is_refused,
    read_entrants,
    read_events,
    read_file,
    text_in,
)
from tournaments.state import Event

MOVES = ("taken_out", "brought_back", "given_up")


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody who came at the venue, or whose account the venue named: `member` has that name on this site."""

    number: int
    name: str
    member: User | None

    @property
    def key(self) -> str:
        """What stands for them in the choices of the director."""
        return fold(self.name)


@dataclass(frozen=True, slots=True)
class Return:
    """What a file brings: its new events, who is new, and the acts of this site since then that it overrules."""

    tournament: Tournament
    copy: VenueCopy
    events: Sequence[ReadEvent]
    digest: str  # of all events of the file
    entrants: Sequence[Mapping[str, Any]]
    newcomers: Sequence[Newcomer]
    overruled: Sequence[TournamentEvent]  # of each act its events that say what it is about

    @property
    def is_new(self) -> bool:
        """Whether it would change anything here."""
        return bool(self.events) or self.copy.status == VenueCopy.Status.OUT

    @property
    def results(self) -> Mapping[Key, ReadEvent]:
        """The last result of each pairing that the file brings, unless it was undone there."""
        undone = undo.undone_acts([Event(event.kind, event.data, event.act) for event in self.events])
        return {event.data["key"]: event for event in self.events if event.kind == "result" and event.act not in undone}

    @property
    def overruled_results(self) -> Mapping[Key, TournamentEvent]:
        """The results of this site that are overruled, by pairing."""
        return {event.data["key"]: event for event in self.overruled if event.kind == "result"}


def venue_results_check(*, tournament_id: str, user: User, data: bytes) -> Return:
    """What a file of results would do, as a director; nothing is written.

    Raises Refused: not_director, venue_large, venue_damaged, venue_version, venue_is_out, venue_unknown,
    venue_signature, venue_other, venue_old, venue_diverged, venue_entrants.
    """
    with transaction.atomic():
        return _check(TournamentTransaction.lock(tournament_id, away=True), user, data)


def venue_results_bring(*, tournament_id: str, user: User, data: bytes, members: Collection[str] = ()) -> Return:
    """Bring the results of a venue copy back, once, as a director; and with them ratings and master points.

    `members` are the newcomers (`Newcomer.key`) who are the members of that name. What was done on this site since, and
    contradicts the file, is undone. Raises Refused as venue_results_check.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id, away=True)
        found = _check(tx, user, data)
        if not found.is_new:
            return found
        with damaged_is_refused(), transaction.atomic():
            _bring(tx, user, found, members)
    tournament_sync_results(tournament_id=tournament_id)
    return found


# What a file brings


def _check(tx: TournamentTransaction, user: User, data: bytes) -> Return:
    tx.check_act(user, DeskAct.TAKE_TO_VENUE)
    file = read_file(data, "back")
    with damaged_is_refused():
        copy_id = text_in(file.body.get("copy"), venue_file.LONGEST_COPY)
        copy = VenueCopy.objects.select_related("tournament").filter(pk=copy_id, here=False).first()
        if copy is None:
            raise Refused("venue_unknown")
        file.check(secret_of(copy))
        if copy.tournament_id != tx.tournament.pk:
            raise Refused("venue_other", params={"name": copy.tournament.name})
        if tx.tournament.venue_copies.filter(here=False).last() != copy:
            raise Refused("venue_old")
        events, entrants = read_events(file.body["events"]), read_entrants(file.body["entrants"])
        teams = file.body["teams"]
        if not all(1 <= number <= len(entrants) for number in teams):
            raise ValueError("teams")
        entrants = [{**row, "is_team": row["number"] in teams} for row in entrants]
        return _compare(tx, copy, events, entrants)


def _compare(
    tx: TournamentTransaction, copy: VenueCopy, events: list[ReadEvent], entrants: list[Mapping[str, Any]]
) -> Return:
    known, new = events[: copy.venue_events], events[copy.venue_events :]
    if len(known) < copy.venue_events:  # an earlier file of this copy: all of it is here
        return Return(tx.tournament, copy, (), "", entrants, (), ())
    if venue_file.digest(event.content for event in known) != copy.digest:
        raise Refused("venue_diverged")
    if any(event.act <= copy.venue_events for event in new):
        raise ValueError("act")
    _check_matches(tx, new)
    newcomers = _newcomers(tx, copy, new, entrants)
    if len(tx.entrants) > copy.entrants and len(entrants) > copy.entrants:
        names = [entrant.name for number, entrant in tx.entrants.items() if number > copy.entrants]
        raise Refused("venue_entrants", params={"names": ", ".join(names)})
    digest = venue_file.digest(event.content for event in events)
    return Return(tx.tournament, copy, new, digest, entrants, newcomers, _overruled(tx, copy) if new else ())


def _check_matches(tx: TournamentTransaction, events: list[ReadEvent]) -> None:
    """Raises ValueError for a result of a match of this site that this tournament does not have."""
    stored = TournamentEvent.objects.filter(tournament=tx.tournament, kind="result").values_list(
        "data__match", flat=True
    )
    named = {event.data.get("match") for event in events if event.kind == "result"} - {None, ""}
    if not named <= set(stored):
        raise ValueError("match")


def _newcomers(
    tx: TournamentTransaction, copy: VenueCopy, events: list[ReadEvent], entrants: list[Mapping[str, Any]]
) -> list[Newcomer]:
    """New entrants and substitutes, and walk-ins that the venue linked to an account; no teams."""
    names = {row["number"]: row["account"] or row["name"] for row in entrants[copy.entrants :] if not row["is_team"]}
    for row in entrants[: copy.entrants]:
        entrant = tx.entrants.get(row["number"])
        if row["account"] and entrant is not None and entrant.user_id is None:
            names[row["number"]] = row["account"]
    wanted = [
        *names.items(),
        *((event.data["entrant"], event.data["name"]) for event in events if event.kind == "substituted"),
    ]
    distinct = {(number, fold(name)): name for number, name in wanted}
    entered = {entrant.user_id for entrant in tx.entrants.values()}
    people = User.objects.filter(
        name_key__in=[key for _number, key in distinct], is_active=True, is_guest=False, is_bot=False
    )
    members = {user.name_key: user for user in people if user.pk not in entered}
    return [Newcomer(number, name, members.get(key)) for (number, key), name in sorted(distinct.items())]


def _overruled(tx: TournamentTransaction, copy: VenueCopy) -> list[TournamentEvent]:
    """The events of acts on this site that the venue did not know and that can be undone: of results, or the first."""
    undone = undo.undone_acts(load_events(tx.tournament))
    rows = TournamentEvent.objects.filter(tournament=tx.tournament, n__gt=copy.home_events).exclude(kind__in=MOVES)
    by_act: dict[int, list[TournamentEvent]] = {}
    for row in rows.select_related("by").order_by("n"):
        if row.act not in undone and row.kind not in undo.REWRITES:
            by_act.setdefault(row.act, []).append(row)
    found = []
    for act in by_act.values():
        if undo.is_undoable(row.kind for row in act):
            head = [row for row in act if row.kind in UNDOABLE]
            found += [row for row in head if row.kind == "result"] or head[:1]
    return found


# Bringing it


def _bring(tx: TournamentTransaction, user: User, found: Return, members: Collection[str]) -> None:
    copy = found.copy
    for act in dict.fromkeys(event.act for event in found.overruled):
        tx.rewrite("undone", user, act=act)
    people = {
        (newcomer.number, newcomer.key): newcomer.member
        for newcomer in found.newcomers
        if newcomer.member is not None and newcomer.key in members
    }
    _write_entrants(tx, copy, found.entrants, people)
    offset = tx.tournament.version - copy.venue_events
    copy.offsets = [*copy.offsets, [copy.venue_events + 1, offset]]
    adopted = _adopted(tx, user, copy, found.events, people)
    tx.adopt(adopted)
    tx.record("brought_back", user, copy=copy.pk, count=len(found.results))
    tx.commit()
    _set_end(tx, adopted)
    copy.status = VenueCopy.Status.BACK
    copy.entrants = len(tx.entrants)
    copy.digest = found.digest
    copy.venue_events += len(found.events)
    copy.home_events = tx.tournament.version
    copy.save()


def _adopted(
    tx: TournamentTransaction,
    user: User,
    copy: VenueCopy,
    events: Sequence[ReadEvent],
    people: Mapping[tuple[int, str], User],
) -> list[TournamentEvent]:
    """The events as they are appended here: renumbered, with the accounts of this site, in the name of the director.

    Their times are the venue's, within the time that the tournament was away: its clock may be wrong.
    """
    first, last = copy.at, tx.moment
    return [
        TournamentEvent(
            tournament=tx.tournament,
            n=tx.tournament.version + position,
            act=_act_here(copy, event.act),
            kind=event.kind,
            data=_data_here(tx, copy, event, people),
            by=user if event.by else None,
            at=min(max(event.at, first), last),
        )
        for position, event in enumerate(events, 1)
    ]


def _act_here(copy: VenueCopy, act: int) -> int:
    """The number here of an act of the venue."""
    return act + next(offset for start, offset in reversed(copy.offsets) if start <= act)


def _data_here(
    tx: TournamentTransaction, copy: VenueCopy, event: ReadEvent, people: Mapping[tuple[int, str], User]
) -> dict[str, Any]:
    data = dict(event.data)
    if event.kind in undo.REWRITES:
        return {**data, "act": _act_here(copy, data["act"])}
    if event.kind not in ("linked", "substituted"):
        return data
    member = people.get((data["entrant"], fold(data["name"])))
    if event.kind == "linked":
        del data["user"]
    if member is not None:
        data |= {"user": member.pk, "name": member.username}
    if "first" in data:
        entrant = tx.entrant(data["entrant"])
        earlier = tx.before.people.get(data["entrant"])
        data["first"] = (
            {"user": earlier[0].user, "name": earlier[0].name}
            if earlier
            else {"user": entrant.user_id, "name": entrant.name}
        )
    return data


def _write_entrants(
    tx: TournamentTransaction,
    copy: VenueCopy,
    entrants: Sequence[Mapping[str, Any]],
    people: Mapping[tuple[int, str], User],
) -> None:
    """Create the rows of new entrants, and bring what the draw needs up to date: seeds, and the numbers of players."""
    teams = {team.entrant.number: team for team in Team.objects.filter(entrant__tournament=tx.tournament)}
    changed = []
    for row in sorted(entrants, key=lambda row: not row["is_team"]):
        number = row["number"]
        entrant = tx.entrants.get(number)
        name = row["account"] or row["name"]
        member = people.get((number, fold(name)))
        if entrant is None:
            entrant = Entrant.objects.create(
                tournament=tx.tournament,
                number=number,
                user=member,
                written_name="" if member is not None else name,
                team=teams[row["team"]] if row["team"] is not None else None,
                seed_rank=row["seed"],
                nonce=row["nonce"],
                entered_at=min(max(row["at"], copy.at), tx.moment),
            )
            tx.entrants[number] = entrant
            if row["is_team"]:
                teams[number] = Team.objects.create(entrant=entrant)
        elif number <= copy.entrants:
            if member is not None and row["account"] and entrant.user_id is None:
                entrant.user = member
            if tx.before.phase == "open":
                entrant.seed_rank, entrant.nonce = row["seed"], row["nonce"]
            changed.append(entrant)
    Entrant.objects.bulk_update(changed, ["user", "seed_rank", "nonce"])


def _set_end(tx: TournamentTransaction, adopted: Sequence[TournamentEvent]) -> None:
    """Let a tournament that ended at the venue end when it did there."""
    if tx.state.phase not in ("over", "cancelled"):
        return
    ended: datetime | None = next(
        (event.at for event in reversed(adopted) if event.kind in ("finished", "cancelled")), None
    )
    if ended is not None:
        tx.tournament.ended_at = ended
        tx.tournament.save(update_fields=["ended_at"])
