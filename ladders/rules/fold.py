"""A ladder as the fold of its events: the order, and what the rules keep beside it.

An event is a mapping with `n`, `type`, `at` and the fields of its type; `created` and `changed` carry the settings that
count from then on. An event that was undone keeps one effect: it still ends the challenge that it ended.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from ladders.rules.config import Config
from ladders.rules.order import apply

Player = Hashable
Event = Mapping[str, Any]

PLAYED = ("result", "decided")  # events for which both players were present

#: What a director may undo (L10): everything that moves a player who did not ask for it.
UNDOABLE = frozenset({"result", "decided", "declined", "withdrawn", "expired", "not_played", "dropped", "placed"})


@dataclass(frozen=True, slots=True)
class Row:
    """What is kept of one player beside the place. `results` are the counted ones of the season."""

    joined_at: datetime
    active_at: datetime  # the last match here, or when the player joined
    seen_at: datetime  # freezing counts from here
    idle_from: datetime  # falling counts from here
    drops: int = 0
    frozen: bool = False
    immune_until: datetime | None = None
    away_until: datetime | None = None
    away_days: float = 0.0  # vacation days used this season
    points: int = 0
    played: int = 0
    won: int = 0
    results: tuple[tuple[Player, int], ...] = ()  # (opponent, points)
    met: Mapping[Player, datetime] = field(default_factory=dict)  # the last match against each opponent

    def away(self, at: datetime) -> bool:
        return self.away_until is not None and at < self.away_until


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    """A challenge that has not ended."""

    id: Hashable
    challenger: Player
    defender: Player


@dataclass(frozen=True, slots=True)
class State:
    """A ladder at one moment."""

    order: tuple[Any, ...] = ()
    rows: Mapping[Any, Row] = field(default_factory=dict)
    challenges: tuple[OpenChallenge, ...] = ()
    season: int = 1
    closed_at: datetime | None = None

    def place(self, player: Player) -> int | None:
        """The place of a player, 1 on top; None outside the ladder."""
        return self.order.index(player) + 1 if player in self.rows else None

    def moves(self, after: State) -> dict[Any, tuple[int | None, int | None]]:
        """The players whose place differs in `after`, with the places before and after."""
        old = {player: place for place, player in enumerate(self.order, 1)}
        new = {player: place for place, player in enumerate(after.order, 1)}
        everyone = dict.fromkeys((*after.order, *self.order))
        return {p: (old.get(p), new.get(p)) for p in everyone if old.get(p) != new.get(p)}


def undone(events: Iterable[Event]) -> set[int]:
    """The numbers of the events that are undone at the end of `events`."""
    numbers: set[int] = set()
    for event in events:
        if event["type"] == "undo":
            numbers.add(event["undone"])
        elif event["type"] == "redo":
            numbers.discard(event["undone"])
    return numbers


def fold(config: Config, events: Iterable[Event]) -> State:
    """The state after all events that were not undone."""
    listed = list(events)
    undone_numbers = undone(listed)
    state = State()
    for event in listed:
        if "config" in event:
            config = Config.of(event["config"])
        state = _close(state, event) if event["n"] in undone_numbers else step(state, config, event)
    return state


def step(state: State, config: Config, event: Event) -> State:
    """The state after one more event; an undo or redo needs the whole fold and changes nothing here."""
    state = _close(state, event)
    change = STEPS.get(event["type"])
    return state if change is None else change(state, config, event)


def next_due(row: Row, config: Config) -> datetime | None:
    """When the next deadline of this player is: the vacation ends, the place freezes or drops."""
    if row.away_until is not None:
        return row.away_until
    frozen = freezes_at(row, config)
    drops = row.idle_from + timedelta(days=config.drop_days * (row.drops + 1)) if config.drops else None
    return min((due for due in (frozen, drops) if due is not None), default=None)


def freezes_at(row: Row, config: Config) -> datetime | None:
    """When the place of this player freezes, if it is not frozen and can be (L6)."""
    return row.seen_at + timedelta(days=config.freeze_days) if config.freezes and not row.frozen else None


# Steps


def _close(state: State, event: Event) -> State:
    """Remove the challenge that this event ends."""
    if event["type"] in ("challenged", "accepted") or "challenge" not in event:
        return state
    return replace(
        state, challenges=tuple(challenge for challenge in state.challenges if challenge.id != event["challenge"])
    )


def _with(state: State, player: Player, **facts: Any) -> State:
    row = state.rows.get(player)
    return state if row is None else replace(state, rows={**state.rows, player: replace(row, **facts)})


def _moved(state: State, config: Config, event: Event) -> State:
    return replace(state, order=tuple(apply(state.order, config, event)))


def _joined(state: State, config: Config, event: Event) -> State:
    at, player = event["at"], event["player"]
    if player in state.rows:
        return state
    state = replace(state, rows={**state.rows, player: Row(at, at, at, at)})
    return _ranked(_moved(state, config, {"type": "join", "player": player}), config)


def _left(state: State, config: Config, event: Event) -> State:
    rows = {player: row for player, row in state.rows.items() if player != event["player"]}
    return _moved(replace(state, rows=rows), config, {"type": "leave", "player": event["player"]})


def _away(state: State, config: Config, event: Event) -> State:
    """Begin a vacation: for its length the player is neither unseen nor idle."""
    row = state.rows.get(event["player"])
    if row is None:
        return state
    until = event["at"] + timedelta(days=event["days"])
    longer = timedelta(days=event["days"])
    return _with(
        state,
        event["player"],
        away_until=until,
        away_days=row.away_days + event["days"],
        seen_at=row.seen_at + longer,
        idle_from=row.idle_from + longer,
    )


def _back(state: State, config: Config, event: Event) -> State:
    """End a vacation (its unused days can be used again), or unfreeze the place."""
    at = event["at"]
    row = state.rows.get(event["player"])
    if row is None:
        return state
    left = max(timedelta(0), row.away_until - at) if row.away_until is not None else timedelta(0)
    return _with(
        state,
        event["player"],
        away_until=None,
        frozen=False,
        away_days=max(0.0, row.away_days - left / timedelta(days=1)),
        seen_at=at,
        idle_from=row.idle_from - left,
    )


def _challenged(state: State, config: Config, event: Event) -> State:
    challenge = OpenChallenge(event["challenge"], event["challenger"], event["defender"])
    state = replace(state, challenges=(*state.challenges, challenge))
    return state if event.get("itself") else _with(state, event["challenger"], seen_at=event["at"], frozen=False)


def _accepted(state: State, config: Config, event: Event) -> State:
    return _with(state, event["defender"], seen_at=event["at"], frozen=False)


def _result(state: State, config: Config, event: Event) -> State:
    """Count a match, played or decided: places, points, immunity, activity."""
    at, winner = event["at"], event.get("winner")
    both = (event["challenger"], event["defender"])
    if both[0] == both[1] or not all(player in state.rows for player in both):
        return state
    places = {player: state.place(player) or 0 for player in both}
    for player, opponent in (both, both[::-1]):
        row = state.rows[player]
        met = {**row.met, opponent: at} if config.kind == "challenge" and config.rematch_days else row.met
        state = _with(state, player, met=_recent(met, config, at))
        if winner is not None:
            higher = player == winner and places[opponent] < places[player]
            state = _counted(state, config, player, opponent, won=player == winner, higher=higher)
        # a player who forfeits was absent; and on a hill the queue moves on whether or not the other was present
        if event["type"] in PLAYED or (player == winner and config.kind != "hill"):
            state = _with(state, player, active_at=at, seen_at=at, idle_from=at, drops=0, frozen=False)
    if winner == both[1] and config.kind == "challenge" and config.immunity_hours:
        state = _with(state, winner, immune_until=at + timedelta(hours=config.immunity_hours))
    moved = _moved(state, config, {**event, "type": "result"})
    return _ranked(moved, config)


def _decided(state: State, config: Config, event: Event) -> State:
    """Count a director's decision; without a winner the challenge is void."""
    return state if event.get("winner") is None else _result(state, config, event)


def _forfeited(state: State, config: Config, event: Event) -> State:
    """End a challenge without a match: a loss for the loser, if there is one."""
    loser = event.get("loser")
    if loser is None:
        return state
    both = (event["challenger"], event["defender"])
    return _result(state, config, {**event, "winner": both[1] if loser == both[0] else both[0]})


def _recent(met: Mapping[Player, datetime], config: Config, at: datetime) -> dict[Player, datetime]:
    since = at - timedelta(days=config.rematch_days)
    return {opponent: met_at for opponent, met_at in met.items() if met_at > since}


def _counted(state: State, config: Config, player: Player, opponent: Player, *, won: bool, higher: bool) -> State:
    """Add a result to the season (L8); beyond the limit against the same opponent it brings no points."""
    row = state.rows[player]
    facts: dict[str, Any] = {"played": row.played + 1, "won": row.won + won}
    against = sum(1 for other, _ in row.results if other == opponent)
    if config.kind == "season" and not (config.against_same and against >= config.against_same):
        points = config.points_win + (config.bonus_higher if higher else 0) if won else config.points_loss
        facts["results"] = (*row.results, (opponent, points))
        best = sorted((worth for _, worth in facts["results"]), reverse=True)
        facts["points"] = sum(best[: config.best_of] if config.best_of else best)
    return _with(state, player, **facts)


def _ranked(state: State, config: Config) -> State:
    """Sort a season ladder by points, then fewer matches, then the earlier joined (L8)."""
    if config.kind != "season":
        return state

    def key(player: Player) -> tuple[int, int, datetime]:
        row = state.rows[player]
        return -row.points, row.played, row.joined_at

    return replace(state, order=tuple(sorted(state.order, key=key)))


def _froze(state: State, config: Config, event: Event) -> State:
    return _with(state, event["player"], frozen=True)


def _dropped(state: State, config: Config, event: Event) -> State:
    row = state.rows.get(event["player"])
    if row is None:
        return state
    state = _with(state, event["player"], drops=row.drops + 1)
    return _moved(state, config, {"type": "drop", "player": event["player"], "places": event["places"]})


def _placed(state: State, config: Config, event: Event) -> State:
    return _moved(state, config, {"type": "move", "player": event["player"], "to": event["to"]})


def _season(state: State, config: Config, event: Event) -> State:
    """Begin a season: counts start at zero, the order stays (on a season ladder it follows from the zeros)."""
    rows = {
        player: replace(row, points=0, played=0, won=0, results=(), away_days=0.0) for player, row in state.rows.items()
    }
    return _ranked(replace(state, rows=rows, season=state.season + 1), config)


def _closed(state: State, config: Config, event: Event) -> State:
    return replace(state, closed_at=event["at"])


def _opened(state: State, config: Config, event: Event) -> State:
    since = state.closed_at
    state = replace(state, closed_at=None)
    return state if since is None else _given_back(state, event["at"] - since)


def _outage(state: State, config: Config, event: Event) -> State:
    return _given_back(state, timedelta(seconds=event["seconds"]))


def _given_back(state: State, time: timedelta) -> State:
    """Move the deadlines by a time in which nobody could play (L9)."""
    rows = {
        player: replace(
            row,
            seen_at=row.seen_at + time,
            idle_from=row.idle_from + time,
            immune_until=row.immune_until and row.immune_until + time,
            away_until=row.away_until and row.away_until + time,
        )
        for player, row in state.rows.items()
    }
    return replace(state, rows=rows)


STEPS: dict[str, Callable[[State, Config, Event], State]] = {
    "joined": _joined,
    "left": _left,
    "away": _away,
    "back": _back,
    "thawed": _back,
    "challenged": _challenged,
    "accepted": _accepted,
    "declined": _forfeited,
    "withdrawn": _forfeited,
    "expired": _forfeited,
    "not_played": _forfeited,
    "result": _result,
    "decided": _decided,
    "froze": _froze,
    "dropped": _dropped,
    "placed": _placed,
    "season": _season,
    "closed": _closed,
    "opened": _opened,
    "outage": _outage,
}
