"""The connection of an event loop to a Redis Cluster, where each group is on one node (sharded publish and subscribe).

A message goes to the node of its group and from there to the processes that subscribed to it, and to no others. With
one broker a batch is one message to all processes; here that would lead everything through one node again.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as BrokerGone

from games.channel_layer.broker_connection import BROKEN, RECEIVE_SECONDS, BrokerConnection, check_alive


class ClusterConnection(BrokerConnection):
    """The connection to all nodes. When one is lost, or a group has moved to another one, all are connected anew."""

    def __init__(self, host: dict[str, Any], channel_layer: Any) -> None:
        super().__init__(host, channel_layer)
        self._receivers: dict[str, asyncio.Task[None]] = {}  # by the name of the node, "host:port"
        self._leaving: Counter[str] = Counter()  # channels whose end the node has yet to confirm, and how often

    async def publish_all(self, messages: Sequence[tuple[str, bytes]]) -> None:
        """Publish messages to their channels, with one trip to each node."""
        await self._try(partial(self._send_all, messages))

    async def _send_all(self, messages: Sequence[tuple[str, bytes]]) -> None:
        pipeline = self._redis.pipeline()
        for channel, message in messages:
            pipeline.execute_command("SPUBLISH", channel, message)
        await pipeline.execute()

    def _ensure_receiver(self) -> None:
        """Receive from each node by itself: else a message would wait for the silence of the nodes before it."""
        for name in self._pubsub.node_pubsub_mapping:
            receiving = self._receivers.get(name)
            if receiving is None or receiving.done():
                self._receivers[name] = asyncio.get_running_loop().create_task(self._receive_from(name))

    async def _receive_from(self, name: str) -> None:
        """Receive messages from a node until its connection breaks, or nothing is subscribed there any more."""
        try:
            if (node := self._redis.get_node(node_name=name)) is None:
                raise BrokerGone("a node has left the cluster")
            while (subscribed := self._pubsub.node_pubsub_mapping.get(name)) is not None:
                message = await self._pubsub.get_sharded_message(target_node=node, timeout=RECEIVE_SECONDS)
                if message is None:
                    check_alive(subscribed.connection)
                elif message["type"] == "smessage":
                    self._deliver(message)
                elif message["type"] == "sunsubscribe":
                    self._confirm(message["channel"].decode())
        except Exception as error:
            self._lose(error)

    def _confirm(self, channel: str) -> None:
        """Note that a subscription has ended. Raises BrokerGone if nobody here wanted that: its group has moved."""
        if channel not in self._leaving:
            raise BrokerGone("a group has moved to another node")
        self._leaving[channel] -= 1
        if not self._leaving[channel]:
            del self._leaving[channel]

    async def _open(self) -> None:
        if self._redis is not None:
            return
        options = dict(self.host)
        nodes = [ClusterNode(host, port) for host, port in options.pop("cluster")]
        client: Any = RedisCluster(startup_nodes=nodes, retry=Retry(NoBackoff(), 1), **options)
        await client.initialize()
        self._redis, self._pubsub = client, client.pubsub()

    async def _ping(self) -> None:
        """Ask all nodes: while one of them is away, its groups could not be subscribed to."""
        await self._redis.ping(target_nodes=RedisCluster.PRIMARIES)

    async def _send(self, channel: str, message: bytes) -> int:
        return int(await self._redis.spublish(channel, message))

    async def _listen(self, channels: Collection[str]) -> None:
        await self._pubsub.ssubscribe(*channels)

    async def _stop_listening(self, channel: str) -> None:
        self._leaving[channel] += 1
        await self._pubsub.sunsubscribe(channel)

    async def _disconnect(self) -> None:
        client, pubsub, self._redis, self._pubsub = self._redis, self._pubsub, None, None
        self._subscribed_to = set()
        self._leaving.clear()
        receivers, self._receivers = self._receivers.values(), {}
        for each in receivers:
            each.cancel()
        await asyncio.gather(*receivers, return_exceptions=True)
        if client is not None:
            nodes = client.nodes_manager  # once a connection has failed, `client.aclose` leaves the others open
            for close in (pubsub.aclose, client.aclose, nodes.aclose, partial(nodes.aclose, "startup_nodes")):
                with suppress(*BROKEN):
                    await close()
