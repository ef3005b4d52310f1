"""What a finished report leaves behind: the sums of both players, puzzles out of it, and cards for the trainer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import cast

from django.db import transaction
from django.db.models import F, Q

from accounts.models import User
from analysis import notify, puzzles
from analysis.daily_puzzle import is_interesting
from analysis.engine import DEPTHS, Depth
from analysis.error_rates import Decision, ErrorSum, error_parts
from analysis.fair_play import DecisionTime, difficulty
from analysis.models import MatchTally, Puzzle, Report, TalliedReport, TrainerCard
from analysis.phases import OPENING
from analysis.services.daily_puzzles import today
from games.clocks import pace_of
from games.engine import Json, Side
from games.models import Action, Match

MOST_SWEPT = 20
TRAINED = frozenset({"error", "blunder"})
"""The grades of decisions that become cards: smaller ones are as often the engine's taste as anybody's error."""


def report_count(*, report_id: int) -> None:
    """Count a report that is ready: tallies, puzzles and cards of its match are brought up to it.

    Steps: the sums of each player; the decisions worth another look; a card for who erred. What was trained on
    already keeps its box. Running again changes nothing. Does nothing for a report that is not ready, nor for one that
    looked less far than another of the match.
    """
    report = Report.objects.select_related("match").filter(pk=report_id, status=Report.Status.READY).first()
    if report is None or report.made_at is None:
        return
    decisions = [
        {"game": game["number"], **decision} for game in report.data["games"] for decision in game["decisions"]
    ]
    players = {seat.side: seat.user for seat in report.match.seats.select_related("user")}
    with transaction.atomic():
        if not _outdone(report):
            _tally(report, decisions, players)
            numbers = [decision["n"] for decision in decisions if _take(report, decision, players[decision["side"]])]
            Puzzle.objects.filter(match=report.match, daily=None).exclude(n__in=numbers).delete()
        TalliedReport.objects.update_or_create(report=report, defaults={"made_at": report.made_at})


def tallies_sweep() -> int:
    """Call for the reports that are ready and were not counted, or were made anew since. Returns how many."""
    missed = Report.objects.filter(Q(counted=None) | ~Q(counted__made_at=F("made_at")), status=Report.Status.READY)
    found = list(missed.order_by("made_at").values_list("pk", flat=True)[:MOST_SWEPT])
    for report_id in found:
        notify.task_requested("analysis.tasks.report_count", report_id)
    return len(found)


def _outdone(report: Report) -> bool:
    """Whether a report of the same match that is ready looked further."""
    ready = Report.objects.filter(match=report.match, status=Report.Status.READY).values_list("depth", flat=True)
    return any(DEPTHS.index(cast(Depth, depth)) > DEPTHS.index(cast(Depth, report.depth)) for depth in ready)


def _tally(report: Report, decisions: Sequence[Json], players: Mapping[Side, User | None]) -> None:
    if report.match.taken_back:  # it counts nowhere (ruling B17)
        return
    seconds = _seconds(report.match)
    for side, user in players.items():
        if user is None or user.is_bot:
            continue
        own = [decision for decision in decisions if decision["side"] == side]
        counted = [
            Decision(decision["kind"], decision["phase"], decision["loss"], decision["obvious"]) for decision in own
        ]
        total = ErrorSum.of(counted)
        timed = [
            (_difficulty(decision), seconds[decision["n"]])
            for decision in own
            if decision["kind"] == "play" and decision["n"] in seconds
        ]
        MatchTally.objects.update_or_create(
            match=report.match,
            user=user,
            defaults={
                "report": report,
                "ended_at": report.match.ended_at or report.asked_at,
                "decisions": total.decisions,
                "lost": round(total.lost, 6),
                "parts": error_parts(counted),
                "pace": DecisionTime.of(timed).as_json(),
            },
        )


def _difficulty(decision: Json) -> float:
    return difficulty(puzzles.gap_of(puzzles.options_of(decision)), obvious=decision["obvious"])


def _seconds(match: Match) -> dict[int, float]:
    """How long each action took, by its number; empty where time says nothing: by correspondence, or out of a file."""
    if match.source or pace_of(match.clock_preset) == "correspondence":
        return {}
    rows: list[tuple[int, datetime]] = list(Action.objects.filter(match=match).order_by("n").values_list("n", "at"))
    return {n: (at - before).total_seconds() for (_, before), (n, at) in pairwise(rows)}


def _take(report: Report, decision: Json, user: User | None) -> bool:
    """Keep a decision worth repeating as a puzzle, and give it to the player who erred. Returns whether it was kept."""
    options = puzzles.options_of(decision)
    gap = puzzles.gap_of(options)
    erred = decision["grade"] in TRAINED
    close = decision["phase"] != OPENING and is_interesting(loss=decision["loss"], gap=gap, choices=len(options))
    if not (erred or close) or not puzzles.is_readable(decision["xgid"]):
        return False
    side = decision["side"]
    puzzle, _ = Puzzle.objects.update_or_create(
        match=report.match,
        n=decision["n"],
        defaults={
            "game": decision["game"],
            "side": side,
            "user": user,
            "kind": decision["kind"],
            "phase": decision["phase"],
            "xgid": decision["xgid"] if side == puzzles.SOLVER else puzzles.swap_sides(decision["xgid"]),
            "played": decision["played"],
            "options": options,
            "words": decision.get("words", []),
            "loss": decision["loss"],
            "gap": gap,
            "engine": report.engine,
        },
    )
    if erred and user is not None and not user.is_bot:
        TrainerCard.objects.get_or_create(user=user, puzzle=puzzle, defaults={"due": today()})
    return True
