"""Questions about any position: asked by members, answered by a worker, never about a match that is being played."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from accounts.models import User
from analysis import notify, puzzles
from analysis.analysts import why_not
from analysis.engine import Candidate, Depth, Plays
from analysis.errors import Refused
from analysis.models import PositionQuestion
from analysis.report import cube_json
from analysis.services import live_positions, position_cache
from games.database import now
from games.engine import SIDES, Json, Side, opponent
from games.formats import position_ids as ids
from games.formats.errors import FormatError

VARIANT = "backgammon"
"""What an id describes: no notation tells its kin from it."""
DAY = timedelta(days=1)
PATIENCE = timedelta(seconds=60)
"""After this long without an answer another worker tries."""
LATE = timedelta(seconds=10)
MOST_TRIES = 3
MOST_SWEPT = 20
SHOWN = 8
"""Plays of an answer, the best first."""


def question_ask(*, user: User, text: str, depth: Depth = "normal") -> PositionQuestion:
    """Put a position to the engine; asked again within a day it is the same question.

    Raises Refused: ``question_id`` (no position), ``question_over``, ``question_forced`` (nothing to decide),
    ``question_running`` (it stands in a running match), ``question_quota``, ``engine_missing``.
    """
    try:
        found: Any = ids.read(text)
    except FormatError as error:
        raise Refused("question_id") from error
    if found.turn not in SIDES:
        raise Refused("question_over")
    if why := why_not(VARIANT):
        raise Refused(why)
    if len(list(found.actions())) < 2:
        raise Refused("question_forced")
    if live_positions.is_live_position(found, found.score.view(), user=user):
        raise Refused("question_running")
    moment, xgid = now(), found.xgid()
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # two tabs spend one quota
        recent = PositionQuestion.objects.filter(user=user, match=None, asked_at__gt=moment - DAY)
        same = (
            recent.filter(xgid=xgid, depth=depth)
            .exclude(status=PositionQuestion.Status.FAILED)
            .order_by("-asked_at")
            .first()
        )
        if same is not None:
            return same
        if recent.count() >= settings.QUESTIONS_A_DAY:
            raise Refused("question_quota", params={"most": settings.QUESTIONS_A_DAY})
        made = PositionQuestion.objects.create(user=user, xgid=xgid, depth=depth, asked_at=moment)
        notify.task_requested("analysis.tasks.question_answer", made.pk)
        return made


def question_answer(*, question_id: int) -> None:
    """Answer a question that waits, if no other worker has claimed it. Raises what the engine raises."""
    moment = now()
    free = Q(tried_at=None) | Q(tried_at__lte=moment - PATIENCE)
    waiting = PositionQuestion.objects.filter(free, pk=question_id, status=PositionQuestion.Status.WAITING)
    row = waiting.first()
    if row is None or not waiting.update(tried_at=moment, tries=row.tries + 1):
        return
    row.answer = _answer(row)
    row.status = PositionQuestion.Status.READY
    row.save(update_fields=["answer", "status"])


def questions_sweep() -> int:
    """Call again for the questions that wait longer than they should; those tried too often are given up."""
    moment = now()
    waiting = PositionQuestion.objects.filter(status=PositionQuestion.Status.WAITING, asked_at__lte=moment - LATE)
    late = waiting.filter(Q(tried_at=None) | Q(tried_at__lte=moment - PATIENCE))
    late.filter(tries__gte=MOST_TRIES).update(status=PositionQuestion.Status.FAILED)
    found = list(late.filter(tries__lt=MOST_TRIES).order_by("asked_at").values_list("pk", flat=True)[:MOST_SWEPT])
    for question_id in found:
        notify.task_requested("analysis.tasks.question_answer", question_id)
    return len(found)


def questions_purge() -> int:
    """Delete the questions of long ago: how many."""
    return PositionQuestion.objects.filter(asked_at__lt=now() - position_cache.KEPT).delete()[0]


def _answer(row: PositionQuestion) -> Json:
    """What the engine says, as a decision of a report says it (docs/analysis.md)."""
    position: Any = ids.read(row.xgid)
    score, side = position.score.view(), cast(Side, position.turn)
    depth = cast(Depth, row.depth)
    if position.phase == "move":
        found = position_cache.plays_of(position, score, side, depth, variant=row.variant)
        plays = _all_plays(found) if row.match_id else _best_plays(found)
        decision: Json = {"kind": "play", "choices": len(found.candidates), "plays": plays}
    else:
        take = position.phase == "doubled"
        cube = position_cache.cube_of(position, score, opponent(side) if take else side, depth, variant=row.variant)
        decision = {"kind": "take" if take else "double", "cube": cube_json(cube)}
    best = puzzles.options_of(decision)[0]
    return {**decision, "side": side, "best": best[0], "equity": best[1]}


def _best_plays(found: Plays) -> list[Json]:
    """The best plays. Those looked at less far have equities of another kind: they are not compared."""
    return [_play(each) for each in found.candidates if each.plies == found.best.plies][:SHOWN]


def _all_plays(found: Plays) -> list[Json]:
    """Every play with what it gives away, for a hint: a play that was looked at less far is judged roughly."""
    return [
        {**_play(each), "equity": round(found.best.equity - each.loss, 4)}
        for each in sorted(found.candidates, key=lambda candidate: candidate.loss)
    ]


def _play(each: Candidate) -> Json:
    chances = each.chances.as_list()
    numbers = {"equity": round(each.equity, 4), "loss": round(each.loss, 4), "plies": each.plies}
    return {"play": each.play, "chances": chances, **numbers}
