"""A process killed in the middle of a batch: what was not committed never was, what was is answered once more."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from games import services
from games.live import group_commit
from games.live.group_commit import commit_batch
from games.live.ordinary_act import ActRequest
from games.models import Action, Match
from tools.services.environment import ROOT, clean_environment

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]

COMMITTER = """
import asyncio, json, os, sys
import django
django.setup()
from games.live import group_commit, statements
from games.live.ordinary_act import ActRequest

def die(*_, **__):
    os.kill(os.getpid(), 9)

class Cursor(statements.psycopg.Cursor):
    def execute(self, statement, *parameters, **more):
        return die() if statement == "COMMIT" else super().execute(statement, *parameters, **more)

def written(self, *rows, write=statements.SqliteBatch.write):
    write(self, *rows)
    die()

point = sys.argv[1]
if point == "locked":
    group_commit.carry_out = die
elif point == "written":
    statements.psycopg.Cursor, statements.SqliteBatch.write = Cursor, written
elif point == "committed":
    group_commit.FoldedMatches.keep = die
*before, last = [[ActRequest(**each) for each in batch] for batch in json.loads(sys.argv[2])]

async def in_loop():
    commits = group_commit.GroupCommit()
    for batch in before:
        await asyncio.gather(*map(commits.act, batch))
    while commits._line is not None and not commits._line.ready:
        commits._line.connect_soon()
        await asyncio.sleep(0.01)
    group_commit.FoldedMatches.keep = die
    await asyncio.gather(*map(commits.act, last))

if point == "at the answer, in the event loop":
    asyncio.run(in_loop())
for batch in before:
    group_commit.commit_batch(batch)
if before:
    group_commit.FoldedMatches.keep = die
group_commit.commit_batch(last)
"""


def database_url() -> str:
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return f"{os.environ['DATABASE_URL'].rsplit('/', 1)[0]}/{name}"


def killed_at(point: str, *batches: list[ActRequest], var: Path) -> None:
    """Let a process of its own commit these acts, which kills itself at a point of the last batch."""
    acts = json.dumps([[request.as_parameters() for request in batch] for batch in batches])
    env = clean_environment(
        DATABASE_URL=database_url(), TABLERO_VAR=str(var), DJANGO_SETTINGS_MODULE="backgammon.settings"
    )
    done = subprocess.run(
        [sys.executable, "-c", COMMITTER, point, acts], cwd=ROOT, env=env, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.fixture
def requests() -> list[ActRequest]:
    """The first rolls of Ana in three matches."""
    ana, bea = (User.objects.create_user(name) for name in ("ana", "bea"))
    wanted = []
    for number in range(3):
        seek = services.match_create(creator=ana, variant="backgammon", length=5, clock="club", rated=False)
        match = services.match_join(match_id=seek.pk, user=bea)
        wanted.append(ActRequest(match.pk, ana.pk, "roll", f"tab-{number}", 0, "", 0))
    return wanted


@pytest.mark.parametrize(
    ("point", "committed"), [("locked", False), ("written", False), ("committed", True)], ids=lambda value: str(value)
)
def test_a_batch_is_committed_as_a_whole_or_not_at_all(
    point: str, committed: bool, requests: list[ActRequest], tmp_path: Path
) -> None:
    group_commit.forget()
    killed_at(point, requests, var=tmp_path)
    matches: Any = Match.objects.order_by("created_at")
    assert list(matches.values_list("version", flat=True)) == [int(committed)] * 3
    again = [each or services.match_act(**wanted.as_parameters()) for each, wanted in answers(requests)]
    assert [version_of(each) for each in again] == [1, 1, 1]
    assert Action.objects.filter(client_id__startswith="tab-").count() == 3


@pytest.mark.parametrize("point", ["at the answer", "at the answer, in the event loop"])
def test_a_batch_on_known_matches_is_committed_before_its_answer(
    point: str, requests: list[ActRequest], tmp_path: Path
) -> None:
    """On PostgreSQL the second batch is one statement (`games.live.guarded_write`)."""
    bea = User.objects.get(username="bea")
    second = [replace(each, user_id=bea.pk, client_id=f"{each.client_id}-bea", after=1) for each in requests]
    killed_at(point, requests, second, var=tmp_path)
    committed = Action.objects.filter(client_id__endswith="-bea").order_by("match__created_at")
    assert committed.count() == 3
    again = [services.match_act(**wanted.as_parameters()) for wanted in second]
    assert [each.version for each in again] == list(committed.values_list("answer", flat=True))
    assert committed.count() == 3


def answers(requests: list[ActRequest]) -> list[tuple[Any, ActRequest]]:
    return list(zip(commit_batch(requests), requests, strict=True))


def version_of(answer: Any) -> int:
    return int(getattr(answer, "version", None) or answer.match.version)
