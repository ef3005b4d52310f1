"""Event streams: server-sent events and the socket, from the first frame to the last."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from django.core.asgi import get_asgi_application

from accounts.models import PersonalToken, User
from accounts.programs import services as programs
from eventlog import services, streams
from eventlog.models import Event
from eventlog.routing import websocket_urlpatterns
from games import services as play
from games.connections import close_codes, registry
from tests.patient_sockets import PatientCommunicator, PatientSocket

pytestmark = pytest.mark.django_db(transaction=True)

Frame = dict[str, Any]
ADDRESS = "/api/v1/events/stream/"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "TICK", 0.02)
    monkeypatch.setattr(streams, "CHECK", 0.05)


def token_of(user: User, *scopes: str) -> str:
    return programs.token_create(user=user, name="my program", scopes=scopes or ("hooks",))[1]


def in_thread(call: Callable[[], Any]) -> Awaitable[Any]:
    return sync_to_async(call)()


class Stream:
    """A request for a stream, and what has arrived so far."""

    def __init__(self, token: str, query: str = "", **headers: str) -> None:
        named = {"authorization": f"Bearer {token}", "accept": "text/event-stream", "host": "localhost", **headers}
        self.line = PatientCommunicator(
            get_asgi_application(),
            {
                "type": "http",
                "asgi": {"version": "3.0"},
                "http_version": "1.1",
                "method": "GET",
                "path": ADDRESS,
                "query_string": query.encode(),
                "headers": [(name.encode(), value.encode()) for name, value in named.items() if value],
                "client": ("127.0.0.1", 1),
                "server": ("localhost", 80),
            },
        )
        self.text = ""
        self.first_end = "\n\n"

    async def begin(self) -> int:
        await self.line.send_input({"type": "http.request", "body": b"", "more_body": False})
        start = await self.line.receive_output(10)
        status: int = start["status"]
        if status == 200:
            await self.until(self.first_end)
        return status

    async def until(self, fragment: str) -> str:
        """The stream so far, once it contains this text."""
        while fragment not in self.text:
            message = await self.line.receive_output(20)
            self.text += message["body"].decode()
            if not message.get("more_body") and fragment not in self.text:
                raise AssertionError(f"ended without {fragment!r}: {self.text}")
        return self.text

    async def ended(self) -> bool:
        while True:
            message = await self.line.receive_output(20)
            self.text += message.get("body", b"").decode()
            if not message.get("more_body"):
                return True

    async def leave(self) -> None:
        await self.line.send_input({"type": "http.disconnect"})
        await self.line.wait(60)

    def events(self) -> list[Frame]:
        lines = (line for line in self.text.splitlines() if line.startswith("data: "))
        return [json.loads(line.removeprefix("data: ")) for line in lines]


def seek(user: User) -> None:
    play.match_create(creator=user, variant="backgammon", length=3, clock="club", rated=False)
    services.events_record()


async def test_a_stream_delivers_events_and_resumes_where_it_was_cut(ana: User) -> None:
    token = await in_thread(lambda: token_of(ana))
    first = Stream(token)
    assert await first.begin() == 200
    assert first.text == "retry: 2000\nid: 0\n: listening\n\n"
    await in_thread(lambda: seek(ana))
    await first.until("match.created")
    await first.leave()
    [event] = first.events()
    assert f"id: {event['number']}\nevent: match.created\ndata: " in first.text
    await in_thread(lambda: seek(ana))
    resumed = Stream(token, **{"last-event-id": str(event["number"])})
    assert await resumed.begin() == 200
    await resumed.until("match.created")
    await resumed.leave()
    assert [received["number"] for received in resumed.events()] == [event["number"] + 1]
    assert (streams.here().open, registry.current_registry().open) == (set(), {})


async def test_a_stream_delivers_only_the_requested_events(ana: User) -> None:
    token = await in_thread(lambda: token_of(ana))
    stream = Stream(token, "kinds=match.cancelled")
    await stream.begin()

    def seek_and_cancel() -> None:
        seek(ana)
        match = ana.matches_created.get()
        play.match_cancel(match_id=match.pk, user=ana)
        services.events_record()

    await in_thread(seek_and_cancel)
    await stream.until("match.cancelled")
    await stream.leave()
    assert [event["kind"] for event in stream.events()] == ["match.cancelled"]


async def test_a_stream_ends_when_its_token_is_revoked(ana: User) -> None:
    token = await in_thread(lambda: token_of(ana))
    stream = Stream(token)
    await stream.begin()
    await in_thread(lambda: programs.token_revoke(user=ana, token_id=PersonalToken.objects.get().pk))
    assert await stream.ended()
    assert await Stream(token).begin() == 401


async def test_a_stream_ends_when_its_owner_is_banned(ana: User) -> None:
    token = await in_thread(lambda: token_of(ana))
    stream = Stream(token)
    await stream.begin()
    await in_thread(lambda: User.objects.filter(pk=ana.pk).update(is_active=False))
    assert await stream.ended()


async def test_streams_end_before_a_restart_with_a_retry_delay(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    token = await in_thread(lambda: token_of(ana))
    stream = Stream(token)
    await stream.begin()
    await registry.current_registry().close_for_restart()
    assert await stream.ended()
    assert stream.text.endswith("retry: 2000\n: over, come again\n\n")
    registry.current_registry().closing = False


async def test_a_user_may_open_twelve_streams_besides_browser_sockets(ana: User) -> None:
    token = await in_thread(lambda: token_of(ana))
    lines = [Stream(token) for _ in range(13)]
    for line in lines:
        assert await line.begin() == 200
    assert await lines[0].ended()
    assert len(streams.here().open) == 12
    for line in lines[1:]:
        await line.leave()


async def test_expired_events_are_reported_as_gone(ana: User) -> None:
    token = await in_thread(lambda: token_of(ana))

    def old() -> None:
        services.subscribe(user=ana, topics=[f"user:{ana.pk}"])
        for _ in range(3):
            seek(ana)
        first = Event.objects.order_by("number").first()
        assert first is not None
        first.delete()

    await in_thread(old)
    stream = Stream(token, "after=0")
    await stream.begin()
    text = await stream.until("match.created")
    await stream.leave()
    assert 'event: gone\ndata: {"first":2}' in text


@pytest.mark.parametrize(
    ("query", "status", "headers"),
    [
        ("", 401, {"authorization": ""}),
        ("", 401, {"authorization": "Bearer tablero_pat_nothing"}),
        ("", 406, {"accept": "application/json"}),
        ("after=x", 400, {}),
        ("after=-1", 400, {}),
        ("after=99999999999999999999", 400, {}),
        ("what=1", 400, {}),
        ("kinds=nothing", 409, {}),
        ("subjects=match:nothing", 409, {}),
    ],
)
async def test_an_invalid_request_is_refused(ana: User, query: str, status: int, headers: dict[str, str]) -> None:
    token = await in_thread(lambda: token_of(ana))
    stream = Stream(token, query, **headers)
    assert await stream.begin() == status
    await stream.line.wait(60)


async def test_a_token_without_the_scope_receives_nothing(ana: User) -> None:
    token = await in_thread(lambda: token_of(ana, "read"))
    stream = Stream(token)
    assert await stream.begin() == 403
    await stream.line.wait(60)


# The socket


async def socket_of(token: str | None) -> PatientSocket:
    headers = [(b"authorization", f"Bearer {token}".encode())] if token else []
    socket = PatientSocket(URLRouter(websocket_urlpatterns), "/ws/events/", headers=headers)
    connected, _ = await socket.connect()
    assert connected
    return socket


async def received(socket: PatientSocket) -> Frame:
    frame: Frame = await socket.receive_json_from(timeout=60)
    return frame


async def closed(socket: PatientSocket) -> int:
    while True:
        message = await socket.receive_output(20)
        if message["type"] == "websocket.close":
            code: int = message["code"]
            return code


async def test_a_socket_authenticates_in_its_first_frame_and_receives_events(ana: User) -> None:
    token = await in_thread(lambda: token_of(ana))
    socket = await socket_of(None)
    await socket.send_json_to({"t": "auth", "token": token})
    assert await received(socket) == {"t": "hello", "last": 0}
    await socket.send_json_to({"t": "listen", "id": "one", "kinds": ["match.created"]})
    assert await received(socket) == {"t": "listening", "id": "one", "after": 0, "first": 1, "gone": False}
    await in_thread(lambda: seek(ana))
    event = await received(socket)
    assert (event["t"], event["kind"], event["by"]) == ("event", "match.created", "ana")
    await socket.send_json_to({"t": "ping"})
    assert await received(socket) == {"t": "pong"}
    await socket.send_json_to({"t": "listen", "after": 0})
    assert (await received(socket))["after"] == 0
    assert (await received(socket))["number"] == event["number"]
    await socket.disconnect()
    assert registry.current_registry().open == {}


async def test_a_socket_closes_when_its_token_is_revoked(ana: User) -> None:
    token = await in_thread(lambda: token_of(ana))
    socket = await socket_of(token)
    await received(socket)
    await socket.send_json_to({"t": "listen"})
    await received(socket)
    await in_thread(lambda: programs.tokens_revoke_all(user=ana))
    assert await closed(socket) == close_codes.SIGNED_OUT


@pytest.mark.parametrize("frame", [{"t": "auth", "token": "nothing"}, {"t": "auth"}, {"t": "listen"}, {"t": "ping"}])
async def test_an_unauthenticated_socket_receives_nothing(db: None, frame: Frame) -> None:
    socket = await socket_of(None)
    await socket.send_json_to(frame)
    assert await closed(socket) == close_codes.SIGNED_OUT


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"t": "listen", "subjects": ["match:nothing"]}, "hook_subjects"),
        ({"t": "listen", "kinds": ["nothing"]}, "hook_kinds"),
        ({"t": "listen", "subjects": "match:a"}, "bad_frame"),
        ({"t": "listen", "after": -1}, "bad_frame"),
        ({"t": "listen", "after": True}, "bad_frame"),
        ({"t": "nothing"}, "unknown_command"),
    ],
)
async def test_an_invalid_frame_is_refused(ana: User, frame: Frame, code: str) -> None:
    token = await in_thread(lambda: token_of(ana))
    socket = await socket_of(token)
    await received(socket)
    await socket.send_json_to(frame)
    message = await received(socket)
    assert (message["t"], message["code"]) == ("refused", code)
    await socket.disconnect()


async def test_a_stream_of_json_lines_has_the_same_events(ana: User) -> None:
    token = await in_thread(lambda: token_of(ana))
    lines = Stream(token, accept="application/x-ndjson")
    lines.first_end = "\n"
    assert await lines.begin() == 200
    await in_thread(lambda: seek(ana))
    await lines.until("match.created")
    await lines.leave()
    listening, event = (json.loads(line) for line in lines.text.splitlines() if line)
    assert listening == {"kind": "listening", "after": 0}
    assert (event["kind"], event["number"]) == ("match.created", 1)
