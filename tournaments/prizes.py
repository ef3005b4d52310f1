"""Prizes: what the entrants paid, and who gets which part of it. Pure; the site moves no money, it only records it.

All amounts are whole hundredths of the club's currency, and shares add up to the total to the last of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tournaments.final_ranking import FinalRank
from tournaments.formats.core import Entrant
from tournaments.masterpoints import FULL_WEIGHT

MOST_CENTS = 10_000_000  # of one amount
MOST_PLACES = 32
MOST_POOLS = 8
MOST_WEIGHT = 1000


@dataclass(frozen=True, slots=True)
class Pool:
    """A side pool: its entrants each pay a stake, and the best placed of them wins it."""

    name: str
    stake: int
    entrants: tuple[Entrant, ...] = ()

    @property
    def total(self) -> int:
        return self.stake * len(self.entrants)


@dataclass(frozen=True, slots=True)
class Purse:
    """The agreed prizes. `shares` are the percentages of the purse for the first, second ... place."""

    fee: int = 0
    added: int = 0  # by the club, beside the fees
    shares: tuple[int, ...] = ()
    currency: str = ""
    shown: bool = False  # to everybody, on the tournament's page
    weight: int = FULL_WEIGHT  # for master points
    pools: tuple[Pool, ...] = field(default=())

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Purse:
        """The purse in the data of a `prized` event; an empty one if there is none."""
        known: dict[str, Any] = {name: value[name] for name in cls.__dataclass_fields__ if name in value}
        known["shares"] = tuple(known.get("shares", ()))
        pools = (Pool(pool["name"], pool["stake"], tuple(pool["entrants"])) for pool in known.get("pools", ()))
        return cls(**{**known, "pools": tuple(pools)})

    def as_json(self) -> dict[str, Any]:
        """The purse as data of an event."""
        pools = [{"name": pool.name, "stake": pool.stake, "entrants": list(pool.entrants)} for pool in self.pools]
        plain = ("fee", "added", "currency", "shown", "weight")
        return {name: getattr(self, name) for name in plain} | {"shares": list(self.shares), "pools": pools}

    @property
    def is_valid(self) -> bool:
        """Whether all amounts, shares and limits are possible."""
        amounts = (self.fee, self.added, *(pool.stake for pool in self.pools))
        return (
            all(0 <= amount <= MOST_CENTS for amount in amounts)
            and len(self.shares) <= MOST_PLACES
            and all(0 < share <= 100 for share in self.shares)
            and sum(self.shares) <= 100
            and 0 <= self.weight <= MOST_WEIGHT
            and len(self.pools) <= MOST_POOLS
        )

    @property
    def is_empty(self) -> bool:
        """Whether it has no money at all."""
        return not (self.fee or self.added or self.shares or self.pools)


@dataclass(frozen=True, slots=True)
class Share:
    """The prize of a place, and the entrant who won it once that is known; `percent` is None in a side pool."""

    place: int
    amount: int
    percent: int | None = None
    entrant: Entrant | None = None


def split(total: int, weights: Sequence[int], whole: int) -> list[int]:
    """Split `total` hundredths by `weights` out of `whole`, in whole hundredths that add up exactly.

    The remainder goes, a hundredth each, to the parts that lost most by rounding down, the earlier first.
    """
    parts = [total * weight // whole for weight in weights]
    left = total * sum(weights) // whole - sum(parts)
    nearest = sorted(range(len(weights)), key=lambda index: (-(total * weights[index] % whole), index))
    for index in nearest[:left]:
        parts[index] += 1
    return parts


def place_prizes(purse: Purse, paid: int) -> list[Share]:
    """The prizes by place, before anybody has won them. `paid` is how many entrants paid the fee."""
    amounts = split(purse.fee * paid + purse.added, purse.shares, 100)
    percents = zip(amounts, purse.shares, strict=True)
    return [Share(place, amount, percent) for place, (amount, percent) in enumerate(percents, 1)]


def place_winners(shares: Sequence[Share], ranking: Sequence[FinalRank]) -> list[Share]:
    """The prizes with their winners: those who share a place share the prizes of their places, exactly."""
    by_place = {share.place: share for share in shares}
    won: list[Share] = []
    for place, group in _by_place(ranking).items():
        prizes = [by_place[each] for each in range(place, place + len(group)) if each in by_place]
        parts = split(sum(prize.amount for prize in prizes), [1] * len(group), len(group))
        percent = prizes[0].percent if len(group) == 1 and prizes else None
        won += [Share(place, part, percent, rank.entrant) for rank, part in zip(group, parts, strict=True) if part]
    return won


def pool_winners(pool: Pool, ranking: Sequence[FinalRank]) -> list[Share]:
    """The winners of a side pool: the best placed of its entrants, who share it if they share the place."""
    groups = _by_place([rank for rank in ranking if rank.entrant in pool.entrants])
    best = next(iter(groups.values()), [])
    parts = split(pool.total, [1] * len(best), len(best)) if best else []
    return [Share(rank.place, part, None, rank.entrant) for rank, part in zip(best, parts, strict=True)]


def _by_place(ranking: Sequence[FinalRank]) -> dict[int, list[FinalRank]]:
    """The entrants of each place, from the first."""
    groups: dict[int, list[FinalRank]] = {}
    for rank in ranking:
        groups.setdefault(rank.place, []).append(rank)
    return groups
