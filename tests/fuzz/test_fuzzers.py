"""Short runs of the fuzzers; `make fuzz-frames` and `make fuzz-forms` run longer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import override_settings

from tests.access.world import World
from tools.fuzz import frames
from tools.fuzz.forms import Fuzz
from tools.fuzz.frames_site import site

INPUTS = 150
FRAMES = 780


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """The world of tests/access."""
    strict = override_settings(STAFF_SECOND_STEP=True)
    with strict, django_db_blocker.unblock(), transaction.atomic():
        yield World()
        transaction.set_rollback(True)


@pytest.mark.django_db
def test_refused_forms_change_nothing(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("CRITICAL", logger="django.request")
    fuzz = Fuzz(world, seed=20_261_122)
    for number in range(INPUTS):
        fuzz.ask(number)
    assert fuzz.seen.total() == INPUTS
    assert {200, 302, 404} < set(fuzz.seen)


@pytest.mark.processes
@pytest.mark.looks
def test_refused_frames_change_nothing(tmp_path: Path) -> None:
    with site(tmp_path) as running:
        run = frames.Run(running, seed=20_261_122)
        asyncio.run(run.go(FRAMES))
    assert run.count >= FRAMES
    assert {"ack", "refused bad_frame", "refused unknown_command", "pong"} < set(run.seen)
