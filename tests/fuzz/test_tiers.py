"""A short tier of each fuzzer: `make fuzz-frames` and `make fuzz-forms` go on for as long as one likes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import override_settings

from tests.access.world import World
from tests.fuzz import frames
from tests.fuzz.forms import Fuzz
from tests.fuzz.frames_site import site

INPUTS = 150
FRAMES = 780


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """The club's evening."""
    strict = override_settings(STAFF_SECOND_STEP=True)
    with strict, django_db_blocker.unblock(), transaction.atomic():
        yield World()
        transaction.set_rollback(True)


@pytest.mark.django_db
def test_bad_forms_are_answered_and_change_nothing_when_they_are_refused(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("CRITICAL", logger="django.request")
    fuzz = Fuzz(world, seed=20_261_122)
    for number in range(INPUTS):
        fuzz.ask(number)
    assert fuzz.seen.total() == INPUTS
    assert {200, 302, 404} < set(fuzz.seen)


@pytest.mark.processes
@pytest.mark.looks
def test_bad_frames_are_answered_and_change_nothing_when_they_are_refused(tmp_path: Path) -> None:
    with site(tmp_path) as running:
        run = frames.Run(running, seed=20_261_122)
        asyncio.run(run.go(FRAMES))
    assert run.count >= FRAMES
    assert {"ack", "refused bad_frame", "refused unknown_command", "pong"} < set(run.seen)
