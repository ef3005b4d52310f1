"""The prize sheet of a tournament, as its directors and (where it is shown) everybody see it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.utils import formats

from accounts.models import Club
from tournaments.final_ranking import final_ranks
from tournaments.models import TournamentEvent
from tournaments.prizes import Purse, Share, place_prizes, place_winners, pool_winners, split
from tournaments.selectors.pairing_cards import TournamentSnapshot
from tournaments.selectors.tournament_page import TournamentPage, tournament_page


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """A prize and its winner; `name` is "" while that is unknown."""

    place: int
    percent: int | None
    amount: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class SidePool:
    """A side pool: its stakes, participants and prizes."""

    name: str
    stake: str
    total: str
    names: list[str]
    rows: list[PrizeRow]


@dataclass(frozen=True)
class PrizeSheet:
    """All prizes of a tournament. `paid` of `players` have paid the entry fee."""

    snapshot: TournamentSnapshot
    purse: Purse

    @property
    def players(self) -> int:
        return sum(entrant.plays for entrant in self.snapshot.entrants.values())

    @property
    def paid(self) -> int:
        return sum(entrant.paid for entrant in self.snapshot.entrants.values())

    def money(self, hundredths: int) -> str:
        return format_amount(hundredths, self.purse.currency)

    @property
    def fee(self) -> str:
        return self.money(self.purse.fee)

    @property
    def collected(self) -> str:
        return self.money(self.purse.fee * self.paid)

    @property
    def added(self) -> str:
        return self.money(self.purse.added) if self.purse.added else ""

    @property
    def total(self) -> str:
        return self.money(self._total)

    def part(self, percent: int) -> str:
        """So many percent of the whole prize fund."""
        return self.money(split(self._total, [percent], 100)[0])

    @property
    def shared_out(self) -> str:
        return self.money(sum(share.amount for share in self._places))

    @property
    def kept_by_club(self) -> str:
        """What is not shared out; "" if that is nothing."""
        left = self._total - sum(share.amount for share in self._places)
        return self.money(left) if left else ""

    @property
    def rows(self) -> list[PrizeRow]:
        """The prizes by place, with their winners once the tournament is over."""
        ranks = final_ranks(self.snapshot.state)
        return self._rows(place_winners(self._places, ranks) if ranks else self._places)

    @property
    def pools(self) -> list[SidePool]:
        ranks = final_ranks(self.snapshot.state)
        return [
            SidePool(
                pool.name,
                self.money(pool.stake),
                self.money(pool.total),
                [self.snapshot.name(number) for number in pool.entrants],
                self._rows(pool_winners(pool, ranks)),
            )
            for pool in self.purse.pools
        ]

    @property
    def _total(self) -> int:
        return self.purse.fee * self.paid + self.purse.added

    @property
    def _places(self) -> list[Share]:
        return place_prizes(self.purse, self.paid)

    def _rows(self, shares: list[Share]) -> list[PrizeRow]:
        return [
            PrizeRow(
                share.place,
                share.percent,
                self.money(share.amount),
                self.snapshot.name(share.entrant) if share.entrant else "",
            )
            for share in shares
        ]


def format_amount(hundredths: int, currency: str) -> str:
    """An amount with its currency: `12.50 €`, in Spanish `12,50 €`; whole amounts without decimals."""
    whole = hundredths % 100 == 0
    amount = formats.number_format(Decimal(hundredths) / 100, 0 if whole else 2, force_grouping=True)
    return f"{amount} {currency}".strip()


def entry_fee(purse: Purse) -> str:
    """The entry fee with its currency; "" where there is none."""
    return format_amount(purse.fee, purse.currency) if purse.fee else ""


def prize_sheet_of(snapshot: TournamentSnapshot) -> PrizeSheet:
    """The prize sheet of a tournament that was read already."""
    return PrizeSheet(snapshot, Purse.read(snapshot.state.purse))


def prize_sheet(tournament_id: str) -> tuple[TournamentPage, PrizeSheet]:
    """The page of a tournament, and its prize sheet. Raises NotFound."""
    view = tournament_page(tournament_id=tournament_id, user=None)
    return view, prize_sheet_of(view.snapshot)


def last_used_purse(club: Club) -> Purse:
    """The last purse that the club used, as a default; without side pools, whose participants differ."""
    last = TournamentEvent.objects.filter(tournament__club=club, kind="prized").order_by("-at")
    found = last.values_list("data", flat=True).first()
    return Purse.read({**found, "pools": ()}) if found else Purse()
