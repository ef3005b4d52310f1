"""The order of a ladder and the events that move somebody in it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

from ladders.rules.config import Config

P = TypeVar("P", bound=Hashable)


def apply(order: Sequence[P], config: Config | Mapping[str, Any], event: Mapping[str, Any]) -> list[P]:
    """The order after an event, the first on top; the old one stays as it was.

    The players stay the same, but for those who join or leave. An event that moves nobody, or is about a player outside
    the ladder, changes nothing; one without a type is a result. Only the kind and the rule of `config` count.
    """
    players = list(order)
    change = CHANGES.get(str(event.get("type", "result")))
    return players if change is None else change(players, _rule(config), event)


def _rule(config: Config | Mapping[str, Any]) -> str:
    """How a result moves players: leapfrog, swap, hill, or not at all."""
    if isinstance(config, Config):
        kind, rule = config.kind, config.rule
    else:
        kind, rule = str(config.get("kind") or "challenge"), str(config.get("rule") or "leapfrog")
    return rule if kind == "challenge" else kind


def _result(players: list[P], rule: str, event: Mapping[str, Any]) -> list[P]:
    challenger, defender = event.get("challenger"), event.get("defender")
    if challenger == defender or challenger not in players or defender not in players:
        return players
    winner = event.get("winner")
    if rule == "hill":
        return _hill(players, challenger, defender, winner)
    if winner != challenger:
        return players
    challenger_index, defender_index = players.index(challenger), players.index(defender)
    if challenger_index < defender_index:  # the challenger is above by now: nobody drops by winning
        return players
    if rule == "swap":
        players[challenger_index], players[defender_index] = players[defender_index], players[challenger_index]
    elif rule == "leapfrog":
        players.insert(defender_index, players.pop(challenger_index))
    return players


def _hill(players: list[P], challenger: P, defender: P, winner: object) -> list[P]:
    """Send the loser to the end of the queue; the winner is king if the king lost. Without a winner the king stays."""
    if winner not in (challenger, defender, None):
        return players
    king = players[0]
    if winner is None:
        loser = challenger if defender == king else defender
    else:
        loser = challenger if winner == defender else defender
    if loser == king:
        first = challenger if loser == defender else defender
        players.remove(first)
        players.insert(0, first)
    players.remove(loser)
    players.append(loser)
    return players


def _forfeit(players: list[P], rule: str, event: Mapping[str, Any]) -> list[P]:
    """Apply a forfeit as a result that the other player won."""
    both = [event.get("challenger"), event.get("defender")]
    loser = event.get("loser")
    if loser not in both:
        return players
    return _result(players, rule, {**event, "winner": both[1 - both.index(loser)]})


def _join(players: list[P], rule: str, event: Mapping[str, Any]) -> list[P]:
    player: Any = event.get("player")
    if player is None or player in players:
        return players
    at = event.get("at")
    place = at if type(at) is int else len(players) + 1
    players.insert(max(0, place - 1), player)
    return players


def _leave(players: list[P], rule: str, event: Mapping[str, Any]) -> list[P]:
    return [player for player in players if player != event.get("player")]


def _drop(players: list[P], rule: str, event: Mapping[str, Any]) -> list[P]:
    places = event.get("places")
    if event.get("player") not in players or type(places) is not int or places < 1:
        return players
    index = players.index(event["player"])
    players.insert(index + places, players.pop(index))
    return players


def _move(players: list[P], rule: str, event: Mapping[str, Any]) -> list[P]:
    to = event.get("to")
    if event.get("player") not in players or type(to) is not int:
        return players
    player = players.pop(players.index(event["player"]))
    players.insert(max(0, to - 1), player)
    return players


CHANGES: dict[str, Callable[[list[Any], str, Mapping[str, Any]], list[Any]]] = {
    "result": _result,
    "forfeit": _forfeit,
    "join": _join,
    "leave": _leave,
    "drop": _drop,
    "move": _move,
}
