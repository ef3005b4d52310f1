"""What workers do with messages that came over a connection that is no more: they give them up, and come back."""

from __future__ import annotations

from typing import Any

from kombu.transport import redis
from redis.exceptions import ConnectionError as Lost


class Channel(redis.Channel):  # type: ignore[misc]
    """Kombu's (5.7), which says AttributeError where its connection is closed; Celery ends the worker for that.

    What had been given to it is lost with the broker anyway: the rows say what is to do, and the sweeps ask again.
    """

    def _connparams(self, asynchronous: bool = False) -> Any:
        if self.connection is None or self.connection.client is None:
            raise Lost("this connection is closed")
        return super()._connparams(asynchronous=asynchronous)  # type: ignore[misc]


def install() -> None:
    """Have all connections to the broker use this channel."""
    redis.Transport.Channel = Channel
