"""The cells of the sockets: a real frame through the site's ASGI application, its response and its writes."""

from __future__ import annotations

import asyncio
import re
import traceback
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

from asgiref.sync import async_to_sync, sync_to_async
from django.db import connection, transaction

from games.connections import close_codes
from tests.access.cell_check import Ledger, fill_in
from tests.access.socket_rows import ROWS, SOCKET_ACTORS, Sent
from tests.access.world import World
from tests.patient_sockets import PatientSocket

PATIENCE = 20
"""The timeout of a response in seconds; responses take hundredths of a second."""
SILENCES, SILENT = 3, "-"
CLOSED = {
    close_codes.NOT_FOUND: "H",
    close_codes.BLOCKED: "R",
    close_codes.SIGNED_OUT: "L",
    close_codes.TOO_MANY_FRAMES: "R",
}
BEATS = ("pong", "tournament", "events")
"""The responses to a heartbeat, on any socket."""
BROWSER = [(b"host", b"testserver"), (b"origin", b"http://testserver")]


def application_of_site() -> Any:
    """The site's WebSocket application as in the web process, without its background tasks."""
    with patch("games.heartbeat.start"), patch("games.connections.drain.install"):
        from backgammon.asgi import sockets
    return sockets


def paths(application: Any = None) -> list[str]:
    """The URL patterns of all sockets, without the catch-all."""
    routes = (application or application_of_site()).routes
    return sorted({str(route.pattern) for route in routes} - {""})


def pattern_of(path: str) -> str:
    """The route of a row's URL: `ws/match/<slug:match_id>/`."""
    parts = path.partition("?")[0].strip("/").split("/")
    about = {"match": "match_id", "talk": "match_id", "tournaments": "tournament_id"}
    return "/".join([*parts[:2], *(f"<slug:{about[parts[1]]}>" for _ in parts[2:])]) + "/"


def without_row() -> list[str]:
    """The sockets without a row."""
    return sorted(set(paths()) - {pattern_of(row.path) for row in ROWS})


def kinds_without_row() -> list[str]:
    """The commands of a socket that have no row."""
    from games import frames

    known = {(pattern_of(row.path), row.frame.get("t")) for row in ROWS}
    wanted = {("ws/match/<slug:match_id>/", kind) for kind in frames._MATCH_PARSERS}
    wanted |= {("ws/wall/", kind) for kind in frames._BOARDS_PARSERS}
    return sorted(f"{path} {kind}" for path, kind in wanted - known)


def headers_of(world: World, actor: str) -> list[tuple[bytes, bytes]]:
    """A browser sends its session and an Origin, an app its token and neither."""
    if actor in world.tokens:
        return [(b"host", b"testserver"), (b"authorization", f"Bearer {world.tokens[actor]}".encode())]
    session = world.clients[actor].cookies.get("sessionid")
    return [*BROWSER, *([(b"cookie", f"sessionid={session.value}".encode())] if session else [])]


async def _asked(world: World, row: Sent, actor: str) -> str:
    """The actual letter of one cell. Raises TimeoutError if the socket does not respond."""
    path = row.path.format(**world.words)
    socket = PatientSocket(application_of_site(), path, headers=headers_of(world, actor))
    try:
        async with asyncio.timeout(PATIENCE):
            connected, _ = await socket.connect(timeout=PATIENCE)
            if not connected:
                return "R"  # no Origin: refused without a reason
            if row.frame:
                await socket.send_json_to(fill_in(row.frame, world))
            if row.frame.get("t") != "ping":
                await socket.send_json_to({"t": "ping"})
            letter = "V"
            while True:
                event = await socket.receive_output(PATIENCE)
                if event["type"] == "websocket.close":
                    return CLOSED.get(event["code"], f"?{event['code']}")
                text = event.get("text", "")
                kind = re.match(r'\{"t":"([\w-]+)"', text)
                frame_kind = kind[1] if kind else ""
                letter = {"ack": "D", "refused": "R"}.get(frame_kind, letter)
                if frame_kind in BEATS:
                    return letter
    finally:
        await socket.disconnect(timeout=PATIENCE)


@contextmanager
def _rolled_back(ledger: Ledger) -> Iterator[None]:
    """A block whose writes are recorded in the ledger and rolled back."""
    with transaction.atomic(), connection.execute_wrapper(ledger):
        yield
        transaction.set_rollback(True)


async def _cell(world: World, row: Sent, actor: str, block: ExitStack) -> tuple[str, list[str]]:
    ledger = Ledger()
    begin = partial(block.enter_context, _rolled_back(ledger))  # in the thread of the database connection
    await sync_to_async(begin)()
    try:
        letter = await _asked(world, row, actor)
    except TimeoutError:
        return SILENT, ["no response"]
    except Exception:  # any error is a wrong cell; the others are still requested
        return "!", [traceback.format_exc(limit=-3)]
    finally:
        await sync_to_async(block.close)()
    if bool(ledger.written) != (letter == "D") and not row.writes:
        return f"{letter}!", ledger.written  # it wrote without an ack, or acknowledged without writing
    return letter, []


def request_rows(world: World, rows: Sequence[Sent] = ROWS) -> list[tuple[Sent, list[str], list[str]]]:
    """Each row with its actual letters and its errors. The database connection outlives the sockets.

    However it ends, it leaves no transaction open: other tests follow in this process.
    """
    closers = "channels.db.close_old_connections", "games.database.close_old_connections"
    with patch(closers[0]), patch(closers[1]), ExitStack() as block:
        return async_to_sync(_request_rows)(world, rows, block)


async def _request_rows(
    world: World, rows: Sequence[Sent], block: ExitStack
) -> list[tuple[Sent, list[str], list[str]]]:
    """Stop after the third socket that does not respond."""
    answers: list[tuple[Sent, list[str], list[str]]] = []
    silent = 0
    for row in rows:
        cells, wrong = [], []
        for actor in SOCKET_ACTORS:
            cell, written = (SILENT, ["not asked"]) if silent >= SILENCES else await _cell(world, row, actor, block)
            silent += cell == SILENT
            cells.append(cell)
            if not cell.isalpha():
                wrong.append(f"{row}: {actor}: {cell} {written}")
        answers.append((row, cells, wrong))
    return answers


def report(world: World, *, quiet: bool = False) -> list[str]:
    """Request every cell of the sockets and print them. Returns the errors."""
    wrong = [f"no row for the socket {path}" for path in without_row()]
    wrong += [f"no row for the command {kind}" for kind in kinds_without_row()]
    if not quiet:
        print(f"\nsockets: {', '.join(SOCKET_ACTORS)}")
    for row, letters, errors in request_rows(world):
        wrong += errors
        actual = "".join(letters)
        if actual != row.letters:
            wrong.append(f"{row}: is {actual}, should be {row.letters}")
        if not quiet:
            print(f"  {actual} {row}")
    print("\n".join(["", *wrong]))
    print(f"{len(paths())} sockets, {len(ROWS)} rows, {len(ROWS) * len(SOCKET_ACTORS)} cells; {len(wrong)} wrong")
    return wrong


def wrong_cells(world: World, sent_row: Sent) -> list[str]:
    """The cells that differ from the row, and all errors."""
    wrong = []
    for row, letters, errors in request_rows(world, [sent_row]):
        wrong += errors
        if "".join(letters) != row.letters:
            wrong.append(f"{row}: is {''.join(letters)}, should be {row.letters}")
    return wrong
