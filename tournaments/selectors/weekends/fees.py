"""The register of fees of a weekend: what each person has paid and has to pay over all its tournaments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.timezone import localtime

from tournaments.models import Entrant, Tournament, Weekend
from tournaments.player_keys import player_key
from tournaments.prizes import Purse
from tournaments.selectors import labels
from tournaments.selectors.prizes import entry_fee, format_amount
from tournaments.selectors.receipts import last_payments
from tournaments.selectors.weekends.lookups import effective_rows
from tournaments.selectors.weekends.people import tournaments_of
from tournaments.without_accents import without_accents


@dataclass(frozen=True, slots=True)
class Fee:
    """The fee of an entry: paid to `by` at that moment, or to pay."""

    tournament: Tournament
    entrant: Entrant
    purse: Purse
    paid: bool
    by: str = ""
    at: datetime | None = None
    shown_at: str = ""  # in the time zone of the club

    @property
    def amount(self) -> str:
        return entry_fee(self.purse)


@dataclass(frozen=True, slots=True)
class Payer:
    """A person, or a team, with the fees of all their entries."""

    name: str
    fees: list[Fee] = field(default_factory=list)

    @property
    def entrant(self) -> Entrant:
        return self.fees[0].entrant

    @property
    def to_pay(self) -> str:
        """What is still to pay; "" for nothing."""
        return money(_sums(fee for fee in self.fees if not fee.paid))

    @property
    def paid(self) -> str:
        return money(_sums(fee for fee in self.fees if fee.paid))

    @property
    def owes(self) -> bool:
        return any(not fee.paid for fee in self.fees)

    @property
    def owes_several(self) -> bool:
        """Whether one press can record more than a press beside the fee does."""
        return sum(not fee.paid for fee in self.fees) > 1


@dataclass(frozen=True, slots=True)
class TournamentFees:
    """The fees of one tournament, added up."""

    tournament: Tournament
    entries: int
    paid: int
    collected: str
    outstanding: str


@dataclass(frozen=True, slots=True)
class FeeRegister:
    """The register: first who has to pay, then who has paid, by name."""

    weekend: Weekend
    payers: list[Payer]
    totals: list[TournamentFees]

    @property
    def fees(self) -> list[Fee]:
        return [fee for payer in self.payers for fee in payer.fees]

    @property
    def collected(self) -> str:
        return money(_sums(fee for fee in self.fees if fee.paid))

    @property
    def outstanding(self) -> str:
        return money(_sums(fee for fee in self.fees if not fee.paid))

    @property
    def owing(self) -> int:
        return sum(payer.owes for payer in self.payers)


def fee_register(weekend: Weekend) -> FeeRegister:
    """The fees of all who play, and of others who have paid, in three queries."""
    tournaments = {tournament.pk: tournament for tournament in tournaments_of(weekend)}
    events = effective_rows(("prized", "paid"), tournaments.keys())
    purses = {pk: _purse(events.get(pk, ())) for pk in tournaments}
    payments = {pk: last_payments(events.get(pk, ())) for pk in tournaments}
    zone = ZoneInfo(weekend.club.timezone)
    payers: dict[str, Payer] = {}
    rows = Entrant.objects.filter(tournament__in=tournaments, team=None).select_related("user")
    for row in sorted(rows, key=lambda row: (list(tournaments).index(row.tournament_id), row.number)):
        if not (row.paid or row.plays):
            continue
        event = payments[row.tournament_id].get(row.number) if row.paid else None
        fee = Fee(
            tournaments[row.tournament_id],
            row,
            purses[row.tournament_id],
            row.paid,
            event.by.username if event is not None and event.by is not None else "",
            event.at if event is not None else None,
            labels.format_moment(event.at, zone, labels.SHORT) if event is not None else "",
        )
        payers.setdefault(player_key(row.user_id, row.name), Payer(row.name)).fees.append(fee)
    ordered = sorted(payers.values(), key=lambda payer: (not payer.owes, without_accents(payer.name)))
    fees = [fee for payer in ordered for fee in payer.fees]
    return FeeRegister(weekend, ordered, [_total(each, fees) for each in tournaments.values()])


def _purse(events: Any) -> Purse:
    return Purse.read(next((event.data for event in reversed(events) if event.kind == "prized"), {}))


def _total(tournament: Tournament, fees: list[Fee]) -> TournamentFees:
    own = [fee for fee in fees if fee.tournament.pk == tournament.pk]
    paid = [fee for fee in own if fee.paid]
    return TournamentFees(
        tournament, len(own), len(paid), money(_sums(paid)), money(_sums(fee for fee in own if not fee.paid))
    )


def _sums(fees: Any) -> Mapping[str, int]:
    """Hundredths by currency."""
    found: Counter[str] = Counter()
    for fee in fees:
        found[fee.purse.currency] += fee.purse.fee
    return found


def money(sums: Mapping[str, int]) -> str:
    """Sums of several currencies: `35 €, 10 $`; "" for nothing."""
    return ", ".join(format_amount(amount, currency) for currency, amount in sorted(sums.items()) if amount)


def fee_rows(found: FeeRegister) -> Iterator[tuple[Any, ...]]:
    """The rows of the CSV file, its heads first."""
    yield "name", "tournament", "fee", "currency", "paid", "by", "at"
    for fee in found.fees:
        at = localtime(fee.at, UTC).isoformat(timespec="seconds") if fee.at else ""
        amount = f"{fee.purse.fee / 100:.2f}"
        yield fee.entrant.name, fee.tournament.name, amount, fee.purse.currency, int(fee.paid), fee.by, at
