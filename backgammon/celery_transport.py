"""A kombu channel for workers whose broker connection was lost: they drop its messages and reconnect."""

from __future__ import annotations

from typing import Any

from kombu.transport import redis
from redis.exceptions import ConnectionError as ConnectionLost


class Channel(redis.Channel):  # type: ignore[misc]
    """Kombu's channel (5.7) raises AttributeError if its connection is closed, for which Celery ends the worker.

    The messages of that connection are lost with the broker anyway: the database says what to do, and the sweeps
    schedule it again.
    """

    def _connparams(self, asynchronous: bool = False) -> Any:
        if self.connection is None or self.connection.client is None:
            raise ConnectionLost("this connection is closed")
        return super()._connparams(asynchronous=asynchronous)  # type: ignore[misc]


def install() -> None:
    """Make all connections to the broker use this channel."""
    redis.Transport.Channel = Channel
