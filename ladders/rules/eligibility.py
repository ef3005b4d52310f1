"""Who may challenge whom on a ladder."""

from __future__ import annotations

from datetime import datetime, timedelta

from ladders.rules.config import Config
from ladders.rules.fold import Player, State


def may_challenge(state: State, config: Config, challenger: Player, defender: Player, at: datetime) -> str | None:
    """The code of the refusal that keeps `challenger` from challenging `defender` now; None without one (L2 to L8)."""
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
    challenger_row, defender_row = state.rows.get(challenger), state.rows.get(defender)
    if challenger_row is None:
        return "ladder_not_on"
    if defender_row is None:
        return "ladder_rival_not_on"
    if challenger_row.away(at):
        return "ladder_away"
    if defender_row.away(at):
        return "ladder_rival_away"
    return None


def _free(state: State, config: Config, challenger: Player, defender: Player) -> str | None:
    """Neither has too many open challenges."""
    if any({challenge.challenger, challenge.defender} == {challenger, defender} for challenge in state.challenges):
        return "ladder_called"
    if sum(challenge.challenger == challenger for challenge in state.challenges) >= config.most_out:
        return "ladder_most_out"
    if sum(challenge.defender == defender for challenge in state.challenges) >= config.most_in:
        return "ladder_most_in"
    return None


def _in_line(state: State, challenger: Player, defender: Player, at: datetime) -> str | None:
    if challenger == state.order[0]:
        return "ladder_king_waits"
    if defender != state.order[0]:
        return "ladder_only_king"
    if state.challenges:
        return "ladder_king_plays"
    ahead = (player for player in _waiting(state, at) if player != challenger)
    first = next(ahead, None)
    if first is not None and state.order.index(first) < state.order.index(challenger):
        return "ladder_not_next"
    return None


def _in_reach(state: State, config: Config, challenger: Player, defender: Player, at: datetime) -> str | None:
    row = state.rows[defender]
    if state.order.index(defender) > state.order.index(challenger):
        return "ladder_not_above"
    if row.frozen:
        return "ladder_rival_frozen"
    if config.range and reach(state, challenger, defender, at) > config.range:
        return "ladder_too_far"
    if row.immune_until is not None and at < row.immune_until:
        return "ladder_rival_immune"
    last = state.rows[challenger].met.get(defender)
    if last is not None and at < last + timedelta(days=config.rematch_days):
        return "ladder_rematch"
    return None


def reach(state: State, challenger: Player, defender: Player, at: datetime) -> int:
    """How many places `defender` is above `challenger`, without those between who cannot be challenged now (L2)."""
    between = state.order[state.order.index(defender) + 1 : state.order.index(challenger)]
    return 1 + sum(not state.rows[player].frozen and not state.rows[player].away(at) for player in between)


def _waiting(state: State, at: datetime) -> list[Player]:
    """The players behind the king of a hill who can be challenged, in order."""
    return [player for player in state.order[1:] if not state.rows[player].frozen and not state.rows[player].away(at)]


def next_on_hill(state: State, at: datetime) -> tuple[Player, Player] | None:
    """Who plays the king next, and the king; None while they play, the king is away, or nobody waits (L7)."""
    if state.challenges or state.closed_at is not None or len(state.order) < 2 or state.rows[state.order[0]].away(at):
        return None
    waiting = _waiting(state, at)
    return (waiting[0], state.order[0]) if waiting else None
