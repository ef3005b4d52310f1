"""The frames of a finished match, game by game: each action of a game with the position after it.

The frames come from folding the recorded actions through the rules, not from anything stored beside them. A page holds
a summary of all games (`replay_contents`) and the frames of the first; those of another are fetched when it is opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from games.engine import Json, Score, Side
from games.events import action_json, result_json, start_state, state_of
from games.models import Action, Game, Match

FRAMES_VERSION = 2
"""The version of `game_frames`, part of a game's URL, because browsers cache it. Raise it with every change."""


@dataclass(frozen=True, slots=True)
class _Ended:
    """The outcome of a game as its row has it: enough for a score that is only shown."""

    winner: Side | None
    points: int
    kind: str
    black: None = None  # who had the black men, which damas need; no score shows it


def replay_contents(match: Match, games: Sequence[Game], counts: Mapping[int, int], url: str) -> Json:
    """The games of a match, each with the score before it, the number of its actions and the address of its frames.

    `counts` are the actions by the number of the game, `url` the URL of a game whose number is 0. A game without an
    action is left out.
    """
    score: Score = start_state(match, games).score
    listed: list[Json] = []
    for game in games:
        if counts.get(game.number):
            game_url = url.replace("/0.json", f"/{game.number}.json")
            listed.append({"number": game.number, "score": score.view(), "count": counts[game.number], "url": game_url})
        if game.points:
            score = score.after(_Ended(game.winner or None, game.points, game.kind))  # type: ignore[arg-type]
    return {"games": listed, "score": state_of(match).score.view(), "result": result_json(match)}


def game_frames(match: Match, games: Sequence[Game], number: int, actions: Iterable[Action]) -> Json:
    """One game: its start, each action with the position after it, and how it ended (None: it did not).

    `actions` are those of the match up to the end of this game. They are all folded, for where a game begins follows
    from those before it (who has Black in damas, say); only the frames of this one are built.
    """
    state = start_state(match, games)
    start: Json | None = None
    frames: list[Json] = []
    outcome: Json | None = None
    for action in actions:
        before = state
        if action.game_number == number and start is None:
            start = state.position.view(None)
        state = state.after(action.actor, action.text)
        if action.game_number != number:
            continue
        ended = state.closed is not before.closed
        shown = state.closed if ended and state.closed is not None else state.position
        frames.append({"action": action_json(action), "position": shown.view(None)})
        if ended:
            outcome = state.ended
    return {"start": start, "frames": frames, "outcome": outcome}
