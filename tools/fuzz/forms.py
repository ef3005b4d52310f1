"""``python -m tools.fuzz.forms --inputs 5000``: bad input to every form, call and URL of the access table.

Each input starts as a row of the table (tests/access), sent by a user who may send it or by one who may not, and is
damaged: in its fields, its files, its bytes, its URL, its query. It must be answered within `LIMIT` seconds of
processor time, never by an error, and a refused one must have written nothing. The first failure is printed, and the
exit status is 1: `--seed N --only K` repeats it. `make fuzz-forms` sends 100,000.

With DATABASE_URL it runs on PostgreSQL: ``python -m tools.services.postgres python -m tools.fuzz.forms``.
"""

from __future__ import annotations

import argparse
import faulthandler
import logging
import os
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlencode

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

LIMIT = 5.0
"""Seconds of this process's time."""
HANG = 120
"""Seconds of real time after which the stack is printed and the process ends."""
RENDERED = 0.25
"""The share of pages whose templates are rendered too."""


class Wrong(AssertionError):
    """The site did something that it must never do."""


class Fuzz:
    """Inputs by number: the same seed and number make the same input."""

    def __init__(self, world: Any, seed: int) -> None:
        from tests.access import matrix

        self.world, self.seed = world, seed
        self.rows = [(row, area.actors) for area in matrix.load_areas() for row in area.rows if area.name != "admin"]
        for client in world.clients.values():
            client.handler.enforce_csrf_checks = True  # as browsers do: they load the form before it is sent
        self.seen: Counter[int] = Counter()
        self.slowest = (0.0, "")

    def ask(self, number: int) -> None:
        """Make and send one input. Raises Wrong."""
        from django.test import Client

        from tests.access.cell_check import Asked, Ledger, rolled_back

        dice = random.Random(f"{self.seed}/{number}")
        row, crowd = dice.choice(self.rows)
        actor = dice.choice([each for each, letter in zip(crowd, row.letters, strict=False) if letter in "DV"] or crowd)
        actor = dice.choice(crowd) if dice.random() < 0.1 else actor
        client: Client = self.world.clients[actor]
        method, path, more = self._made(dice, row)
        description = f"{number}: {actor}: {method} {path[:200]} {str(more)[:600]}"
        ledger = Ledger()
        began = time.process_time()
        faulthandler.dump_traceback_later(HANG, exit=True)
        try:
            with rolled_back(client, ledger, rendered=dice.random() < RENDERED):
                answer = _sent(client, method, path, more)
                reply = Asked(answer, list(ledger.written))
                letter = reply.letter
        except Exception as error:
            raise Wrong(f"{description}\n{traceback.format_exc()}") from error
        finally:
            faulthandler.cancel_dump_traceback_later()
        spent = time.process_time() - began
        self.seen[answer.status_code] += 1
        if spent > self.slowest[0]:
            self.slowest = (spent, description)
        if letter == "!":
            raise Wrong(f"{description}\nanswered {answer.status_code}, wrote {reply.written}")
        if spent > LIMIT:
            raise Wrong(f"{description}\ntook {spent:.1f} s")

    def _made(self, dice: random.Random, row: Any) -> tuple[str, str, dict[str, Any]]:
        from tests.access.cell_check import address, fill_in
        from tools.fuzz import form_values as words

        path = address(self.world, row)
        luck = dice.random()
        if luck < 0.12 and row.args:
            path = self._strange(dice, path)
        if dice.random() < 0.15 or (row.method == "GET" and dice.random() < 0.8):
            fields = {dice.choice(words.names()): dice.choice(words.TEXTS) for _ in range(dice.choice((1, 1, 2, 4)))}
            query = urlencode(fields, errors="surrogatepass", encoding="utf-8")
            path = f"{path.partition('?')[0]}?{query}" if dice.random() < 0.7 else f"{path}&{query}"
            if "?" not in path:
                path = path.replace("&", "?", 1)
        headers = {"HX-Request": "true"} if dice.random() < 0.2 else {}
        if dice.random() < 0.1:
            headers |= {
                dice.choice(
                    (
                        "Accept-Language",
                        "Accept",
                        "If-None-Match",
                        "If-Match",
                        "Range",
                        "X-Request-ID",
                        "HX-Trigger-Name",
                        "Referer",
                        "Origin",
                    )
                ): dice.choice(HEADERS)
            }
        method = (
            row.method
            if dice.random() < 0.95
            else dice.choice(("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"))
        )
        more: dict[str, Any] = {"headers": headers}
        if method in ("GET", "HEAD", "OPTIONS"):
            return method, path, more
        if luck > 0.92:
            return method, path, more | {"raw": dice.choice(words.BODIES), "content_type": dice.choice(words.TYPES)}
        valid = fill_in(dict(row.body or row.form or {}), self.world)
        json = row.body is not None
        form = words.damaged(dice, valid, json=json)
        return method, path, more | {"data": form, "json": json}

    def _strange(self, dice: random.Random, path: str) -> str:
        """Return the URL with one of its parts replaced by another."""
        from tools.fuzz.form_values import WORDS_OF_PATHS

        bare, mark, query = path.partition("?")
        parts = bare.split("/")
        parts[dice.randrange(1, len(parts))] = dice.choice(WORDS_OF_PATHS)
        return quote("/".join(parts), safe="/%'") + mark + query


TOKEN = "c" * 32
HEADERS = (
    "",
    "x",
    "*",
    "es;q=0.5,en",
    "a" * 5_000,
    "application/xml",
    'W/"x"',
    '"' * 300,
    "bytes=0-1",
    "\u00e9",
    "q=;;=,",
)


def _sent(client: Any, method: str, path: str, more: dict[str, Any]) -> Any:
    """Send fields as a form or as JSON."""
    import json

    from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

    client.cookies["csrftoken"] = TOKEN
    more = {**more, "headers": {"X-CSRFToken": TOKEN, **more["headers"]}}
    if "raw" in more or "data" not in more:
        kind = more.get("content_type", "")
        return client.generic(method, path, more.get("raw", b""), kind, headers=more["headers"])
    if more["json"]:
        try:
            body = json.dumps(more["data"], default=str).encode("utf-8", "surrogatepass")
        except ValueError:
            body = b"{}"
        return client.generic(method, path, body, "application/json", headers=more["headers"])
    files = any(hasattr(value, "read") for value in more["data"].values())
    if files:
        fields = {name: _plain(value) for name, value in more["data"].items()}
        return client.generic(
            method, path, encode_multipart(BOUNDARY, fields), MULTIPART_CONTENT, headers=more["headers"]
        )
    body = urlencode(more["data"], doseq=True, errors="surrogatepass", encoding="utf-8").encode()
    return client.generic(method, path, body, "application/x-www-form-urlencoded", headers=more["headers"])


def _plain(value: Any) -> Any:
    """Return a field as multipart can carry it."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value if hasattr(value, "read") else str(value)


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz; 1 if the site did something that it must never do."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--only", type=int, default=None, help="the number of one input")
    parser.add_argument("--all", action="store_true", help="go on after something wrong")
    options = parser.parse_args(arguments)
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}", flush=True)
    import django

    django.setup()
    from django.db import transaction
    from django.test.utils import override_settings

    from tools.services.database_and_broker import ground

    for name in ("django.request", "django.security"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    wrong = 0
    with ground(), override_settings(STAFF_SECOND_STEP=True), transaction.atomic():
        from tests.access.world import World

        fuzz = Fuzz(World(), seed)
        began = time.monotonic()
        for number in range(options.inputs) if options.only is None else [options.only]:
            try:
                fuzz.ask(number)
            except Wrong as error:
                wrong += 1
                print(f"{error}\nagain: python -m tools.fuzz.forms --seed {seed} --only {number}\n", file=sys.stderr)
                if not options.all:
                    break
        spent = time.monotonic() - began
        transaction.set_rollback(True)
    statuses = ", ".join(f"{status} {count}" for status, count in sorted(fuzz.seen.items()))
    print(f"{fuzz.seen.total()} inputs in {spent:.0f} s, {fuzz.seen.total() / spent:.0f} a second: {statuses}")
    print(f"the slowest took {fuzz.slowest[0]:.2f} s: {fuzz.slowest[1][:300]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
