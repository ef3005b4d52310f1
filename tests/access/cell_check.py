"""One cell of the matrix: send the request, record its writes, and roll them back."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

from django.contrib.messages import constants, get_messages
from django.core.cache import cache
from django.db import connection, transaction
from django.http import HttpResponseBase
from django.test import Client, override_settings
from django.urls import NoReverseMatch, reverse

from tests.access.matrix_format import Row
from tests.access.world import World

WRITES = re.compile(r'\s*(?:INSERT(?: OR IGNORE)? INTO|UPDATE|DELETE FROM) "?(\w+)', re.IGNORECASE)
SAVEPOINT = re.compile(r'(SAVEPOINT|RELEASE SAVEPOINT|ROLLBACK TO SAVEPOINT) "?(\w+)', re.IGNORECASE)
ASIDE = re.compile(
    r'(?:INSERT INTO|UPDATE) "django_session"|UPDATE "\w+" SET "(?:seen|used)_at" = (?:%s|NULL) WHERE', re.IGNORECASE
)
"""Writes of a mere visit: the session, and when it or a token was last used."""
SENDS_AWAY = {
    "account_login": "L",
    "admin:login": "L",
    "account_signup": "S",
    "account_reauthenticate": "P",
    "mfa_reauthenticate": "P",
    "mfa_index": "P",
}


class Ledger:
    """The tables that statements wrote to, without those whose savepoint was rolled back: what a commit would keep."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.marks: dict[str, int] = {}

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Mapping[str, Any]
    ) -> Any:
        answer = execute(sql, params, many, context)
        if found := WRITES.match(sql):
            inserts = (
                sql.lstrip()[:7].upper() == "INSERT "
            )  # SQLite does not count the rows of an INSERT that returns ids
            if (inserts or context["cursor"].rowcount != 0) and not ASIDE.match(sql):
                self.written.append(found[1])
        elif found := SAVEPOINT.match(sql):
            kind, name = found[1].upper(), found[2]
            if kind == "SAVEPOINT":
                self.marks[name] = len(self.written)
            elif kind.startswith("ROLLBACK"):
                del self.written[self.marks.get(name, 0) :]
        return answer


class Asked:
    """A response, and what the request wrote."""

    def __init__(self, answer: HttpResponseBase, written: list[str]) -> None:
        self.answer, self.written = answer, written

    @property
    def letter(self) -> str:
        """The letter of this response in the matrix; `!` for a server error, or a refusal that wrote."""
        status, written = self.answer.status_code, bool(self.written)
        if status >= 500 or (status >= 400 and written):
            return "!"
        if status >= 400:
            return {400: "B", 401: "L", 404: "H", 405: "M"}.get(status, "R")
        if (redirect_letter := self._redirect_letter()) and not written:
            return redirect_letter
        if written:
            return "D"
        method = self.answer.wsgi_request.method  # type: ignore[attr-defined]
        if method in ("GET", "HEAD"):
            return "R" if self._has_error_message() and status in (301, 302) else "V"
        return "R" if self._has_error_message() else "N"

    def _redirect_letter(self) -> str:
        path = urlsplit(self.answer.headers.get("Location", "")).path
        return next((letter for name, letter in redirect_letters().items() if path and path == name), "")

    def _has_error_message(self) -> bool:
        messages = get_messages(self.answer.wsgi_request)  # type: ignore[attr-defined]
        return any(message.level in (constants.ERROR, constants.WARNING) for message in messages)


@contextmanager
def quietly(*, rendered: bool = False) -> Iterator[None]:
    """A block for requests of the matrix: staff need two-factor authentication, as on a real site.

    The cache is in memory, and refusals, which are expected, are not logged.
    """
    logs = [logging.getLogger(f"django.{name}") for name in ("request", "security.csrf")]
    before = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL)
    in_memory = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    try:
        with (
            override_settings(STAFF_SECOND_STEP=True, CACHES=in_memory),
            nullcontext() if rendered else without_rendering(),
        ):
            yield
    finally:
        for log, level in zip(logs, before, strict=True):
            log.setLevel(level)


def without_rendering() -> AbstractContextManager[object]:
    """Skip rendering templates: permissions are checked before, and the pages are tested elsewhere."""
    return patch("django.template.backends.django.Template.render", return_value="")


def redirect_letters() -> dict[str, str]:
    """The URLs to which actors without access are redirected."""
    found = {}
    for name, letter in SENDS_AWAY.items():
        try:
            found[reverse(name)] = letter
        except NoReverseMatch:
            continue
    return found


def address(world: World, row: Row) -> str:
    """The URL of a row."""
    args = [each.format(**world.words) for each in row.args]
    path = row.route if row.route.startswith("/") else reverse(row.route, args=args)
    return path.format(**world.words) + (f"?{row.query.format(**world.words)}" if row.query else "")


def ask(world: World, row: Row, actor: str, *, client: Client | None = None) -> Asked:
    """Send the request, record its writes, and undo everything: rows, cookies and rate limit counts."""
    client = client or world.clients[actor]
    more: dict[str, Any] = {"headers": {k: v.format(**world.words) for k, v in (row.headers or {}).items()}}
    if row.body is not None:
        more |= {"data": fill_in(row.body, world), "content_type": "application/json"}
    elif row.form is not None:
        more |= {"data": fill_in(row.form, world)}
    ledger = Ledger()
    with rolled_back(client, ledger):
        answer = getattr(client, row.method.lower())(address(world, row), **more)
        reply = Asked(answer, list(ledger.written))
        _ = reply.letter  # reads the messages before they are cleared
    return reply


@contextmanager
def rolled_back(client: Client, ledger: Ledger, *, rendered: bool = True) -> Iterator[None]:
    """A block whose writes are recorded and rolled back; the browser state is restored."""
    cookies = client.cookies.output()
    jar = {name: morsel.copy() for name, morsel in client.cookies.items()}
    cache.clear()
    try:
        with (
            nullcontext() if rendered else without_rendering(),
            transaction.atomic(),
            connection.execute_wrapper(ledger),
        ):
            yield
            transaction.set_rollback(True)
    finally:
        if client.cookies.output() != cookies:
            client.cookies.clear()
            for name, morsel in jar.items():
                client.cookies[name] = morsel


def fill_in(data: Any, world: World) -> Any:
    """The data with arguments of the world filled in."""
    if isinstance(data, str):
        if data[:1] == "{" and data[1:-1] in world.words:
            return world.words[data[1:-1]]  # a number stays a number in JSON
        return re.sub(r"{(\w+)}", lambda found: str(world.words[found[1]]), data)
    if isinstance(data, Mapping):
        return {key: fill_in(value, world) for key, value in data.items()}
    if isinstance(data, list):
        return [fill_in(item, world) for item in data]
    return data() if callable(data) else data
