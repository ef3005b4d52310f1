"""Results of a club out of a spreadsheet: first what would happen, line by line, then exactly that.

A line is known by the hash of what it says: brought in twice it adds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Literal

from django.db import transaction

from accounts.models import Club, User
from accounts.names import fold
from accounts.roles import directs
from games.database import now
from games.services.board import Player, board_match_record
from tournaments import sheets
from tournaments.errors import Refused
from tournaments.models import OutsideResult
from tournaments.rhythm import moment
from tournaments.services.records import members_of

VARIANT = "backgammon"
What = Literal["new", "twice", "known", "error"]
NOON = time(12)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What happens to one line: it is new, stands in the file twice, is known already, or cannot be (`code`).

    `player` and `rival` are members, or names that nobody of the club has.
    """

    number: int
    what: What
    code: str = ""
    line: sheets.Line | None = None
    cells: tuple[str, ...] = ()
    player: Player = ""
    rival: Player = ""
    rated: bool = False


def may_rate(club: Club) -> bool:
    """Whether results out of a file can count in the ratings at all: the club's policy has the last word (K5)."""
    return club.outside and club.rated != Club.Rated.NONE


def results_check(*, club: Club, by: User, data: bytes, rated: bool) -> list[Verdict]:
    """What would happen to each line of a file; nothing is written.

    Raises Refused: not_club_director, not_rated_outside, sheet_large, sheet_long, sheet_empty, sheet_columns.
    """
    if not directs(by, club):
        raise Refused("not_club_director")
    if rated and not may_rate(club):
        raise Refused("not_rated_outside")
    try:
        lines = sheets.read(data)
    except sheets.Unreadable as fault:
        raise Refused(fault.code, params=fault.params) from fault
    read = [one for one in lines if isinstance(one, sheets.Line)]
    people = _members(club, read)
    today = club.today()
    seen = _known(club, read)
    verdicts: list[Verdict] = []
    what: What
    for one in lines:
        if isinstance(one, sheets.Fault):
            verdicts.append(Verdict(one.number, "error", one.code, cells=one.cells))
            continue
        player, rival = (people.get(fold(name), name) for name in (one.player, one.rival))
        both = isinstance(player, User) and isinstance(rival, User)
        what, code = ("error", "line_future") if one.day > today else (seen.get(one.digest, "new"), "")
        verdicts.append(Verdict(one.number, what, code, one, (), player, rival, rated=rated and both))
        seen.setdefault(one.digest, "twice")
    return verdicts


def results_import(*, club: Club, by: User, data: bytes, rated: bool) -> list[Verdict]:
    """Bring in the new lines of a file, the oldest first; what became of each. Lines that cannot be are left out.

    Raises as `results_check`.
    """
    with transaction.atomic():
        locked = Club.objects.select_for_update().get(pk=club.pk)  # of two imports at once the second sees the first
        verdicts = results_check(club=locked, by=by, data=data, rated=rated)
        fresh = [one for one in verdicts if one.what == "new" and one.line is not None]
        for one in sorted(fresh, key=lambda one: (one.line.day if one.line else locked.today(), one.number)):
            _record(locked, by, one)
    return verdicts


def _record(club: Club, by: User, one: Verdict) -> None:
    line = one.line
    if line is None:
        return
    match = board_match_record(
        creator=by,
        variant=VARIANT,
        length=line.length,
        players=(one.player, one.rival),
        points=line.points,
        winner="white" if line.first_won else "black",
        played_at=_noon(club, line),
        rated=one.rated,
        title=line.event or club.name,
        from_url=f"/clubs/{club.slug}/",
    )
    OutsideResult.objects.create(club=club, key=line.digest, match=match, event=line.event, by=by, at=now())


def _noon(club: Club, line: sheets.Line) -> datetime:
    """Noon of its day where the club is, or now on the day itself: nothing was played in the future."""
    return min(moment(line.day, NOON, club.timezone), datetime.now(UTC))


def _known(club: Club, lines: list[sheets.Line]) -> dict[str, What]:
    """The lines that the club has already, by their hashes; a few hundred in each query."""
    digests, found = [line.digest for line in lines], {}
    for at in range(0, len(digests), 500):
        some = OutsideResult.objects.filter(club=club, key__in=digests[at : at + 500])
        found.update(dict.fromkeys(some.values_list("key", flat=True), "known"))
    return found  # type: ignore[return-value]


def _members(club: Club, lines: list[sheets.Line]) -> dict[str, User]:
    """The members of the club that are named, by their folded names."""
    names = sorted({fold(name) for line in lines for name in (line.player, line.rival)})
    found: dict[str, User] = {}
    for at in range(0, len(names), 500):
        some = members_of(club).filter(name_key__in=names[at : at + 500])
        found.update({user.name_key: user for user in some})
    return found
