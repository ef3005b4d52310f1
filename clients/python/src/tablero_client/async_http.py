"""HTTP/1.1 on asyncio's streams: one request on one connection, and its answer as it comes."""

from __future__ import annotations

import asyncio
import ssl
import urllib.parse
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import TypeVar

PIECE = 65536  # bytes that are read at once
MOST_HEADERS = 200
Received = TypeVar("Received")


@lru_cache(maxsize=1)
def secure_context() -> ssl.SSLContext:
    """Return how certificates are checked: with those of this machine, which are read once."""
    return ssl.create_default_context()


class Answer:
    """An answer: status and headers (names in lower case) are known, the body is read once. Raises OSError."""

    def __init__(self, reader: asyncio.StreamReader, timeout: float) -> None:
        self.status, self.headers = 0, dict[str, str]()
        self._reader, self._timeout = reader, timeout

    async def read(self) -> bytes:
        """Return the whole body."""
        return b"".join([piece async for piece in self.pieces()])

    async def lines(self) -> AsyncGenerator[bytes, None]:
        """Yield the lines of the body with their ends, each as soon as it is whole."""
        rest = b""
        async for piece in self.pieces():
            *whole, rest = (rest + piece).split(b"\n")
            for line in whole:
                yield line + b"\n"
        if rest:
            yield rest

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """Yield the body in pieces, without the frame of its transfer."""
        if self.status in (204, 304):
            return
        if self.headers.get("transfer-encoding", "").lower() == "chunked":
            while size := _number((await self._line()).partition(b";")[0], 16):
                yield await self._wait(self._reader.readexactly(size))
                await self._wait(self._reader.readexactly(2))
        elif "content-length" in self.headers:
            left = _number(self.headers["content-length"].encode(), 10)
            while left:
                piece = await self._wait(self._reader.read(min(left, PIECE)))
                if not piece:
                    raise ConnectionError("the answer was cut")
                left -= len(piece)
                yield piece
        else:
            while piece := await self._wait(self._reader.read(PIECE)):
                yield piece

    async def begin(self) -> None:
        """Read the status and the headers."""
        version, _, rest = (await self._line()).partition(b" ")
        if not version.startswith(b"HTTP/1."):
            raise ConnectionError("this is no HTTP")
        self.status = _number(rest[:3], 10)
        for _ in range(MOST_HEADERS):
            line = await self._line()
            if not line:
                return
            name, _, value = line.decode("latin-1").partition(":")
            self.headers[name.strip().lower()] = value.strip()
        raise ConnectionError("the answer has too many headers")

    async def _line(self) -> bytes:
        line = await self._wait(self._reader.readline())
        if not line.endswith(b"\n"):
            raise ConnectionError("the answer was cut")
        return line.strip()

    async def _wait(self, received: Awaitable[Received]) -> Received:
        try:
            async with asyncio.timeout(self._timeout):
                return await received
        except asyncio.IncompleteReadError:
            raise ConnectionError("the answer was cut") from None
        except ValueError:
            raise ConnectionError("a line of the answer is too long") from None


def _number(text: bytes, base: int) -> int:
    try:
        return int(text, base)
    except ValueError:
        raise ConnectionError("this is no HTTP") from None


@asynccontextmanager
async def ask(
    method: str, url: str, headers: dict[str, str], body: bytes | None, *, timeout: float
) -> AsyncGenerator[Answer, None]:
    """Send a request and give its answer; close the connection at the end. Raises OSError, ValueError (a bad URL)."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"not the address of a site: {url}")
    target = parts._replace(scheme="", netloc="", fragment="").geturl()
    sent = {"Host": parts.netloc.rpartition("@")[2].encode("idna").decode(), **headers, "Connection": "close"}
    sent |= {"Content-Length": str(len(body))} if body is not None else {}
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items())]
    if any(mark in line for line in lines for mark in "\r\n"):
        raise ValueError("a header has more than one line")
    head = "\r\n".join([*lines, "", ""]).encode("latin-1")
    secure = secure_context() if parts.scheme == "https" else None
    async with asyncio.timeout(timeout):
        reader, writer = await asyncio.open_connection(
            parts.hostname, parts.port or (443 if secure else 80), ssl=secure
        )
    try:
        writer.write(head + (body or b""))
        answer = Answer(reader, timeout)
        async with asyncio.timeout(timeout):
            await writer.drain()
        await answer.begin()
        yield answer
    finally:
        writer.transport.abort()
