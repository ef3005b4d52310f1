"""Prometheus metrics: their values, who may read them, and that they have no personal data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from accounts.models import User
from backgammon.ops import beat_health, broker_client, metrics, task_monitor
from games import metrics as meters
from games import tasks
from games.models import Action, Match
from tests.games.clock_control import Time
from tests.games.match_sockets import TableCase

TOKEN = "0123456789abcdef0123456789abcdef"


def numbers() -> dict[tuple[str, ...], float]:
    """Return every sample by its name and the values of its labels."""
    families = text_string_to_metric_families(metrics.text().decode())
    samples = (sample for family in families for sample in family.samples)
    return {(sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value for sample in samples}


@pytest.fixture
def notes(valkey: str, settings: Any) -> Iterator[None]:
    """A broker without records of other tests."""
    meters.PENDING_FLAG_DELAYS.clear()
    broker_client.client(settings.REDIS_URL).delete(
        task_monitor.SWEEPS_KEY, beat_health.BEAT_KEY, task_monitor.DELAYS_KEY, "clocks"
    )
    task_monitor._recorded_at.clear()
    yield
    broker_client.client(settings.REDIS_URL).delete(
        task_monitor.SWEEPS_KEY, beat_health.BEAT_KEY, task_monitor.DELAYS_KEY, "clocks"
    )


@pytest.mark.usefixtures("notes")
def test_matches_and_actions_are_counted_in_the_database(
    open_table: Callable[..., Match],
    act: Callable[..., Any],
    ana: User,
) -> None:
    match = open_table()
    open_table(clock="days1")
    act(match, ana, "roll")
    found = numbers()
    assert found["tablero_matches", "live", "live"] == 1
    assert found["tablero_matches", "correspondence", "live"] == 1
    assert found["tablero_acts_total",] == Action.objects.latest("pk").pk
    assert found["tablero_up", "database"] == found["tablero_up", "broker"] == 1


@pytest.mark.usefixtures("notes")
def test_late_flags_are_measured(
    time: Time, open_table: Callable[..., Match], act: Callable[..., Any], ana: User, bea: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(metrics, "now", lambda: time.moment)
    match = open_table()
    act(match, ana, "roll")
    act(match, bea, "roll")
    match.refresh_from_db()
    assert match.flag_at is not None
    time.moment = match.flag_at
    time(milliseconds=300)
    assert numbers()["tablero_overdue_seconds",] == 0.3
    tasks.match_touch(match.pk)
    found = numbers()
    assert found["tablero_overdue_seconds",] == 0
    assert found["tablero_flag_late_seconds_bucket", "0.25"] == 0
    assert found["tablero_flag_late_seconds_bucket", "0.5"] == found["tablero_flag_late_seconds_count",] == 1
    assert found["tablero_flag_late_seconds_sum",] == 0.3
    assert numbers()["tablero_flag_late_seconds_count",] == 1


@pytest.mark.django_db
@pytest.mark.usefixtures("notes")
def test_a_worker_records_each_sweep(settings: Any) -> None:
    assert task_monitor.sweep_ages() == {}
    tasks.sweep_archives.apply()
    assert set(task_monitor.sweep_ages()) == {"games.tasks.sweep_archives"}
    assert numbers()["tablero_sweep_age_seconds", "games.tasks.sweep_archives"] < 60
    broker_client.client(settings.REDIS_URL).rpush("clocks", "a task", "another")
    found = numbers()
    assert found["tablero_queue_length", "clocks"] == 2
    assert {labels[1] for labels in found if labels[0] == "tablero_queue_length"} == {
        "analysis", "bots", "clocks", *task_monitor.queue_names(),
    }  # fmt: skip


@pytest.mark.django_db
def test_without_a_broker_the_other_metrics_are_served(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    found = numbers()
    broker_client.client.cache_clear()
    assert found["tablero_up", "broker"] == 0
    assert found["tablero_matches", "live", "live"] == 0


@pytest.mark.django_db
def test_requests_are_counted_by_view_name(client: Client, ana: User) -> None:
    before = numbers()
    client.get("/players/ana/")
    client.get("/no/such/page")
    after = numbers()

    def more(view: str, status: str) -> float:
        key = ("tablero_requests_total", status, view)
        return after.get(key, 0) - before.get(key, 0)

    assert more("player", "200") == 1
    assert more("none", "404") == 1
    assert re.search(rb"\bana\b", metrics.text()) is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("token", "proxied", "address", "shown", "status"),
    [
        ("", False, "127.0.0.1", None, 200),
        ("", False, "192.168.1.4", None, 404),
        ("", True, "127.0.0.1", None, 404),
        (TOKEN, True, "203.0.113.9", TOKEN, 200),
        (TOKEN, False, "127.0.0.1", None, 404),
        (TOKEN, False, "127.0.0.1", TOKEN[:-1], 404),
        ("", False, "127.0.0.1", "", 200),
    ],
)
def test_only_the_token_or_this_machine_may_read_metrics(
    settings: Any, token: str, proxied: bool, address: str, shown: str | None, status: int
) -> None:
    settings.METRICS_TOKEN, settings.TRUST_PROXY = token, proxied
    headers = {} if shown is None else {"Authorization": f"Bearer {shown}"}
    assert Client(headers=headers, REMOTE_ADDR=address).get("/metrics").status_code == status


@pytest.mark.django_db
def test_a_proxied_request_does_not_count_as_local(client: Client) -> None:
    assert client.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).status_code == 404


class AtTheTable(TableCase):
    """The sockets of this process."""

    async def test_acts_and_sockets_are_counted(self) -> None:
        before = (await sync_to_async(numbers)())["tablero_ack_seconds_count",]
        sockets = await self.opened()
        found = await sync_to_async(numbers)()
        assert found["tablero_sockets", "match"] == 3
        assert found["tablero_ack_seconds_count",] - before == 2
        await self.act(sockets[1], "roll", 3)
        assert (await self.receive(sockets[1], "refused"))["code"] == "not_your_turn"
        found = await sync_to_async(numbers)()
        assert found["tablero_ack_seconds_count",] - before == 2
        assert found["tablero_refused_frames_total", "not_your_turn"] >= 1
        await self.leave(*sockets)
        assert "tablero_sockets" not in {key[0] for key in await sync_to_async(numbers)()}
