"""``python -m tools.fuzz.frames --frames 10000``: bad frames on every socket of a real site, from many users.

No frame may raise an error in the site, hang a socket, or change a row, unless the site has acknowledged it. After each
round the rows are compared with those before it. The first failure is printed with the frames of that round, and the
exit status is 1. `--seed` repeats a run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import struct
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tools.bench.play.websocket_client import LOST, Wire
from tools.fuzz.frames_grammar import TEXT, Frame, Grammar, Sent, next_message
from tools.fuzz.frames_site import FuzzedSite, Rows, site

PATIENCE = 60.0
"""Seconds that a connection may take to answer: the machine may be busy."""
A_ROUND = 20
CODED = frozenset({4401, 4403, 4404, 4408, 4413, 4429, 4430, 1000, 1002, 1003, 1007, 1009})
"""How a socket may end: our own codes, or the protocol's for what was no frame at all."""
TURNED_AWAY = frozenset({4401, 4403, 4404})
"""How the site closes the connection of a user who may not be there."""
PLACES: Sequence[tuple[str, str, Sequence[str]]] = (
    ("/ws/match/{table}/", "at_table", ("player", "opponent", "spectator", "anonymous", "guest", "blocked")),
    ("/ws/match/{corr}/", "at_table", ("player", "opponent", "staff")),
    ("/ws/match/{adjourned}/", "at_table", ("player", "opponent")),
    ("/ws/match/{over}/", "at_table", ("player", "anonymous")),
    ("/ws/match/{called}/", "at_table", ("player", "opponent", "spectator")),
    ("/ws/match/{seek}/", "at_table", ("player", "owner")),
    ("/ws/match/nothing/", "at_table", ("player",)),
    ("/ws/lobby/", "anywhere", ("player", "anonymous", "guest")),
    ("/ws/wall/", "at_wall", ("player", "anonymous")),
    ("/ws/wall/?show=tv", "at_wall", ("blocked",)),
    ("/ws/talk/{table}/", "in_chat", ("player", "opponent", "spectator", "anonymous", "blocked")),
    ("/ws/tournaments/{cup}/", "anywhere", ("director", "anonymous")),
    ("/ws/bot/", "anywhere", ("bot", "anonymous")),
    ("/ws/events/", "listening", ("player", "anonymous", "bot")),
    ("/ws/nowhere/", "anywhere", ("player", "bot")),
)


class Wrong(AssertionError):
    """The site did something that it must never do."""


@dataclass
class Place:
    """One connection to one socket, as one user."""

    path: str
    kind: str
    actor: str
    grammar: Grammar
    wire: Wire | None = None
    received: Frame = field(default_factory=dict)
    answers: list[Frame] = field(default_factory=list)
    closed: asyncio.Event = field(default_factory=asyncio.Event)
    sent: list[Sent] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    code: int = 0
    let_in: bool = False
    turned_away: bool = False

    def __str__(self) -> str:
        return f"{self.actor} at {self.path}"

    async def connect(self, base: str, world: Frame) -> None:
        """Connect."""
        parts = urlsplit(base)
        self.closed, self.code, self.received = asyncio.Event(), 0, {}
        loop = asyncio.get_running_loop()
        _, self.wire = await loop.create_connection(lambda: Wire(self.receive, self.end), parts.hostname, parts.port)
        identity = f"Authorization: Bearer {world['tokens']['bot']}" if self.actor == "bot" else f"Origin: {base}"
        lines = [
            f"GET {self.path.format(**world['words'])} HTTP/1.1",
            *(f"Host: {parts.netloc}", identity, f"Cookie: {world['cookies'].get(self.actor, '')}"),
            *("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"),
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
        assert self.wire.transport is not None
        self.wire.transport.write("\r\n".join([*lines, "", ""]).encode())
        status = await asyncio.wait_for(self.wire.opened, PATIENCE)
        self.let_in = status == 101
        if status >= 500:
            raise Wrong(f"{self}: the handshake was answered {status}")

    def receive(self, text: bytes) -> None:
        frame = json.loads(text)
        self.answers.append(frame)
        self.news.set()
        if frame.get("t") in ("state", "event", "actions", "pong", "boards"):
            self.received |= frame

    def end(self, code: int) -> None:
        self.code = code
        self.turned_away |= code in TURNED_AWAY
        self.closed.set()
        self.news.set()

    @property
    def open(self) -> bool:
        return self.wire is not None and self.wire.is_open and not self.closed.is_set()

    async def send(self, message: Sent) -> None:
        """Read first what has come: writing to a connection that was closed earlier loses its close code."""
        await asyncio.sleep(0)
        if self.open:
            self.sent.append(message)
            self._write(*message)

    def _write(self, kind: int, body: bytes) -> None:
        """Send one frame of any length, with a mask that leaves the bytes as they are."""
        if self.wire is None or not self.wire.is_open or self.wire.transport is None:
            return
        size, more = len(body), b""
        if size > 125:
            more = struct.pack("!H", size) if size < 65_536 else struct.pack("!Q", size)
            size = 126 if len(more) == 2 else 127
        self.wire.transport.write(bytes([128 | kind, 128 | size]) + more + bytes(4) + body)

    @property
    def unwanted(self) -> bool:
        """Whether the site closes this connection as soon as it is open, or at a first frame without a token.

        What is sent meanwhile may meet a closed socket, and the system then forgets the close code that came before.
        """
        return self.turned_away or (self.kind == "listening" and self.actor != "bot")

    async def settled(self) -> None:
        """Wait until everything sent is answered: a good heartbeat after it is, or the connection is closed."""
        if not self.open:
            return
        before = len(self.answers)
        self._write(TEXT, b'{"t":"ping"}')
        try:
            async with asyncio.timeout(PATIENCE):
                while not self.closed.is_set() and not any(_answers_heartbeat(each) for each in self.answers[before:]):
                    before = len(self.answers)
                    self.news.clear()
                    await self.news.wait()
        except TimeoutError:
            raise Wrong(f"{self}: no answer to a heartbeat within {PATIENCE:.0f} s\n{_history(self)}") from None


def _pattern(path: str) -> str:
    """Return the route of a socket's URL: `ws/match/<slug:match_id>/`."""
    bare = path.partition("?")[0].strip("/").split("/")
    about = {"match": "match_id", "talk": "match_id", "tournaments": "tournament_id"}
    return "/".join([*bare[:2], *(f"<slug:{about[bare[1]]}>" for _ in bare[2:])]) + "/"


def _answers_heartbeat(frame: Frame) -> bool:
    """Whether a frame answers a heartbeat, on any socket."""
    return frame.get("t") in ("pong", "tournament", "events", "beat", "ping")


class Run:
    """Rounds of frames on all connections at once, and the checks after each."""

    def __init__(self, site_: FuzzedSite, seed: int) -> None:
        self.site, self.world = site_, site_.world
        self.dice = random.Random(seed)
        if strange := set(self.world["sockets"]) - {_pattern(path) for path, _, _ in PLACES}:
            raise Wrong(f"these sockets are not in PLACES: {strange}")
        self.places = [Place(path, kind, actor, self._grammar()) for path, kind, crowd in PLACES for actor in crowd]
        self.count = 0
        self.seen: Counter[str] = Counter()
        self.ends: Counter[int] = Counter()
        self.slowest = 0.0

    def _grammar(self) -> Grammar:
        return Grammar(random.Random(self.dice.getrandbits(64)))

    async def go(self, frames: int) -> None:
        """Send so many frames, in rounds. Raises Wrong."""
        await self._enter()
        await asyncio.gather(*(place.settled() for place in self.places))
        before = self.site.read_rows()
        while self.count < frames:
            for place in self.places:
                place.answers, place.sent = [], []
            began = time.monotonic()
            await asyncio.gather(*(self._send_round(place) for place in self.places))
            self.slowest = max(self.slowest, time.monotonic() - began)
            after = self.site.read_rows()
            self._judge(before, after)
            before = after
            if await self._enter():
                before = self.site.read_rows()

    async def _enter(self) -> bool:
        """Open closed connections; create new matches for those that are over. Whether that may have changed rows."""
        fresh = False
        playable = [place for place in self.places if "{over}" not in place.path]
        if any(place.received.get("match", {}).get("status") == "over" for place in playable):
            # In a thread, since the connections answer heartbeats meanwhile.
            self.world["words"] |= await asyncio.to_thread(self.site.seed, "again")
            for place in self.places:
                if place.wire is not None and ("{table}" in place.path or "{corr}" in place.path):
                    place.wire.cut()
                    await place.closed.wait()
            fresh = True
        closed = [place for place in self.places if not place.open]
        await asyncio.gather(*(place.connect(self.site.url, self.world) for place in closed))
        return fresh or bool(closed)

    async def _send_round(self, place: Place) -> None:
        good: Callable[[Frame], Frame] = getattr(place.grammar, place.kind)
        for _ in range(A_ROUND):
            if not place.open:
                break
            await place.send(next_message(place.grammar.dice, good, place.received))
            self.count += 1
            if place.kind == "at_table" and place.grammar.dice.random() < 0.2:
                await place.settled()  # so that the next frame knows what this one did
        await place.settled()

    def _judge(self, before: Rows, after: Rows) -> None:
        """Check that only acknowledged or due things changed, each close had a reason, and nothing was logged."""
        # A broken connection may have broken before it could answer.
        acknowledged = {
            place.path
            for place in self.places
            if any(each.get("t") == "ack" or _of_time(each) for each in place.answers)
            or (place.let_in and place.code == LOST)
        }
        words = self.world["words"]
        matches_acknowledged = {
            path.split("/")[3].format(**words) for path in acknowledged if path.startswith("/ws/match/")
        }
        rooms = any(path.startswith("/ws/talk/") for path in acknowledged)
        for place in self.places:
            self.seen.update(_label(each) for each in place.answers)
            if place.closed.is_set():
                self.ends[place.code] += 1
                dropped = place.code == LOST and (not place.let_in or _unreadable(place.sent) or place.unwanted)
                if place.code not in CODED and not dropped:
                    raise Wrong(f"{place}: ended with {place.code}\n{_history(place)}")
        matches, tables = before.changed(after)
        if stray := matches - matches_acknowledged:
            visited = [(place, place.path.format(**words)) for place in self.places]
            guilty = [place for place, path in visited if any(match_id in path for match_id in stray)]
            history = "\n".join(_history(place) for place in guilty)
            raise Wrong(f"matches {stray} changed, and nothing there was acknowledged\n{history}")
        if stray := {table for table in tables if not (rooms if table.startswith("chat_") else matches_acknowledged)}:
            raise Wrong(f"tables {stray} changed, and nothing of theirs was acknowledged")
        if self.site.process.poll() is not None:
            raise Wrong(f"the web process ended with {self.site.process.returncode}")
        if errors := self.site.logged_errors():
            raise Wrong(f"the site complained:\n{errors}")


def _of_time(frame: Frame) -> bool:
    """Whether a frame announces something the site did because a time had run out."""
    acts = frame.get("actions", []) if frame.get("t") == "event" else []
    return any(each["seat"] == "server" and each["text"].startswith(("flag ", "hold ")) for each in acts)


def _label(frame: Frame) -> str:
    return f"refused {frame.get('code')}" if frame.get("t") == "refused" else str(frame.get("t"))


def _unreadable(sent: Sequence[Sent]) -> bool:
    """Whether bytes were sent that are not text: a protocol may close the connection."""
    for kind, body in sent:
        try:
            body.decode()
        except UnicodeDecodeError:
            if kind == TEXT:
                return True
    return False


def _history(place: Place) -> str:
    sent = "\n".join(f"    {kind} {body[:300]!r}" for kind, body in place.sent)
    return f"  {place} sent\n{sent}\n  and received {[_label(each) for each in place.answers]}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz; 1 if the site did something that it must never do."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args(arguments)
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="tablero-fuzz-") as folder, site(Path(folder)) as site_:
        run = Run(site_, seed)
        began = time.monotonic()
        try:
            asyncio.run(run.go(options.frames))
        except Wrong as wrong:
            print(
                f"{wrong}\nafter {run.count} frames; again: python -m tools.fuzz.frames --seed {seed}", file=sys.stderr
            )
            return 1
        finally:
            spent = time.monotonic() - began
            print(
                f"{run.count} frames in {spent:.0f} s, {run.count / spent:.0f} a second, on {len(run.places)} sockets"
            )
            print("answers: " + ", ".join(f"{word} {count}" for word, count in run.seen.most_common()))
            print("ends: " + ", ".join(f"{code} {count}" for code, count in sorted(run.ends.items())))
            print(f"the slowest round took {run.slowest:.1f} s")
    return 0


__all__ = ["PLACES", "Any", "Run", "Wrong", "main", "site"]

if __name__ == "__main__":
    sys.exit(main())
