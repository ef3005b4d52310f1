"""autobahn's settings of a socket, which are the same for all sockets of a process.

autobahn copies all 29 of them from its factory to each new socket, so that one may be set differently: 2 KiB of each.
Here they stay with the class of the sockets, which is made when daphne has set them.
"""

from __future__ import annotations

import sys
from typing import Any

from daphne.ws_protocol import WebSocketFactory

from games.connections.whole_frames import WholeFrameProtocol


class SharingFactory(WebSocketFactory):
    """daphne's factory of sockets, with a class of its own for those that it makes."""

    def setProtocolOptions(self, **options: Any) -> None:
        super().setProtocolOptions(**options)
        settings = {name: getattr(self, name) for name in WholeFrameProtocol.CONFIG_ATTRS}
        shared = {name: staticmethod(each) if callable(each) else each for name, each in settings.items()}
        self.protocol = type("WebSocketProtocol", (WholeFrameProtocol,), {**shared, "CONFIG_ATTRS": ()})


def install() -> None:
    """Share the settings of a daphne that is about to start. Without a daphne it does nothing."""
    daphne: Any = sys.modules.get("daphne.server")
    if daphne is not None:
        daphne.WebSocketFactory = SharingFactory
