"""Sockets and requests of the ASGI application, as Channels and asgiref test them, that wait longer: those of the
libraries give up after one second, which is not enough on a busy machine."""

from __future__ import annotations

from typing import Any

from asgiref.testing import ApplicationCommunicator
from channels.testing import WebsocketCommunicator

PATIENCE = 60.0  # seconds for what comes at once on an idle machine


class PatientCommunicator(ApplicationCommunicator):
    """A request that waits for what it expects."""

    async def wait(self, timeout: float = PATIENCE) -> Any:
        return await super().wait(timeout)

    async def receive_output(self, timeout: float = PATIENCE) -> Any:
        return await super().receive_output(timeout)


class PatientSocket(WebsocketCommunicator):  # type: ignore[misc]
    """A WebSocket that waits for what it expects."""

    async def connect(self, timeout: float = PATIENCE) -> Any:
        return await super().connect(timeout)

    async def wait(self, timeout: float = PATIENCE) -> Any:
        return await super().wait(timeout)

    async def receive_output(self, timeout: float = PATIENCE) -> Any:
        return await super().receive_output(timeout)

    async def receive_from(self, timeout: float = PATIENCE) -> Any:
        return await super().receive_from(timeout)

    async def receive_json_from(self, timeout: float = PATIENCE) -> Any:
        return await super().receive_json_from(timeout)

    async def disconnect(self, code: int = 1000, timeout: float = PATIENCE) -> None:
        await super().disconnect(code, timeout)
