"""The channel layer: a message to a group reaches the sockets of its own process at once, others through the broker.

Channels' PubSub layer subscribes every socket to a channel of its own, sends each message through the broker also to
the process that it came from, and unpacks it once for each socket. Here a process has one subscription a group, unpacks
each message once, and its sockets share it: a handler must not change a message. Messages of one process keep their
order; those of two may cross, which versions heal.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer, RedisPubSubLoopLayer, RedisSingleShardConnection
from channels_redis.utils import _wrap_close, decode_hosts

Message = dict[str, Any]

ORIGIN_BYTES = 8  # before each message in the broker: the loop that it comes from


class LocalFirstChannelLayer(RedisPubSubChannelLayer):
    """The layer of a process: a `LoopChannelLayer` for each of its event loops."""

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
            raise

    async def group_send(self, group: str, message: Message) -> None:
        """Deliver a message to the sockets of a group: those of this process at once, even when the broker is away."""
        name = self._get_group_channel_name(group)
        packed = self.origin + self.channel_layer.serialize(message)
        self._deliver(name, message)
        await self._get_shard(name).publish(name, packed)

    def _deliver(self, name: str, message: Message) -> None:
        for channel in self.groups.get(name, ()):
            if (queue := self.channels.get(channel)) is not None:
                queue.put_nowait(message)

    def receive_from_broker(self, name: str, packed: bytes) -> None:
        """Deliver a message of another process. Our own were delivered when they were sent."""
        if packed[:ORIGIN_BYTES] != self.origin and name in self.groups:
            self._deliver(name, self.channel_layer.deserialize(packed[ORIGIN_BYTES:]))


class _BrokerConnection(RedisSingleShardConnection):
    """The connection of a loop to one broker."""

    def _receive_message(self, message: Message | None) -> None:
        if message is not None:
            self.channel_layer.receive_from_broker(message["channel"].decode(), message["data"])
