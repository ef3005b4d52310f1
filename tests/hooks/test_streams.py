"""Events on an open line: server-sent events and the socket, from their first word to their end."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.core.asgi import get_asgi_application

from accounts import programs
from accounts.models import PersonalToken, User
from games import services as play
from games.doors import codes, registry
from hooks import services, streams
from hooks.models import Event
from hooks.routing import websocket_urlpatterns

pytestmark = pytest.mark.django_db(transaction=True)

Told = dict[str, Any]
ADDRESS = "/api/v1/events/stream/"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "TICK", 0.02)
    monkeypatch.setattr(streams, "CHECK", 0.05)


def token_of(user: User, *scopes: str) -> str:
    return programs.token_make(user=user, name="my program", scopes=scopes or ("hooks",))[1]


def in_thread(call: Callable[[], Any]) -> Awaitable[Any]:
    return sync_to_async(call)()


class Stream:
    """A request for a stream, and what came of it so far."""

    def __init__(self, token: str, query: str = "", **headers: str) -> None:
        named = {"authorization": f"Bearer {token}", "accept": "text/event-stream", "host": "localhost", **headers}
        self.line = ApplicationCommunicator(
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

    async def begin(self) -> int:
        await self.line.send_input({"type": "http.request", "body": b"", "more_body": False})
        start = await self.line.receive_output(10)
        status: int = start["status"]
        if status == 200:
            await self.until("\n\n")
        return status

    async def until(self, word: str) -> str:
        """The stream up to now, once it has this word."""
        while word not in self.text:
            said = await self.line.receive_output(20)
            self.text += said["body"].decode()
            if not said.get("more_body") and word not in self.text:
                raise AssertionError(f"ended without {word!r}: {self.text}")
        return self.text

    async def ended(self) -> bool:
        while True:
            said = await self.line.receive_output(20)
            self.text += said.get("body", b"").decode()
            if not said.get("more_body"):
                return True

    async def leave(self) -> None:
        await self.line.send_input({"type": "http.disconnect"})
        await self.line.wait(10)

    def events(self) -> list[Told]:
        lines = (one for one in self.text.splitlines() if one.startswith("data: "))
        return [json.loads(one.removeprefix("data: ")) for one in lines]


def seek(user: User) -> None:
    play.match_create(creator=user, variant="backgammon", length=3, clock="club", rated=False)
    services.events_take()


async def test_a_stream_brings_what_happens_and_goes_on_where_it_was_cut(ana: User) -> None:
    token = await in_thread(lambda: token_of(ana))
    first = Stream(token)
    assert await first.begin() == 200
    assert first.text == "retry: 2000\nid: 0\n: listening\n\n"
    await in_thread(lambda: seek(ana))
    await first.until("match.created")
    await first.leave()
    [told] = first.events()
    assert f"id: {told['number']}\nevent: match.created\ndata: " in first.text
    await in_thread(lambda: seek(ana))
    again = Stream(token, **{"last-event-id": str(told["number"])})
    assert await again.begin() == 200
    await again.until("match.created")
    await again.leave()
    assert [one["number"] for one in again.events()] == [told["number"] + 1]
    assert (streams.here().open, registry.here().open) == (set(), {})


async def test_a_stream_brings_only_what_was_asked_for(ana: User) -> None:
    token = await in_thread(lambda: token_of(ana))
    stream = Stream(token, "kinds=match.cancelled")
    await stream.begin()

    def seek_and_cancel() -> None:
        seek(ana)
        match = ana.matches_created.get()
        play.match_cancel(match_id=match.pk, user=ana)
        services.events_take()

    await in_thread(seek_and_cancel)
    await stream.until("match.cancelled")
    await stream.leave()
    assert [one["kind"] for one in stream.events()] == ["match.cancelled"]


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


async def test_streams_end_before_a_restart_and_say_when_to_come_again(
    ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = await in_thread(lambda: token_of(ana))
    stream = Stream(token)
    await stream.begin()
    await registry.here().part()
    assert await stream.ended()
    assert stream.text.endswith("retry: 2000\n: over, come again\n\n")
    registry.here().closing = False


async def test_somebody_has_twelve_lines_beside_those_of_his_browsers(ana: User) -> None:
    token = await in_thread(lambda: token_of(ana))
    lines = [Stream(token) for _ in range(13)]
    for line in lines:
        assert await line.begin() == 200
    assert await lines[0].ended()
    assert len(streams.here().open) == 12
    for line in lines[1:]:
        await line.leave()


async def test_events_that_are_no_longer_kept_are_said_to_be_gone(ana: User) -> None:
    token = await in_thread(lambda: token_of(ana))

    def old() -> None:
        services.listen(user=ana, topics=[f"user:{ana.pk}"])
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
async def test_a_request_that_cannot_be_is_refused(ana: User, query: str, status: int, headers: dict[str, str]) -> None:
    token = await in_thread(lambda: token_of(ana))
    stream = Stream(token, query, **headers)
    assert await stream.begin() == status
    await stream.line.wait(10)


async def test_a_token_without_the_scope_hears_nothing(ana: User) -> None:
    token = await in_thread(lambda: token_of(ana, "read"))
    stream = Stream(token)
    assert await stream.begin() == 403
    await stream.line.wait(10)


# The socket


async def socket_of(token: str | None) -> WebsocketCommunicator:
    headers = [(b"authorization", f"Bearer {token}".encode())] if token else []
    socket = WebsocketCommunicator(URLRouter(websocket_urlpatterns), "/ws/events/", headers=headers)
    connected, _ = await socket.connect(timeout=10)
    assert connected
    return socket


async def heard(socket: WebsocketCommunicator) -> Told:
    frame: Told = await socket.receive_json_from(timeout=20)
    return frame


async def closed(socket: WebsocketCommunicator) -> int:
    while True:
        said = await socket.receive_output(20)
        if said["type"] == "websocket.close":
            code: int = said["code"]
            return code


async def test_a_socket_says_who_it_is_in_its_first_frame_and_hears(ana: User) -> None:
    token = await in_thread(lambda: token_of(ana))
    socket = await socket_of(None)
    await socket.send_json_to({"t": "auth", "token": token})
    assert await heard(socket) == {"t": "hello", "last": 0}
    await socket.send_json_to({"t": "listen", "id": "one", "kinds": ["match.created"]})
    assert await heard(socket) == {"t": "listening", "id": "one", "after": 0, "first": 1, "gone": False}
    await in_thread(lambda: seek(ana))
    told = await heard(socket)
    assert (told["t"], told["kind"], told["by"]) == ("event", "match.created", "ana")
    await socket.send_json_to({"t": "ping"})
    assert await heard(socket) == {"t": "pong"}
    await socket.send_json_to({"t": "listen", "after": 0})
    assert (await heard(socket))["after"] == 0
    assert (await heard(socket))["number"] == told["number"]
    await socket.disconnect()
    assert registry.here().open == {}


async def test_a_socket_goes_with_its_token(ana: User) -> None:
    token = await in_thread(lambda: token_of(ana))
    socket = await socket_of(token)
    await heard(socket)
    await socket.send_json_to({"t": "listen"})
    await heard(socket)
    await in_thread(lambda: programs.tokens_end(user=ana))
    assert await closed(socket) == codes.LOGGED_OUT


@pytest.mark.parametrize("frame", [{"t": "auth", "token": "nothing"}, {"t": "auth"}, {"t": "listen"}, {"t": "ping"}])
async def test_who_does_not_say_who_he_is_hears_nothing(db: None, frame: Told) -> None:
    socket = await socket_of(None)
    await socket.send_json_to(frame)
    assert await closed(socket) == codes.LOGGED_OUT


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
async def test_a_frame_that_cannot_be_is_refused(ana: User, frame: Told, code: str) -> None:
    token = await in_thread(lambda: token_of(ana))
    socket = await socket_of(token)
    await heard(socket)
    await socket.send_json_to(frame)
    said = await heard(socket)
    assert (said["t"], said["code"]) == ("refused", code)
    await socket.disconnect()
