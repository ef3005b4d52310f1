"""Judgements of single positions, kept because they are asked for again: openings in every match, others by readers.

The key is what the answer depends on, seen from the side that decides: the board, the cube, the points both need, the
dice, the depth and the engine. Rows that nobody has asked for in `KEPT` are deleted.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import timedelta
from typing import Any, cast

from analysis.analysts import analyst_for
from analysis.engine import Analyst, Candidate, Chances, Cube, Depth, Plays, Roll
from analysis.models import PositionCache
from games.bots.engine import EngineMissing
from games.bots.engine_boards import board_of
from games.database import now
from games.engine import Position, Side, opponent

KEPT = timedelta(days=90)
TOUCHED = timedelta(days=1)
"""How old the note of the last use may be before it is written anew."""
EARLY = 2 * 167 - 60
"""Pips of both sides from which a board is one of the first few plays of a game, and will be seen again."""


def plays_of(
    position: Position, score_view: Mapping[str, Any], side: Side, depth: Depth, played: str = "", *, variant: str
) -> Plays:
    """As `Analyst.plays`, of an engine that knows `variant`. Raises EngineMissing when there is none."""
    return CachingAnalyst(_analyst(variant)).plays(position, score_view, side, depth, played)


def cube_of(position: Position, score_view: Mapping[str, Any], side: Side, depth: Depth, *, variant: str) -> Cube:
    """As `Analyst.cube`, of an engine that knows `variant`. Raises EngineMissing when there is none."""
    return CachingAnalyst(_analyst(variant)).cube(position, score_view, side, depth)


class CachingAnalyst:
    """An analyst that looks first whether the same was asked before. With `early`, only of the first few plays."""

    def __init__(self, analyst: Analyst, *, early: bool = False) -> None:
        self._analyst = analyst
        self._early = early
        self.name, self.variants, self.options = analyst.name, analyst.variants, analyst.options
        self.available, self.reason = analyst.available, analyst.reason
        self.mwc, self.score_mwc = analyst.mwc, analyst.score_mwc

    def plays(
        self, position: Position, score_view: Mapping[str, Any], side: Side, depth: Depth, played: str = ""
    ) -> Plays:
        view = position.view(None)
        if not self._worthwhile(view):
            return self._analyst.plays(position, score_view, side, depth, played)
        key = _key(self.name, depth, "plays", view, score_view, side, view["dice"])
        cached = _read_cached(key)
        if cached is not None:
            found = Plays(tuple(_candidate(each) for each in cached))
            if not played or any(each.play == played and each.plies == found.best.plies for each in found.candidates):
                return found
        found = self._analyst.plays(position, score_view, side, depth, played)
        _keep(key, [asdict(each) for each in found.candidates])
        return found

    def cube(self, position: Position, score_view: Mapping[str, Any], side: Side, depth: Depth) -> Cube:
        view = position.view(None)
        if not self._worthwhile(view):
            return self._analyst.cube(position, score_view, side, depth)
        key = _key(self.name, depth, "cube", view, score_view, side, None)
        cached = _read_cached(key)
        if cached is not None:
            return Cube(**{**cached, "chances": Chances(**cached["chances"])})
        found = self._analyst.cube(position, score_view, side, depth)
        _keep(key, asdict(found))
        return found

    def roll(
        self,
        position: Position,
        score_view: Mapping[str, Any],
        side: Side,
        dice: tuple[int, int],
        depth: Depth,
        *,
        opening: bool = False,
    ) -> Roll:
        return self._analyst.roll(position, score_view, side, dice, depth, opening=opening)

    def _worthwhile(self, view: Mapping[str, Any]) -> bool:
        if not self._early:
            return True
        board = board_of(view, "white")
        pips = sum((n if count > 0 else 25 - n) * abs(count) for n, count in enumerate(board) if 0 < n < 25)
        return pips >= EARLY


def answers_sweep() -> int:
    """Delete what nobody has asked for in a long time: how many."""
    return PositionCache.objects.filter(used_at__lt=now() - KEPT).delete()[0]


def _analyst(variant: str) -> Analyst:
    found = analyst_for(variant)
    if found is None:
        raise EngineMissing(f"no engine judges {variant} here")
    return found


def _key(
    engine: str, depth: Depth, kind: str, view: Mapping[str, Any], score: Mapping[str, Any], side: Side, dice: Any
) -> str:
    cube, length = view["cube"], score["length"]
    about = [
        *(engine, depth, kind),
        board_of(view, side),
        None if cube is None else [cube["value"], {None: 0, side: 1}.get(cube["owner"], -1), cube["dead"]],
        [length - score[each] if length else None for each in (side, opponent(side))],
        bool(score.get("crawford")),
        sorted(dice or ()),
    ]
    return hashlib.sha256(json.dumps(about).encode()).hexdigest()


def _read_cached(key: str) -> Any:
    row = PositionCache.objects.filter(pk=key).first()
    if row is None:
        return None
    moment = now()
    if row.used_at < moment - TOUCHED:
        PositionCache.objects.filter(pk=key).update(used_at=moment)
    return row.answer


def _keep(key: str, answer: Any) -> None:
    PositionCache.objects.update_or_create(key=key, defaults={"answer": answer, "used_at": now()})


def _candidate(cached: Mapping[str, Any]) -> Candidate:
    return Candidate(**{**cast("dict[str, Any]", cached), "chances": Chances(**cached["chances"])})
