"""The probe of beat in containers: a program of its own that asks the broker."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Any

import pytest

from backgammon.ops import beat_health, broker_client
from tools.services.environment import ROOT


def probed(url: str) -> int:
    """The exit status of the program as compose.yaml and the chart start it."""
    command = [sys.executable, "-m", "backgammon.ops.beat_health"]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "REDIS_URL": url}, check=False).returncode


@pytest.fixture
def broker(valkey: str, settings: Any) -> Any:
    client = broker_client.client(settings.REDIS_URL)
    client.delete(beat_health.BEAT_KEY)
    yield client
    client.delete(beat_health.BEAT_KEY)


def test_beat_is_healthy_for_a_minute_after_a_task(broker: Any, settings: Any) -> None:
    assert probed(settings.REDIS_URL) == 1
    broker.set(beat_health.BEAT_KEY, str(time.time()))
    assert probed(settings.REDIS_URL) == 0
    broker.set(beat_health.BEAT_KEY, str(time.time() - 61))
    assert probed(settings.REDIS_URL) == 1


def test_without_a_broker_it_is_not() -> None:
    assert probed("redis://127.0.0.1:1/0") == 1
    assert probed("redis+sentinel://127.0.0.1:1,127.0.0.1:2/0?master=club") == 1


@pytest.mark.parametrize("path", ["compose.yaml", "docs/deploy/helm/templates/beat.yaml"])
def test_containers_start_this_program(path: str) -> None:
    assert "python, -m, backgammon.ops.beat_health]" in (ROOT / path).read_text()
