"""The analysis of a match record without a database, for benchmarks."""

from __future__ import annotations

from analysis import report_summary
from analysis.engine import Depth
from analysis.moments import Moment, RecordedAction, moments
from analysis.report import MatchAnalyser, game_json
from analysis.sage_analyst import SageAnalyst
from games import replay
from games.engine import Json
from games.formats.record import Record
from games.registry import RULES


def judged(record: Record, depth: Depth) -> tuple[Json, list[Moment]]:
    """Return the analysis of a match, as `Report.data` has its games and sides, and its decisions and rolls."""
    analyst = SageAnalyst()
    state = replay.start(RULES[record.variant], record.length, record.options)
    games, seen, n = [], [], 0
    for game in record.games:
        found, judge = game_json(state, game.number, analyst), MatchAnalyser(analyst, depth)
        recorded = [RecordedAction(n + at, game.number, *action) for at, action in enumerate(game.actions, 1)]
        n += len(recorded)
        for moment in moments(state, recorded):
            judge.judge(moment)
            seen.append(moment)
            state = moment.after
        games.append(found | {"decisions": judge.decisions, "rolls": judge.rolls})
    return {"games": games, "sides": report_summary.summarise_sides(games, record.winner)}, seen
