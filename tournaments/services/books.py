"""The books of a club follow what its tournaments say: who won them, and what was played over the board.

Both are a comparison of rows with the state of the tournament, so that a correction, an undo and a redo at the desk
need nothing here, and a second run changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import Club
from games.database import now
from games.engine import SIDES, Side
from games.errors import Refused as PlayRefused
from games.models import Match
from games.services.board import board_match_change, board_match_record
from tournaments.formats.core import Key, Pairing
from tournaments.models import OutsideResult, Tournament, TournamentEvent
from tournaments.services.desk import Desk
from tournaments.services.follow import options_at
from tournaments.services.placings import placings_follow

PHASES = ("running", "over", "cancelled")


def tournaments_to_book(most: int) -> list[str]:
    """The tournaments that went on since the books last followed them, by id."""
    behind = Tournament.objects.filter(phase__in=PHASES).exclude(version=F("books_version"))
    return list(behind.order_by("created_at").values_list("pk", flat=True)[:most])


def tournament_book(*, tournament_id: str) -> None:
    """Bring the books of a tournament's club up to its last event. Again changes nothing."""
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        one = desk.tournament
        if one.books_version == one.version:
            return
        placings_follow(desk)
        _outside(desk)
        Tournament.objects.filter(pk=one.pk).update(books_version=one.version)


# Over the board


def key_of(tournament_id: str, key: Key) -> str:
    """Under which key the club keeps the match of a pairing."""
    return f"{tournament_id}/{key}"


def _outside(desk: Desk) -> None:
    """A rated match for each pairing that two members played over the board; what was taken back counts no longer.

    Without the club's word (`Club.outside`) nothing new is rated; what was before stays as its result is.
    """
    club, terms = desk.tournament.club, desk.state.rules
    prefix = key_of(desk.tournament.pk, "")
    rows = OutsideResult.objects.filter(club=club, key__startswith=prefix).select_related("match")
    known = {row.key.removeprefix(prefix): row for row in rows}
    here = set(desk.tournament.meetings.filter(match__status=Match.Status.OVER).values_list("key", flat=True))
    played = {one.key: one for one in desk.state.pairings if one.key not in here and _over_the_board(desk, one)}
    for key, row in known.items():
        _follow(desk, row, played.get(key))
    if not (club.outside and terms.rated):
        return
    fresh = [one for key, one in played.items() if key not in known]
    at = _moments(desk.tournament) if fresh else {}
    for pairing in fresh:
        _record(desk, club, pairing, at.get(pairing.key, desk.moment))


def _over_the_board(desk: Desk, pairing: Pairing) -> bool:
    """Whether two members played it to a score, and not on this site."""
    result = pairing.result
    if pairing.state != "done" or result is None or result.how != "played" or result.match:
        return False
    users = [desk.entrant(number).user for number in pairing.entrants]
    members = all(user is not None and not (user.is_guest or user.is_bot) for user in users)
    return members and result.winner is not None and result.points is not None


def _record(desk: Desk, club: Club, pairing: Pairing, at: datetime) -> None:
    one, terms = desk.tournament, desk.state.rules
    users: list[Any] = [desk.entrant(number).user for number in pairing.entrants]
    length = terms.length(pairing.section, pairing.round)
    result: Any = pairing.result
    try:
        match = board_match_record(
            creator=one.created_by,
            variant=terms.variant,
            length=length,
            players=(users[0], users[1]),
            points=result.points,
            winner=_side(pairing),
            played_at=at,
            rated=True,
            title=one.name,
            from_url=f"/tournaments/{one.pk}/",
            options=options_at(terms, length),
        )
    except PlayRefused:  # a director may enter what no match of that length ends with: it stands, but is not rated
        return
    OutsideResult.objects.create(
        club=club, key=key_of(one.pk, pairing.key), match=match, event=one.name, by=None, at=now()
    )


def _follow(desk: Desk, row: OutsideResult, pairing: Pairing | None) -> None:
    """Bring a match up to its pairing; others may have come to play there."""
    users = {seat.side: seat.user_id for seat in row.match.seats.all()}
    same = pairing is not None and [users[side] for side in SIDES] == _users(desk, pairing)
    winner = _side(pairing) if pairing is not None and same else None
    result: Any = pairing.result if pairing is not None and same else None
    with override(desk.tournament.created_by.language or None):
        reason = _("The tournament has it so.")
    points = result.points if result is not None else (0, 0)
    try:
        board_match_change(
            match_id=row.match_id, by=None, winner=winner, points=points, counts=winner is not None, reason=reason
        )
    except PlayRefused:
        board_match_change(match_id=row.match_id, by=None, winner=None, counts=False, reason=reason)
    if pairing is not None and not same:  # the row of the match that was stays; its key is free for the new one
        OutsideResult.objects.filter(pk=row.pk).update(key=f"{row.key}#{row.match_id}"[:80])
        if desk.tournament.club.outside and desk.state.rules.rated:
            _record(desk, desk.tournament.club, pairing, desk.moment)


def _users(desk: Desk, pairing: Pairing) -> list[int | None]:
    return [desk.entrant(number).user_id for number in pairing.entrants]


def _side(pairing: Pairing) -> Side:
    """The winner's side: the pairing's first player has White."""
    won = None if pairing.result is None else pairing.result.winner
    return SIDES[0] if won == pairing.entrants[0] else SIDES[1]


def _moments(tournament: Tournament) -> Mapping[Key, datetime]:
    """When the last result of each pairing was entered."""
    rows = TournamentEvent.objects.filter(tournament=tournament, kind="result").order_by("n")
    return {data.get("key", ""): at for data, at in rows.values_list("data", "at")}
