"""A night of play: tables that are never empty, one fault after another, and at the end the account."""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import statistics
import time
import urllib.parse
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tests.faults.play.bot import Bot
from tests.faults.play.checker import Rows, both_sides, breaches
from tests.faults.play.faults import KINDS, SOCKETS_EACH, Injury, Kind
from tests.faults.play.house import House, entered
from tests.faults.play.told import Record

RECOVERY = 90.0  # seconds after which a table that does not act again is a breach
FAREWELL = 60.0  # seconds for the last answers
LOOK = 0.05
TOKEN = "0" * 32  # against forged posts: the cookie's and the header's must be the same
SHOWN = 20  # breaches written out
OF_CELERY = ("clocks", "beat")
LAST = 12  # lines of the log that belong to a process that ended by itself

Say = Callable[[str], object]


@dataclass(frozen=True)
class Plan:
    """How much: it ends when so many acts are acknowledged and so many faults have happened, or after `minutes`.

    `beside` is how often a light fault comes beside another.
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


class Table:
    """One match and its two bots. `acked` are the moments of its acknowledged acts."""

    def __init__(self, match_id: str, bots: Sequence[Bot]) -> None:
        self.match_id, self.bots = match_id, bots
        self.acked: list[float] = []
        self.closed = False

    @property
    def over(self) -> bool:
        return self.closed or any(bot.over for bot in self.bots)

    @property
    def asleep(self) -> bool:
        """It waits for the server's `hold`, and acts for nobody until then."""
        return any(bot.asleep for bot in self.bots)

    async def play(self) -> None:
        try:
            await asyncio.gather(*(bot.play() for bot in self.bots))
        finally:
            self.closed = True

    def first_after(self, moment: float) -> float | None:
        """The moment of the first act that was acknowledged after `moment`."""
        place = bisect_right(self.acked, moment)
        return self.acked[place] if place < len(self.acked) else None


@dataclass
class Account:
    """What came of a night."""

    plan: Plan
    seconds: float = 0.0
    acts: int = 0
    matches: int = 0
    ended: Counter[str] = field(default_factory=Counter)
    held: int = 0
    injuries: list[Injury] = field(default_factory=list)
    count: Counter[str] = field(default_factory=Counter)
    started_again: Counter[str] = field(default_factory=Counter)
    breaches: list[str] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        return bool(self.breaches) or self.acts < self.plan.acts or len(self.injuries) < self.plan.faults


class Night:
    """The house, its live tables, and what happened so far."""

    def __init__(self, house: House, plan: Plan, *, say: Say) -> None:
        self.house, self.plan, self.say = house, plan, say
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

    def at_door(self, number: int) -> list[Table]:
        """The live tables with a bot that came in here."""
        url = self.house.entrances[number].url
        return [table for table in self.live if any(bot.door == url for bot in table.bots)]

    def breach(self, what: str) -> None:
        self.account.breaches.append(what)
        self.say(f"BREACH {what}")

    async def pass_by(self) -> Account:
        """The whole night. Raises what a bot raises; a bot that gives up is a defect of the bot."""
        plan = self.plan
        self.offers = await asyncio.to_thread(self._ask, f"offered({2 * plan.tables})")
        self.crowd = await asyncio.to_thread(self._ask, f"crowd({-(-plan.crowd // SOCKETS_EACH)})")
        await asyncio.to_thread(self.house.fatten, await asyncio.to_thread(self._ask, "nobodys()"))
        begun = time.monotonic()
        async with entered(self.house, self.choose):
            playing = [asyncio.create_task(self._one_after_another()) for _ in range(plan.tables)]
            breaking = asyncio.create_task(self._break())
            telling = asyncio.create_task(self._tell(begun))
            try:
                await self._until_enough(begun, [*playing, breaking])
                self._leaving = True
                for bot in self._bots:
                    bot.leaving = True
                _, late = await asyncio.wait(playing, timeout=FAREWELL)
                if late:
                    self.breach(f"{len(late)} tables did not end: an act has no answer")
            finally:
                for task in (telling, breaking, *playing):
                    task.cancel()
                await asyncio.gather(telling, breaking, *playing, return_exceptions=True)
        self.account.seconds, self.account.acts = time.monotonic() - begun, self.acts
        await asyncio.to_thread(self._check)
        return self.account

    @property
    def _bots(self) -> list[Bot]:
        return [bot for table in self.tables for bot in table.bots]

    def _ask(self, call: str) -> Any:
        try:
            return self.house.ask(f"from tests.faults.play import stage; answer = stage.{call}")
        except AssertionError as error:
            log = self.house.database.log.read_text(errors="replace").splitlines()
            raise AssertionError("\n".join([str(error), "the end of the database's log:", *log[-LAST:]])) from None

    # Play

    async def _one_after_another(self) -> None:
        """A table that is over makes room for the next match."""
        while not self._leaving:
            seat = await self._seat()
            if self._leaving:  # it took a while: the database was away
                return
            bots = [self._bot(seat["id"], name, cookie) for name, cookie in seat["cookies"].items()]
            table = Table(seat["id"], bots)
            for bot in bots:
                bot.acked_at = table.acked
            self.tables.append(table)
            await table.play()

    async def _seat(self) -> dict[str, Any]:
        """The next match, which has just begun; more are offered while the house burns, until there are some."""
        async with self._offering:
            while not self.offers:
                with suppress(AssertionError):  # the database was away
                    self._offered += 2 * self.plan.tables
                    call = f"offered({2 * self.plan.tables}, since={self._offered})"
                    self.offers = await asyncio.to_thread(self._ask, call)
        seat = self.offers.pop()
        while not await asyncio.to_thread(self._joined, seat):
            await asyncio.sleep(0.3)
        return seat

    def _joined(self, seat: dict[str, Any]) -> bool:
        """Whether the second player is at the table: his post may have been lost, or only the answer to it."""
        _, cookie = seat["cookies"].values()
        address = urllib.parse.urlsplit(self.choose.choice(self.house.doors))
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
        doors = self.house.entrances
        return Bot(
            match_id=match_id,
            name=name,
            cookie=cookie,
            doors=lambda: choose.choice(doors).url,
            choose=choose,
            pace=self.plan.pace,
        )

    @property
    def _enough(self) -> bool:
        return self.acts >= self.plan.acts and len(self.account.injuries) >= self.plan.faults

    async def _until_enough(self, begun: float, tasks: Sequence[asyncio.Task[None]]) -> None:
        """Return between two faults: nothing may be broken any more while the tables say farewell and are counted."""
        while time.monotonic() - begun < self.plan.minutes * 60:
            for task in tasks:
                if task.done():
                    task.result()
            if self._enough and not self.now:
                return
            await asyncio.sleep(LOOK)
        self.breach(f"not enough in {self.plan.minutes:g} minutes")

    async def _tell(self, begun: float) -> None:
        while True:
            await asyncio.sleep(10)
            faults = f"{len(self.account.injuries)} faults" + (f", now {self.now}" if self.now else "")
            self.say(
                f"{time.monotonic() - begun:5.0f} s  {self.acts} acts, {faults}, {len(self.live)} tables, "
                f"{len(self.tables) - len(self.live)} matches ended, {len(self.account.breaches)} breaches"
            )

    # Faults

    now = ""

    async def _break(self) -> None:
        """One fault after another, each when the tables act again; sometimes a light one beside it."""
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
            self._look_after_processes()
            self.now = ""
            if self._enough:
                return

    def _kinds(self) -> Iterator[Kind]:
        """Each kind once, in an order of chance; from then on by weight."""
        yield from self.choose.sample(list(self.plan.kinds), len(self.plan.kinds))
        while True:
            yield from self.choose.choices(self.plan.kinds, [kind.weight for kind in self.plan.kinds])

    async def _quiet(self) -> None:
        """Some acts in peace, so that each fault meets tables that play."""
        before = self.acts
        while self.acts < before + max(3, self.plan.tables // 2):
            await asyncio.sleep(LOOK)
        await asyncio.sleep(self.choose.uniform(0, 0.5))

    async def _inflict(self, kind: Kind) -> None:
        injury = Injury(kind.name)
        await kind.does(self, injury)
        waiting, end = list(injury.touched), time.monotonic() + RECOVERY
        while waiting := [each for each in waiting if each.first_after(injury.at) is None and not each.over]:
            if all(table.asleep for table in waiting):
                break
            if time.monotonic() > end:
                names = ", ".join(table.match_id for table in waiting)
                self.breach(f"{RECOVERY:g} s after {kind.name} nobody acts at {names}")
                break
            await asyncio.sleep(LOOK)
        moments = [moment for table in injury.touched if (moment := table.first_after(injury.at)) is not None]
        if moments:
            injury.first, injury.all = min(moments) - injury.at, max(moments) - injury.at
        self.account.injuries.append(injury)

    def _look_after_processes(self) -> None:
        """What ended by itself is started again, as systemd would; only of Celery's processes that may be expected.

        A worker ends (kombu: "'NoneType' object has no attribute 'hostname'") when the broker goes while it holds a
        task. docs/operations.md has it started again by systemd or Docker, and the rows drive the work.
        """
        for name, process in list(self.house.running.items()):
            if process.poll() is None:
                continue
            self.account.started_again[name] += 1
            if name not in OF_CELERY:
                last = "\n".join(self.house.lines().splitlines()[-LAST:])
                self.breach(f"{name} ended by itself with {process.returncode} after {self.now}:\n{last}")
            self.house.start(name)

    # The account

    def _check(self) -> None:
        records: dict[str, list[Record]] = {table.match_id: [bot.record for bot in table.bots] for table in self.tables}
        for told in self._ask(f"recorded({list(records)!r})"):
            rows, seen = Rows.read(told), records[told["id"]]
            for breach in breaches(rows, seen):
                self.account.breaches.append(both_sides(breach, rows, seen))
            self.account.matches += told["over"]
            self.account.ended.update([told["ended_by"]] if told["over"] else [])
            self.account.held += sum(row.actor == "server" and row.text.startswith("hold") for row in rows.actions)
        self.account.count = sum((bot.record.count for bot in self._bots), Counter[str]())


def report(account: Account) -> str:
    """The night as a table of text, and everything that was wrong with it."""
    lines = [
        f"seed {account.plan.seed}: {account.acts} acknowledged acts, {len(account.injuries)} faults, "
        f"{account.seconds / 60:.1f} minutes",
        f"{account.matches} matches ended ({_listed(account.ended)}), {account.held} openings were held by the sweep",
        f"the bots: {_listed(account.count)}",
        f"ended by themselves and started again: {_listed(account.started_again)}",
        "",
        f"{'fault':<20} {'count':>5}  {'first act after it':>20}  {'all tables act again':>20}",
        f"{'':<20} {'':>5}  {'p50 s':>9} {'max s':>10}  {'p50 s':>9} {'max s':>10}",
    ]
    for name in sorted({injury.kind for injury in account.injuries}):
        chosen = [injury for injury in account.injuries if injury.kind == name]
        lines.append(f"{name:<20} {len(chosen):>5}  {_spread(chosen, 'first')}  {_spread(chosen, 'all')}")
    notes = [f"  {injury.kind}: {injury.note}" for injury in account.injuries if injury.note]
    lines += ["", *notes, "", *account.breaches[:SHOWN]]
    return "\n".join([*lines, f"{len(account.breaches)} breaches" if account.failed else "0 lost, 0 doubled"])


def _spread(injuries: Sequence[Injury], name: str) -> str:
    seconds = [value for injury in injuries if (value := getattr(injury, name)) is not None]
    return f"{statistics.median(seconds):>9.2f} {max(seconds):>10.2f}" if seconds else f"{'-':>9} {'-':>10}"


def _listed(count: Counter[str]) -> str:
    return ", ".join(f"{times} {name}" for name, times in count.most_common()) or "none"


def run(house: House, plan: Plan, *, say: Say = print) -> Account:
    """A night in an event loop of its own."""
    return asyncio.run(Night(house, plan, say=say).pass_by())
