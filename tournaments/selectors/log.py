"""The events of a tournament in words: what the directors read at the bottom of their desk."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import words as play_words
from tournaments.acts import REWRITES
from tournaments.fold import Event
from tournaments.models import TournamentEvent
from tournaments.selectors import words

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """One event: when (in the tournament's zone), who ("" is the site itself), and what happened.

    `can` says what a director may do with the act that it stands for: "undo", "redo" or nothing.
    """

    at: str
    by: str
    text: str
    act: int = 0
    can: str = ""
    undone: bool = False
    key: str = ""  # of the pairing whose result it tells


@dataclass(frozen=True, slots=True)
class Names:
    """What the sentences speak of: entrants by number, rounds by section and number."""

    entrants: Mapping[int, str]
    round_of: Callable[[str, int], str]
    heads: Mapping[int, Event] = field(default_factory=dict)  # what each act that can be undone is known by

    def entrant(self, data: Data, key: str = "entrant") -> str:
        return self.entrants.get(data.get(key, 0), "?")

    def score(self, data: Data) -> str:
        """`7–4` with the winner's points first, as far as it can be told."""
        points = data.get("points")
        if not points:
            return ""
        high, low = sorted(points, reverse=True)
        return f"{play_words.points(high)}–{play_words.points(low)}"


def entries(
    events: Iterable[TournamentEvent], names: Names, zone: ZoneInfo, undone: Collection[int] = ()
) -> list[Entry]:
    """The events in words, in the order in which they come; `undone`: the acts that are."""

    def entry(event: TournamentEvent) -> Entry:
        head = names.heads.get(event.act)
        known = head is not None and (head.kind, head.data) == (event.kind, event.data)
        gone = event.act in undone and event.kind not in REWRITES
        return Entry(
            at=words.moment(event.at, zone, words.SHORT),
            by=event.by.username if event.by else "",
            text=sentence(event.kind, event.data, names),
            act=event.act,
            can=("redo" if gone else "undo") if known else "",
            undone=gone,
            key=event.data["key"] if event.kind == "result" and not gone else "",
        )

    return [entry(event) for event in events]


def sentence(kind: str, data: Data, names: Names) -> str:
    """What happened; a kind without words is shown as it is."""
    made = SENTENCES.get(kind)
    return made(data, names) if made else kind


def _withdrawn(data: Data, names: Names) -> str:
    if data.get("absent"):
        return _("%(name)s did not check in and is not drawn.") % {"name": names.entrant(data)}
    return _("%(name)s withdraws.") % {"name": names.entrant(data)}


def _filled(data: Data, names: Names) -> str:
    count = data["count"]
    said = ngettext(
        "The computer takes %(n)s place (%(strength)s).", "The computer takes %(n)s places (%(strength)s).", count
    )
    return said % {"n": count, "strength": play_words.strength(data["level"])}


def _late(data: Data, names: Names) -> str:
    said = _("%(name)s comes late.") % {"name": names.entrant(data)}
    missed = data.get("missed", 0)
    if not missed:
        return said
    told = ngettext("%(n)s round is lost.", "%(n)s rounds are lost.", missed)
    if data.get("half"):
        told = ngettext("Half a point for %(n)s round.", "Half a point each for %(n)s rounds.", missed)
    return f"{said} {told % {'n': missed}}"


def _wished(data: Data, names: Names) -> str:
    said = [f"{names.entrants.get(a, '?')} + {names.entrants.get(b, '?')}" for a, b in data["together"]]
    said += [f"{names.entrants.get(a, '?')} ≠ {names.entrants.get(b, '?')}" for a, b in data["apart"]]
    return _("Wishes for the pairings: %(wishes)s.") % {"wishes": ", ".join(said) or _("none")}


def _timed(data: Data, names: Names) -> str:
    told = {"round": names.round_of(data["section"], data["round"])}
    if not data.get("at"):
        return _("%(round)s has no time of its own any more.") % told
    return _("%(round)s has a time at which it opens.") % told


def _recess(data: Data, names: Names) -> str:
    said = _("A break begins.") if data.get("until") else _("Play is adjourned.")
    return f"{said} {data['why']}" if data.get("why") else said


def _paid(data: Data, names: Names) -> str:
    said = _("%(name)s has paid.") if data["paid"] else _("%(name)s has not paid after all.")
    return said % {"name": names.entrant(data)}


def _story(data: Data, names: Names) -> dict[str, str]:
    return {
        "pairing": words.mark(data["key"]),
        "winner": names.entrant(data, "winner"),
        "score": names.score(data),
    }


def _result(data: Data, names: Names) -> str:
    said = _ended(data, names)
    if not data.get("corrects"):
        return _("%(result)s Why: %(why)s") % {"result": said, "why": data["why"]} if data.get("why") else said
    return _("Corrected: %(result)s Why: %(why)s") % {"result": said, "why": data.get("why", "")}


def _rewritten(said: str, data: Data, names: Names) -> str:
    head = names.heads.get(data["act"])
    what = sentence(head.kind, head.data, names) if head is not None else ""
    return said % {"what": what}


def _ended(data: Data, names: Names) -> str:
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
    "disputed": gettext_lazy("the players tell two stories"),
    "unconfirmed": gettext_lazy("reported against a rival without an account"),
    "no_result": gettext_lazy("the match ended without a winner"),
    "deadline": gettext_lazy("the deadline has passed without a result"),
    "stalled": gettext_lazy("the round does not come to its end"),
    "no_show": gettext_lazy("somebody did not come"),
    "away": gettext_lazy("a player has left the board"),
    "not_started": gettext_lazy("the tournament could not start by itself"),
    "unpaired": gettext_lazy("the next round cannot be paired as you wish"),
}

SENTENCES: Mapping[str, Callable[[Data, Names], str]] = {
    "waited": lambda data, names: _("%(name)s waits for a place.") % {"name": names.entrant(data)},
    "admitted": lambda data, names: _("%(name)s has a place.") % {"name": names.entrant(data)},
    "paid": _paid,
    "filled": _filled,
    "late": _late,
    "substituted": lambda data, names: (
        _("%(name)s plays for %(was)s from now on.") % {"name": data["name"], "was": data["was"]}
    ),
    "wished": _wished,
    "timed": _timed,
    "recess": _recess,
    "recess_over": lambda data, names: _("The break is over."),
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
    "undone": lambda data, names: _rewritten(_("Undone: %(what)s"), data, names),
    "redone": lambda data, names: _rewritten(_("Redone: %(what)s"), data, names),
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
    "prized": lambda data, names: _("The sheet of prizes was changed."),
    "paused": _paused,
    "resumed": lambda data, names: _("Resumed: %(pairings)s.") % {"pairings": _pairings(data)},
    "outage": lambda data, names: _("The site was out of order: that time counts for nobody."),
    "announced": lambda data, names: _("Announced: %(text)s") % {"text": data.get("text", "")},
}
