"""Who may call whom on a ladder."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.ladders.config import Config
from games.ladders.fold import Player, State


def may_challenge(state: State, config: Config, challenger: Player, defender: Player, at: datetime) -> str | None:
    """Why `challenger` cannot call `defender` now: the code of a refusal, or None when he can (L2 to L8)."""
    if config.kind == "rating":
        return "ladder_by_rating"
    return (
        _present(state, challenger, defender, at)
        or _free(state, config, challenger, defender)
        or (_in_line(state, challenger, defender, at) if config.kind == "hill" else None)
        or (_in_reach(state, config, challenger, defender, at) if config.kind == "challenge" else None)
    )


def _present(state: State, challenger: Player, defender: Player, at: datetime) -> str | None:
    if state.closed_at is not None:
        return "ladder_closed"
    if challenger == defender:
        return "self_play"
    mine, his = state.rows.get(challenger), state.rows.get(defender)
    if mine is None:
        return "ladder_not_on"
    if his is None:
        return "ladder_rival_not_on"
    if mine.away(at):
        return "ladder_away"
    if his.away(at):
        return "ladder_rival_away"
    return None


def _free(state: State, config: Config, challenger: Player, defender: Player) -> str | None:
    """Neither has his hands full."""
    if any({call.challenger, call.defender} == {challenger, defender} for call in state.calls):
        return "ladder_called"
    if sum(call.challenger == challenger for call in state.calls) >= config.most_out:
        return "ladder_most_out"
    if sum(call.defender == defender for call in state.calls) >= config.most_in:
        return "ladder_most_in"
    return None


def _in_line(state: State, challenger: Player, defender: Player, at: datetime) -> str | None:
    if challenger == state.order[0]:
        return "ladder_king_waits"
    if defender != state.order[0]:
        return "ladder_only_king"
    if state.calls:
        return "ladder_king_plays"
    ahead = (player for player in _waiting(state, at) if player != challenger)
    first = next(ahead, None)
    if first is not None and state.order.index(first) < state.order.index(challenger):
        return "ladder_not_next"
    return None


def _in_reach(state: State, config: Config, challenger: Player, defender: Player, at: datetime) -> str | None:
    his = state.rows[defender]
    if state.order.index(defender) > state.order.index(challenger):
        return "ladder_not_above"
    if his.frozen:
        return "ladder_rival_frozen"
    if config.range and reach(state, challenger, defender, at) > config.range:
        return "ladder_too_far"
    if his.immune_until is not None and at < his.immune_until:
        return "ladder_rival_immune"
    last = state.rows[challenger].met.get(defender)
    if last is not None and at < last + timedelta(days=config.rematch_days):
        return "ladder_rematch"
    return None


def reach(state: State, challenger: Player, defender: Player, at: datetime) -> int:
    """How many places above `challenger` `defender` stands, those between who cannot be called now left out (L2)."""
    between = state.order[state.order.index(defender) + 1 : state.order.index(challenger)]
    return 1 + sum(not state.rows[player].frozen and not state.rows[player].away(at) for player in between)


def _waiting(state: State, at: datetime) -> list[Player]:
    """Those in the line of a hill behind the king who can be called, in their order."""
    return [p for p in state.order[1:] if not state.rows[p].frozen and not state.rows[p].away(at)]


def next_on_hill(state: State, at: datetime) -> tuple[Player, Player] | None:
    """Who plays the king next, and the king; None while they play, the king is away, or nobody waits (L7)."""
    if state.calls or state.closed_at is not None or len(state.order) < 2 or state.rows[state.order[0]].away(at):
        return None
    waiting = _waiting(state, at)
    return (waiting[0], state.order[0]) if waiting else None
