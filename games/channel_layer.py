"""The channel layer: a message to a group reaches the sockets of its own process at once, others through the broker.

Channels' PubSub layer subscribes every socket to a channel of its own, sends each message through the broker also to
the process that it came from, and unpacks it once for each socket. Here a process has one subscription a group, unpacks
each message once, and its sockets share it: a handler must not change a message. Messages of one process keep their
order; those of two may cross, which versions heal.

While the broker is away, no socket closes and none is refused: those of one process still reach each other, and what
other processes sent is found by the next heartbeat. As soon as it is back, everything is subscribed anew.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer, RedisPubSubLoopLayer, RedisSingleShardConnection
from channels_redis.utils import _close_redis, _wrap_close, decode_hosts
from redis.exceptions import ConnectionError as BrokerGone
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

Message = dict[str, Any]
GroupMessage = tuple[str, Message]

ORIGIN_BYTES = 8  # before each message in the broker: the loop that it comes from
EVERYBODY = "__processes__"
"""The broker's channel of all processes with sockets: for the messages of a batch, and greetings without any."""
ALONE_SECONDS = 1.0  # that a process which found no other one with sockets publishes no batch
ANSWER_SECONDS = 3.0  # that a broker has to answer, of a loop that may itself be busy when many clients reconnect
RECEIVE_SECONDS = 0.1  # that one attempt to receive waits
RETRY_SECONDS = 0.5  # between two attempts to reach a broker that is away
BROKEN = (RedisError, OSError, TimeoutError)


class LocalFirstChannelLayer(RedisPubSubChannelLayer):
    """The layer of a process: a `LoopChannelLayer` for each of its event loops."""

    def deliver_here(self, messages: Iterable[GroupMessage]) -> None:
        """Deliver messages to the sockets of this process, before anything else happens in it."""
        self._get_layer().deliver_here(messages)

    async def publish_batch(self, messages: Sequence[GroupMessage]) -> None:
        """Send messages to the sockets of all other processes, as one message of the broker."""
        await self._get_layer().publish_batch(messages)

    def set_direct(self, channel: str, take: Callable[[Message], bool]) -> None:
        """Hand each message for a socket to `take` first; what it does not take waits for `receive`."""
        self._get_layer().direct[channel] = take

    def _get_layer(self) -> LoopChannelLayer:
        loop = asyncio.get_running_loop()
        if loop not in self._layers:
            self._layers[loop] = LoopChannelLayer(*self._args, **self._kwargs, channel_layer=self)
            _wrap_close(self, loop)
        layer: LoopChannelLayer = self._layers[loop]
        return layer


class LoopChannelLayer(RedisPubSubLoopLayer):
    """The layer of one event loop. `channels` are its sockets' queues, `groups` the names of their members."""

    channels: dict[str, asyncio.Queue[Message]]
    groups: dict[str, set[str]]

    def __init__(self, hosts: list[Any] | None = None, **kwargs: Any) -> None:
        super().__init__(hosts, **kwargs)
        self._shards = [_BrokerConnection(host, self) for host in decode_hosts(hosts)]
        self.origin = secrets.token_bytes(ORIGIN_BYTES)
        self.direct: dict[str, Callable[[Message], bool]] = {}
        self._everybody = self.prefix + EVERYBODY
        self._greeted = False
        self._alone_until = 0.0

    async def new_channel(self, prefix: str = "specific.") -> str:
        """A queue in this process. The broker does not know of it: only groups write to a socket."""
        channel = f"{self.prefix}{prefix}{secrets.token_hex(16)}"
        self.channels[channel] = asyncio.Queue()
        return channel

    async def send(self, channel: str, message: Message) -> None:
        """Deliver a message to one socket of this process. Raises KeyError when it is not here."""
        self.channels[channel].put_nowait(message)

    async def receive(self, channel: str) -> Message:
        """The next message of a socket, which is removed when this is cancelled (Channels waits all its life)."""
        try:
            return await self.channels[channel].get()
        except asyncio.CancelledError:
            self.channels.pop(channel, None)
            self.direct.pop(channel, None)
            raise

    async def group_add(self, group: str, channel: str) -> None:
        """Add a socket to a group. With its first socket a process greets the others: they publish for it, too."""
        await super().group_add(group, channel)
        if not self._greeted:
            await self._get_shard(self._everybody).subscribe(self._everybody)
            self._greeted = True  # not before: `publish_batch` counts this process among the receivers from now on
            await self.greet()

    async def greet(self) -> None:
        """Tell the other processes that this one has sockets, and is to hear of their batches."""
        if self._greeted:
            await self._get_shard(self._everybody).publish(self._everybody, self.origin)

    async def group_send(self, group: str, message: Message) -> None:
        """Deliver a message to the sockets of a group: to those of this process at once, even without a broker."""
        name = self._get_group_channel_name(group)
        packed = self.origin + self.channel_layer.serialize(message)
        self._deliver(name, message)
        await self._get_shard(name).publish(name, packed)

    def deliver_here(self, messages: Iterable[GroupMessage]) -> None:
        for group, message in messages:
            self._deliver(self._get_group_channel_name(group), message)

    async def publish_batch(self, messages: Sequence[GroupMessage]) -> None:
        if time.monotonic() < self._alone_until:
            return
        named = [(self._get_group_channel_name(group), message) for group, message in messages]
        packed = self.origin + self.channel_layer.serialize({"batch": named})
        receivers = await self._get_shard(self._everybody).publish(self._everybody, packed)
        if receivers <= int(self._greeted):  # nobody but ourselves
            self._alone_until = time.monotonic() + ALONE_SECONDS

    def _deliver(self, name: str, message: Message) -> None:
        for channel in tuple(self.groups.get(name, ())):
            take = self.direct.get(channel)
            if (take is None or not take(message)) and (queue := self.channels.get(channel)) is not None:
                queue.put_nowait(message)

    def receive_from_broker(self, name: str, packed: bytes) -> None:
        """Deliver what another process sent. Our own messages were delivered when they were sent."""
        if packed[:ORIGIN_BYTES] == self.origin:
            return
        if name == self._everybody:
            self._alone_until = 0.0
            if len(packed) > ORIGIN_BYTES:
                for group, message in self.channel_layer.deserialize(packed[ORIGIN_BYTES:])["batch"]:
                    self._deliver(group, message)
        elif name in self.groups:
            self._deliver(name, self.channel_layer.deserialize(packed[ORIGIN_BYTES:]))


class _BrokerConnection(RedisSingleShardConnection):
    """The connection of a loop to one broker. None of its methods fails because the broker is away."""

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
        receivers = 0
        async with self._trying() as reached:
            if reached:
                receivers = await self._redis.publish(channel, message)
        return receivers

    async def subscribe(self, channel: str) -> None:
        self._wanted.add(channel)
        async with self._trying() as reached:
            if reached and channel in self._wanted - self._subscribed_to:
                await self._pubsub.subscribe(channel)
                self._subscribed_to.add(channel)
                self._ensure_receiver()

    async def unsubscribe(self, channel: str) -> None:
        self._wanted.discard(channel)
        async with self._trying() as reached:
            if reached and channel in self._subscribed_to - self._wanted:
                await self._pubsub.unsubscribe(channel)
                self._subscribed_to.discard(channel)

    async def flush(self) -> None:
        if self._returning is not None:
            self._returning.cancel()
            await asyncio.wait([self._returning])
            self._returning = None
        self._wanted.clear()
        await super().flush()

    @asynccontextmanager
    async def _trying(self) -> AsyncIterator[bool]:
        """For the block: whether there is a broker to talk to. What the block fails with means that there is none."""
        if self._returning is not None:  # without waiting for the lock, which an attempt to return may hold
            yield False
            return
        async with self._lock:
            if self._returning is not None:
                yield False
                return
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    self._ensure_redis()
                    yield True
            except BROKEN as error:
                self._lose(error)

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
                    self._ensure_redis()
                    await self._redis.ping()
                    while missing := self._wanted - self._subscribed_to:  # it may grow meanwhile
                        await self._pubsub.subscribe(*missing)
                        self._subscribed_to |= missing
            except Exception as error:  # whatever it is: the next attempt is on a new connection
                log.debug("the broker is still away: %s", error)
                return False
            self._ensure_receiver()
            self._returning = None
            return True

    async def _disconnect(self) -> None:
        client, self._redis, self._pubsub, self._subscribed_to = self._redis, None, None, set()
        receiving, self._receive_task = self._receive_task, None
        if receiving is not None:
            receiving.cancel()
            await asyncio.wait([receiving])
        if client is not None:
            await _close_redis(client)

    async def _do_receiving(self) -> None:
        """Receive messages until the connection breaks."""
        try:
            while True:
                if self._pubsub.subscribed:
                    self._receive_message(
                        await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=RECEIVE_SECONDS)
                    )
                else:
                    await asyncio.sleep(RECEIVE_SECONDS)
        except Exception as error:
            self._lose(error)

    def _receive_message(self, message: Message | None) -> None:
        if message is None:
            self._check_connection()
            return
        try:
            self.channel_layer.receive_from_broker(message["channel"].decode(), message["data"])
        except Exception:
            log.exception("a message of the broker was not delivered")

    def _check_connection(self) -> None:
        """Raises BrokerGone for a connection that the kernel gave up because its other end is gone.

        Its error is a `TimeoutError`, which redis-py takes for its own: that there is no message yet. It would read
        again at once, for ever, and nothing else would happen in this process.
        """
        connection = self._pubsub.connection
        if connection is not None and (reader := connection._reader) is not None and reader.exception() is not None:
            raise BrokerGone("the other end of the connection is gone")
