"""Reads of reports: who sees one, how far it is, and what its page shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from accounts.models import User
from analysis import explanation_texts
from analysis.engine import DEPTHS
from analysis.models import AnalysisPreferences, Report
from analysis.moments import RecordedAction
from analysis.report import GRADES
from analysis.services import can_be_judged, can_request, why_no_report
from analysis.services.reports import UNDER_WAY
from games import take_back
from games.charts import ChanceStep
from games.engine import SIDES, Json, Side
from games.errors import NotFound
from games.events import start_state
from games.models import Match, Seat, seat_of
from games.selectors.matches import visible_match

SHOWN = {"blunder", "error"}
"""The grades that the page steps through until somebody asks for the rest."""


def analysable_match(*, match_id: str, user: User | None) -> Match:
    """A finished match whose report this person may see: their own match, or one whose players show theirs.

    Raises NotFound, also for a match in play: nothing of it is analysed.
    """
    match = visible_match(match_id=match_id, user=user)
    if match.status != Match.Status.OVER or not ((user is not None and can_request(match, user)) or _shown(match)):
        raise NotFound
    return match


def _shown(match: Match) -> bool:
    """Whether all people who played it show their error rates to everybody."""
    people = [seat.user for seat in match.seats.all() if seat.user is not None and not seat.user.is_bot]
    return bool(people) and AnalysisPreferences.objects.filter(user__in=people, public=True).count() == len(people)


@dataclass(frozen=True, slots=True)
class ReportStatus:
    """The reports of a match: the deepest that is ready, the one under way, and what can be asked for still."""

    ready: Report | None
    coming: Report | None
    place: int
    failed: bool
    refusal: str
    depths: tuple[str, ...]


def report_status(match: Match, user: User | None) -> ReportStatus:
    """The cards of a match for its page, their data still unread. `place` is that in the queue, 0 in the making."""
    reports = sorted(match.reports.defer("data"), key=lambda report: DEPTHS.index(report.depth))  # type: ignore[arg-type]
    ready = next((each for each in reversed(reports) if each.status == Report.Status.READY), None)
    coming = next((each for each in reports if each.status in UNDER_WAY), None)
    known = {each.depth for each in reports if each.status != Report.Status.FAILED}
    least = DEPTHS.index(ready.depth) if ready else -1  # type: ignore[arg-type]
    code = why_no_report(match, user) if user is not None else "report_not_yours"
    return ReportStatus(
        ready=ready,
        coming=coming,
        place=queue_position(coming) if coming and coming.status == Report.Status.WAITING else 0,
        failed=any(each.status == Report.Status.FAILED for each in reports) and ready is None and coming is None,
        refusal=code or "",
        depths=() if code or coming else tuple(d for n, d in enumerate(DEPTHS) if n > least and d not in known),
    )


def queue_position(report: Report) -> int:
    """The place in the queue, 1 being next."""
    return Report.objects.filter(status__in=UNDER_WAY, asked_at__lt=report.asked_at).count() + 1


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """What the card says of one player."""

    seat: Seat
    sums: Json
    level: str
    dice: float | None
    """The player's luck less the opponent's, as a share of the match, -1 to 1; None where no match was won."""
    without: float | None
    """The player's chance to win such a match without luck, 0 to 1."""


def player_summaries(match: Match, report: Report) -> list[PlayerSummary]:
    """Both players, White first."""
    sides: Json = report.data["sides"]
    seats = {seat.side: seat for seat in match.seats.all()}
    found = []
    for side in SIDES:
        side_sums, rate = sides[side], sides[side]["all"]["pr"]
        luck, other = side_sums["luck"]["mwc"], sides["black" if side == "white" else "white"]["luck"]["mwc"]
        adjusted = side_sums["adjusted"]
        found.append(
            PlayerSummary(
                seat=seats[side],
                sums=side_sums,
                level=explanation_texts.skill_level(rate),
                dice=None if luck is None or other is None else luck - other,
                without=None if adjusted is None else min(1.0, max(0.0, adjusted)),
            )
        )
    return found


def winning_chances(report: Report) -> list[ChanceStep]:
    """White's chances through the match, for the chart; of each game alone where no match is won."""
    steps = []
    for game in report.data["games"]:
        if game["start"] is not None:
            steps.append(ChanceStep(game["start"], game["number"]))
        for each in game["decisions"]:
            chance = each["mwc"] if game["start"] is not None else _of_game(each)
            if chance is not None:
                steps.append(ChanceStep(chance, game["number"], each["grade"] if each["grade"] in SHOWN else ""))
    return steps


def _of_game(decision: Json) -> float | None:
    """White's chance to win this game, without the cube."""
    if decision["kind"] == "play":
        chance = next(each["chances"][0] for each in decision["plays"] if each["play"] == decision["played"])
    else:
        chance = decision["cube"]["chances"][0]
        chance = chance if decision["kind"] == "double" else 1 - chance
    return float(chance if decision["side"] == "white" else 1 - chance)


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """Where a player's chances rose most from one decision to the next: the player, a frame of the replay."""

    seat: Seat
    game: int
    frame: int
    before: float
    after: float


def turning_point(match: Match, report: Report) -> TurningPoint | None:
    """The largest swing of a report; None where no decision follows another. One query."""
    swings = []
    for game in report.data["games"]:
        chances = [
            (each["n"], each["mwc"] if game["start"] is not None else _of_game(each)) for each in game["decisions"]
        ]
        known = [(n, chance) for n, chance in chances if chance is not None]
        swings += [(game["number"], n, before, after) for (n, before), (_, after) in pairwise(known)]
    if not swings:
        return None
    number, n, before, after = max(swings, key=lambda swing: abs(swing[3] - swing[2]))
    if after < before:
        side, before, after = "black", 1 - before, 1 - after
    else:
        side = "white"
    seat = next(seat for seat in match.seats.all() if seat.side == side)
    rows = take_back.standing(match.actions.filter(game_number=number).order_by("n").only("match_id", "n", "text"))
    return TurningPoint(seat, number, sum(row.n < n for row in rows), before, after)


@dataclass(frozen=True, slots=True)
class QuickCard:
    """What the page of a finished match shows of its report."""

    players: list[PlayerSummary]
    turn: TurningPoint | None


def summary_in_progress(match: Match, user: User | None) -> bool:
    """Whether this person will see the report of a match that is still played, once it is over and analysed."""
    return can_be_judged(match) and ((user is not None and can_request(match, user)) or _shown(match))


def quick_card(match: Match, user: User | None) -> QuickCard | None:
    """The deepest report of a finished match in short; None where there is none, or not for this person."""
    ready = list(match.reports.filter(status=Report.Status.READY))
    if not ready or not ((user is not None and can_request(match, user)) or _shown(match)):
        return None
    report = max(ready, key=lambda each: DEPTHS.index(each.depth))  # type: ignore[arg-type]
    return QuickCard(player_summaries(match, report), turning_point(match, report))


def report_errors(match: Match, report: Report) -> list[Json]:
    """Every decision with a grade in the order of play, with the position before it. Folds the match once."""
    graded = {
        each["n"]: {**each, "game": game["number"], "score": game["score"]}
        for game in report.data["games"]
        for each in game["decisions"]
        if each["grade"] in GRADES
    }
    rows = match.actions.order_by("n").values_list("n", "game_number", "actor", "text")
    state = start_state(match, match.games.order_by("number"))
    seats = {seat.side: seat for seat in match.seats.all()}
    found = []
    for action in take_back.standing(RecordedAction(*row) for row in rows):
        if (entry := graded.get(action.n)) is not None:
            found.append(entry | {"seat": seats[entry["side"]], "position": state.position.view(None)})
        state = state.after(action.actor, action.text)
    return found


def worst_error(errors: Sequence[Json], side: str) -> Json | None:
    """The error of a side that cost the most, the first of equals; None without errors."""
    return max((each for each in errors if each["side"] == side), key=lambda each: float(each["loss"]), default=None)


def steps_json(errors: Sequence[Json]) -> list[Json]:
    """What the board of the page needs of them."""
    names = ("n", "side", "kind", "played", "best", "position")
    return [{name: each[name] for name in names} for each in errors]


def direction_of(user: User | None) -> str:
    """The board direction that this person prefers."""
    return user.direction if user is not None else User.Direction.ANTICLOCKWISE


def side_of(match: Match, user: User | None) -> Side:
    """The side at the bottom of the board: one's own, else White's."""
    return (seat_of(match, user.pk) if user is not None else None) or "white"


def preferences_of(user: User | None) -> dict[str, Any] | None:
    """What this person wants of the analysis; None for a passer-by."""
    if user is None:
        return None
    found = AnalysisPreferences.objects.filter(user=user).first()
    return {"always": bool(found and found.always), "public": bool(found and found.public)}
