"""The channel layer: a message to a group reaches the sockets of its own process at once, others through the broker.

Channels' PubSub layer subscribes every socket to a channel of its own, sends each message through the broker also to
the process that it came from, and unpacks it once for each socket. Here a process has one subscription a group, unpacks
each message once, and its sockets share it: a handler must not change a message. Messages of one process keep their
order; those of two may cross, which versions heal.

While the broker is away, no socket closes and none is refused: those of one process still reach each other, and what
other processes sent is found by the next heartbeat. As soon as it is back, everything is subscribed anew.
"""

from games.channel_layer.layers import LocalFirstChannelLayer

__all__ = ["LocalFirstChannelLayer"]
