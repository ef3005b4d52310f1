"""The frames of one event for the sockets of a process: a text for each side, made once."""

from __future__ import annotations

import json
from typing import Any

from games import events

EVENT: dict[str, Any] = {
    "version": 3,
    "position": {"turn": "white"},
    "private": {"white": {"may": ["roll"], "tree": [[1]]}, "black": {"may": [], "tree": None}},
}


def test_spectators_share_one_payload() -> None:
    message = {"type": "match.event", "event": EVENT}
    text = events.text_for_viewer(message, None, "event")
    assert json.loads(text) == events.for_viewer(EVENT, None, "event")
    assert events.text_for_viewer(message, None, "event") is text


def test_each_side_has_its_own_payload() -> None:
    message = {"type": "match.event", "event": EVENT}
    white, black = (json.loads(events.text_for_viewer(message, side, "event")) for side in ("white", "black"))
    assert (white["you"], white["may"], white["position"]["tree"]) == ("white", ["roll"], [[1]])
    assert (black["you"], black["may"], black["position"]["tree"]) == ("black", [], None)
