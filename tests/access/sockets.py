"""The cells of the sockets: a real frame through the site's own door, and what it was answered and wrote."""

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
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.db import connection, transaction

from games.doors import codes
from tests.access.areas_of_sockets import COMERS, ROWS, Sent
from tests.access.asking import Ledger, worded
from tests.access.world import World

PATIENCE = 20
"""Seconds until a socket has answered; every one does in hundredths of one."""
SILENCES, SILENT = 3, "-"
CLOSED = {codes.NOT_FOUND: "H", codes.KEPT_OUT: "R", codes.LOGGED_OUT: "L", codes.TOO_MANY_FRAMES: "R"}
BEATS = ("pong", "tournament", "events")
"""How a heartbeat is answered, on whatever socket."""
BROWSER = [(b"host", b"testserver"), (b"origin", b"http://testserver")]


def door() -> Any:
    """The site's door of sockets, as the web process has it; without what that process starts beside it."""
    with patch("games.heartbeat.start"), patch("games.doors.drain.install"):
        from backgammon.asgi import sockets
    return sockets


def paths(application: Any = None) -> list[str]:
    """The patterns of every socket, as they are written; the one behind all others is none."""
    return sorted({path for path in _walk(application or door()) if path})


def _walk(application: Any) -> Iterator[str]:
    while not isinstance(application, URLRouter):
        inner = getattr(application, "application", None) or getattr(application, "inner", None)
        if inner is None:
            return
        application = inner
    for route in application.routes:
        path = str(route.pattern)
        yield path
        if not path:
            yield from _walk(route.callback)


def pattern_of(path: str) -> str:
    """The route of a row's address: `ws/match/<slug:match_id>/`."""
    parts = path.partition("?")[0].strip("/").split("/")
    about = {"match": "match_id", "talk": "match_id", "tournaments": "tournament_id"}
    return "/".join([*parts[:2], *(f"<slug:{about[parts[1]]}>" for _ in parts[2:])]) + "/"


def without_row() -> list[str]:
    """The sockets that nobody thought of."""
    return sorted(set(paths()) - {pattern_of(row.path) for row in ROWS})


def kinds_without_row() -> list[str]:
    """The commands of a socket that have no row."""
    from games.consumers import MatchConsumer, WallConsumer

    known = {(pattern_of(row.path), row.frame.get("t")) for row in ROWS}
    wanted = {("ws/match/<slug:match_id>/", kind) for kind in MatchConsumer.COMMANDS}
    wanted |= {("ws/wall/", kind) for kind in WallConsumer.COMMANDS}
    return sorted(f"{path} {kind}" for path, kind in wanted - known)


def headers_of(world: World, who: str) -> list[tuple[bytes, bytes]]:
    """A browser comes with its session and an Origin, a program with its token and neither."""
    if who in world.tokens:
        return [(b"host", b"testserver"), (b"authorization", f"Bearer {world.tokens[who]}".encode())]
    session = world.clients[who].cookies.get("sessionid")
    return [*BROWSER, *([(b"cookie", f"sessionid={session.value}".encode())] if session else [])]


async def _asked(world: World, row: Sent, who: str) -> str:
    """The letter of one cell, as it is. Raises TimeoutError when the socket keeps silent."""
    path = row.path.format(**world.words)
    socket = WebsocketCommunicator(door(), path, headers=headers_of(world, who))
    try:
        async with asyncio.timeout(PATIENCE):
            connected, _ = await socket.connect(timeout=PATIENCE)
            if not connected:
                return "R"  # no Origin: the door is shut before anybody says why
            if row.frame:
                await socket.send_json_to(worded(row.frame, world))
            if row.frame.get("t") != "ping":
                await socket.send_json_to({"t": "ping"})
            letter = "V"
            while True:
                told = await socket.receive_output(PATIENCE)
                if told["type"] == "websocket.close":
                    return CLOSED.get(told["code"], f"?{told['code']}")
                text = told.get("text", "")
                kind = re.match(r'\{"t":"([\w-]+)"', text)
                said = kind[1] if kind else ""
                letter = {"ack": "D", "refused": "R"}.get(said, letter)
                if said in BEATS:
                    return letter
    finally:
        await socket.disconnect(timeout=PATIENCE)


@contextmanager
def _taken_back(ledger: Ledger) -> Iterator[None]:
    """A block whose writes go to the ledger and no further."""
    with transaction.atomic(), connection.execute_wrapper(ledger):
        yield
        transaction.set_rollback(True)


async def _cell(world: World, row: Sent, who: str, block: ExitStack) -> tuple[str, list[str]]:
    ledger = Ledger()
    begin = partial(block.enter_context, _taken_back(ledger))  # where the database is, whose connection the world is in
    await sync_to_async(begin)()
    try:
        letter = await _asked(world, row, who)
    except TimeoutError:
        return SILENT, ["no answer"]
    except Exception:  # whatever it is, it is a wrong cell, and the others are asked too
        return "!", [traceback.format_exc(limit=-3)]
    finally:
        await sync_to_async(block.close)()
    if bool(ledger.written) != (letter == "D") and not row.writes:
        return f"{letter}!", ledger.written  # it wrote without a word, or gave its word without writing
    return letter, []


def found(world: World, rows: Sequence[Sent] = ROWS) -> list[tuple[Sent, list[str], list[str]]]:
    """Each row with its letters as they are, and what went wrong in it. The connection lives longer than a socket.

    However it ends, it leaves no transaction open: other tests follow in this process.
    """
    kept = "channels.db.close_old_connections", "games.database.close_old_connections"
    with patch(kept[0]), patch(kept[1]), ExitStack() as block:
        return async_to_sync(_found)(world, rows, block)


async def _found(world: World, rows: Sequence[Sent], block: ExitStack) -> list[tuple[Sent, list[str], list[str]]]:
    """Sockets that keep silent are not waited for again and again: with the third the rest is not asked."""
    answers: list[tuple[Sent, list[str], list[str]]] = []
    silent = 0
    for row in rows:
        cells, wrong = [], []
        for who in COMERS:
            cell, said = (SILENT, ["not asked"]) if silent >= SILENCES else await _cell(world, row, who, block)
            silent += cell == SILENT
            cells.append(cell)
            if not cell.isalpha():
                wrong.append(f"{row}: {who}: {cell} {said}")
        answers.append((row, cells, wrong))
    return answers


def report(world: World, *, quiet: bool = False) -> list[str]:
    """Ask the table of the sockets and print it. Returns what is wrong with it."""
    wrong = [f"no row for the socket {path}" for path in without_row()]
    wrong += [f"no row for the command {kind}" for kind in kinds_without_row()]
    if not quiet:
        print(f"\nsockets: {', '.join(COMERS)}")
    for row, letters, errors in found(world):
        wrong += errors
        said = "".join(letters)
        if said != row.letters:
            wrong.append(f"{row}: is {said}, should be {row.letters}")
        if not quiet:
            print(f"  {said} {row}")
    print("\n".join(["", *wrong]))
    print(f"{len(paths())} sockets, {len(ROWS)} rows, {len(ROWS) * len(COMERS)} cells; {len(wrong)} wrong")
    return wrong


def wrong_cells(world: World, one: Sent) -> list[str]:
    """What is not as it stands in a row, and every error on the way."""
    wrong = []
    for row, letters, errors in found(world, [one]):
        wrong += errors
        if "".join(letters) != row.letters:
            wrong.append(f"{row}: is {''.join(letters)}, should be {row.letters}")
    return wrong
