"""Records of a weekend: appended, corrected by a later one, never changed."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from games.database import now
from tournaments import weekend_roles
from tournaments.errors import Refused
from tournaments.models import Entrant, Tournament, Weekend, WeekendRecord
from tournaments.services.weekends import weekend_lock
from tournaments.weekend_records import ConsolationShare, Content, Lot, SidePool, as_json, kind_of, read
from tournaments.weekend_roles import WeekendAct

MOST_RECORDS = 2000  # of a weekend, corrections included


def weekend_record_set(*, weekend_id: str, user: User, content: Content, ref: int | None = None) -> None:
    """Record something, or (`ref`) correct what was recorded. Recording the same again changes nothing.

    Raises WeekendNotFound, Refused: not_weekend_director, no_record, record_invalid, record_people (somebody who is in
    none of the weekend's tournaments), record_shares (of more than the whole pool), record_twice, too_many_records.
    """
    with transaction.atomic():
        weekend = _lock(weekend_id, user)
        kind = kind_of(content)
        current = _current(weekend)
        if ref is not None and (ref not in current or current[ref].kind != kind):
            raise Refused("no_record")
        if not content.is_valid:
            raise Refused("record_invalid")
        others = [read(row.kind, row.data) for key, row in current.items() if key != ref]
        _check_content(weekend, content, others)
        if ref is None or current[ref].data != as_json(content):
            _append(weekend, user, kind, ref, data=as_json(content))


def weekend_record_remove(*, weekend_id: str, user: User, ref: int) -> None:
    """Take a record out, which stays in the history.

    Raises WeekendNotFound, Refused: not_weekend_director, no_record.
    """
    with transaction.atomic():
        weekend = _lock(weekend_id, user)
        row = _current(weekend).get(ref)
        if row is None:
            raise Refused("no_record")
        _append(weekend, user, row.kind, ref, data=row.data, removed=True)


def _lock(weekend_id: str, user: User) -> Weekend:
    weekend = weekend_lock(weekend_id)
    weekend_roles.check(user, weekend, WeekendAct.KEEP_RECORDS)
    return weekend


def _current(weekend: Weekend) -> dict[int, WeekendRecord]:
    """The records that count, by `ref`."""
    last = {row.ref: row for row in weekend.records.order_by("n")}
    return {ref: row for ref, row in last.items() if not row.removed}


def _check_content(weekend: Weekend, content: Content, others: list[Content]) -> None:
    people: set[int] = set()
    if isinstance(content, SidePool):
        people = {*content.people, *content.winners}
    elif isinstance(content, Lot):
        people = {content.player}
        lots = [other for other in others if isinstance(other, Lot) and other.currency == content.currency]
        if any(lot.player == content.player for lot in lots):
            raise Refused("record_twice")
        if content.share + sum(lot.share for lot in lots) > 100:
            raise Refused("record_shares")
    elif not Tournament.objects.filter(weekend=weekend, pk=content.tournament).exists():
        raise Refused("weekend_tournament")
    elif any(isinstance(other, ConsolationShare) and other.tournament == content.tournament for other in others):
        raise Refused("record_twice")
    if Entrant.objects.filter(tournament__weekend=weekend, pk__in=people).count() < len(people):
        raise Refused("record_people")


def _append(
    weekend: Weekend, user: User, kind: str, ref: int | None, *, data: dict[str, object], removed: bool = False
) -> None:
    n = weekend.records.count() + 1
    if n > MOST_RECORDS:
        raise Refused("too_many_records", params={"most": MOST_RECORDS})
    WeekendRecord.objects.create(
        weekend=weekend, n=n, ref=ref or n, kind=kind, data=data, removed=removed, by=user, at=now()
    )
