"""A finished match to page through, game by game: each action of a game with the position after it.

The frames come from folding the recorded actions through the rules, not from anything stored beside them. A page holds
what it must know of all games (`contents`) and the frames of the first; those of another are fetched when it is opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from games.engine import Json, Score, Side
from games.events import action_json, result_json, start_of, state_of
from games.models import Action, Game, Match

SHAPE = 2
"""Of `chapter`: it stands in the address of a game, for browsers keep what it leads to. Raise it with every change."""


@dataclass(frozen=True, slots=True)
class _Ended:
    """How a row says that a game ended: all that a score which is only shown needs to know."""

    winner: Side | None
    points: int
    kind: str
    black: None = None  # whose men were black, which damas ask after; no score shows it


def contents(match: Match, games: Sequence[Game], counts: Mapping[int, int], url: str) -> Json:
    """The games of a match, each with the score before it, the number of its actions and the address of its frames.

    `counts` are the actions by the number of the game, `url` the address of a game whose number is 0. A game that
    began without an action is none.
    """
    score: Score = start_of(match, games).score
    heads: list[Json] = []
    for game in games:
        if counts.get(game.number):
            where = url.replace("/0.json", f"/{game.number}.json")
            heads.append({"number": game.number, "score": score.view(), "count": counts[game.number], "url": where})
        if game.points:
            score = score.after(_Ended(game.winner or None, game.points, game.kind))  # type: ignore[arg-type]
    return {"games": heads, "score": state_of(match).score.view(), "result": result_json(match)}


def chapter(match: Match, games: Sequence[Game], number: int, actions: Iterable[Action]) -> Json:
    """One game: its start, each action with the position after it, and how it ended (None: it did not).

    `actions` are those of the match up to the end of this game. They are all folded, for where a game begins follows
    from those before it (who has Black in damas, say); only the frames of this one are made.
    """
    state = start_of(match, games)
    start: Json | None = None
    frames: list[Json] = []
    outcome: Json | None = None
    for action in actions:
        before = state
        if action.game_number == number and start is None:
            start = state.position.view(None)  # type: ignore[assignment]
        state = state.after(action.actor, action.text)
        if action.game_number != number:
            continue
        over = state.closed is not before.closed
        shown = state.closed if over and state.closed is not None else state.position
        frames.append({"action": action_json(action), "position": shown.view(None)})
        if over:
            outcome = state.ended
    return {"start": start, "frames": frames, "outcome": outcome}
