"""A kombu channel for tasks that may be lost: the broker keeps no copy of what a worker has taken.

The database says what to do, and what a stopped or killed worker had taken, the sweeps schedule again (ADR 0004).
Kombu's own channel writes each message into a second list and strikes it out when it is done: two round trips a task,
half of an idle worker's time.
"""

from __future__ import annotations

from kombu.transport import redis


class Channel(redis.Channel):  # type: ignore[misc]
    """Messages in work are counted in this process alone, so that it takes no more than it may (the prefetch count)."""

    ack_emulation = False
    do_restore = False


class SentinelChannel(redis.SentinelChannel):  # type: ignore[misc]
    """The same for a broker that sentinels watch."""

    ack_emulation = False
    do_restore = False


def install() -> None:
    """Make all connections to the broker use these channels."""
    redis.Transport.Channel = Channel
    redis.SentinelTransport.Channel = SentinelChannel
