"""Bringing the placings and the over-the-board results of a club up to date with its tournaments.

Both compare rows with the state of the tournament, so that a correction, an undo and a redo need nothing here, and a
second run changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, TypeAlias

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import Club, User
from games.database import now
from games.engine import SIDES, Side
from games.errors import Refused as PlayRefused
from games.models import Match
from games.services.over_the_board import board_match_change, board_match_record
from games.services.ratings import lines_place_by_time
from tournaments.formats.core import Key, Pairing
from tournaments.models import OutsideResult, Tournament, TournamentEvent, VenueCopy
from tournaments.services.match_options import match_options
from tournaments.services.placings import placings_update
from tournaments.services.transaction import TournamentTransaction

PlayersKey: TypeAlias = tuple[Key, tuple[int, ...]]  # a pairing and the two who met there, sorted
PHASES = ("running", "over", "cancelled")


def tournaments_to_sync(most: int) -> list[str]:
    """The ids of tournaments with events since their last synchronisation."""
    behind = Tournament.objects.filter(phase__in=PHASES).exclude(version=F("synced_version"))
    return list(behind.order_by("created_at").values_list("pk", flat=True)[:most])


def tournament_sync_results(*, tournament_id: str) -> None:
    """Bring the placings and results of a tournament up to its last event. Idempotent."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id, away=True)
        tournament = tx.tournament
        if tournament.synced_version == tournament.version:
            return
        placings_update(tx)
        if not tx.is_venue:  # there the results count when they are back on the club's site (ruling E27)
            _sync_board_results(tx)
        Tournament.objects.filter(pk=tournament.pk).update(synced_version=tournament.version)


# Over the board


def outside_result_key(tournament_id: str, key: Key) -> str:
    """The key under which the club stores the match of a pairing."""
    return f"{tournament_id}/{key}"


def _sync_board_results(tx: TournamentTransaction) -> None:
    """Record a rated match for each pairing that two members played over the board, and annul those taken back.

    Unless the club allows it (`Club.outside`), nothing new is rated; earlier matches still follow their pairings.
    """
    club, terms = tx.tournament.club, tx.state.rules
    prefix = outside_result_key(tx.tournament.pk, "")
    rows = OutsideResult.objects.filter(club=club, key__startswith=prefix).select_related("match")
    known = {row.key.removeprefix(prefix): row for row in rows}
    online = set(tx.tournament.meetings.filter(match__status=Match.Status.OVER).values_list("key", flat=True))
    played = {
        pairing.key: pairing
        for pairing in tx.state.pairings
        if pairing.key not in online and _is_over_the_board(tx, pairing)
    }
    for key, row in known.items():
        _update(tx, row, played.get(key))
    if not (club.outside and terms.rated):
        return
    new = [pairing for key, pairing in played.items() if key not in known]
    if not new:
        return
    entries = _first_entries(tx.tournament)
    last = (tx.tournament.version + 1, tx.moment)
    order = sorted((entries.get(_players_key(pairing.key, pairing.entrants), last), pairing.key) for pairing in new)
    recorded = [_record(tx, club, played[key], at) for (_n, at), key in order]
    if tx.tournament.venue_copies.filter(here=False, status=VenueCopy.Status.BACK).exists():
        lines_place_by_time(match for match in recorded if match is not None)


def _is_over_the_board(tx: TournamentTransaction, pairing: Pairing) -> bool:
    """Whether two members played a pairing to a score, and not on this site."""
    result = pairing.result
    if pairing.state != "done" or result is None or result.how != "played" or result.match:
        return False
    if tx.state.is_series(pairing):  # its score says nothing of the single matches
        return False
    users = _users(tx, pairing)
    members = all(user is not None and not (user.is_guest or user.is_bot) for user in users)
    return members and result.winner is not None and result.points is not None


def _record(tx: TournamentTransaction, club: Club, pairing: Pairing, at: datetime) -> Match | None:
    """Record a match over the board; None where its score is that of no match."""
    tournament, terms = tx.tournament, tx.state.rules
    users: list[Any] = _users(tx, pairing)
    length = terms.length(pairing.section, pairing.round)
    result: Any = pairing.result
    try:
        match = board_match_record(
            creator=tournament.created_by,
            variant=terms.variant,
            length=length,
            players=(users[0], users[1]),
            points=result.points,
            winner=_side(pairing),
            played_at=at,
            rated=True,
            title=tournament.name,
            from_url=f"/tournaments/{tournament.pk}/",
            options=match_options(terms, length),
        )
    except PlayRefused:  # a director may enter a score that no match of that length ends with: it is not rated
        return None
    OutsideResult.objects.create(
        club=club,
        key=outside_result_key(tournament.pk, pairing.key),
        match=match,
        event=tournament.name,
        by=None,
        at=now(),
    )
    return match


def _update(tx: TournamentTransaction, row: OutsideResult, pairing: Pairing | None) -> None:
    """Bring a match up to date with its pairing, which may have other players now."""
    users = {seat.side: seat.user_id for seat in row.match.seats.all()}
    same = pairing is not None and [users[side] for side in SIDES] == [user and user.pk for user in _users(tx, pairing)]
    winner = _side(pairing) if pairing is not None and same else None
    result: Any = pairing.result if pairing is not None and same else None
    with override(tx.tournament.created_by.language or None):
        reason = _("Updated from the tournament.")
    points = result.points if result is not None else (0, 0)
    try:
        board_match_change(
            match_id=row.match_id, by=None, winner=winner, points=points, counts=winner is not None, reason=reason
        )
    except PlayRefused:
        board_match_change(match_id=row.match_id, by=None, winner=None, counts=False, reason=reason)
    if pairing is not None and not same:  # the earlier match keeps its row; its key is free for the new one
        OutsideResult.objects.filter(pk=row.pk).update(key=f"{row.key}#{row.match_id}"[:80])
        if tx.tournament.club.outside and tx.state.rules.rated:
            _record(tx, tx.tournament.club, pairing, tx.moment)


def _users(tx: TournamentTransaction, pairing: Pairing) -> list[User | None]:
    """The accounts of the two who played a pairing: a player who was replaced later keeps it (ruling E4)."""
    users: list[User | None] = []
    for number in pairing.entrants:
        earlier = tx.state.predecessor(pairing, number)
        if earlier is None:
            users.append(tx.entrant(number).user)
        else:
            users.append(User.objects.filter(pk=earlier.user).first() if earlier.user is not None else None)
    return users


def _side(pairing: Pairing) -> Side:
    """The winner's side: the pairing's first player has White."""
    winner = None if pairing.result is None else pairing.result.winner
    return SIDES[0] if winner == pairing.entrants[0] else SIDES[1]


def _players_key(key: Key, entrants: Iterable[int]) -> PlayersKey:
    return key, tuple(sorted(entrants))


def _first_entries(tournament: Tournament) -> Mapping[PlayersKey, tuple[int, datetime]]:
    """When the first score of each pairing of two was entered: the number of the event, and its time.

    A correction leaves a match where it was in the ratings, however late they are brought up to date.
    """
    rows = TournamentEvent.objects.filter(tournament=tournament, kind="result").order_by("n")
    found: dict[PlayersKey, tuple[int, datetime]] = {}
    for n, data, at in rows.values_list("n", "data", "at"):
        if data.get("how", "played") == "played" and data.get("points"):
            found.setdefault(_players_key(data.get("key", ""), data.get("of", ())), (n, at))
    return found
