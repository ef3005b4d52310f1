"""A door in front of a web process through which every byte of the bots goes: slow, cut, silent or in crumbs."""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass

CHUNK = 2**16
HALF_OPEN = 30.0  # seconds that the server keeps its side of a hole whose client is gone


@dataclass
class Weather:
    """What all doors do to bytes at present: seconds of delay a piece, and the greatest size of a piece (0: any)."""

    delay: float = 0.0
    crumb: int = 0


class Pipe:
    """One connection through a door. One that is a `hole` swallows everything and closes for nobody."""

    def __init__(self) -> None:
        self.hole = False
        self.writers: list[asyncio.StreamWriter] = []

    def reset(self) -> None:
        """Break it on both sides as a router does that forgot it: RST, no goodbye."""
        for writer in self.writers:
            if sock := writer.get_extra_info("socket"):
                with suppress(OSError):
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()


class Door:
    """A listening port that leads to the web process at `host`:`port`."""

    def __init__(self, host: str, port: int, weather: Weather, choose: random.Random) -> None:
        self.target = (host, port)
        self.weather, self.choose = weather, choose
        self.pipes: set[Pipe] = set()
        self.url = ""
        self.errors: list[str] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        self.server = await asyncio.start_server(self._enter, "127.0.0.1", 0, backlog=1024)
        self.url = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        self.server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def some(self, share: float) -> list[Pipe]:
        """A share of the connections that are open, at least one if there is any."""
        pipes = list(self.pipes)
        return self.choose.sample(pipes, min(len(pipes), max(1, round(share * len(pipes)))))

    async def _enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        pipe = Pipe()
        pipe.writers.append(writer)
        try:
            beyond, to_server = await asyncio.open_connection(*self.target)
            pipe.writers.append(to_server)
            self.pipes.add(pipe)
            for each in pipe.writers:
                each.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            ways = [asyncio.ensure_future(self._carry(pipe, *way)) for way in ((reader, to_server), (beyond, writer))]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                if pipe.hole:  # the server does not hear of it either
                    writer.transport.abort()
                    await asyncio.wait(ways, timeout=HALF_OPEN)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
        except OSError as error:
            self.errors.append(str(error))
        except asyncio.CancelledError:
            pass  # the door closes
        finally:
            self.pipes.discard(pipe)
            self._tasks.discard(task)
            for each in pipe.writers:
                each.transport.abort()

    async def _carry(self, pipe: Pipe, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One direction, until it ends or breaks."""
        with suppress(OSError):
            while piece := await reader.read(CHUNK):
                if self.weather.delay:
                    await asyncio.sleep(self.weather.delay * self.choose.uniform(0.5, 1.5))
                if pipe.hole:
                    continue
                for crumb in self._crumbs(piece):
                    writer.write(crumb)
                    await writer.drain()
            if pipe.hole and writer is pipe.writers[0]:
                await asyncio.Event().wait()  # nobody tells the client
            elif not pipe.hole:
                writer.close()
                await asyncio.sleep(0.05)  # what was written leaves before the rest is torn down

    def _crumbs(self, piece: bytes) -> list[bytes]:
        if not self.weather.crumb:
            return [piece]
        found, at = [], 0
        while at < len(piece):
            size = self.choose.randint(1, self.weather.crumb)
            found.append(piece[at : at + size])
            at += size
        return found
