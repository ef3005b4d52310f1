"""A state as JSON and back, for players that JSON can name."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ladders.rules.fold import OpenChallenge, Row, State

MOMENTS = ("joined_at", "active_at", "seen_at", "idle_from", "immune_until", "away_until")
PLAIN = ("drops", "frozen", "away_days", "points", "played", "won")


def dump(state: State) -> dict[str, Any]:
    """Dump a state for `load`: ``{"order": [players, the first on top], "rows": [...], ...}``."""
    return {
        "order": list(state.order),
        "rows": [{"player": player, **_row(state.rows[player])} for player in state.order],
        "challenges": [[challenge.id, challenge.challenger, challenge.defender] for challenge in state.challenges],
        "season": state.season,
        "closed_at": _text(state.closed_at),
    }


def load(dumped: Mapping[str, Any]) -> State:
    """Load a dumped state; an empty mapping is a new ladder."""
    return State(
        order=tuple(dumped.get("order", ())),
        rows={row["player"]: _read(row) for row in dumped.get("rows", ())},
        challenges=tuple(OpenChallenge(*facts) for facts in dumped.get("challenges", ())),
        season=dumped.get("season", 1),
        closed_at=_moment(dumped.get("closed_at")),
    )


def _row(row: Row) -> dict[str, Any]:
    return {
        **{name: _text(getattr(row, name)) for name in MOMENTS},
        **{name: getattr(row, name) for name in PLAIN},
        "results": [list(result) for result in row.results],
        "met": [[opponent, _text(met_at)] for opponent, met_at in row.met.items()],
    }


def _read(dumped: Mapping[str, Any]) -> Row:
    moments: dict[str, Any] = {name: _moment(dumped[name]) for name in MOMENTS}
    return Row(
        **moments,
        **{name: dumped[name] for name in PLAIN},
        results=tuple((opponent, points) for opponent, points in dumped["results"]),
        met={opponent: datetime.fromisoformat(met_at) for opponent, met_at in dumped["met"]},
    )


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
