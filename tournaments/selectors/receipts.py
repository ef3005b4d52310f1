"""The receipts of a tournament: who has paid the entry fee, who took it and when, and who has to pay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils.timezone import localtime

from accounts.models import User
from tournaments import undo
from tournaments.models import Entrant, TournamentEvent
from tournaments.prizes import Purse
from tournaments.roles import DeskAct
from tournaments.selectors import labels
from tournaments.selectors.director_desk import DirectorDesk, director_desk
from tournaments.selectors.prizes import entry_fee, format_amount


@dataclass(frozen=True, slots=True)
class Receipt:
    """An entrant and their fee: paid to `by` at that moment, or to pay (no moment)."""

    entrant: Entrant
    paid: bool
    by: str = ""
    at: datetime | None = None
    shown_at: str = ""  # in the time zone of the tournament

    @property
    def number(self) -> int:
        return self.entrant.number

    @property
    def name(self) -> str:
        return self.entrant.name


@dataclass(frozen=True)
class Receipts:
    """The receipts: first those who have to pay, then those who paid, the last one first."""

    desk: DirectorDesk
    purse: Purse
    rows: list[Receipt]

    @property
    def paid(self) -> int:
        return sum(row.paid for row in self.rows)

    @property
    def to_pay(self) -> int:
        return len(self.rows) - self.paid

    @property
    def fee(self) -> str:
        """The entry fee; "" where there is none."""
        return entry_fee(self.purse)

    @property
    def collected(self) -> str:
        return format_amount(self.purse.fee * self.paid, self.purse.currency)

    @property
    def outstanding(self) -> str:
        return format_amount(self.purse.fee * self.to_pay, self.purse.currency)


def receipts(*, tournament_id: str, user: User) -> Receipts:
    """The receipts, for directors: of all who play, and of others who paid. Raises NotFound, Refused: not_director."""
    desk = director_desk(tournament_id=tournament_id, user=user, act=DeskAct.MANAGE_ENTRANTS)
    undone = undo.undone_acts(desk.events_read)
    payments = last_payments(event for event in desk.events if event.act not in undone)
    rows = []
    for number, entrant in sorted(desk.snapshot.entrants.items()):
        event = payments.get(number)
        if entrant.paid and event is not None:
            by = event.by.username if event.by else ""
            shown = labels.format_moment(event.at, desk.snapshot.zone, labels.SHORT)
            rows.append(Receipt(entrant, True, by, event.at, shown))
        elif entrant.paid or entrant.plays:
            rows.append(Receipt(entrant, entrant.paid))
    rows.sort(key=lambda row: (row.paid, -row.at.timestamp() if row.at else 0, row.number))
    return Receipts(desk, Purse.read(desk.state.purse), rows)


def last_payments(events: Iterable[TournamentEvent]) -> dict[int, TournamentEvent]:
    """The last payment of each entrant by number, of events of one tournament that were not undone."""
    return {event.data["entrant"]: event for event in events if event.kind == "paid" and event.data["paid"]}


def receipt_rows(found: Receipts) -> Iterator[tuple[Any, ...]]:
    """The rows of the CSV file, its heads first."""
    yield "number", "name", "paid", "amount", "currency", "by", "at"
    for row in found.rows:
        amount = found.purse.fee / 100 if row.paid else 0
        at = localtime(row.at, UTC).isoformat(timespec="seconds") if row.at else ""
        yield row.number, row.name, int(row.paid), f"{amount:.2f}", found.purse.currency, row.by, at
