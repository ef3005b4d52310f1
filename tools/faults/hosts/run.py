"""Rounds of a run: each host is killed, cut off and brought back while the matches go on; then the audit."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter
from typing import Any

from tools.faults.hosts import network
from tools.faults.hosts.cluster import Cluster
from tools.faults.hosts.players import NO_CHARGE, Balancer, Charge, Player, Thinking, charged_beyond
from tools.faults.play.audit import Rows, breaches, describe
from tools.faults.play.table import Table

LONGEST_PAUSE = 15.0  # seconds that a match may stand still
GOES_ON = 5.0  # seconds beside those of thinking within which somebody acted in a match that goes on
MOST_CHARGED = 5.0  # seconds that an act may cost beyond thinking: until the loss of a web process is known
WHOLE_AGAIN = 120.0  # seconds for a host that is brought back
QUIET = 5.0  # seconds of play before each fault
AWAY = 18.0  # seconds that a host is gone, long enough for everything to move
END_TIMEOUT = 60.0

PrintLine = Callable[[str], object]


@dataclass(frozen=True)
class Plan:
    """The size of a run: matches at a time, the seconds that a bot thinks on average, the kinds of faults."""

    seed: int
    matches: int
    pace: float
    kinds: Sequence[str] = ("killed", "cut off")
    hosts: Sequence[int] = network.NUMBERS


@dataclass(frozen=True)
class Pause:
    """`seconds` without an act in a match beside those of thinking, `after` so many since the fault."""

    seconds: float
    after: float
    match_id: str


NO_PAUSE = Pause(0.0, 0.0, "-")


@dataclass
class Round:
    """One fault: what the host did, the longest pause of a match, and the seconds until all was whole again."""

    kind: str
    number: int
    roles: list[str]
    begun: float = 0.0
    ended: float = 0.0
    pause: Pause = NO_PAUSE
    median_pause: float = 0.0
    whole: float = 0.0
    charge: Charge = NO_CHARGE
    acts: int = 0


@dataclass
class Account:
    """The result of a run."""

    plan: Plan
    rounds: list[Round] = field(default_factory=list)
    breaches: list[str] = field(default_factory=list)
    count: Counter[str] = field(default_factory=Counter)
    restarted: Counter[str] = field(default_factory=Counter)
    acts: int = 0
    matches: int = 0
    seconds: float = 0.0
    quiet: Charge = NO_CHARGE

    @property
    def late(self) -> list[Round]:
        return [each for each in self.rounds if each.pause.seconds > LONGEST_PAUSE]

    @property
    def dear(self) -> list[Round]:
        return [each for each in self.rounds if each.charge.seconds > MOST_CHARGED]

    @property
    def failed(self) -> bool:
        return bool(self.breaches or self.late or self.dear) or len(self.rounds) < len(self.plan.kinds) * len(
            self.plan.hosts
        )


class HostsRun:
    """The hosts, the matches at them, and what happened so far."""

    def __init__(self, cluster: Cluster, plan: Plan, print_line: PrintLine) -> None:
        self.cluster, self.plan, self.print_line = cluster, plan, print_line
        self.tables: list[Table] = []
        self.account = Account(plan)
        self._balancer = Balancer(cluster.urls)
        self._offers: list[dict[str, Any]] = []
        self._offered = 0
        self._creating = asyncio.Lock()
        self._leaving = False

    async def run(self) -> Account:
        began = time.monotonic()
        playing = [asyncio.create_task(self._play_matches()) for _ in range(self.plan.matches)]
        try:
            await self._until(playing, lambda: len(self._live) >= self.plan.matches, 120)
            for kind in self.plan.kinds:
                left = list(self.plan.hosts)
                while left:
                    primary = await asyncio.to_thread(self.cluster.primary)
                    number = primary if primary in left else left[0]
                    left.remove(number)
                    try:
                        await self._round(kind, number, playing)
                    except TimeoutError as error:  # no more faults: what was played until now is counted
                        self.account.breaches.append(f"host {number} {kind}: {error}".partition("\n")[0])
                        self.print_line(str(error))
                        break
                if self.account.breaches:
                    break
            await self._leave(playing)
        finally:
            self.cluster.stopping.set()
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        self.account.seconds = time.monotonic() - began
        await asyncio.to_thread(self._check)
        return self.account

    # Play

    @property
    def _live(self) -> list[Table]:
        return [table for table in self.tables if not table.over]

    @property
    def _players(self) -> Iterator[Player]:
        return (bot for table in self.tables for bot in table.bots if isinstance(bot, Player))

    async def _play_matches(self) -> None:
        """Play one match after another."""
        while not self._leaving:
            offer = await self._offer()
            if offer is None:
                await asyncio.sleep(0.5)
                continue
            if self._leaving:
                break
            bots = [
                Player(
                    match_id=offer["id"],
                    name=name,
                    cookie=cookie,
                    balancer=self._balancer,
                    seed=f"{self.plan.seed} {name}",
                    pace=self.plan.pace,
                )
                for name, cookie in offer["cookies"].items()
            ]
            table = Table(offer["id"], bots)
            for bot in bots:
                bot.acked_at = table.acked
            self.tables.append(table)
            await table.play()
            for bot in bots:
                self._balancer.leave(bot.url)

    async def _offer(self) -> dict[str, Any] | None:
        """Return the next match; None while the database is away."""
        async with self._creating:
            if not self._offers:
                call = f"create_matches({max(2, self.plan.matches)}, since={self._offered})"
                self._offered += max(2, self.plan.matches)
                code = f"from tools.faults.hosts import match_data; answer = match_data.{call}"
                with suppress(AssertionError):
                    self._offers = await asyncio.to_thread(self.cluster.ask, code)
            return self._offers.pop(0) if self._offers else None

    async def _until(self, playing: Sequence[asyncio.Task[None]], ready: Callable[[], object], seconds: float) -> None:
        end = time.monotonic() + seconds
        while not ready():
            for task in playing:
                if task.done():
                    task.result()
            if time.monotonic() > end:
                raise TimeoutError(f"the matches do not go on: {len(self._live)} of {self.plan.matches}")
            await asyncio.sleep(0.1)

    async def _leave(self, playing: Sequence[asyncio.Task[None]]) -> None:
        self._leaving = True
        for bot in self._players:
            bot.leaving = True
        _, late = await asyncio.wait(playing, timeout=END_TIMEOUT)
        if late:
            self.account.breaches.append(f"{len(late)} matches did not end: an act has no answer")

    # Faults

    async def _round(self, kind: str, number: int, playing: Sequence[asyncio.Task[None]]) -> None:
        cluster, host = self.cluster, self.cluster.hosts[number - 1]
        await asyncio.sleep(QUIET)
        seen = Round(kind, number, await asyncio.to_thread(cluster.roles, number))
        watched = self._live
        seen.begun = time.monotonic()
        await asyncio.to_thread(host.kill if kind == "killed" else lambda: network.cut(number))
        await asyncio.sleep(AWAY)
        back = time.monotonic()
        await asyncio.to_thread(host.start if kind == "killed" else lambda: network.mend(number))
        await asyncio.to_thread(cluster.wait_whole, WHOLE_AGAIN)
        seen.whole = time.monotonic() - back
        lately = GOES_ON + 2 * self.plan.pace
        await self._until(
            playing, lambda: all(_goes_on(table, seen.begun, lately) for table in watched), LONGEST_PAUSE * 2 + lately
        )
        seen.ended = time.monotonic()
        pauses = sorted((_longest_pause(table, seen) for table in watched), key=attrgetter("seconds"))
        seen.pause, seen.median_pause = pauses[-1], pauses[len(pauses) // 2].seconds
        seen.acts = sum(seen.begun <= moment <= seen.ended for table in self.tables for moment in table.acked)
        self.account.rounds.append(seen)
        self.print_line(
            f"host {number} {kind}: longest pause {seen.pause.seconds:.1f} s, whole again after {seen.whole:.1f} s, "
            f"{seen.acts} acts meanwhile"
        )

    # The end

    def _check(self) -> None:
        account = self.account
        tables = {table.match_id: table for table in self.tables}
        code = f"from tools.faults.play import match_data; answer = match_data.read_matches({list(tables)!r})"
        for match in self.cluster.ask(code):
            rows, table = Rows.read(match), tables[match["id"]]
            records = [bot.record for bot in table.bots]
            account.breaches += [describe(each, rows, records) for each in breaches(rows, records)]
            account.matches += match["over"]
            for bot in table.bots:
                assert isinstance(bot, Player)
                for charge in charged_beyond(rows, bot):
                    self._charge(charge)
        account.acts = sum(len(table.acked) for table in self.tables)
        account.count = sum((bot.record.count for bot in self._players), Counter[str]())
        account.restarted = Counter(name for host in self.cluster.hosts for name in host.restarted)

    def _charge(self, charge: Charge) -> None:
        for seen in self.account.rounds:
            if seen.begun - LONGEST_PAUSE <= charge.sent <= seen.ended:
                seen.charge = max(seen.charge, charge, key=attrgetter("seconds"))
                return
        self.account.quiet = max(self.account.quiet, charge, key=attrgetter("seconds"))


def _goes_on(table: Table, begun: float, lately: float) -> bool:
    """Whether somebody has acted since the fault, and within the last seconds."""
    return table.over or (bool(table.acked) and table.acked[-1] > max(begun, time.monotonic() - lately))


def _longest_pause(table: Table, seen: Round) -> Pause:
    """The longest time without an act, without what the player thought who ended it."""
    thought: dict[float, Thinking] = {}
    for bot in table.bots:
        assert isinstance(bot, Player)
        thought |= bot.thought
    moments = [seen.begun, *(moment for moment in table.acked if seen.begun < moment < seen.ended)]
    pauses = (
        Pause(
            later - earlier - (thought[later].within(earlier, later) if later in thought else 0.0),
            earlier - seen.begun,
            table.match_id,
        )
        for earlier, later in pairwise(moments)
    )
    return max(pauses, key=attrgetter("seconds"), default=NO_PAUSE)


def report(account: Account) -> str:
    """Return the result as a table, with everything that was wrong."""
    plan = account.plan
    lines = [
        f"seed {plan.seed}: {plan.matches} matches at a time, {account.acts} acknowledged acts, "
        f"{len(account.rounds)} faults, {account.seconds / 60:.1f} minutes",
        f"the bots: {_listed(account.count)}",
        f"ended by themselves and started again: {_listed(account.restarted)}",
        "",
        f"{'host':<5} {'fault':<8} {'it was':<28} {'pause, s':>15}  {'whole, s':>8}  {'clock, s':>8}  {'acts':>5}",
        f"{'':<5} {'':<8} {'':<28} {'median':>7} {'longest':>7}  {'':>8}  {'':>8}  {'':>5}",
    ]
    for seen in account.rounds:
        lines.append(
            f"{seen.number:<5} {seen.kind:<8} {', '.join(seen.roles) or '-':<28} {seen.median_pause:>7.1f} "
            f"{seen.pause.seconds:>7.1f}  {seen.whole:>8.1f}  {seen.charge.seconds:>8.2f}  {seen.acts:>5}"
        )
    lines += [
        "",
        "clock: the most that one act cost beyond its player's thinking; without a fault "
        f"{account.quiet.seconds:.2f} s",
        *(
            f"host {seen.number} {seen.kind}: {seen.charge.seconds:.2f} s for act {seen.charge.act}"
            for seen in account.dear
        ),
        *account.breaches[:20],
        *(
            f"host {seen.number} {seen.kind}: {seen.pause.match_id} stood still for {seen.pause.seconds:.1f} s, "
            f"from {seen.pause.after:.1f} s after the fault"
            for seen in account.late
        ),
        f"{len(account.breaches)} breaches" if account.breaches else "0 lost, 0 doubled",
    ]
    return "\n".join(lines)


def _listed(count: Counter[str]) -> str:
    return ", ".join(f"{times} {name}" for name, times in count.most_common()) or "none"


def run(cluster: Cluster, plan: Plan, *, print_line: PrintLine = print) -> Account:
    """Run `HostsRun` in an event loop of its own."""

    async def whole() -> Account:
        return await HostsRun(cluster, plan, print_line).run()

    return asyncio.run(whole())
