"""A TCP proxy in front of a web process that delays, cuts, swallows or fragments the bots' bytes."""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass

CHUNK = 2**16
HALF_OPEN = 30.0  # seconds that the server's side of a hole stays open after its client has gone


@dataclass
class NetworkConditions:
    """The present conditions of all proxies: delay in seconds a piece, greatest size of a piece (0: any)."""

    delay: float = 0.0
    crumb: int = 0


class ProxiedConnection:
    """One connection through a proxy. A `hole` swallows everything and never closes."""

    def __init__(self) -> None:
        self.hole = False
        self.writers: list[asyncio.StreamWriter] = []

    def reset(self) -> None:
        """Break both sides with RST, as a router does that lost its state."""
        for writer in self.writers:
            if sock := writer.get_extra_info("socket"):
                with suppress(OSError):
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()


class Proxy:
    """A listening port that forwards to the web process at `host`:`port`."""

    def __init__(self, host: str, port: int, network: NetworkConditions, choose: random.Random) -> None:
        self.target = (host, port)
        self.network, self.choose = network, choose
        self.connections: set[ProxiedConnection] = set()
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

    def sample(self, share: float) -> list[ProxiedConnection]:
        """Return a share of the open connections, at least one if there is any."""
        connections = list(self.connections)
        return self.choose.sample(connections, min(len(connections), max(1, round(share * len(connections)))))

    async def _enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        connection = ProxiedConnection()
        connection.writers.append(writer)
        try:
            beyond, to_server = await asyncio.open_connection(*self.target)
            connection.writers.append(to_server)
            self.connections.add(connection)
            for each in connection.writers:
                each.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            ends = ((reader, to_server), (beyond, writer))
            pipes = [asyncio.ensure_future(self._carry(connection, *pair)) for pair in ends]
            try:
                await asyncio.wait(pipes, return_when=asyncio.FIRST_COMPLETED)
                if connection.hole:  # the server does not notice either
                    writer.transport.abort()
                    await asyncio.wait(pipes, timeout=HALF_OPEN)
            finally:
                for pipe in pipes:
                    pipe.cancel()
                await asyncio.gather(*pipes, return_exceptions=True)
        except OSError as error:
            self.errors.append(str(error))
        except asyncio.CancelledError:
            pass  # the proxy closes
        finally:
            self.connections.discard(connection)
            self._tasks.discard(task)
            for each in connection.writers:
                each.transport.abort()

    async def _carry(
        self, connection: ProxiedConnection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Forward one direction until it ends or breaks."""
        with suppress(OSError):
            while piece := await reader.read(CHUNK):
                if self.network.delay:
                    await asyncio.sleep(self.network.delay * self.choose.uniform(0.5, 1.5))
                if connection.hole:
                    continue
                for crumb in self._crumbs(piece):
                    writer.write(crumb)
                    await writer.drain()
            if connection.hole and writer is connection.writers[0]:
                await asyncio.Event().wait()  # the client does not notice
            elif not connection.hole:
                writer.close()
                await asyncio.sleep(0.05)  # written bytes leave before the rest is closed

    def _crumbs(self, piece: bytes) -> list[bytes]:
        if not self.network.crumb:
            return [piece]
        found, at = [], 0
        while at < len(piece):
            size = self.choose.randint(1, self.network.crumb)
            found.append(piece[at : at + size])
            at += size
        return found
