"""The layer of a process, and that of each of its event loops."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer, RedisPubSubLoopLayer
from channels_redis.utils import _wrap_close, decode_hosts

from games.channel_layer.broker_connection import BrokerConnection
from games.channel_layer.cluster_connection import ClusterConnection
from games.message_queue import Message, MessageQueue

GroupMessage = tuple[str, Message]

ORIGIN_BYTES = 8  # before each message in the broker: the loop that it comes from
EVERYBODY = "__processes__"
"""The broker's channel of all processes with sockets: for the messages of a batch, and greetings without any."""
ALONE_SECONDS = 1.0  # that a process which found no other one with sockets publishes no batch


class LocalFirstChannelLayer(RedisPubSubChannelLayer):
    """The layer of a process: a `LoopChannelLayer` for each of its event loops."""

    def deliver_here(self, messages: Iterable[GroupMessage]) -> None:
        """Deliver messages to the sockets of this process, before anything else happens in it."""
        self._get_layer().deliver_here(messages)

    async def publish_batch(self, messages: Sequence[GroupMessage]) -> None:
        """Send messages to the sockets of all other processes: in one message, at a cluster in one for each group."""
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

    channels: dict[str, MessageQueue]
    groups: dict[str, set[str]]

    def __init__(self, hosts: list[Any] | None = None, **kwargs: Any) -> None:
        super().__init__(hosts, **kwargs)
        [host] = decode_hosts(hosts)
        self._cluster = ClusterConnection(host, self) if "cluster" in host else None
        self._shards = [self._cluster or BrokerConnection(host, self)]
        self.origin = secrets.token_bytes(ORIGIN_BYTES)
        self.direct: dict[str, Callable[[Message], bool]] = {}
        self._everybody = self.prefix + EVERYBODY
        self._greeted = False
        self._alone_until = 0.0

    async def new_channel(self, prefix: str = "specific.") -> str:
        """A queue in this process. The broker does not know of it: only groups write to a socket."""
        channel = f"{self.prefix}{prefix}{secrets.token_hex(16)}"
        self.channels[channel] = MessageQueue()
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
        if not self._greeted and self._cluster is None:
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
        packed = self._pack(message)
        self._deliver(name, message)
        await self._get_shard(name).publish(name, packed)

    def deliver_here(self, messages: Iterable[GroupMessage]) -> None:
        for group, message in messages:
            self._deliver(self._get_group_channel_name(group), message)

    async def publish_batch(self, messages: Sequence[GroupMessage]) -> None:
        named = [(self._get_group_channel_name(group), message) for group, message in messages]
        if self._cluster is not None:
            await self._cluster.publish_all([(name, self._pack(message)) for name, message in named])
            return
        if time.monotonic() < self._alone_until:
            return
        packed = self._pack({"batch": named})
        receivers = await self._get_shard(self._everybody).publish(self._everybody, packed)
        if receivers <= int(self._greeted):  # nobody but ourselves
            self._alone_until = time.monotonic() + ALONE_SECONDS

    def _pack(self, message: Message) -> bytes:
        packed: bytes = self.origin + self.channel_layer.serialize(message)
        return packed

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
