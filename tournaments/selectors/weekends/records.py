"""The records of a weekend in words, with their history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from tournaments.models import Entrant, Tournament, Weekend, WeekendRecord
from tournaments.selectors import labels
from tournaments.selectors.prizes import format_amount
from tournaments.selectors.weekends.people import tournaments_of
from tournaments.selectors.weekends.prizes import TournamentPrizes
from tournaments.weekend_records import ConsolationShare, Content, Lot, SidePool, lot_winnings, read


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """A record as it was written: who, when, and what it said."""

    at: str
    by: str
    text: str
    removed: bool


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A record that counts: its title, its facts, and what was recorded about it before."""

    ref: int
    content: Content
    title: str
    facts: list[str]
    history: list[HistoryLine]

    @property
    def last(self) -> HistoryLine:
        return self.history[-1]


@dataclass(frozen=True, slots=True)
class Records:
    """All records of a weekend by kind, and those that were taken out."""

    pools: list[RecordRow]
    lots: list[RecordRow]
    consolations: list[RecordRow]
    removed: list[HistoryLine]
    auction_total: str


class _Words:
    """The words of records: names of people and tournaments, and moments."""

    def __init__(self, weekend: Weekend, rows: Sequence[WeekendRecord]) -> None:
        self.zone = ZoneInfo(weekend.club.timezone)
        contents = [read(row.kind, row.data) for row in rows]
        people = {pk for content in contents for pk in people_in(content)}
        entrants = Entrant.objects.filter(pk__in=people).select_related("user")
        self.names: Mapping[int, str] = {entrant.pk: entrant.name for entrant in entrants}
        self.tournaments: Mapping[str, Tournament] = {each.pk: each for each in tournaments_of(weekend)}

    def name(self, pk: int) -> str:
        return self.names.get(pk, "?")

    def title(self, content: Content) -> str:
        if isinstance(content, SidePool):
            return content.name
        if isinstance(content, Lot):
            return self.name(content.player)
        found = self.tournaments.get(content.tournament)
        return found.name if found is not None else "?"

    def facts(self, content: Content) -> list[str]:
        if isinstance(content, SidePool):
            return self._pool_facts(content)
        if isinstance(content, Lot):
            price = format_amount(content.price, content.currency)
            facts = [_("bought by %(name)s for %(price)s") % {"name": content.buyer, "price": price}]
            return [*facts, *([_("%(n)s%% of the pool") % {"n": content.share}] if content.share else [])]
        return [_("%(n)s%% of the prize fund goes to the consolation") % {"n": content.percent}]

    def _pool_facts(self, pool: SidePool) -> list[str]:
        stake, total = (format_amount(amount, pool.currency) for amount in (pool.stake, pool.total))
        facts = [_("stake %(stake)s, total %(total)s") % {"stake": stake, "total": total}]
        if pool.people:
            facts.append(_("In it: %(names)s") % {"names": ", ".join(map(self.name, pool.people))})
        if pool.winners:
            won = (
                f"{self.name(pk)} {format_amount(part, pool.currency)}"
                for pk, part in zip(pool.winners, pool.parts, strict=True)
            )
            facts.append(_("Won by: %(names)s") % {"names": ", ".join(won)})
        return facts

    def line(self, row: WeekendRecord) -> HistoryLine:
        content = read(row.kind, row.data)
        text = "; ".join([self.title(content), *self.facts(content)])
        by = row.by.username if row.by is not None else ""
        return HistoryLine(labels.format_moment(row.at, self.zone, labels.SHORT), by, text, row.removed)


def people_in(content: Content) -> tuple[int, ...]:
    """The entries that a record names."""
    if isinstance(content, SidePool):
        return (*content.people, *content.winners)
    return (content.player,) if isinstance(content, Lot) else ()


def records(weekend: Weekend) -> Records:
    """The records of a weekend, in three queries."""
    rows = list(WeekendRecord.objects.filter(weekend=weekend).select_related("by").order_by("n"))
    words = _Words(weekend, rows)
    histories: dict[int, list[WeekendRecord]] = {}
    for row in rows:
        histories.setdefault(row.ref, []).append(row)
    found: dict[str, list[RecordRow]] = {"pool": [], "lot": [], "consolation": []}
    removed = []
    for ref, history in histories.items():
        lines = [words.line(row) for row in history]
        if history[-1].removed:
            removed.append(lines[-1])
            continue
        content = read(history[-1].kind, history[-1].data)
        found[history[-1].kind].append(RecordRow(ref, content, words.title(content), words.facts(content), lines))
    lots = [cast(Lot, row.content) for row in found["lot"]]
    totals: dict[str, int] = {}
    for lot in lots:
        totals[lot.currency] = totals.get(lot.currency, 0) + lot.price
    return Records(
        found["pool"],
        _with_winnings(found["lot"]),
        found["consolation"],
        removed,
        ", ".join(format_amount(amount, currency) for currency, amount in sorted(totals.items())),
    )


def _with_winnings(rows: list[RecordRow]) -> list[RecordRow]:
    """The lots, with what each wins of the pool of its currency."""
    by_currency: dict[str, list[RecordRow]] = {}
    for row in rows:
        by_currency.setdefault(cast(Lot, row.content).currency, []).append(row)
    for currency, group in by_currency.items():
        for row, amount in zip(group, lot_winnings([cast(Lot, row.content) for row in group]), strict=True):
            if amount:
                row.facts.append(_("wins %(amount)s") % {"amount": format_amount(amount, currency)})
    return rows


def consolation_amounts(found: Records, prizes: Sequence[TournamentPrizes]) -> dict[str, str]:
    """What goes to the consolation of each tournament with a share, by tournament."""
    sheets = {each.tournament.pk: each.sheet for each in prizes}
    amounts = {}
    for row in found.consolations:
        share = cast(ConsolationShare, row.content)
        if share.tournament in sheets:
            amounts[share.tournament] = sheets[share.tournament].part(share.percent)
    return amounts
