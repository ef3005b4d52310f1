"""The Python client: its table is that of the schema, and what it sends is what the API takes.

tests/api/test_async_client.py has both clients at an HTTP server, with its breaks.
"""

from __future__ import annotations

import io
import json
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import Message
from typing import Any

import pytest

from accounts.api.schema_views import schema_in
from tools import client_operations
from tools.services.environment import ROOT

SOURCE = ROOT / "clients" / "python" / "src"


@pytest.fixture(scope="module")
def client_module() -> Iterator[Any]:
    sys.path.insert(0, str(SOURCE))
    import tablero_client

    yield tablero_client
    sys.path.remove(str(SOURCE))


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[urllib.request.Request]:
    """The requests that were sent; each is answered with `{"ok": true}`."""
    requests: list[urllib.request.Request] = []

    def urlopen(request: urllib.request.Request, timeout: float) -> io.BytesIO:
        requests.append(request)
        return io.BytesIO(b'{"ok": true}')

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    return requests


def test_the_table_is_that_of_the_schema() -> None:
    assert client_operations.TABLE.read_text() == client_operations.table(schema_in("en")[0])


def test_parameters_go_to_path_query_and_body(client_module: Any, sent: list[urllib.request.Request]) -> None:
    club = client_module.Client("https://club.example/", "secret")
    club.call("match_sync", match_id="a/b", after=3)
    club.call("match_act", match_id="k3Yp", id="bot-1", after=1, action="roll")
    read, act = sent
    assert (read.method, read.full_url) == ("GET", "https://club.example/api/v1/matches/a%2Fb/sync/?after=3")
    assert (act.method, act.full_url) == ("POST", "https://club.example/api/v1/matches/k3Yp/act/")
    assert json.loads(act.data or b"") == {"id": "bot-1", "after": 1, "action": "roll"}  # type: ignore[arg-type]
    assert act.get_header("Authorization") == "Bearer secret"


def test_a_refusal_has_code_and_text(client_module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def urlopen(request: urllib.request.Request, timeout: float) -> None:
        headers = Message()
        headers["Retry-After"] = "7"
        body = io.BytesIO(b'{"code": "too_often", "text": "Wait.", "ruling": ""}')
        raise urllib.error.HTTPError(request.full_url, 429, "", headers, body)

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    with pytest.raises(client_module.Refused, match=r"429 too_often: Wait\.") as refused:
        client_module.Client("https://club.example").call("bot_events")
    assert (refused.value.code, refused.value.retry_after) == ("too_often", 7.0)


def test_the_stream_yields_events_and_continues_after_the_last_one(
    client_module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    streams = [
        b'{"kind":"listening","after":5}\n\n{"kind":"match.started","number":7}\n',
        b'{"kind":"listening","after":7}\n{"kind":"match.finished","number":9}\n',
    ]
    asked: list[str] = []

    def urlopen(request: urllib.request.Request, timeout: float) -> io.BytesIO:
        asked.append(request.full_url.partition("?")[2])
        return io.BytesIO(streams.pop(0))

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    monkeypatch.setattr("tablero_client.client.time.sleep", lambda seconds: None)
    events = client_module.Client("https://club.example", "t").events(kinds=["match.started", "match.finished"])
    assert [next(events)["number"], next(events)["number"]] == [7, 9]
    assert asked == ["kinds=match.started%2Cmatch.finished", "kinds=match.started%2Cmatch.finished&after=7"]
