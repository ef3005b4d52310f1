"""What is recorded about a weekend beside its tournaments: side pools, auctions, consolation shares. Pure.

The site moves no money: these are notes of what the club and its players agreed. People are entries of the weekend's
tournaments, by the id of their row; amounts are whole hundredths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from tournaments.prizes import MOST_CENTS, split

LONGEST_NAME, LONGEST_CURRENCY = 80, 8
MOST_PEOPLE = 512


@dataclass(frozen=True, slots=True)
class SidePool:
    """A side pool over the weekend: who pays its stake, and who has won it (they share it equally)."""

    name: str
    stake: int
    currency: str = ""
    people: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()

    @property
    def total(self) -> int:
        return self.stake * len(self.people)

    @property
    def parts(self) -> list[int]:
        """What each winner gets, in hundredths that add up exactly."""
        return split(self.total, [1] * len(self.winners), len(self.winners)) if self.winners else []

    @property
    def is_valid(self) -> bool:
        return (
            0 < len(self.name) <= LONGEST_NAME
            and 0 <= self.stake <= MOST_CENTS
            and len(self.currency) <= LONGEST_CURRENCY
            and len(self.people) <= MOST_PEOPLE
            and set(self.winners) <= set(self.people)
        )


@dataclass(frozen=True, slots=True)
class Lot:
    """A lot of an auction (Calcutta): a player, who bought them at which price, and the percentage of the pool that
    they win.
    """

    player: int
    buyer: str
    price: int
    currency: str = ""
    share: int = 0

    @property
    def is_valid(self) -> bool:
        return (
            0 < len(self.buyer) <= LONGEST_NAME
            and 0 <= self.price <= MOST_CENTS
            and len(self.currency) <= LONGEST_CURRENCY
            and 0 <= self.share <= 100
        )


@dataclass(frozen=True, slots=True)
class ConsolationShare:
    """How much of the prize fund of a tournament goes to its consolation, in percent."""

    tournament: str
    percent: int

    @property
    def is_valid(self) -> bool:
        return 0 <= self.percent <= 100


Content: TypeAlias = SidePool | Lot | ConsolationShare
KINDS: Mapping[str, type[Content]] = {"pool": SidePool, "lot": Lot, "consolation": ConsolationShare}


def read(kind: str, data: Mapping[str, Any]) -> Content:
    """The content of a record, as `as_json` writes it."""
    lists = {name: tuple(value) for name, value in data.items() if isinstance(value, list)}
    return KINDS[kind](**{**data, **lists})


def as_json(content: Content) -> dict[str, Any]:
    """The content of a record as JSON."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(content).items()}


def kind_of(content: Content) -> str:
    """The key of a content among `KINDS`."""
    return next(kind for kind, type_ in KINDS.items() if type(content) is type_)


def lot_winnings(lots: Sequence[Lot]) -> list[int]:
    """What the owner of each lot gets, by the shares of the whole pool, in hundredths that add up exactly."""
    return split(sum(lot.price for lot in lots), [lot.share for lot in lots], 100)
