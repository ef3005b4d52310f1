"""A record's report card without a database, for measurements."""

from __future__ import annotations

from analysis import card
from analysis.engine import Depth
from analysis.moments import Deed, Moment, moments
from analysis.report import Judge, game_json
from analysis.sage import SageAnalyst
from games import replay
from games.engine import Json
from games.formats.record import Record
from games.registry import RULES


def judged(record: Record, depth: Depth) -> tuple[Json, list[Moment]]:
    """The card of a match, as `Report.data` has its games and sides, and the moments of it."""
    analyst = SageAnalyst()
    state = replay.start(RULES[record.variant], record.length, record.options)
    games, seen, n = [], [], 0
    for game in record.games:
        found, judge = game_json(state, game.number, analyst), Judge(analyst, depth)
        deeds = [Deed(n + at, game.number, *action) for at, action in enumerate(game.actions, 1)]
        n += len(deeds)
        for moment in moments(state, deeds):
            judge.judge(moment)
            seen.append(moment)
            state = moment.after
        games.append(found | {"decisions": judge.decisions, "rolls": judge.rolls})
    return {"games": games, "sides": card.sides(games, record.winner)}, seen
