"""A worker is killed (SIGKILL) during a sweep of ladders: the next one does the rest, and nothing twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tools.services import prebuilt

pytestmark = pytest.mark.processes

LADDERS = 6

PLAYERS = """
import django, json, os, signal
django.setup()
from datetime import timedelta
from accounts.models import Membership, User
from accounts.clubs.services import default_club_ensure
from games.database import now
from ladders import services as ladders
from ladders.models import Ladder, LadderChallenge, LadderEvent
from ladders.services.transaction import LadderTransaction
"""

SET_UP = """
club = default_club_ensure()
ana, bea, dora = (User.objects.create_user(name) for name in ("ana", "bea", "dora"))
Membership.objects.create(club=club, user=dora, role="owner")
terms = {"kind": "challenge", "variant": "backgammon", "length": 3, "clock": "club"}
for number in range(LADDERS):
    made = ladders.ladder_create(by=dora, club=club, name=f"L{number}", **terms)
    for user in (ana, bea):
        ladders.ladder_join(ladder_id=made.pk, user=user)
    ladders.challenge_make(ladder_id=made.pk, user=bea, opponent=ana)
LadderChallenge.objects.update(due_at=now() - timedelta(seconds=1))
"""

SWEEP_AND_DIE = """
write, left = LadderTransaction.commit, [3]

def dying(self):
    write(self)
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)  # inside the transaction of the third ladder

LadderTransaction.commit = dying
ladders.sweep()
"""

LOOK = """
print(json.dumps({
    "orders": [[User.objects.get(pk=one).username for one in made.state["order"]] for made in Ladder.objects.all()],
    "ends": LadderEvent.objects.filter(type="expired").count(),
    "open": LadderChallenge.objects.filter(status="offered").count(),
}))
"""


def test_a_killed_worker_loses_and_duplicates_nothing(tmp_path: Path) -> None:
    prebuilt.copy_database(tmp_path / "ladders.sqlite3")
    env = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "backgammon.settings",
        "TABLERO_VAR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'ladders.sqlite3'}",
    }

    def run(script: str) -> subprocess.CompletedProcess[str]:
        text = PLAYERS + script.replace("LADDERS", str(LADDERS))
        return subprocess.run([sys.executable, "-c", text], env=env, capture_output=True, text=True, timeout=120)

    def look_after(script: str) -> dict[str, object]:
        done = run(f"{script}\n{LOOK}")
        assert done.returncode == 0, done.stderr
        found: dict[str, object] = json.loads(done.stdout)
        return found

    assert run(SET_UP + SWEEP_AND_DIE).returncode == -signal.SIGKILL
    killed = look_after("")
    assert (killed["ends"], killed["open"]) == (2, LADDERS - 2)
    swept = {"orders": [["bea", "ana"]] * LADDERS, "ends": LADDERS, "open": 0}
    assert look_after("ladders.sweep()") == swept
    assert look_after("ladders.sweep()") == swept
