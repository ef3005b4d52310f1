"""The event log on an answer that does not end: as server-sent events, or as JSON lines (NDJSON)."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import aclosing

import orjson
from django.http import HttpRequest, HttpResponseBase, JsonResponse, StreamingHttpResponse

from accounts.api.errors import Problem, problem_response
from accounts.auth.session_validity import SessionSnapshot
from accounts.errors import Refused as AnyRefused
from accounts.programs.credentials import Credential, credential_from_header
from accounts.programs.scopes import HOOKS
from accounts.web import api_rates
from eventlog import services
from eventlog.errors import Refused
from eventlog.selectors.events import first_number, last_number
from eventlog.streams import ProgramVisit, StreamReader
from games.connections import registry
from games.database import in_db

TYPE, LINES_TYPE = "text/event-stream", "application/x-ndjson"
LONGEST = 3600.0  # seconds; a program comes back by itself, and goes on where it was
RETRY = 2000  # milliseconds until it comes back
LONGEST_NUMBER = 16
ASKED = frozenset({"after", "kinds", "subjects"})


class Line:
    """A stream as a connection of this process (games.connections): counted with its owner's apps."""

    kind = "line"
    dead_after: float = math.inf
    ask_after: float = math.inf
    busy: bool = False
    visit: SessionSnapshot

    def __init__(self, listening: StreamReader) -> None:
        self.listening = listening
        self.visit = ProgramVisit(user_id=listening.user_id)
        self.last_frame_at = time.monotonic()

    async def close(self, code: int) -> None:
        self.listening.end()

    async def close_for_restart(self) -> None:
        self.listening.end()

    async def ask_heartbeat(self) -> None:
        """Do nothing: it cannot answer."""

    async def close_if_stalled(self) -> None:
        """Do nothing: it ends by itself within the hour."""


async def stream(request: HttpRequest) -> HttpResponseBase:
    """The events of a token's owner from `Last-Event-ID` (or `after`) on, else from now on."""
    try:
        listening, first, after = await in_db(_open_reader, request)
    except AnyRefused as refusal:
        return problem_response(refusal) or JsonResponse({}, status=400)
    form: type[ServerSentEvents] | type[JsonLines] = JsonLines if _wants_lines(request) else ServerSentEvents
    answer = StreamingHttpResponse(
        _event_lines(form, listening, first, after), content_type=f"{form.type}; charset=utf-8"
    )
    answer["Cache-Control"] = "no-store"
    answer["X-Accel-Buffering"] = "no"  # a proxy hands each event on at once
    return answer


# for holders of a token with the scope `hooks`
stream.policy = "GET player"  # type: ignore[attr-defined]


def _open_reader(request: HttpRequest) -> tuple[StreamReader, int, int | None]:
    """The line that a request asks for, the first number that is kept, and the one it named. Raises Refused."""
    if request.method != "GET":
        raise Problem("method", status=405)
    grant = _authenticate(request)
    accept = request.headers.get("Accept", "*/*")
    if not any(accepted in accept for accepted in (TYPE, LINES_TYPE, "*/*", "text/*")):
        raise Problem("not_acceptable", status=406)
    if unknown := request.GET.keys() - ASKED:
        raise Problem("unknown_field", status=400, params={"names": ", ".join(sorted(unknown))[:100]})
    after = _number(request.headers.get("Last-Event-ID") or request.GET.get("after"))
    topics = services.topics_of(grant.user, subjects=_listed(request.GET.get("subjects", "")))
    kinds = services.kinds_of(_listed(request.GET.get("kinds", "")))
    services.subscribe(user=grant.user, topics=topics)
    last = last_number()
    start = last if after is None else min(after, last)
    return StreamReader(grant, topics=topics, kinds=kinds, after=start), first_number(), after


def _wants_lines(request: HttpRequest) -> bool:
    """Whether the client asks for JSON lines and not for server-sent events."""
    accept = request.headers.get("Accept", "")
    return LINES_TYPE in accept and TYPE not in accept


def _authenticate(request: HttpRequest) -> Credential:
    """Whose token it is. Raises Problem: not_authenticated, bad_token, scope, too_often."""
    header = request.headers.get("Authorization", "")
    grant = credential_from_header(header) if header else None
    if grant is None:
        raise Problem("bad_token" if header else "not_authenticated", status=401)
    if HOOKS not in grant.scopes:
        raise Problem("scope", status=403, params={"scope": HOOKS})
    spent = api_rates.count_request(api_rates.READ, grant.key)
    if spent is not None and spent.over:
        raise Problem("too_often", status=429, params={"seconds": spent.reset}, headers=spent.headers())
    return grant


def _listed(text: str) -> list[str]:
    return [part for part in text.split(",") if part]


def _number(text: str | None) -> int | None:
    """Raises Refused stream_after."""
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < LONGEST_NUMBER):
        raise Refused("stream_after")
    return int(text)


class ServerSentEvents:
    """The stream as the HTML standard has it: each event with its number as the id, comments to keep it alive."""

    type = TYPE
    beat = b": beat\n\n"
    over = f"retry: {RETRY}\n: over, come again\n\n".encode()

    @staticmethod
    def begin(number: int | None) -> bytes:
        return f"retry: {RETRY}\nid: {number}\n: listening\n\n".encode()

    @staticmethod
    def gone(first: int) -> bytes:
        return b"event: gone\ndata: " + orjson.dumps({"first": first}) + b"\n\n"

    @staticmethod
    def event(event: dict[str, object]) -> bytes:
        head = f"id: {event['number']}\nevent: {event['kind']}\ndata: ".encode()
        return head + orjson.dumps(event) + b"\n\n"


class JsonLines:
    """The stream as one JSON object a line, and an empty line to keep it alive."""

    type = LINES_TYPE
    beat = over = b"\n"

    @staticmethod
    def begin(number: int | None) -> bytes:
        return orjson.dumps({"kind": "listening", "after": number}) + b"\n"

    @staticmethod
    def gone(first: int) -> bytes:
        return orjson.dumps({"kind": "gone", "first": first}) + b"\n"

    @staticmethod
    def event(event: dict[str, object]) -> bytes:
        return orjson.dumps(event) + b"\n"


async def _event_lines(
    form: type[ServerSentEvents] | type[JsonLines], listening: StreamReader, first: int, after: int | None
) -> AsyncIterator[bytes]:
    """Yield the stream, with something every quarter of a minute to keep it alive."""
    connections, line = registry.current_registry(), Line(listening)
    if connections.closing:
        yield form.over
        return
    await connections.add(line)
    ends = asyncio.get_running_loop().call_later(LONGEST, listening.end)
    try:
        yield form.begin(listening.after)
        if after is not None and after + 1 < first:
            yield form.gone(first)
        async with aclosing(listening.pages()) as pages:
            async for page in pages:
                yield b"".join(map(form.event, page)) if page else form.beat
        yield form.over
    finally:
        ends.cancel()
        connections.remove(line)
