"""The events of a ladder, each in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _t
from django.utils.translation import ngettext

from ladders.labels.names import Data, score


@dataclass(frozen=True, slots=True)
class Names:
    """What the sentences name: the players by id, and the kind and rule of the ladder."""

    players: Mapping[int, str]
    kind: str = "challenge"
    rule: str = "leapfrog"

    def of(self, data: Data, key: str) -> str:
        return self.players.get(number(data.get(key)) or 0, "?")


def number(value: object) -> int | None:
    """The id of a player, which is text where it was a key in JSON."""
    text = str(value)
    return int(text) if text.isdecimal() else None


def moves(data: Data) -> dict[int, tuple[int | None, int | None]]:
    """Who moved in an event: the places before and after it, 1 on top, None outside the ladder."""
    found: dict[int, tuple[int | None, int | None]] = {}
    for key, (before, after) in (data.get("moves") or {}).items():
        player = number(key)
        if player is not None and before != after:
            found[player] = (before, after)
    return found


def players_in(data: Data) -> set[int]:
    """The players that the sentence of an event names."""
    keys = ("challenger", "defender", "winner", "loser", "player", "user")
    named = {number(data.get(key)) for key in keys} | set(moves(data))
    return {player for player in named if player}


def sentence(type_: str, data: Data, names: Names) -> str:
    """An event in one sentence; a type without a sentence is shown as it is."""
    made = SENTENCES.get(type_)
    return made(data, names) if made else type_


def _both_names(data: Data, names: Names) -> dict[str, str]:
    return {"challenger": names.of(data, "challenger"), "defender": names.of(data, "defender")}


def _player_facts(data: Data, names: Names) -> dict[str, str]:
    return {"name": names.of(data, "player"), "reason": str(data.get("reason") or "")}


def _place(data: Data, player: int | None) -> int | None:
    """The place of a player after an event."""
    at = moves(data).get(player or 0)
    return at[1] if at else None


def _joined(data: Data, names: Names) -> str:
    place = _place(data, number(data.get("player")))
    facts = {**_player_facts(data, names), "place": place}
    return (
        _t("%(name)s joined the ladder at rank %(place)s.") % facts
        if place
        else _t("%(name)s joined the ladder.") % facts
    )


def _away(data: Data, names: Names) -> str:
    n = data.get("days") or 0
    return ngettext("%(name)s is away for %(n)s day.", "%(name)s is away for %(n)s days.", n) % {
        **_player_facts(data, names),
        "n": n,
    }


def outcome(data: Data, names: Names) -> str:
    """How a match for places ended: who won, and the places of both now."""
    winner = number(data.get("winner"))
    challenger, defender = number(data.get("challenger")), number(data.get("defender"))
    loser = defender if winner == challenger else challenger
    facts: dict[str, Any] = {
        "winner": names.players.get(winner or 0, "?"),
        "loser": names.players.get(loser or 0, "?"),
        "place": _place(data, winner),
        "other": _place(data, loser),
    }
    if names.kind == "season":
        points = data.get("points") or {}
        facts |= {"win": score(points.get(str(winner), 0)), "loss": score(points.get(str(loser), 0))}
        return _t("%(winner)s beat %(loser)s: +%(win)s and +%(loss)s points.") % facts if points else _beats(facts)
    if names.kind == "hill":
        if winner == challenger:
            return _t("%(winner)s beat %(loser)s and is the new king; %(loser)s goes to the back of the queue.") % facts
        return _t("%(winner)s beat %(loser)s and is still king; %(loser)s goes to the back of the queue.") % facts
    if winner == challenger and facts["place"]:
        return _climbs(facts, names.rule)
    if winner == defender:
        return _t("%(winner)s beat %(loser)s and defended their place.") % facts
    return _beats(facts)


def _beats(facts: Mapping[str, Any]) -> str:
    return _t("%(winner)s beat %(loser)s.") % facts


def _climbs(facts: Mapping[str, Any], rule: str) -> str:
    if rule == "swap":
        return _t("%(winner)s beat %(loser)s and they swapped ranks: %(place)s and %(other)s.") % facts
    if not facts["other"]:
        return _t("%(winner)s beat %(loser)s and moved up to rank %(place)s.") % facts
    return _t("%(winner)s beat %(loser)s and moved up to rank %(place)s; %(loser)s is now at rank %(other)s.") % facts


def _with_loser(data: Data, names: Names, sentence: str) -> str:
    """What came of a challenge that was not played."""
    loser = data.get("loser")
    if not loser:
        return f"{sentence} " + _t("The challenge expired.")
    return f"{sentence} " + _t("%(loser)s lost by forfeit.") % {"loser": names.of(data, "loser")}


def _expired(data: Data, names: Names) -> str:
    sentence = _t("%(defender)s did not answer %(challenger)s's challenge in time.") % _both_names(data, names)
    return _with_loser(data, names, sentence)


def _not_played_event(data: Data, names: Names) -> str:
    sentence = _t("%(challenger)s and %(defender)s did not play in time.") % _both_names(data, names)
    return _with_loser(data, names, sentence)


def _challenged(data: Data, names: Names) -> str:
    if data.get("itself"):  # the line of a hill moves on
        return _t("%(challenger)s is next to play the king, %(defender)s.") % _both_names(data, names)
    return _t("%(challenger)s challenged %(defender)s.") % _both_names(data, names)


def _withdrawn(data: Data, names: Names) -> str:
    sentence = _t("%(challenger)s withdrew the challenge to %(defender)s.") % _both_names(data, names)
    return _with_loser(data, names, sentence) if data.get("loser") else sentence


def _declined(data: Data, names: Names) -> str:
    sentence = _t("%(defender)s declined %(challenger)s's challenge.") % _both_names(data, names)
    return _with_loser(data, names, sentence) if data.get("loser") else sentence


def _decided(data: Data, names: Names) -> str:
    if data.get("winner") is None:
        sentence = _t("The director cancelled %(challenger)s's challenge to %(defender)s.") % _both_names(data, names)
        return _with_reason(sentence, data)
    return _with_reason(_t("Director's ruling: %(outcome)s") % {"outcome": outcome(data, names)}, data)


def _dropped(data: Data, names: Names) -> str:
    facts = {**_player_facts(data, names), "place": _place(data, number(data.get("player")))}
    if not facts["place"]:
        return _t("%(name)s has not played for a long time.") % facts
    return _t("%(name)s has not played for a long time and dropped to rank %(place)s.") % facts


def _placed(data: Data, names: Names) -> str:
    place = _place(data, number(data.get("player"))) or data.get("to")
    return _with_reason(
        _t("The director moved %(name)s to rank %(place)s.") % {**_player_facts(data, names), "place": place}, data
    )


def _with_reason(sentence: str, data: Data) -> str:
    """Append the director's reason."""
    return f"{sentence} ({data['reason']})" if data.get("reason") else sentence


def _season(data: Data, names: Names) -> str:
    facts = {"number": data.get("season") or data.get("number") or "?", "name": data.get("name") or ""}
    return _t("Season %(number)s ended and a new one started.") % facts


SENTENCES: Mapping[str, Callable[[Data, Names], str]] = {
    "created": lambda data, names: _t("Ladder created."),
    "changed": lambda data, names: _t("Ladder settings changed."),
    "closed": lambda data, names: _t("Ladder closed."),
    "opened": lambda data, names: _t("Ladder reopened."),
    "joined": _joined,
    "left": lambda data, names: _t("%(name)s left the ladder.") % _player_facts(data, names),
    "away": _away,
    "back": lambda data, names: _t("%(name)s is back.") % _player_facts(data, names),
    "challenged": _challenged,
    "accepted": lambda data, names: _t("%(defender)s accepted %(challenger)s's challenge.") % _both_names(data, names),
    "declined": _declined,
    "withdrawn": lambda data, names: (
        _t("%(challenger)s withdrew the challenge to %(defender)s.") % _both_names(data, names)
    ),
    "expired": _expired,
    "not_played": _not_played_event,
    "result": outcome,
    "decided": _decided,
    "froze": lambda data, names: (
        _t("%(name)s has not played for a while, so their place is frozen.") % _player_facts(data, names)
    ),
    "thawed": lambda data, names: (
        _t("%(name)s is playing again: their place is no longer frozen.") % _player_facts(data, names)
    ),
    "dropped": _dropped,
    "outage": lambda data, names: _t("The site was down. That time does not count against anyone."),
    "placed": _placed,
    "undo": lambda data, names: _with_reason(
        _t("The director undid event %(n)s.") % {"n": data.get("undone", "?")}, data
    ),
    "redo": lambda data, names: _with_reason(
        _t("The director restored event %(n)s.") % {"n": data.get("undone", "?")}, data
    ),
    "season": _season,
}
