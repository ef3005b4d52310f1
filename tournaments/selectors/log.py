"""The events of a tournament in words: what the directors read at the bottom of their desk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from games import words as play_words
from tournaments.models import TournamentEvent
from tournaments.selectors import words

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """One event: when (in the tournament's zone), who ("" is the site itself), and what happened."""

    at: str
    by: str
    text: str


@dataclass(frozen=True, slots=True)
class Names:
    """What the sentences speak of: entrants by number, rounds by section and number."""

    entrants: Mapping[int, str]
    round_of: Callable[[str, int], str]

    def entrant(self, data: Data, key: str = "entrant") -> str:
        return self.entrants.get(data.get(key, 0), "?")

    def score(self, data: Data) -> str:
        """`7–4` with the winner's points first, as far as it can be told."""
        points = data.get("points")
        if not points:
            return ""
        high, low = sorted(points, reverse=True)
        return f"{play_words.points(high)}–{play_words.points(low)}"


def entries(events: Sequence[TournamentEvent], names: Names, zone: ZoneInfo) -> list[Entry]:
    """The events in words, the last one first."""
    return [
        Entry(
            words.moment(event.at, zone), event.by.username if event.by else "", sentence(event.kind, event.data, names)
        )
        for event in reversed(events)
    ]


def sentence(kind: str, data: Data, names: Names) -> str:
    """What happened; a kind without words is shown as it is."""
    made = SENTENCES.get(kind)
    return made(data, names) if made else kind


def _withdrawn(data: Data, names: Names) -> str:
    if data.get("absent"):
        return _("%(name)s did not check in and is not drawn.") % {"name": names.entrant(data)}
    return _("%(name)s withdraws.") % {"name": names.entrant(data)}


def _story(data: Data, names: Names) -> dict[str, str]:
    return {
        "pairing": words.mark(data["key"]),
        "winner": names.entrant(data, "winner"),
        "score": names.score(data),
    }


def _result(data: Data, names: Names) -> str:
    told = _story(data, names)
    if data.get("winner") is None:
        return _("%(pairing)s: a double walkover.") % told
    if data.get("how", "played") != "played":
        return _("%(pairing)s: %(winner)s wins by walkover.") % told
    if not told["score"]:
        return _("%(pairing)s: %(winner)s wins.") % told
    return _("%(pairing)s: %(winner)s wins %(score)s.") % told


def _alerted(data: Data, names: Names) -> str:
    key, what = data.get("key", ""), words.capital(words.named(ALERTS, data["what"]))
    pairing = words.mark(key) if key.count("-") > 1 else ""
    return _("%(pairing)s, alert: %(what)s.") % {"pairing": pairing, "what": what} if pairing else f"{what}."


def _pairings(data: Data) -> str:
    return ", ".join(words.mark(key) for key in data.get("keys", ()))


def _paused(data: Data, names: Names) -> str:
    said = _("Paused: %(pairings)s.") % {"pairings": _pairings(data)}
    return f"{said} {data['why']}" if data.get("why") else said


ALERTS: words.Words = {
    "disputed": _lazy("the players tell two stories"),
    "unconfirmed": _lazy("reported against a rival without an account"),
    "no_result": _lazy("the match ended without a winner"),
    "deadline": _lazy("the deadline has passed without a result"),
    "stalled": _lazy("the round does not come to its end"),
    "no_show": _lazy("somebody did not come"),
    "away": _lazy("a player has left the board"),
    "not_started": _lazy("the tournament could not start by itself"),
}

SENTENCES: Mapping[str, Callable[[Data, Names], str]] = {
    "configured": lambda data, names: _("The settings are chosen."),
    "registered": lambda data, names: _("%(name)s enters.") % {"name": data.get("name") or names.entrant(data)},
    "checked_in": lambda data, names: _("%(name)s is here.") % {"name": names.entrant(data)},
    "checked_out": lambda data, names: _("%(name)s is not here after all.") % {"name": names.entrant(data)},
    "withdrawn": _withdrawn,
    "reinstated": lambda data, names: _("%(name)s plays again.") % {"name": names.entrant(data)},
    "seeded": lambda data, names: _("Seeded places are given."),
    "drawn": lambda data, names: _("The draw is made."),
    "started": lambda data, names: _("The tournament begins."),
    "opened": lambda data, names: _("%(round)s opens.") % {"round": names.round_of(data["section"], data["round"])},
    "paired": lambda data, names: _("%(round)s is paired.") % {"round": names.round_of(data["section"], data["round"])},
    "reported": lambda data, names: _("%(pairing)s: reported, %(winner)s won %(score)s.") % _story(data, names),
    "disputed": lambda data, names: _("%(pairing)s: disputed, %(winner)s won %(score)s.") % _story(data, names),
    "result": _result,
    "penalised": lambda data, names: (
        _("%(pairing)s: penalty for %(name)s, %(points)s in all.")
        % {"pairing": words.mark(data["key"]), "name": names.entrant(data), "points": words.score(data["points"])}
    ),
    "alerted": _alerted,
    "settled": lambda data, names: _("An alert is seen to."),
    "finished": lambda data, names: _("The tournament is over."),
    "cancelled": lambda data, names: _("The tournament is cancelled."),
    "linked": lambda data, names: _("A walk-in is linked to the account %(name)s.") % {"name": data.get("name", "")},
    "director_added": lambda data, names: _("%(name)s directs, too.") % {"name": data.get("name", "")},
    "director_removed": lambda data, names: _("%(name)s directs no more.") % {"name": data.get("name", "")},
    "paused": _paused,
    "resumed": lambda data, names: _("Resumed: %(pairings)s.") % {"pairings": _pairings(data)},
    "outage": lambda data, names: _("The site was out of order: that time counts for nobody."),
    "announced": lambda data, names: _("Announced: %(text)s") % {"text": data.get("text", "")},
}
