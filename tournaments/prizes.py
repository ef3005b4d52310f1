"""The sheet of prizes: what came in, and who gets which part of it. Pure; the site moves no money, it only writes down.

All amounts are whole hundredths of the club's currency, and what is shared out adds up to the last of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tournaments.finals import Final
from tournaments.formats.core import Entrant
from tournaments.masterpoints import WHOLE

MOST_CENTS = 10_000_000  # of one amount
MOST_PLACES = 32
MOST_POOLS = 8
MOST_WEIGHT = 1000


@dataclass(frozen=True, slots=True)
class Pool:
    """A side pool: who wishes pays a stake, and it goes to the one of them who ends best."""

    name: str
    stake: int
    entrants: tuple[Entrant, ...] = ()

    @property
    def total(self) -> int:
        return self.stake * len(self.entrants)


@dataclass(frozen=True, slots=True)
class Purse:
    """What was agreed on about prizes. `shares` are the percents of the purse for the first, second ... place."""

    fee: int = 0
    added: int = 0  # by the club, on top of the fees
    shares: tuple[int, ...] = ()
    currency: str = ""
    shown: bool = False  # to everybody, on the tournament's page
    weight: int = WHOLE  # for master points
    pools: tuple[Pool, ...] = field(default=())

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Purse:
        """The purse in the data of a `prized` event; of nothing an empty one."""
        known: dict[str, Any] = {name: value[name] for name in cls.__dataclass_fields__ if name in value}
        known["shares"] = tuple(known.get("shares", ()))
        pools = (Pool(one["name"], one["stake"], tuple(one["entrants"])) for one in known.get("pools", ()))
        return cls(**{**known, "pools": tuple(pools)})

    def as_json(self) -> dict[str, Any]:
        """As an event holds it."""
        pools = [{"name": one.name, "stake": one.stake, "entrants": list(one.entrants)} for one in self.pools]
        plain = ("fee", "added", "currency", "shown", "weight")
        return {name: getattr(self, name) for name in plain} | {"shares": list(self.shares), "pools": pools}

    @property
    def good(self) -> bool:
        """Whether all of it can be."""
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
    def empty(self) -> bool:
        """Whether nothing was said about money."""
        return not (self.fee or self.added or self.shares or self.pools)


@dataclass(frozen=True, slots=True)
class Share:
    """A place with its prize, and who has it once that is known; `percent` is None in a side pool."""

    place: int
    amount: int
    percent: int | None = None
    entrant: Entrant | None = None


def split(total: int, weights: Sequence[int], whole: int) -> list[int]:
    """`total` hundredths in parts of `weights` out of `whole`, each a hundredth exact, no hundredth lost or made.

    What is left over goes, a hundredth each, to those who lost most by rounding down, the earlier first.
    """
    parts = [total * weight // whole for weight in weights]
    left = total * sum(weights) // whole - sum(parts)
    nearest = sorted(range(len(weights)), key=lambda at: (-(total * weights[at] % whole), at))
    for at in nearest[:left]:
        parts[at] += 1
    return parts


def places(purse: Purse, paid: int) -> list[Share]:
    """The prizes by place, before anybody has won them."""
    amounts = split(purse.fee * paid + purse.added, purse.shares, 100)
    percents = zip(amounts, purse.shares, strict=True)
    return [Share(place, amount, percent) for place, (amount, percent) in enumerate(percents, 1)]


def won(shares: Sequence[Share], ended: Sequence[Final]) -> list[Share]:
    """Who gets which prize: those who share a place share the prizes of their places, to the last hundredth."""
    at = {one.place: one for one in shares}
    found: list[Share] = []
    for place, group in _level(ended).items():
        there = [at[one] for one in range(place, place + len(group)) if one in at]
        parts = split(sum(one.amount for one in there), [1] * len(group), len(group))
        percent = there[0].percent if len(group) == 1 and there else None
        found += [Share(place, part, percent, one.entrant) for one, part in zip(group, parts, strict=True) if part]
    return found


def pool_won(pool: Pool, ended: Sequence[Final]) -> list[Share]:
    """The whole side pool for the best of those who are in it; who stand level share it."""
    there = _level([one for one in ended if one.entrant in pool.entrants])
    best = next(iter(there.values()), [])
    parts = split(pool.total, [1] * len(best), len(best)) if best else []
    return [Share(one.place, part, None, one.entrant) for one, part in zip(best, parts, strict=True)]


def _level(ended: Sequence[Final]) -> dict[int, list[Final]]:
    """Those who share each place, from the first."""
    found: dict[int, list[Final]] = {}
    for one in ended:
        found.setdefault(one.place, []).append(one)
    return found
