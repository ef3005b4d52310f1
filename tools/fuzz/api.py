"""``python -m tools.fuzz.api --cases 5000``: the API against its own schema, by schemathesis with all its checks.

Valid and invalid requests of every operation, by an anonymous visitor, a player, a director, the staff and a bot, to
the site in this process: there may be no server error, every response has to be in the schema, valid requests are
accepted (or refused for what they ask), invalid ones are refused, and a refusal has written nothing. Two of three ids
in URLs exist.

The seed is printed; `--seed`, `--only` (a part of an operation's name) and `--who` repeat a failure.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import secrets
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django

if __name__ == "__main__":
    django.setup()

import schemathesis
from django.core.cache import cache
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection, transaction
from django.test.utils import override_settings
from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as hypothesis_settings
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig

from tests.access.cell_check import Ledger

SCHEMA = "/api/v1/schema/"
ACTORS = ("anonymous", "player", "director", "staff", "bot")
UNLIMITED = dict.fromkeys(("read", "write", "play", "search", "import", "analysis", "login"), "1000000000/60")
STREAMS = frozenset({"text/event-stream"})


@dataclass(frozen=True)
class Fault:
    """What went wrong, and how to repeat it."""

    operation: str
    actor: str
    mode: str
    text: str


@dataclass
class Tally:
    """What was requested and how it was answered."""

    cases: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    operations: set[str] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)


class Unsaid(logging.Handler):
    """Keeps the traceback of the last server error."""

    text = ""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.text = logging.Formatter().formatException(record.exc_info)


@contextmanager
def undone() -> Iterator[None]:
    """Roll back what happens in the block: rows and counters."""
    with transaction.atomic():
        point = transaction.savepoint()
        try:
            yield
        finally:
            transaction.savepoint_rollback(point)
            cache.clear()


def tokens_of(world: Any) -> dict[str, str]:
    """Return the headers of each kind of user."""
    from accounts.programs import services as programs
    from accounts.programs.scopes import ALL_SCOPES

    headers = {"anonymous": "", "bot": f"Bearer {world.tokens['bot']}"}
    for actor in ("player", "director", "staff"):
        _token, text = programs.token_create(user=world.player(actor), name="fuzz", scopes=ALL_SCOPES)
        headers[actor] = f"Bearer {text}"
    return headers


def known(world: Any) -> dict[str, list[Any]]:
    """Return existing ids by the names of URL parameters."""
    words = world.words
    matches = ("seek", "called", "table", "adjourned", "corr", "over", "ended", "arranged")
    found: dict[str, list[Any]] = {
        "match_id": [words[key] for key in matches],
        "ladder_id": [words[key] for key in ("ladder", "closed", "idle", "seasoned")],
        "challenge_id": [words["challenge"]],
        "name": [user.username for user in world.people[:6]],
        "rival": [user.username for user in world.people[:6]],
        "slug": [world.club.slug],
        "variant": ["backgammon", "portes"],
        "pace": ["live", "correspondence"],
        "kind": ["block", "mute", "follow"],
        "number": [1],
    }
    for name, value in words.items():
        found.setdefault(f"{name}_id", [value])
        found.setdefault(name, [value])
    return found


def operations(schema: Any) -> list[Any]:
    """Return the operations, without those whose responses never end."""
    found = [result.ok() for result in schema.get_all_operations()]
    return [operation for operation in found if not _streams(operation)]


def _streams(operation: Any) -> bool:
    answers = operation.definition.raw.get("responses", {}).values()
    return any(STREAMS & set(answer.get("content", {})) for answer in answers)


def _can_be_wrong(operation: Any) -> bool:
    """Whether an invalid request is possible: any text is a valid URL part."""
    shapes = [parameter.definition.get("schema", {}) for parameter in operation.path_parameters]
    plain = all(shape.get("type") == "string" and not shape.keys() & {"pattern", "enum", "format"} for shape in shapes)
    return bool(operation.query or operation.body) or not plain


class Fuzz:
    """Requests in one world."""

    def __init__(self, world: Any, *, number: int, aloud: bool = False) -> None:
        self.aloud = aloud
        self.chance = random.Random(number)
        self.number = number
        self.tally = Tally()
        self.known = known(world)
        self.headers = tokens_of(world)
        self.unsaid = Unsaid()
        config = SchemathesisConfig.from_dict({"generation": {"with-security-parameters": False}})
        self.schema = schemathesis.openapi.from_wsgi(SCHEMA, WSGIHandler(), config=config)
        self.operations = operations(self.schema)

    def run(self, cases: int, *, only: str = "", only_actor: str = "", every_operation: bool = True) -> Tally:
        """Run so many cases, shared among operations, users and both kinds of requests."""
        chosen = [operation for operation in self.operations if only in operation.label]
        people = [actor for actor in ACTORS if only_actor in ("", actor)]
        turns = [
            (operation, actor, mode)
            for operation in chosen
            for actor in people
            for mode in GenerationMode
            if mode is GenerationMode.POSITIVE or _can_be_wrong(operation)
        ]
        logging.getLogger("django.request").addHandler(self.unsaid)
        try:
            before = -1
            while before < self.tally.cases < cases:  # some have fewer cases than their share
                before = self.tally.cases
                self.chance.shuffle(turns)
                each, more = divmod(cases - before, len(turns))
                for place, (operation, actor, mode) in enumerate(turns):
                    if count := each + (place < more):
                        self._ask(operation, actor, mode, count)
        finally:
            logging.getLogger("django.request").removeHandler(self.unsaid)
        return self.tally

    def _ask(self, operation: Any, actor: str, mode: GenerationMode, count: int) -> None:
        headers = {"Authorization": self.headers[actor]} if self.headers[actor] else {}
        names = {parameter.name for parameter in operation.path_parameters}
        there = {name: self.chance.choice(self.known[name]) for name in names if name in self.known}
        fixed = there if there and self.chance.random() < 2 / 3 else None
        if mode is GenerationMode.NEGATIVE and fixed and not (operation.query or operation.body):
            fixed = None  # nothing else in it could be invalid
        try:
            strategy = operation.as_strategy(generation_mode=mode, path_parameters=fixed)
        except TypeError:
            return
        tried = given(strategy)(lambda case: self._send(case, headers))
        tried = seed(self.chance.getrandbits(64))(tried)
        quick = hypothesis_settings(
            max_examples=count,
            phases=[Phase.generate],
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
        )
        try:
            quick(tried)()
        except KeyboardInterrupt:
            raise
        except BaseException as fault:  # schemathesis raises groups of failures
            if type(fault).__name__ in ("Unsatisfiable", "SkipTest", "Skipped"):
                return  # no request of this kind is possible
            text = f"{type(fault).__name__}: {fault}\n{self.unsaid.text}"
            self.unsaid.text = ""
            self.tally.faults.append(Fault(operation.label, actor, mode.value, text))
            if self.aloud:
                print(f"\n== {operation.label} as {actor}, {mode.value}\n{text}", flush=True)

    def _send(self, case: Any, headers: dict[str, str]) -> None:
        self.tally.cases += 1
        self.tally.operations.add(case.operation.label)
        ledger = Ledger()
        with undone(), connection.execute_wrapper(ledger):
            # What is compressed is tested by tests/test_compression.py: this client would have to unpack it.
            answer = case.call_and_validate(headers={**headers, "Accept-Encoding": "identity"})
        self.tally.statuses[answer.status_code] += 1
        if answer.status_code >= 400 and ledger.written:
            raise AssertionError(f"{answer.status_code} wrote {ledger.written}: {case.as_curl_command()}")


@contextmanager
def unhindered() -> Iterator[None]:
    """Count requests without limits, and keep the connection open: everything is one transaction."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        with override_settings(API_RATES=UNLIMITED):
            yield
    finally:
        for signal in signals:
            signal.connect(close_old_connections)


def main() -> int:
    """Run, and print what went wrong; 1 if something did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9))
    parser.add_argument("--only", default="")
    parser.add_argument("--who", default="", choices=("", *ACTORS))
    options = parser.parse_args()
    from tests.access.world import World
    from tools.services.database_and_broker import ground

    print(f"seed {options.seed}", flush=True)
    for name in ("django.request", "django.security", "schemathesis"):
        logging.getLogger(name).propagate = False
    with ground(), unhindered(), transaction.atomic():
        world = World()
        began = time.monotonic()
        tally = Fuzz(world, number=options.seed, aloud=True).run(
            options.cases, only=options.only, only_actor=options.who
        )
        transaction.set_rollback(True)
    statuses = ", ".join(f"{status}: {count}" for status, count in sorted(tally.statuses.items()))
    print(
        f"\n{tally.cases} cases of {len(tally.operations)} operations in {time.monotonic() - began:.0f} s"
        f" ({statuses}); {len(tally.faults)} failures; seed {options.seed}"
    )
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
