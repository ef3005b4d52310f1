"""The sheet of prizes as a director and (where it is shown) everybody sees it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.utils import formats

from accounts.models import Club
from tournaments.finals import finals
from tournaments.models import TournamentEvent
from tournaments.prizes import Purse, Share, places, pool_won, won
from tournaments.selectors.cards import Sheet
from tournaments.selectors.pages import View, page


@dataclass(frozen=True, slots=True)
class Row:
    """A prize with who has it, as it is printed; nobody while that is not known."""

    place: int
    percent: int | None
    amount: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class SidePool:
    """A side pool: what is in it, who is in it, and who gets it."""

    name: str
    stake: str
    total: str
    names: list[str]
    rows: list[Row]


@dataclass(frozen=True)
class Prizes:
    """All prizes of a tournament. `paid` is how many paid the fee, of `players`."""

    sheet: Sheet
    purse: Purse

    @property
    def players(self) -> int:
        return sum(one.plays for one in self.sheet.entrants.values())

    @property
    def paid(self) -> int:
        return sum(one.paid for one in self.sheet.entrants.values())

    def money(self, hundredths: int) -> str:
        return money(hundredths, self.purse.currency)

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

    @property
    def given(self) -> str:
        return self.money(sum(one.amount for one in self._places))

    @property
    def kept(self) -> str:
        """What is not shared out; nothing when all of it is."""
        left = self._total - sum(one.amount for one in self._places)
        return self.money(left) if left else ""

    @property
    def rows(self) -> list[Row]:
        """The prizes: by place, and once it is over by who has them."""
        ended = finals(self.sheet.state)
        return self._rows(won(self._places, ended) if ended else self._places)

    @property
    def pools(self) -> list[SidePool]:
        ended = finals(self.sheet.state)
        return [
            SidePool(
                pool.name,
                self.money(pool.stake),
                self.money(pool.total),
                [self.sheet.name(number) for number in pool.entrants],
                self._rows(pool_won(pool, ended)),
            )
            for pool in self.purse.pools
        ]

    @property
    def _total(self) -> int:
        return self.purse.fee * self.paid + self.purse.added

    @property
    def _places(self) -> list[Share]:
        return places(self.purse, self.paid)

    def _rows(self, shares: list[Share]) -> list[Row]:
        return [
            Row(one.place, one.percent, self.money(one.amount), self.sheet.name(one.entrant) if one.entrant else "")
            for one in shares
        ]


def money(hundredths: int, currency: str) -> str:
    """An amount as people write it: `12.50 €`, in Spanish `12,50 €`; whole amounts without their zeros."""
    whole = hundredths % 100 == 0
    amount = formats.number_format(Decimal(hundredths) / 100, 0 if whole else 2, force_grouping=True)
    return f"{amount} {currency}".strip()


def prizes_of(sheet: Sheet) -> Prizes:
    """The prizes of a tournament that was read already."""
    return Prizes(sheet, Purse.read(sheet.state.purse))


def prizes(tournament_id: str) -> tuple[View, Prizes]:
    """A tournament with its prizes. Raises NotFound."""
    view = page(tournament_id=tournament_id, user=None)
    return view, prizes_of(view.sheet)


def usual(club: Club) -> Purse:
    """What the club did last, to begin with; without side pools, which are of other people."""
    last = TournamentEvent.objects.filter(tournament__club=club, kind="prized").order_by("-at")
    found = last.values_list("data", flat=True).first()
    return Purse.read({**found, "pools": ()}) if found else Purse()
