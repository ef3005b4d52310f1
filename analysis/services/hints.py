"""Hints in a match against the computer: what the engine would decide, and why.

Never in a rated match, never in one that an event arranged, never against a person or a program of one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from django.conf import settings
from django.db import transaction

from accounts.models import User
from analysis import explanations, notify, puzzles
from analysis.analysts import why_not
from analysis.engine import Chances, Cube
from analysis.errors import Refused
from analysis.explanations import Word
from analysis.models import PositionQuestion
from analysis.report import xgid_of
from analysis.services import live_positions
from analysis.services.questions import DAY
from games.bots.engine_boards import after, board_of
from games.database import now
from games.engine import Json, Side
from games.errors import NotFound
from games.events import state_of
from games.models import Action, Match, practice_side, seat_of
from games.selectors.matches import with_seats
from games.services.take_back import state_before
from games.take_back import SPENT


@dataclass(frozen=True, slots=True)
class JudgedPlay:
    """What a player means to do: as the engine writes it, what it gives away, and why the best is better."""

    text: str
    loss: float
    words: list[Word]


def why_no_hints(match: Match, user: User) -> str | None:
    """None where this player can ask for hints in this match, which was fetched with its seats; else a code."""
    side = seat_of(match, user.pk)
    if side is None or match.status != Match.Status.LIVE:
        return "hint_not_yours"
    if practice_side(match, match.seats.all()) != side:
        return "hint_opponent"
    return why_not(match.variant, match.options)


def hint_ask(*, user: User, match_id: str) -> PositionQuestion:
    """Ask what the engine would decide now; asked again at the same decision it is the same question.

    Raises NotFound, Refused: ``hint_not_yours``, ``hint_opponent``, ``hint_not_now`` (nothing to decide),
    ``hint_position`` (no notation says it), ``hint_quota``, ``question_running`` (another own match stands there),
    and what `why_not` says.
    """
    match = _match(user, match_id)
    return _question(user, match, state_of(match).position)


def last_play_ask(*, user: User, match_id: str) -> tuple[PositionQuestion, str]:
    """Ask about the position before the player's last play, which they can still take back; with that play.

    Raises as `hint_ask`.
    """
    match = _match(user, match_id)
    if match.open_play is None or match.open_play == SPENT:
        raise Refused("hint_not_now")
    played: str = Action.objects.values_list("text", flat=True).get(match=match, n=match.open_play)
    return _question(user, match, state_before(match, match.open_play).position), played


def _match(user: User, match_id: str) -> Match:
    match = with_seats(Match.objects.all()).filter(pk=match_id).first()
    if match is None:
        raise NotFound
    if why := why_no_hints(match, user):
        raise Refused(why)
    return match


def _question(user: User, match: Match, position: Any) -> PositionQuestion:
    if not _decides(position, cast(Side, seat_of(match, user.pk))):
        raise Refused("hint_not_now")
    xgid = xgid_of(position)
    if not xgid or not puzzles.is_readable(xgid):
        raise Refused("hint_position")
    if live_positions.stands_in_own_match(position, user=user, besides=match.pk):
        raise Refused("question_running")
    return _asked(user, match, xgid)


def _decides(position: Any, side: Side) -> bool:
    """Whether the decision is this side's, and there are two things to decide between."""
    decisions = {"move", "double", "take"} & set(position.may(side))
    return bool(decisions) and position.turn == side and len(list(position.actions())) > 1


def _asked(user: User, match: Match, xgid: str) -> PositionQuestion:
    moment = now()
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # two tabs ask once
        hints = PositionQuestion.objects.filter(user=user, match__isnull=False, asked_at__gt=moment - DAY)
        same = hints.filter(match=match, xgid=xgid).exclude(status=PositionQuestion.Status.FAILED).first()
        if same is not None:
            return same
        if hints.count() >= settings.HINTS_A_DAY:
            raise Refused("hint_quota", params={"most": settings.HINTS_A_DAY})
        facts = {"xgid": xgid, "variant": match.variant, "depth": "quick", "asked_at": moment}
        made = PositionQuestion.objects.create(user=user, match=match, **facts)
        notify.task_requested("analysis.tasks.question_answer", made.pk)
        return made


def options_of(row: PositionQuestion) -> list[puzzles.Option]:
    """What could be decided, the best first; nothing before the answer is ready."""
    if row.status != PositionQuestion.Status.READY:
        return []
    if row.answer["kind"] == "play":
        return [(each["play"], each["equity"]) for each in row.answer["plays"]]
    return puzzles.options_of(row.answer)


def reasons_of(row: PositionQuestion) -> list[Word]:
    """What speaks for the best play, or how the game ends from here where the cube is decided."""
    options = options_of(row)
    if len(options) < 2:
        return []
    if row.answer["kind"] != "play":
        return explanations.praise_cube(_cube(row.answer["cube"]), taker=row.answer["kind"] == "take")
    board = board_of(puzzles.Puzzle.read(row.xgid, options).position.view(None), row.answer["side"])
    return explanations.praise_play(board, after(board, options[1][0]), after(board, options[0][0]))


def judged(row: PositionQuestion, answer: str) -> JudgedPlay:
    """What `answer` gives away against the best. Raises Refused: ``puzzle_answer``."""
    puzzle = puzzles.Puzzle.read(row.xgid, options_of(row))
    try:
        text, loss = puzzle.judged(answer)
    except puzzles.UnplayablePuzzle as error:
        raise Refused("puzzle_answer") from error
    if loss is None:  # every play is listed, so the engine has left some out
        raise Refused("hint_position")
    return JudgedPlay(text, loss, [] if loss == 0 else _why(row.answer, puzzle, text))


def _why(answer: Json, puzzle: puzzles.Puzzle, text: str) -> list[Word]:
    side: Side = answer["side"]
    if answer["kind"] == "play":
        board = board_of(puzzle.position.view(None), side)
        return explanations.explain_play(board, after(board, text), after(board, puzzle.best))
    cube, explain = _cube(answer["cube"]), explanations.explain_cube_response
    return explanations.explain_double(text, cube) if answer["kind"] == "double" else explain(text, cube)


def _cube(kept: Json) -> Cube:
    """A cube decision as `analysis.report.cube_json` keeps it."""
    points = {name: kept[name] for name in ("take_point", "double_point", "cash_point", "too_good_point")}
    return Cube(kept["hold"], kept["taken"], kept["dropped"], Chances(*kept["chances"]), **points)
