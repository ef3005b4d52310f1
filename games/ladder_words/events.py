"""What happened on a ladder: every event in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _t
from django.utils.translation import ngettext

from games.ladder_words.names import Data, score


@dataclass(frozen=True, slots=True)
class Names:
    """What the sentences speak of: the players by id, and the kind and rule of the ladder."""

    players: Mapping[int, str]
    kind: str = "challenge"
    rule: str = "leapfrog"

    def of(self, data: Data, key: str) -> str:
        return self.players.get(number(data.get(key)) or 0, "?")


def number(value: object) -> int | None:
    """The id of a player, which JSON may have made a text."""
    text = str(value)
    return int(text) if text.isdecimal() else None


def moves(data: Data) -> dict[int, tuple[int | None, int | None]]:
    """Who moved in an event: his place before and after it, 1 on top, None outside the ladder."""
    found: dict[int, tuple[int | None, int | None]] = {}
    for key, (before, after) in (data.get("moves") or {}).items():
        who = number(key)
        if who is not None and before != after:
            found[who] = (before, after)
    return found


def players_in(data: Data) -> set[int]:
    """The players that the sentence of an event names."""
    keys = ("challenger", "defender", "winner", "loser", "player", "user")
    named = {number(data.get(key)) for key in keys} | set(moves(data))
    return {one for one in named if one}


def sentence(type_: str, data: Data, names: Names) -> str:
    """What happened, in one sentence; a type without words is shown as it is."""
    made = SENTENCES.get(type_)
    return made(data, names) if made else type_


def _two(data: Data, names: Names) -> dict[str, str]:
    return {"challenger": names.of(data, "challenger"), "defender": names.of(data, "defender")}


def _one(data: Data, names: Names) -> dict[str, str]:
    return {"name": names.of(data, "player"), "reason": str(data.get("reason") or "")}


def _place(data: Data, who: int | None) -> int | None:
    """The place where an event put somebody, or where it left him."""
    at = moves(data).get(who or 0)
    return at[1] if at else None


def _joined(data: Data, names: Names) -> str:
    place = _place(data, number(data.get("player")))
    told = {**_one(data, names), "place": place}
    return _t("%(name)s joins in place %(place)s.") % told if place else _t("%(name)s joins.") % told


def _away(data: Data, names: Names) -> str:
    n = data.get("days") or 0
    return ngettext("%(name)s is away for %(n)s day.", "%(name)s is away for %(n)s days.", n) % {
        **_one(data, names),
        "n": n,
    }


def outcome(data: Data, names: Names) -> str:
    """How a match for places ended: who won, and where both stand now."""
    winner = number(data.get("winner"))
    challenger, defender = number(data.get("challenger")), number(data.get("defender"))
    loser = defender if winner == challenger else challenger
    told: dict[str, Any] = {
        "winner": names.players.get(winner or 0, "?"),
        "loser": names.players.get(loser or 0, "?"),
        "place": _place(data, winner),
        "other": _place(data, loser),
    }
    if names.kind == "season":
        points = data.get("points") or {}
        told |= {"win": score(points.get(str(winner), 0)), "loss": score(points.get(str(loser), 0))}
        return _t("%(winner)s beats %(loser)s: %(win)s points and %(loss)s.") % told if points else _beats(told)
    if names.kind == "hill":
        if winner == challenger:
            return _t("%(winner)s beats %(loser)s and is king now; %(loser)s goes to the end of the line.") % told
        return _t("%(winner)s beats %(loser)s and remains king; %(loser)s goes to the end of the line.") % told
    if winner == challenger and told["place"]:
        return _climbs(told, names.rule)
    if winner == defender:
        return _t("%(winner)s defends against %(loser)s: nobody moves.") % told
    return _beats(told)


def _beats(told: Mapping[str, Any]) -> str:
    return _t("%(winner)s beats %(loser)s.") % told


def _climbs(told: Mapping[str, Any], rule: str) -> str:
    if rule == "swap":
        return _t("%(winner)s beats %(loser)s: they change places, %(place)s and %(other)s.") % told
    if not told["other"]:
        return _t("%(winner)s beats %(loser)s and takes place %(place)s.") % told
    return _t("%(winner)s beats %(loser)s and takes place %(place)s; %(loser)s is in place %(other)s now.") % told


def _late(data: Data, names: Names, said: str) -> str:
    """What the passing of a deadline came to."""
    loser = data.get("loser")
    if not loser:
        return f"{said} " + _t("The challenge lapses.")
    return f"{said} " + _t("%(loser)s has lost it by forfeit.") % {"loser": names.of(data, "loser")}


def _expired(data: Data, names: Names) -> str:
    said = _t("%(defender)s did not answer the challenge of %(challenger)s in time.") % _two(data, names)
    return _late(data, names, said)


def _not_played_event(data: Data, names: Names) -> str:
    said = _t("%(challenger)s and %(defender)s did not play in time.") % _two(data, names)
    return _late(data, names, said)


def _challenged(data: Data, names: Names) -> str:
    if data.get("itself"):  # the line of a hill moves on
        return _t("%(challenger)s is next to play the king, %(defender)s.") % _two(data, names)
    return _t("%(challenger)s challenges %(defender)s.") % _two(data, names)


def _withdrawn(data: Data, names: Names) -> str:
    said = _t("%(challenger)s takes back the challenge to %(defender)s.") % _two(data, names)
    return _late(data, names, said) if data.get("loser") else said


def _declined(data: Data, names: Names) -> str:
    said = _t("%(defender)s declines the challenge of %(challenger)s.") % _two(data, names)
    return _late(data, names, said) if data.get("loser") else said


def _decided(data: Data, names: Names) -> str:
    if data.get("winner") is None:
        said = _t("The director calls off the challenge of %(challenger)s to %(defender)s.") % _two(data, names)
        return _again(said, data)
    return _again(_t("The director decides: %(outcome)s") % {"outcome": outcome(data, names)}, data)


def _dropped(data: Data, names: Names) -> str:
    told = {**_one(data, names), "place": _place(data, number(data.get("player")))}
    if not told["place"]:
        return _t("%(name)s has not played for a long time.") % told
    return _t("%(name)s has not played for a long time and falls to place %(place)s.") % told


def _placed(data: Data, names: Names) -> str:
    place = _place(data, number(data.get("player"))) or data.get("to")
    return _again(_t("The director puts %(name)s in place %(place)s.") % {**_one(data, names), "place": place}, data)


def _again(said: str, data: Data) -> str:
    """With the director's reason."""
    return f"{said} ({data['reason']})" if data.get("reason") else said


def _season(data: Data, names: Names) -> str:
    told = {"number": data.get("season") or data.get("number") or "?", "name": data.get("name") or ""}
    return _t("Season %(number)s is over, and the next one begins.") % told


SENTENCES: Mapping[str, Callable[[Data, Names], str]] = {
    "created": lambda data, names: _t("The ladder is set up."),
    "changed": lambda data, names: _t("The settings of the ladder are changed."),
    "closed": lambda data, names: _t("The ladder is closed."),
    "opened": lambda data, names: _t("The ladder is open again."),
    "joined": _joined,
    "left": lambda data, names: _t("%(name)s leaves the ladder.") % _one(data, names),
    "away": _away,
    "back": lambda data, names: _t("%(name)s is back.") % _one(data, names),
    "challenged": _challenged,
    "accepted": lambda data, names: _t("%(defender)s accepts the challenge of %(challenger)s.") % _two(data, names),
    "declined": _declined,
    "withdrawn": lambda data, names: _t("%(challenger)s takes back the challenge to %(defender)s.") % _two(data, names),
    "expired": _expired,
    "not_played": _not_played_event,
    "result": outcome,
    "decided": _decided,
    "froze": lambda data, names: _t("%(name)s has not played for a while: the place is frozen.") % _one(data, names),
    "thawed": lambda data, names: _t("%(name)s plays again: the place is no longer frozen.") % _one(data, names),
    "dropped": _dropped,
    "outage": lambda data, names: _t("The site was out of order: that time counts for nobody."),
    "placed": _placed,
    "undo": lambda data, names: _again(
        _t("The director takes back event %(n)s.") % {"n": data.get("undone", "?")}, data
    ),
    "redo": lambda data, names: _again(_t("The director restores event %(n)s.") % {"n": data.get("undone", "?")}, data),
    "season": _season,
}
