"""The health probes: they need neither the host name nor HTTPS, and reveal nothing about the machine."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from backgammon.ops import broker_client, health
from games.connections import registry

LIVE, READY = "/health/live", "/health/ready"


@pytest.fixture(autouse=True)
def _asked_anew() -> None:
    health.clear_results()


def test_the_liveness_probe_checks_nothing_else(client: Client) -> None:
    answer = client.get(LIVE)
    assert (answer.status_code, answer.content) == (200, b"alive\n")


@pytest.mark.django_db
def test_the_readiness_probe_names_its_checks(client: Client, valkey: str) -> None:
    answer = client.get(READY)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert json.loads(answer.content) == {
        "ready": True, "serving": "ok", "database": "ok", "files": "ok", "migrations": "ok", "broker": "ok",
    }  # fmt: skip


@pytest.mark.django_db
def test_without_a_broker_the_process_is_not_ready(client: Client, settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    answer = client.get(READY)
    assert answer.status_code == 503
    assert json.loads(answer.content)["broker"] == "away"
    broker_client.client.cache_clear()


@pytest.mark.django_db
def test_with_unapplied_migrations_the_process_is_not_ready(
    client: Client, valkey: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_migrated", False)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'ops' AND name = '0001_initial'")
    answer = client.get(READY)
    assert answer.status_code == 503
    assert json.loads(answer.content)["migrations"] == "away"


@pytest.mark.django_db
def test_a_draining_process_is_not_ready(client: Client, valkey: str) -> None:
    async def make_registry() -> registry.SocketRegistry:
        return registry.SocketRegistry()

    loop = asyncio.new_event_loop()
    socket_registry = loop.run_until_complete(make_registry())
    socket_registry.closing = True
    answer = client.get(READY)
    loop.close()
    assert answer.status_code == 503
    assert json.loads(answer.content)["serving"] == "away"
    assert not registry.is_closing()


def test_sockets_of_a_closed_loop_do_not_count() -> None:
    async def close() -> registry.SocketRegistry:
        socket_registry = registry.SocketRegistry()
        socket_registry.closing = True
        assert registry.is_closing()
        return socket_registry

    socket_registry = asyncio.run(close())
    assert socket_registry.closing
    assert not registry.is_closing()


@pytest.mark.parametrize("path", [LIVE, READY])
@pytest.mark.django_db
def test_probes_need_neither_the_host_name_nor_https(client: Client, settings: Any, path: str) -> None:
    settings.SECURE_SSL_REDIRECT, settings.ALLOWED_HOSTS = True, ["club.example"]
    assert Client(headers={"Host": "10.1.2.3:8000"}).get(path).status_code in (200, 503)
    assert Client(headers={"Host": "10.1.2.3:8000"}).get("/").status_code in (301, 400)


@pytest.mark.parametrize("path", [LIVE, READY])
def test_probes_accept_only_reading(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405


@pytest.mark.django_db
def test_a_flood_of_probes_costs_one_check_a_second(
    client: Client, valkey: str, django_assert_num_queries: Any
) -> None:
    client.get(READY)
    with django_assert_num_queries(0):
        for _ in range(20):
            assert client.get(READY).status_code == 200
