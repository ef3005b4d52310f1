"""Logging: one event a line, with request and match, and without personal data."""

from __future__ import annotations

import io
import json
import logging
import logging.config
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from backgammon.ops import logs
from tests.conftest import PASSWORD
from tests.games.match_sockets import TableCase

ADDRESS = "203.0.113.9"


def formatter(style: str) -> logging.Formatter:
    config = logs.config(level="INFO", style=style)["formatters"]["line"]
    return config["()"](**{key: value for key, value in config.items() if key != "()"})


def listening(style: str) -> tuple[io.StringIO, logging.Handler]:
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(formatter(style))
    return out, handler


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything that is logged meanwhile, as JSON."""
    out, handler = listening("json")
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield out
    root.removeHandler(handler)
    root.setLevel(before)


def lines(log: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


def test_a_text_line_has_key_value_pairs() -> None:
    out, handler = listening("text")
    record = logging.LogRecord("games.heartbeat", logging.WARNING, "", 1, "no heartbeat: %s", ("away",), None)
    handler.emit(record)
    (line,) = out.getvalue().splitlines()
    stamp, rest = line.split(" ", 1)
    assert stamp.startswith("timestamp=20")
    assert rest == 'level=warning logger=games.heartbeat event="no heartbeat: away"'


def test_a_traceback_is_below_its_line_or_in_its_object() -> None:
    shown = {}
    for style in ("text", "json"):
        out, handler = listening(style)
        try:
            raise ValueError("bad mail ana@club.example")
        except ValueError as error:
            facts = (type(error), error, error.__traceback__)
        handler.emit(logging.LogRecord("games", logging.ERROR, "", 1, "deadline of %s", ("ab12",), facts))
        shown[style] = out.getvalue()
    first, *trace = shown["text"].splitlines()
    assert first.endswith('event="deadline of ab12"')
    assert (trace[0], trace[-1]) == ("Traceback (most recent call last):", "ValueError: bad mail <mail>")
    assert json.loads(shown["json"])["exception"].splitlines() == trace


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{'ana@club.example': (550, b'no')}", "{'<mail>': (550, b'no')}"),
        ("from 192.168.1.4 and 2001:db8::7, not 127.0.0.1:6379", "from <address> and <address>, not 127.0.0.1:6379"),
        ("at 12:34:56, version 4.2.2", "at 12:34:56, version 4.2.2"),
        ("postgres://tablero:secret@db/tablero", "postgres://<login>@db/tablero"),
        ("GET /search?q=ana+perez", "GET /search?<hidden>"),
        ("Authorization: Bearer abcdef0123456789", "Authorization: Bearer <token>"),
        ("DETAIL:  Key (name_key)=(ana) already exists.", "<row>"),
        ("<WebRequest uri=/players/ana/ method=GET>", "<WebRequest uri=<hidden> method=GET>"),
        ("match 3fb1c2 at version 7: ::", "match 3fb1c2 at version 7: ::"),
    ],
)
def test_personal_data_is_removed(text: str, shown: str) -> None:
    assert logs.scrub(text) == shown


@pytest.mark.django_db
def test_responses_and_log_lines_have_the_request_id(client: Client, log: io.StringIO, settings: Any) -> None:
    settings.LOG_REQUESTS = True
    answer = client.get("/players/nobody/")
    mark = answer.headers["X-Request-ID"]
    assert len(mark) == 16
    request, missing = lines(log)
    assert (missing["event"], missing["view"], missing["request"]) == ("Not Found", "player", mark)
    assert (request["event"], request["view"], request["status"], request["request"]) == (
        "request",
        "player",
        404,
        mark,
    )
    assert client.get("/").headers["X-Request-ID"] != mark


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("proxy_id", "trusted", "used"),
    [
        ("0123456789abcdef", True, True),
        ("0123456789abcdef", False, False),
        ("short", True, False),
        ("x" * 65, True, False),
        ("0123456789abcdef\tgame=over", True, False),
        ("ana@club.example.org", True, False),
    ],
)
def test_a_well_formed_id_of_a_trusted_proxy_is_used(
    client: Client, settings: Any, proxy_id: str, trusted: bool, used: bool
) -> None:
    settings.TRUST_PROXY = trusted
    answer = client.get("/health/live", headers={"X-Request-ID": proxy_id})
    assert (answer.headers["X-Request-ID"] == proxy_id) is used


def test_log_lines_of_a_match_have_its_id(log: io.StringIO, client: Client, db: None, settings: Any) -> None:
    settings.LOG_REQUESTS = True
    client.get("/match/abcd1234abcd/")
    assert {line.get("match") for line in lines(log)} == {"abcd1234abcd"}


class SiteVisit(TableCase):
    """Sign up, sign in, fail to sign in, look at profiles, play: the log names nobody."""

    def setUp(self) -> None:
        super().setUp()
        self.log, self.handler = listening("json")
        root = logging.getLogger()
        self.addCleanup(root.setLevel, root.level)
        root.addHandler(self.handler)
        root.setLevel(logging.INFO)
        self.addCleanup(root.removeHandler, self.handler)

    def visits(self) -> list[str]:
        """The secrets of users who visit pages: none may be in the log."""
        visitor = Client(REMOTE_ADDR=ADDRESS, headers={"User-Agent": "Telltale/7"})
        facts = {"username": "Eulalia", "email": "eulalia@club.example", "password1": PASSWORD}
        with self.settings(LOG_REQUESTS=True):
            assert visitor.post("/accounts/signup/", facts).status_code == 302
            visitor.post("/accounts/logout/")
            visitor.post("/accounts/login/", {"login": "Eulalia", "password": "not my password"})
            visitor.post("/accounts/login/", {"login": "Eulalia", "password": PASSWORD})
            visitor.get("/players/Eulalia/?secretword=1")
            visitor.get("/players/Nobody/?secretword=1")
            visitor.get("/accounts/password/reset/key/abc-tokentoken/")
            Client(REMOTE_ADDR=ADDRESS, enforce_csrf_checks=True).post("/accounts/login/", {"login": "Eulalia"})
            Client(REMOTE_ADDR=ADDRESS, headers={"Host": "elsewhere.example"}).get("/")
        session = visitor.cookies["sessionid"].value
        return ["eulalia", "nobody", PASSWORD, "not my", "secretword", "tokentoken", ADDRESS, "telltale", session]

    async def test_nobody_is_in_the_log(self) -> None:
        secrets = await sync_to_async(self.visits)()
        sockets = await self.opened()
        await self.act(sockets[0], "8/5 6/5", 3)
        await self.receive(sockets[0], "ack")
        logging.getLogger("games.test").info("said at this table")
        await self.leave(*sockets)
        found = lines(self.log)
        text = json.dumps([{**line, "request": ""} for line in found])  # a random id can end in anybody's name
        assert [line["view"] for line in found if line["event"] == "request"][:3] == [
            "account_signup", "account_logout", "account_login",
        ]  # fmt: skip
        for secret in [*secrets, 'ana"', 'bea"']:
            assert secret.casefold() not in text.casefold(), secret


def test_a_wrong_host_is_a_warning_without_a_traceback(log: io.StringIO, client: Client) -> None:
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400
    (line,) = [line for line in lines(log) if line["logger"] == "django.security.DisallowedHost"]
    assert line["level"] == "warning"
    assert "exception" not in line
    assert [line for line in lines(log) if line["level"] == "error"] == []
