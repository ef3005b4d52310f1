"""The connection of an event loop to the broker. None of its methods fails because the broker is away."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from channels_redis.pubsub import RedisSingleShardConnection
from channels_redis.utils import _close_redis
from redis.exceptions import ConnectionError as BrokerGone
from redis.exceptions import RedisClusterException, RedisError

if TYPE_CHECKING:
    from games.channel_layer.layers import LoopChannelLayer

log = logging.getLogger(__name__)
T = TypeVar("T")

ANSWER_SECONDS = 3.0  # that a broker has to answer, of a loop that may itself be busy when many clients reconnect
RECEIVE_SECONDS = 0.1  # that one attempt to receive waits
RETRY_SECONDS = 0.5  # between two attempts to reach a broker that is away
BROKEN = (RedisError, RedisClusterException, OSError, TimeoutError)


class BrokerConnection(RedisSingleShardConnection):
    """The connection of a loop to one broker. A subclass for another kind replaces the steps that talk to it."""

    channel_layer: LoopChannelLayer
    _lock: asyncio.Lock
    _redis: Any
    _pubsub: Any
    _subscribed_to: set[str]
    _receive_task: asyncio.Task[None] | None

    def __init__(self, host: Any, channel_layer: LoopChannelLayer) -> None:
        super().__init__(host, channel_layer)
        self._wanted: set[str] = set()  # what is to be subscribed, now or when the broker is back
        self._returning: asyncio.Task[None] | None = None  # while the broker is away

    async def publish(self, channel: str, message: bytes) -> int:
        """Publish a message; the number of connections that receive it: none while the broker is away."""
        return await self._try(partial(self._send, channel, message)) or 0

    async def subscribe(self, channel: str) -> None:
        self._wanted.add(channel)
        if channel not in self._subscribed_to:
            await self._try(partial(self._begin, channel))

    async def unsubscribe(self, channel: str) -> None:
        self._wanted.discard(channel)
        await self._try(partial(self._end, channel))

    async def flush(self) -> None:
        if self._returning is not None:
            self._returning.cancel()
            await asyncio.wait([self._returning])
            self._returning = None
        self._wanted.clear()
        async with self._lock:
            await self._disconnect()

    async def _try(self, step: Callable[[], Awaitable[T]]) -> T | None:
        """Return what `step` returns at the broker, None without one. What it fails with means that there is none."""
        if self._returning is not None:  # without waiting for the lock, which an attempt to return may hold
            return None
        async with self._lock:
            if self._returning is not None:
                return None
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    await self._open()
                    return await step()
            except BROKEN as error:
                self._lose(error)
                return None

    async def _begin(self, channel: str) -> None:
        if channel in self._wanted and channel not in self._subscribed_to:  # others had the lock meanwhile
            await self._listen([channel])
            self._subscribed_to.add(channel)
            self._ensure_receiver()

    async def _end(self, channel: str) -> None:
        if channel in self._subscribed_to and channel not in self._wanted:
            await self._stop_listening(channel)
            self._subscribed_to.discard(channel)

    def _lose(self, error: BaseException) -> None:
        if self._returning is None:
            log.warning("no broker: the sockets of this process reach only each other: %s", error)
            self._returning = asyncio.get_running_loop().create_task(self._return())

    async def _return(self) -> None:
        """Try until the broker answers, on new connections, and subscribe to what is wanted by then."""
        while not await self._is_back():
            await asyncio.sleep(RETRY_SECONDS)
        log.warning("the broker is back")
        await self.channel_layer.greet()

    async def _is_back(self) -> bool:
        async with self._lock:
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    await self._disconnect()
                    await self._open()
                    await self._ping()
                    while missing := self._wanted - self._subscribed_to:  # it may grow meanwhile
                        await self._listen(missing)
                        self._subscribed_to |= missing
                    self._ensure_receiver()
            except Exception as error:  # whatever it is: the next attempt is on a new connection
                log.debug("the broker is still away: %s", error)
                return False
            self._returning = None
            return True

    async def _do_receiving(self) -> None:
        """Receive messages until the connection breaks."""
        try:
            while True:
                if self._pubsub.subscribed:
                    message = await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=RECEIVE_SECONDS)
                    if message is None:
                        check_alive(self._pubsub.connection)
                    else:
                        self._deliver(message)
                else:
                    await asyncio.sleep(RECEIVE_SECONDS)
        except Exception as error:
            self._lose(error)

    def _deliver(self, message: dict[str, Any]) -> None:
        try:
            self.channel_layer.receive_from_broker(message["channel"].decode(), message["data"])
        except Exception:
            log.exception("a message of the broker was not delivered")

    async def _open(self) -> None:
        """Have a client; a new one connects when it is first used."""
        self._ensure_redis()

    async def _ping(self) -> None:
        await self._redis.ping()

    async def _send(self, channel: str, message: bytes) -> int:
        return int(await self._redis.publish(channel, message))

    async def _listen(self, channels: Collection[str]) -> None:
        await self._pubsub.subscribe(*channels)

    async def _stop_listening(self, channel: str) -> None:
        await self._pubsub.unsubscribe(channel)

    async def _disconnect(self) -> None:
        """Close the client, so that the next one connects anew."""
        client, self._redis, self._pubsub, self._subscribed_to = self._redis, None, None, set()
        receiving, self._receive_task = self._receive_task, None
        if receiving is not None:
            receiving.cancel()
            await asyncio.wait([receiving])
        if client is not None:
            await _close_redis(client)


def check_alive(connection: Any) -> None:
    """Raises BrokerGone for a connection that the kernel gave up because its other end is gone.

    Its error is a `TimeoutError`, which redis-py takes for its own: that there is no message yet. It would read again
    at once, for ever, and nothing else would happen in this process.
    """
    if connection is not None and (reader := connection._reader) is not None and reader.exception() is not None:
        raise BrokerGone("the other end of the connection is gone")
