"""Weekends: created and changed by their organizers, and which tournaments they consist of."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta

from django.db import transaction

from accounts.clubs.roles import may_create_events
from accounts.models import Club, User
from accounts.web.staff import refusal_code
from games.database import now
from tournaments import weekend_roles
from tournaments.errors import Refused, WeekendNotFound
from tournaments.models import Meeting, Tournament, Weekend
from tournaments.services.transaction import load_state
from tournaments.weekend_roles import WeekendAct

LONGEST_NAME, LONGEST_PLACE, LONGEST_TEXT = 80, 200, 2000
MOST_DAYS = 31
MOST_TOURNAMENTS = 40
FIRST_YEAR, LAST_YEAR = 1900, 2999  # so that its days have an hour in every time zone


def weekend_lock(weekend_id: str) -> Weekend:
    """Lock a weekend until the end of the transaction, after its tournaments. Raises WeekendNotFound."""
    found = Weekend.objects.select_for_update(of=("self",)).select_related("club").filter(pk=weekend_id).first()
    if found is None:
        raise WeekendNotFound
    return found


def weekend_save(
    *,
    user: User,
    club: Club,
    name: str,
    first: date,
    last: date,
    place: str = "",
    about: str = "",
    weekend_id: str | None = None,
) -> Weekend:
    """Create a weekend of a club, which is not published yet, or change one.

    Raises WeekendNotFound, Refused: not_club_director (to create), not_organizer (to change), weekend_name,
    weekend_days, weekend_years.
    """
    with transaction.atomic():
        if weekend_id is None:
            if user.is_guest or user.is_bot or not may_create_events(user, club):
                raise Refused(refusal_code(user, "not_club_director"))
            weekend = Weekend(club=club, created_by=user, created_at=now())
        else:
            weekend = weekend_lock(weekend_id)
            weekend_roles.check(user, weekend, WeekendAct.ORGANIZE)
        name = " ".join(name.split())
        if not 0 < len(name) <= LONGEST_NAME:
            raise Refused("weekend_name")
        if not timedelta(0) <= last - first < timedelta(days=MOST_DAYS):
            raise Refused("weekend_days", params={"most": MOST_DAYS})
        if first.year < FIRST_YEAR or last.year > LAST_YEAR:
            raise Refused("weekend_years", params={"first": FIRST_YEAR, "last": LAST_YEAR})
        weekend.name, weekend.first, weekend.last = name, first, last
        weekend.place, weekend.about = " ".join(place.split())[:LONGEST_PLACE], about.strip()[:LONGEST_TEXT]
        weekend.save()
    return weekend


def weekend_publish(*, weekend_id: str, user: User, published: bool) -> None:
    """Show a weekend to everybody, or only to its officials. Raises WeekendNotFound, Refused: not_organizer."""
    with transaction.atomic():
        weekend = weekend_lock(weekend_id)
        weekend_roles.check(user, weekend, WeekendAct.ORGANIZE)
        if weekend.published != published:
            weekend.published = published
            weekend.save(update_fields=["published"])


def weekend_remove(*, weekend_id: str, user: User) -> None:
    """Delete a weekend; its tournaments stay. Raises WeekendNotFound, Refused: not_organizer, weekend_recorded."""
    with transaction.atomic():
        lock_tournaments(weekend_id)
        weekend = weekend_lock(weekend_id)
        weekend_roles.check(user, weekend, WeekendAct.ORGANIZE)
        if weekend.records.exists():
            raise Refused("weekend_recorded")
        weekend.delete()


def weekend_set_tournaments(*, weekend_id: str, user: User, tournament_ids: Collection[str]) -> None:
    """Set of which tournaments a weekend consists.

    Raises WeekendNotFound, Refused: not_organizer, weekend_tournament (not of the club, or in another weekend),
    in_tournament (one that is added is not theirs to direct), weekend_full, board_shared (two pairings that are called
    now are at the same board).
    """
    wanted = set(tournament_ids)
    with transaction.atomic():
        tournaments = lock_tournaments(weekend_id, wanted)
        weekend = weekend_lock(weekend_id)
        weekend_roles.check(user, weekend, WeekendAct.ORGANIZE)
        if len(wanted) > MOST_TOURNAMENTS:
            raise Refused("weekend_full", params={"most": MOST_TOURNAMENTS})
        known = {tournament.pk: tournament for tournament in tournaments}
        for pk in wanted:
            if (
                pk not in known
                or known[pk].club_id != weekend.club_id
                or known[pk].weekend_id not in (None, weekend.pk)
            ):
                raise Refused("weekend_tournament")
            if known[pk].weekend_id is None and not weekend_roles.may_include(user, known[pk]):
                reason = Refused("not_director").text
                raise Refused("in_tournament", params={"tournament": known[pk].name, "reason": reason})
        for tournament in tournaments:
            before, tournament.weekend = tournament.weekend_id, weekend if tournament.pk in wanted else None
            if tournament.weekend_id != before:
                tournament.save(update_fields=["weekend"])
                if tournament.weekend_id is not None and tournament.phase == Tournament.Phase.RUNNING:
                    _write_boards(tournament)
        _check_boards(weekend)


def lock_tournaments(weekend_id: str, more: Collection[str] = ()) -> list[Tournament]:
    """Lock the tournaments of a weekend, and `more`, in one order: always before the weekend itself."""
    rows = Tournament.objects.select_for_update().order_by("pk")
    return list(rows.filter(weekend=weekend_id) | rows.filter(pk__in=more))


def _write_boards(tournament: Tournament) -> None:
    """Write the boards of the pairings of a tournament in play, which may have been called by an older version."""
    called = load_state(tournament).called
    rows = list(tournament.meetings.all())
    for row in rows:
        row.board = called[row.key].board if row.key in called else None
    Meeting.objects.bulk_update(rows, ["board"])


def _check_boards(weekend: Weekend) -> None:
    """Raises Refused("board_shared") where two pairings of a weekend are at one board."""
    at: dict[int, Meeting] = {}
    for row in Meeting.objects.filter(tournament__weekend=weekend, board__isnull=False).select_related("tournament"):
        if row.board is not None and at.setdefault(row.board, row) is not row:
            raise Refused("board_shared", params={"board": row.board, "tournament": row.tournament.name})
