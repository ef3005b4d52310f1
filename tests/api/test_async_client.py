"""Both Python clients at an HTTP server: the same requests, answers, refusals and event streams, and every break."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.self_signed import certificate
from tools.services.environment import ROOT

SOURCE = ROOT / "clients" / "python" / "src"
OK = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"ok": true}'
STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
LATE = b"HTTP/1.1 429 Too Many\r\nRetry-After: 7\r\nContent-Length: %d\r\n\r\n%s"
LATE_BODY = b'{"code": "too_often", "text": "Wait.", "fields": {"to": ["Nobody."]}}'
PROXY = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 9\r\n\r\n<h1>502</"
SILENCE = b""
FORBIDDEN = b'HTTP/1.1 403 Forbidden\r\nContent-Length: 17\r\n\r\n{"code": "scope"}'


@pytest.fixture(scope="module")
def client_module() -> Iterator[Any]:
    sys.path.insert(0, str(SOURCE))
    import tablero_client

    yield tablero_client
    sys.path.remove(str(SOURCE))


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture(params=["blocking", "asynchronous"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class Server:
    """A server that gives each request the next of its answers and closes; an empty one is never given."""

    def __init__(self, answers: tuple[bytes, ...]) -> None:
        self.answers = list(answers)
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.asked, self.left, self.release = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *rest = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in rest)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        self.requests.append((first, headers, body))
        answer = self.answers.pop(0)
        self.asked.set()
        if answer == SILENCE:
            await self.release.wait()
        writer.write(answer)
        if answer.endswith(b"\n\n"):  # an event stream stays open after an empty line
            await reader.read()
            self.left.set()
        writer.close()


@asynccontextmanager
async def served(*answers: bytes, ssl: Any = None) -> AsyncIterator[Server]:
    server = Server(answers)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=ssl)
    port = listening.sockets[0].getsockname()[1]
    server.url = f"https://localhost:{port}" if ssl else f"http://127.0.0.1:{port}"
    try:
        yield server
    finally:
        server.release.set()
        listening.close()


async def called(module: Any, kind: str, site: str, operation: str, *, timeout: float = 30, **parameters: Any) -> Any:
    """Make a call with one of both clients."""
    if kind == "blocking":
        return await asyncio.to_thread(module.Client(site, "secret", timeout=timeout).call, operation, **parameters)
    return await module.AsyncClient(site, "secret", timeout=timeout).call(operation, **parameters)


async def listened(module: Any, kind: str, site: str, count: int, **wanted: Any) -> list[int]:
    """The numbers of the first events that one of both clients yields."""
    if kind == "blocking":
        events = module.Client(site, "secret").events(**wanted)
        return [event["number"] for event in await asyncio.to_thread(lambda: list(islice(events, count)))]
    numbers: list[int] = []
    async with aclosing(module.AsyncClient(site, "secret").events(**wanted)) as stream:
        async for event in stream:
            numbers.append(event["number"])
            if len(numbers) == count:
                break
    return numbers


async def test_both_clients_send_the_same(client_module: Any, kind: str) -> None:
    async with served(OK, OK) as server:
        answer = await called(client_module, kind, server.url + "/", "match_sync", match_id="a/b", after=3)
        await called(client_module, kind, server.url, "match_act", match_id="k3Yp", id="bot-1", after=1, action="roll")
    assert answer == {"ok": True}
    (read, read_headers, _), (act, act_headers, body) = server.requests
    assert read == "GET /api/v1/matches/a%2Fb/sync/?after=3 HTTP/1.1"
    assert act == "POST /api/v1/matches/k3Yp/act/ HTTP/1.1"
    assert json.loads(body) == {"id": "bot-1", "after": 1, "action": "roll"}
    common = {
        "accept": "application/json",
        "accept-encoding": "identity",
        "authorization": "Bearer secret",
        "connection": "close",
        "host": server.url.removeprefix("http://"),
        "user-agent": "tablero-client",
    }
    assert read_headers == common
    assert act_headers == common | {"content-type": "application/json", "content-length": str(len(body))}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (b"HTTP/1.1 204 No Content\r\n\r\n", None),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", None),
        (b"HTTP/1.1 200 OK\r\n\r\n[1, 2]", [1, 2]),
        (CHUNKED + b"3\r\n[1,\r\n3;last\r\n 2]\r\n0\r\n\r\n", [1, 2]),
    ],
    ids=["no content", "empty", "to the end", "chunked"],
)
async def test_an_answer_is_read_in_every_frame(client_module: Any, kind: str, answer: bytes, expected: Any) -> None:
    async with served(answer) as server:
        assert await called(client_module, kind, server.url, "me") == expected


async def test_a_refusal_has_code_text_fields_and_the_time_to_wait(client_module: Any, kind: str) -> None:
    async with served(LATE % (len(LATE_BODY), LATE_BODY), PROXY) as server:
        with pytest.raises(client_module.Refused, match=r"429 too_often: Wait\.") as refused:
            await called(client_module, kind, server.url, "bot_events")
        assert (refused.value.retry_after, refused.value.fields) == (7.0, {"to": ["Nobody."]})
        with pytest.raises(client_module.Refused) as proxy:
            await called(client_module, kind, server.url, "bot_events")
        assert (proxy.value.status, proxy.value.code, proxy.value.retry_after) == (502, "", None)


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{",
        CHUNKED + b"9\r\n{",
        CHUNKED + b"many\r\n{",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 70_000,
        b"HTTP/1.1 200 OK\r\n" + b"X: x\r\n" * 500,
        b"SSH-2.0-server\r\n",
        b"HTTP/1.1 ok\r\n\r\n",
    ],
    ids=["cut head", "cut body", "cut chunk", "bad chunk", "long line", "many headers", "other protocol", "no status"],
)
async def test_a_broken_answer_is_an_error_of_the_network(client_module: Any, answer: bytes) -> None:
    async with served(answer) as server:
        with pytest.raises(OSError):
            await called(client_module, "asynchronous", server.url, "me")


async def test_a_site_that_is_away_or_silent_is_an_error_of_the_network(client_module: Any, kind: str) -> None:
    async with served(SILENCE) as server:
        with pytest.raises(TimeoutError):
            await called(client_module, kind, server.url, "me", timeout=0.05)
    with pytest.raises(OSError):
        await called(client_module, kind, server.url, "me")


async def test_a_call_that_waits_holds_up_no_other(client_module: Any) -> None:
    async with served(SILENCE, OK) as server:
        club = client_module.AsyncClient(server.url)
        waiting = asyncio.create_task(club.call("clubs"))
        await server.asked.wait()
        assert await club.call("me") == {"ok": True}
        assert not waiting.done()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting


async def test_a_stream_comes_back_after_every_break_and_yields_each_event_once(
    client_module: Any, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablero_client.wire.BREAK", 0)
    answers = (
        STREAM + b'{"kind":"listening","after":5}\n\r\n{"kind":"a","number":7}\n{"kind":"a","num',
        PROXY,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n17\r\n"
        + b'{"kind":"a","number":8}\r\n1\r\n\n\r\n5\r\n{"kin',
        b"HTTP/1.1 200 OK\r\nContent",
        STREAM + b'{"kind":"listening","after":8}\n{"kind":"a","number":9}\n',
    )
    async with served(*answers) as server:
        assert await listened(client_module, kind, server.url, 3, kinds=["a", "b"], subjects=["match:k3Yp"]) == [
            7,
            8,
            9,
        ]
    asked = "GET /api/v1/events/stream/?kinds=a%2Cb&subjects=match%3Ak3Yp{} HTTP/1.1"
    after = ["", "&after=7", "&after=7", "&after=8", "&after=8"]
    assert [request for request, _, _ in server.requests] == [asked.format(number) for number in after]
    assert {headers["accept"] for _, headers, _ in server.requests} == {"application/x-ndjson"}


async def test_a_stream_that_may_not_be_read_ends_with_its_refusal(client_module: Any, kind: str) -> None:
    async with served(FORBIDDEN) as server:
        with pytest.raises(client_module.Refused, match="403 scope"):
            await listened(client_module, kind, server.url, 1)


async def test_a_stream_that_is_left_closes_its_connection(client_module: Any) -> None:
    async with served(STREAM + b'{"kind":"a","number":7}\n\n') as server:
        assert await listened(client_module, "asynchronous", server.url, 1) == [7]
        await asyncio.wait_for(server.left.wait(), 60)


async def test_a_certificate_is_checked(client_module: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serving, trusting = certificate(tmp_path, "localhost")
    async with served(OK, OK, ssl=serving) as server:
        with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
            await called(client_module, "asynchronous", server.url, "me")
        monkeypatch.setattr("tablero_client.async_http.secure_context", lambda: trusting)
        assert await called(client_module, "asynchronous", server.url, "me") == {"ok": True}


@pytest.mark.parametrize("address", ["ftp://club.example", "club.example", "http://"])
async def test_an_address_that_is_no_site_is_named(client_module: Any, address: str) -> None:
    with pytest.raises(ValueError, match="not the address of a site"):
        await client_module.AsyncClient(address).call("me")


async def test_a_token_of_two_lines_is_not_sent(client_module: Any) -> None:
    async with served(OK) as server:
        with pytest.raises(ValueError, match="a header has more than one line"):
            await client_module.AsyncClient(server.url, "secret\r\nCookie: a=b").call("me")
    assert server.requests == []
