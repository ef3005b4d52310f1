"""Importing results of a club from a spreadsheet: a check of every line, then the import of the new ones.

A line is identified by its hash: imported twice, it adds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Literal

from django.db import transaction

from accounts.clubs.roles import may_direct
from accounts.models import Club, User
from accounts.names.validation import fold
from accounts.web.staff import refusal_code
from games.database import now
from games.services.over_the_board import Player, board_match_record
from tournaments import results_csv
from tournaments.errors import Refused
from tournaments.models import OutsideResult
from tournaments.recurrence import local_moment
from tournaments.services.records import members_of

VARIANT = "backgammon"
LineStatus = Literal["new", "twice", "known", "error"]
NOON = time(12)


@dataclass(frozen=True, slots=True)
class LineOutcome:
    """What the import does with a line: it is new, twice in the file, known already, or an error (`code`).

    `player` and `opponent` are members, or names that no member of the club has.
    """

    number: int
    status: LineStatus
    code: str = ""
    line: results_csv.ResultLine | None = None
    cells: tuple[str, ...] = ()
    player: Player = ""
    opponent: Player = ""
    rated: bool = False


def may_rate(club: Club) -> bool:
    """Whether the club's policy lets imported results count in the ratings (K5)."""
    return club.outside and club.rated != Club.Rated.NONE


def results_check(*, club: Club, by: User, data: bytes, rated: bool) -> list[LineOutcome]:
    """Check each line of a file; nothing is written.

    Raises Refused: not_club_director, not_rated_outside, sheet_large, sheet_long, sheet_empty, sheet_columns.
    """
    if not may_direct(by, club):
        raise Refused(refusal_code(by, "not_club_director"))
    if rated and not may_rate(club):
        raise Refused("not_rated_outside")
    try:
        lines = results_csv.parse(data)
    except results_csv.UnreadableFile as error:
        raise Refused(error.code, params=error.params) from error
    readable = [line for line in lines if isinstance(line, results_csv.ResultLine)]
    members = _members(club, readable)
    today = club.today()
    seen = _known_digests(club, readable)
    outcomes: list[LineOutcome] = []
    status: LineStatus
    for line in lines:
        if isinstance(line, results_csv.LineError):
            outcomes.append(LineOutcome(line.number, "error", line.code, cells=line.cells))
            continue
        player, opponent = (members.get(fold(name), name) for name in (line.player, line.opponent))
        both = isinstance(player, User) and isinstance(opponent, User)
        status, code = ("error", "line_future") if line.day > today else (seen.get(line.digest, "new"), "")
        outcomes.append(LineOutcome(line.number, status, code, line, (), player, opponent, rated=rated and both))
        seen.setdefault(line.digest, "twice")
    return outcomes


def results_import(*, club: Club, by: User, data: bytes, rated: bool) -> list[LineOutcome]:
    """Import the new lines of a file, the oldest first, and return the outcome of every line.

    Raises as `results_check`.
    """
    with transaction.atomic():
        locked = Club.objects.select_for_update().get(pk=club.pk)  # of two imports at once the second sees the first
        outcomes = results_check(club=locked, by=by, data=data, rated=rated)
        new = [(outcome.line, outcome) for outcome in outcomes if outcome.status == "new" and outcome.line is not None]
        for line, outcome in sorted(new, key=lambda pair: (pair[0].day, pair[0].number)):
            _record(locked, by, line, outcome)
    return outcomes


def _record(club: Club, by: User, line: results_csv.ResultLine, outcome: LineOutcome) -> None:
    match = board_match_record(
        creator=by,
        variant=VARIANT,
        length=line.length,
        players=(outcome.player, outcome.opponent),
        points=line.points,
        winner="white" if line.first_won else "black",
        played_at=_noon(club, line),
        rated=outcome.rated,
        title=line.event or club.name,
        from_url=f"/clubs/{club.slug}/",
    )
    OutsideResult.objects.create(club=club, key=line.digest, match=match, event=line.event, by=by, at=now())


def _noon(club: Club, line: results_csv.ResultLine) -> datetime:
    """Noon of the line's day in the club's time zone, or now if that is earlier: nothing was played in the future."""
    return min(local_moment(line.day, NOON, club.timezone), datetime.now(UTC))


def _known_digests(club: Club, lines: list[results_csv.ResultLine]) -> dict[str, LineStatus]:
    """The hashes of lines that the club has imported already; a few hundred in each query."""
    digests = [line.digest for line in lines]
    found: dict[str, LineStatus] = {}
    for at in range(0, len(digests), 500):
        known = OutsideResult.objects.filter(club=club, key__in=digests[at : at + 500])
        found |= dict.fromkeys(known.values_list("key", flat=True), "known")
    return found


def _members(club: Club, lines: list[results_csv.ResultLine]) -> dict[str, User]:
    """The members of the club that the lines name, by their folded names."""
    names = sorted({fold(name) for line in lines for name in (line.player, line.opponent)})
    found: dict[str, User] = {}
    for at in range(0, len(names), 500):
        members = members_of(club).filter(name_key__in=names[at : at + 500])
        found.update({user.name_key: user for user in members})
    return found
