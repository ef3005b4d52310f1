"""Play under faults: matches that follow each other, one fault after another, and the report at the end."""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import statistics
import time
import urllib.parse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tools.faults.play.audit import Rows, breaches, describe
from tools.faults.play.bot import Bot
from tools.faults.play.breakable_site import BreakableSite, with_proxies
from tools.faults.play.faults import KINDS, SOCKETS_EACH, Kind, Outcome
from tools.faults.play.record import Record
from tools.faults.play.table import Table

RECOVERY = 90.0  # seconds after which a match that does not go on is a breach
END_TIMEOUT = 60.0  # seconds for the last answers
POLL_INTERVAL = 0.05
TOKEN = "0" * 32  # the CSRF token, which has to be the same in cookie and header
SHOWN = 20  # breaches printed in full
OF_CELERY = ("clocks", "beat")
LAST = 12  # log lines printed for a process that ended unexpectedly

PrintLine = Callable[[str], object]


@dataclass(frozen=True)
class Plan:
    """The size of a run: it ends after so many acknowledged acts and so many faults, or after `minutes`.

    `beside` is the probability that a light fault coincides with another.
    """

    seed: int
    acts: int = 10_000
    faults: int = 100
    tables: int = 20
    crowd: int = 1000
    pace: float = 0.15
    minutes: float = 25.0
    beside: float = 0.2
    kinds: Sequence[Kind] = KINDS


@dataclass
class Account:
    """The result of a run."""

    plan: Plan
    seconds: float = 0.0
    acts: int = 0
    matches: int = 0
    ended: Counter[str] = field(default_factory=Counter)
    held: int = 0
    outcomes: list[Outcome] = field(default_factory=list)
    count: Counter[str] = field(default_factory=Counter)
    started_again: Counter[str] = field(default_factory=Counter)
    breaches: list[str] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        return bool(self.breaches) or self.acts < self.plan.acts or len(self.outcomes) < self.plan.faults


class FaultRun:
    """The site, its live matches, and what happened so far."""

    def __init__(self, site: BreakableSite, plan: Plan, *, print_line: PrintLine) -> None:
        self.site, self.plan, self.print_line = site, plan, print_line
        self.choose = random.Random(plan.seed)
        self.tables: list[Table] = []
        self.crowd: list[str] = []
        self.account = Account(plan)
        self.offers: list[dict[str, Any]] = []
        self._offering, self._offered = asyncio.Lock(), 0
        self._leaving = False

    @property
    def live(self) -> list[Table]:
        return [table for table in self.tables if not table.over]

    @property
    def acts(self) -> int:
        return sum(len(table.acked) for table in self.tables)

    def at_web(self, number: int) -> list[Table]:
        """Return the live matches with a bot at this web process."""
        url = self.site.proxies[number].url
        return [table for table in self.live if any(bot.url == url for bot in table.bots)]

    def breach(self, text: str) -> None:
        self.account.breaches.append(text)
        self.print_line(f"BREACH {text}")

    async def run(self) -> Account:
        """Run everything. Raises what a bot raises: a bot that gives up is a defect of the bot."""
        plan = self.plan
        self.offers = await asyncio.to_thread(self._ask, f"create_matches({2 * plan.tables})")
        self.crowd = await asyncio.to_thread(self._ask, f"crowd({-(-plan.crowd // SOCKETS_EACH)})")
        await asyncio.to_thread(
            self.site.grow_actions_table, await asyncio.to_thread(self._ask, "create_unplayed_match()")
        )
        started_at = time.monotonic()
        async with with_proxies(self.site, self.choose):
            playing = [asyncio.create_task(self._play_matches()) for _ in range(plan.tables)]
            breaking = asyncio.create_task(self._break())
            progress = asyncio.create_task(self._report_progress(started_at))
            try:
                await self._until_enough(started_at, [*playing, breaking])
                self._leaving = True
                for bot in self._bots:
                    bot.leaving = True
                _, late = await asyncio.wait(playing, timeout=END_TIMEOUT)
                if late:
                    self.breach(f"{len(late)} tables did not end: an act has no answer")
            finally:
                for task in (progress, breaking, *playing):
                    task.cancel()
                await asyncio.gather(progress, breaking, *playing, return_exceptions=True)
        self.account.seconds, self.account.acts = time.monotonic() - started_at, self.acts
        await asyncio.to_thread(self._check)
        return self.account

    @property
    def _bots(self) -> list[Bot]:
        return [bot for table in self.tables for bot in table.bots]

    def _ask(self, call: str) -> Any:
        try:
            return self.site.ask(f"from tools.faults.play import match_data; answer = match_data.{call}")
        except AssertionError as error:
            log = self.site.database.log.read_text(errors="replace").splitlines()
            raise AssertionError("\n".join([str(error), "the end of the database's log:", *log[-LAST:]])) from None

    # Play

    async def _play_matches(self) -> None:
        """Play one match after another."""
        while not self._leaving:
            seat = await self._seat()
            if self._leaving:  # it took a while: the database was unavailable
                return
            bots = [self._bot(seat["id"], name, cookie) for name, cookie in seat["cookies"].items()]
            table = Table(seat["id"], bots)
            for bot in bots:
                bot.acked_at = table.acked
            self.tables.append(table)
            await table.play()

    async def _seat(self) -> dict[str, Any]:
        """Return the next match, just begun; create more when there are none, however broken the site is."""
        async with self._offering:
            while not self.offers:
                with suppress(AssertionError):  # the database was unavailable
                    self._offered += 2 * self.plan.tables
                    call = f"create_matches({2 * self.plan.tables}, since={self._offered})"
                    self.offers = await asyncio.to_thread(self._ask, call)
        seat = self.offers.pop()
        while not await asyncio.to_thread(self._joined, seat):
            await asyncio.sleep(0.3)
        return seat

    def _joined(self, seat: dict[str, Any]) -> bool:
        """Whether the second player has joined: the request or only its response may have been lost."""
        _, cookie = seat["cookies"].values()
        address = urllib.parse.urlsplit(self.choose.choice(self.site.urls))
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=10)
        headers = {"Cookie": f"{cookie}; csrftoken={TOKEN}", "X-CSRFToken": TOKEN}
        try:
            connection.request("POST", f"/match/{seat['id']}/join/", b"", headers)
            connection.getresponse().read()
            connection.request("GET", f"/api/v1/matches/{seat['id']}/", headers=headers)
            answer = connection.getresponse()
            return answer.status == http.client.OK and json.loads(answer.read())["match"]["status"] != "open"
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def _bot(self, match_id: str, name: str, cookie: str) -> Bot:
        choose = random.Random(f"{self.plan.seed} {name}")
        proxies = self.site.proxies
        return Bot(
            match_id=match_id,
            name=name,
            cookie=cookie,
            choose_url=lambda: choose.choice(proxies).url,
            choose=choose,
            pace=self.plan.pace,
        )

    @property
    def _enough(self) -> bool:
        return self.acts >= self.plan.acts and len(self.account.outcomes) >= self.plan.faults

    async def _until_enough(self, started_at: float, tasks: Sequence[asyncio.Task[None]]) -> None:
        """Return between two faults: nothing may break while the last acts are answered and counted."""
        while time.monotonic() - started_at < self.plan.minutes * 60:
            for task in tasks:
                if task.done():
                    task.result()
            if self._enough and not self.now:
                return
            await asyncio.sleep(POLL_INTERVAL)
        self.breach(f"not enough in {self.plan.minutes:g} minutes")

    async def _report_progress(self, started_at: float) -> None:
        while True:
            await asyncio.sleep(10)
            faults = f"{len(self.account.outcomes)} faults" + (f", now {self.now}" if self.now else "")
            self.print_line(
                f"{time.monotonic() - started_at:5.0f} s  {self.acts} acts, {faults}, {len(self.live)} tables, "
                f"{len(self.tables) - len(self.live)} matches ended, {len(self.account.breaches)} breaches"
            )

    # Faults

    now = ""

    async def _break(self) -> None:
        """Cause one fault after another, each when the matches go on again; sometimes with a light one beside it."""
        kinds = self._kinds()
        while True:
            await self._quiet()
            if self._leaving:
                return
            chosen = [next(kinds)]
            light = [kind for kind in self.plan.kinds if kind.light and kind is not chosen[0]]
            if light and self.choose.random() < self.plan.beside:
                chosen.append(self.choose.choice(light))
            self.now = ", ".join(kind.name for kind in chosen)
            await asyncio.gather(*(self._inflict(kind) for kind in chosen))
            self._restart_ended_processes()
            self.now = ""
            if self._enough:
                return

    def _kinds(self) -> Iterator[Kind]:
        """Yield each kind once in random order, then by weight."""
        yield from self.choose.sample(list(self.plan.kinds), len(self.plan.kinds))
        while True:
            yield from self.choose.choices(self.plan.kinds, [kind.weight for kind in self.plan.kinds])

    async def _quiet(self) -> None:
        """Wait for some undisturbed acts, so that each fault meets matches in play."""
        before = self.acts
        while self.acts < before + max(3, self.plan.tables // 2):
            await asyncio.sleep(POLL_INTERVAL)
        await asyncio.sleep(self.choose.uniform(0, 0.5))

    async def _inflict(self, kind: Kind) -> None:
        outcome = Outcome(kind.name)
        await kind.does(self, outcome)
        waiting, end = list(outcome.touched), time.monotonic() + RECOVERY
        while waiting := [each for each in waiting if each.first_after(outcome.at) is None and not each.over]:
            if all(table.asleep for table in waiting):
                break
            if time.monotonic() > end:
                names = ", ".join(table.match_id for table in waiting)
                self.breach(f"{RECOVERY:g} s after {kind.name} nobody acts at {names}")
                break
            await asyncio.sleep(POLL_INTERVAL)
        moments = [moment for table in outcome.touched if (moment := table.first_after(outcome.at)) is not None]
        if moments:
            outcome.first, outcome.all = min(moments) - outcome.at, max(moments) - outcome.at
        self.account.outcomes.append(outcome)

    def _restart_ended_processes(self) -> None:
        """Restart processes that ended, as systemd would; only Celery's may end by themselves.

        A worker ends (kombu: "'NoneType' object has no attribute 'hostname'") when the broker goes while it has a task.
        docs/operations.md has systemd or Docker restart it, and the rows drive the work.
        """
        for name, process in list(self.site.running.items()):
            if process.poll() is None:
                continue
            self.account.started_again[name] += 1
            if name not in OF_CELERY:
                last = "\n".join(self.site.lines().splitlines()[-LAST:])
                self.breach(f"{name} ended unexpectedly with {process.returncode} after {self.now}:\n{last}")
            self.site.start(name)

    # The report

    def _check(self) -> None:
        records: dict[str, list[Record]] = {table.match_id: [bot.record for bot in table.bots] for table in self.tables}
        for match in self._ask(f"read_matches({list(records)!r})"):
            rows, seen = Rows.read(match), records[match["id"]]
            for breach in breaches(rows, seen):
                self.account.breaches.append(describe(breach, rows, seen))
            self.account.matches += match["over"]
            self.account.ended.update([match["ended_by"]] if match["over"] else [])
            self.account.held += sum(row.actor == "server" and row.text.startswith("hold") for row in rows.actions)
        self.account.count = sum((bot.record.count for bot in self._bots), Counter[str]())


def report(account: Account) -> str:
    """Return the result as a table, with everything that was wrong."""
    lines = [
        f"seed {account.plan.seed}: {account.acts} acknowledged acts, {len(account.outcomes)} faults, "
        f"{account.seconds / 60:.1f} minutes",
        f"{account.matches} matches ended ({_listed(account.ended)}), {account.held} openings were held by the sweep",
        f"the bots: {_listed(account.count)}",
        f"ended by themselves and started again: {_listed(account.started_again)}",
        "",
        f"{'fault':<20} {'count':>5}  {'first act after it':>20}  {'all tables act again':>20}",
        f"{'':<20} {'':>5}  {'p50 s':>9} {'max s':>10}  {'p50 s':>9} {'max s':>10}",
    ]
    for name in sorted({outcome.kind for outcome in account.outcomes}):
        chosen = [outcome for outcome in account.outcomes if outcome.kind == name]
        lines.append(f"{name:<20} {len(chosen):>5}  {_spread(chosen, 'first')}  {_spread(chosen, 'all')}")
    notes = [f"  {outcome.kind}: {outcome.note}" for outcome in account.outcomes if outcome.note]
    lines += ["", *notes, "", *account.breaches[:SHOWN]]
    return "\n".join([*lines, f"{len(account.breaches)} breaches" if account.failed else "0 lost, 0 doubled"])


def _spread(outcomes: Sequence[Outcome], name: str) -> str:
    seconds = [value for outcome in outcomes if (value := getattr(outcome, name)) is not None]
    return f"{statistics.median(seconds):>9.2f} {max(seconds):>10.2f}" if seconds else f"{'-':>9} {'-':>10}"


def _listed(count: Counter[str]) -> str:
    return ", ".join(f"{times} {name}" for name, times in count.most_common()) or "none"


def run(site: BreakableSite, plan: Plan, *, print_line: PrintLine = print) -> Account:
    """A night in an event loop of its own."""
    return asyncio.run(FaultRun(site, plan, print_line=print_line).run())
