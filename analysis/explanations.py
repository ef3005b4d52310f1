"""Why the better decision is better, as codes and numbers, which `explanation_texts` turns into sentences. Pure.

A play is explained by what stands on the board after it and after the better one; `THINGS` are compared in their order,
and the first few that differ are given. Engines give no reasons: these are true of both boards, and most often
the reason. The equities tell more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analysis.engine import Cube
from analysis.features import HOME, Features
from analysis.phases import has_contact
from games.bots.engine_boards import Board

Word = list[Any]
"""``[code, params]``, as JSON keeps it."""
MOST = 3
HIGH_STACK = 5
ABOUT_THE_PLAYED = frozenset({"stack", "pips", "other"})
"""Words that say what is wrong with the play, rather than what is right about the best one."""
MANY_SHOTS = 3
"""Rolls of 36 by which two plays must differ before the one is called more open."""


def explain_play(before: Board, played: Board, better: Board) -> list[Word]:
    """What the better play does that the played one does not, the weightiest first; never empty."""
    actual, best = Features.of(played), Features.of(better)
    reasons = _board_reasons(Features.of(before), actual, best) if has_contact(before) else _race_reasons(actual, best)
    found = [[code, params] for code, params in reasons]
    return found[:MOST] or [["other", {}]]


def praise_play(before: Board, second: Board, best: Board) -> list[Word]:
    """What speaks for the best play, compared with the second best; may be empty. Nothing is said of the second."""
    words = explain_play(before, second, best)
    return [_of_the_best(code, params) for code, params in words if code not in ABOUT_THE_PLAYED]


def _of_the_best(code: str, params: dict[str, Any]) -> Word:
    """The same reason without the other play."""
    if code == "open_safe":
        return ["safe", {}]
    return ["safer", {"shots": params["better"]}] if code == "open_more" else [code, params]


def praise_cube(cube: Cube, *, taker: bool) -> list[Word]:
    """How the game ends from here for the side that decides about the cube."""
    win, gammon = cube.chances.win, cube.chances.gammon
    if taker:
        win, gammon = 1 - win, cube.chances.lose_gammon
    return [["cube_chances", {"win": _percent(win), "gammons": _percent(gammon)}]]


def _race_reasons(actual: Features, best: Features) -> Iterator[tuple[str, dict[str, Any]]]:
    if best.off != actual.off:
        yield ("off_more", {"checkers": best.off - actual.off}) if best.off > actual.off else ("off_fewer", {})
    if len(best.points) + len(best.single) > len(actual.points) + len(actual.single):
        yield "spread", {}
    if best.stack < actual.stack and actual.stack >= HIGH_STACK:
        yield "stack", {"checkers": actual.stack}


def _board_reasons(start: Features, actual: Features, best: Features) -> Iterator[tuple[str, dict[str, Any]]]:
    if best.off != actual.off:
        yield ("off_more", {"checkers": best.off - actual.off}) if best.off > actual.off else ("off_fewer", {})
    if best.hit != actual.hit:
        yield ("hit_not" if best.hit < actual.hit else "hit_more" if actual.hit > start.hit else "hit"), {}
    if actual.shots - best.shots >= MANY_SHOTS:
        if best.shots:
            yield "open_more", {"checkers": len(actual.blots), "shots": actual.shots, "better": best.shots}
        else:
            yield "open_safe", {"checkers": len(actual.blots), "shots": actual.shots}
    made, kept = best.points - actual.points - start.points, (best.points & start.points) - actual.points
    home = sorted((point for point in made if point <= HOME), reverse=True)
    if home:
        yield "makes_home", {"point": home[0]}
    elif anchor := max(made & best.anchors, default=0):
        yield "makes_anchor", {"point": 25 - anchor}
    elif made:
        yield "makes_point", {"point": max(made)}
    if anchor := max(kept & best.anchors, default=0):
        yield "keeps_anchor", {"point": 25 - anchor}
    elif kept:
        yield "keeps_point", {"point": min(kept)}
    if best.prime > actual.prime and best.prime >= 4:
        yield "prime", {"points": best.prime}
    if best.behind < actual.behind:
        yield "runs", {}
    elif best.behind > actual.behind:
        yield "waits", {}
    if actual.shots < best.shots - MANY_SHOTS:
        yield "dares", {"shots": best.shots}
    if actual.stack >= HIGH_STACK and best.stack < actual.stack:
        yield "stack", {"checkers": actual.stack}
    if best.pips < actual.pips:
        yield "pips", {"pips": actual.pips - best.pips}


def explain_double(played: str, cube: Cube) -> list[Word]:
    """What was wrong with rolling, or with doubling."""
    win = _percent(cube.chances.win)
    if played == "roll":
        code = "double_missed" if cube.answer == "double_take" else "cash_missed"
        return [[code, {"win": win}]]
    if cube.answer == "too_good":
        return [["too_good", {"gammons": _percent(cube.chances.gammon)}]]
    if cube.double_point is None or cube.chances.win >= cube.double_point:
        return [["double_wrong", {"win": win}]]
    return [["double_early", {"win": win, "from": _percent(cube.double_point)}]]


def explain_cube_response(played: str, cube: Cube) -> list[Word]:
    """What was wrong with taking, or with dropping."""
    win = _percent(1 - cube.chances.win)
    if cube.take_point is None:
        return [["take_wrong" if played == "take" else "drop_wrong", {"win": win}]]
    need = _percent(cube.take_point)
    sound = need > win if played == "take" else need <= win
    if not sound:
        return [["take_wrong" if played == "take" else "drop_wrong", {"win": win}]]
    return [["take_low" if played == "take" else "drop_high", {"win": win, "need": need}]]


def _percent(share: float) -> int:
    return round(100 * share)
