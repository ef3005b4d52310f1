"""Settings of sockets, which autobahn would copy to each of them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from twisted.internet.testing import StringTransport

from games.connections.autobahn_settings import SharingFactory
from tools.services.environment import ROOT, clean_environment

DAPHNE_S = {"autoPingTimeout": 30, "allowNullOrigin": True, "openHandshakeTimeout": 20, "maxFramePayloadSize": 4096}


def connected(factory_class: type[WebSocketFactory]) -> WebSocketProtocol:
    """A socket that a client has just called, with the settings that daphne gives."""
    factory = factory_class(None)
    factory.setProtocolOptions(**DAPHNE_S)
    socket = factory.buildProtocol(None)
    socket.makeConnection(StringTransport())
    return socket


def test_a_socket_has_no_copy_of_the_settings() -> None:
    names = set(WebSocketProtocol.CONFIG_ATTRS)
    assert names <= vars(connected(WebSocketFactory)).keys()
    assert not names & vars(connected(SharingFactory)).keys()


def test_a_socket_has_the_settings_that_daphne_gave() -> None:
    socket, daphne_s = connected(SharingFactory), connected(WebSocketFactory)
    for name in set(WebSocketProtocol.CONFIG_ATTRS) - {"perMessageCompressionAccept"}:
        assert getattr(socket, name) == getattr(daphne_s, name), name
    assert {name: getattr(socket, name) for name in DAPHNE_S} == DAPHNE_S
    assert socket.perMessageCompressionAccept([]) is None


def test_factories_with_other_settings_do_not_share_them() -> None:
    first, second = SharingFactory(None), SharingFactory(None)
    first.setProtocolOptions(maxFramePayloadSize=1)
    second.setProtocolOptions(maxFramePayloadSize=2)
    assert (first.protocol.maxFramePayloadSize, second.protocol.maxFramePayloadSize) == (1, 2)
    assert not hasattr(WebSocketProtocol, "maxFramePayloadSize")


@pytest.mark.looks
def test_the_daphne_that_loads_the_application_shares_the_settings() -> None:
    loaded = "import daphne.server, backgammon.asgi; print(daphne.server.WebSocketFactory.__name__)"
    done = subprocess.run(
        [sys.executable, "-c", loaded], cwd=ROOT, env=clean_environment(), check=True, capture_output=True, text=True
    )
    assert done.stdout == "SharingFactory\n"
