"""The log of a tournament: its events in words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import labels as game_labels
from tournaments.models import TournamentEvent
from tournaments.roles import Role
from tournaments.selectors import labels
from tournaments.selectors.place_names import NamesThroughTime
from tournaments.state import Event
from tournaments.undo import REWRITES

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One event: when (in the tournament's time zone), by whom ("": automatic), and what happened.

    `can` is what a director may do with its act: "undo", "redo" or "".
    """

    at: str
    by: str
    text: str
    act: int = 0
    can: str = ""
    undone: bool = False
    key: str = ""  # of the pairing, if the event is its result


@dataclass(frozen=True, slots=True)
class LogNames:
    """The names in the sentences: entrants by number, rounds by section and number."""

    entrants: Mapping[int, str]
    round_of: Callable[[str, int], str]
    heads: Mapping[int, Event] = field(default_factory=dict)  # the head event of each act that can be undone
    through_time: NamesThroughTime | None = None

    def at(self, n: int, data: Data) -> LogNames:
        """The names as they were at an event, by its number."""
        if self.through_time is None or not self.through_time.changes:
            return self
        return replace(self, entrants=self.through_time.at(n, data))

    def entrant(self, data: Data, key: str = "entrant") -> str:
        return self.entrants.get(data.get(key, 0), "?")

    def score(self, data: Data) -> str:
        """`7–4`, the winner's points first; "" without points."""
        points = data.get("points")
        if not points:
            return ""
        high, low = sorted(points, reverse=True)
        return f"{game_labels.points(high)}–{game_labels.points(low)}"


def log_entries(
    events: Iterable[TournamentEvent], names: LogNames, zone: ZoneInfo, undone: Collection[int] = ()
) -> list[LogEntry]:
    """The log entries of events, in their order; `undone` are the acts that are undone."""

    def entry(event: TournamentEvent) -> LogEntry:
        head = names.heads.get(event.act)
        known = head is not None and (head.kind, head.data) == (event.kind, event.data)
        is_undone = event.act in undone and event.kind not in REWRITES
        return LogEntry(
            at=labels.format_moment(event.at, zone, labels.SHORT),
            by=event.by.username if event.by else "",
            text=event_sentence(event.kind, event.data, names.at(event.n, event.data)),
            act=event.act,
            can=("redo" if is_undone else "undo") if known else "",
            undone=is_undone,
            key=event.data["key"] if event.kind == "result" and not is_undone else "",
        )

    return [entry(event) for event in events]


def event_sentence(kind: str, data: Data, names: LogNames) -> str:
    """An event in words; a kind without words is shown as it is."""
    write = SENTENCES.get(kind)
    return write(data, names) if write else kind


def _withdrawn(data: Data, names: LogNames) -> str:
    if data.get("absent"):
        return _("%(name)s did not check in and is not in the draw.") % {"name": names.entrant(data)}
    return _("%(name)s withdrew.") % {"name": names.entrant(data)}


def _bots_added(data: Data, names: LogNames) -> str:
    count = data["count"]
    text = ngettext(
        "The computer took %(n)s place (%(strength)s).", "The computer took %(n)s places (%(strength)s).", count
    )
    return text % {"n": count, "strength": game_labels.strength(data["level"])}


def _late_entry(data: Data, names: LogNames) -> str:
    text = _("%(name)s joined late.") % {"name": names.entrant(data)}
    missed = data.get("missed", 0)
    if not missed:
        return text
    missed_text = ngettext("%(n)s missed round counts as lost.", "%(n)s missed rounds count as lost.", missed)
    if data.get("half"):
        missed_text = ngettext(
            "Half a point for %(n)s missed round.", "Half a point for each of %(n)s missed rounds.", missed
        )
    return f"{text} {missed_text % {'n': missed}}"


def _matched(data: Data, names: LogNames) -> str:
    pairs = [f"{names.entrants.get(a, '?')} – {names.entrants.get(b, '?')}" for a, b in data["pairs"]]
    return _("Paired: %(pairs)s.") % {"pairs": ", ".join(pairs)}


def _rested(data: Data, names: LogNames) -> str:
    if data.get("absent"):
        return _("%(name)s made no first move in time and is paused.") % {"name": names.entrant(data)}
    return _("%(name)s pauses.") % {"name": names.entrant(data)}


def _preferences_set(data: Data, names: LogNames) -> str:
    text = [f"{names.entrants.get(a, '?')} + {names.entrants.get(b, '?')}" for a, b in data["together"]]
    text += [f"{names.entrants.get(a, '?')} ≠ {names.entrants.get(b, '?')}" for a, b in data["apart"]]
    return _("Pairing preferences: %(requests)s.") % {"requests": ", ".join(text) or _("none")}


def _bye_requested(data: Data, names: LogNames) -> str:
    params = {"name": names.entrant(data), "round": data["round"]}
    if not data["asked"]:
        return _("%(name)s no longer asks for a bye in round %(round)s.") % params
    return _("%(name)s asks for a bye in round %(round)s.") % params


def _lineup_set(data: Data, names: LogNames) -> str:
    """Who plays is not said here: nobody sees a line-up before its round opens."""
    params = {"name": names.entrant(data), "round": names.round_of(data["section"], data["round"])}
    return _("Line-up of %(name)s saved: %(round)s.") % params


def _round_time_set(data: Data, names: LogNames) -> str:
    params = {"round": names.round_of(data["section"], data["round"])}
    if not data.get("at"):
        return _("Start time removed: %(round)s.") % params
    return _("Start time set: %(round)s.") % params


def _break_started(data: Data, names: LogNames) -> str:
    text = _("Break started.") if data.get("until") else _("Play adjourned.")
    return f"{text} {data['why']}" if data.get("why") else text


def _official(text: str, data: Data) -> str:
    role = data.get("role", "")
    return text % {"name": data.get("name", ""), "role": labels.label_of(ROLE_LABELS, role)}


def _payment(data: Data, names: LogNames) -> str:
    text = _("Payment recorded for %(name)s.") if data["paid"] else _("Payment removed for %(name)s.")
    return text % {"name": names.entrant(data)}


def _result_params(data: Data, names: LogNames) -> dict[str, str]:
    return {
        "pairing": labels.pairing_mark(data["key"]),
        "winner": names.entrant(data, "winner"),
        "score": names.score(data),
    }


def _called(data: Data, names: LogNames) -> str:
    params = {"pairing": labels.pairing_mark(data["key"]), "board": data.get("board")}
    if not data.get("board"):
        return _("%(pairing)s has no board any more.") % params
    return _("%(pairing)s called to board %(board)s.") % params


def _result(data: Data, names: LogNames) -> str:
    text = result_sentence(data, names)
    if not data.get("corrects"):
        return _("%(result)s Reason: %(why)s") % {"result": text, "why": data["why"]} if data.get("why") else text
    return _("Corrected: %(result)s Reason: %(why)s") % {"result": text, "why": data.get("why", "")}


def _ruling(data: Data, names: LogNames) -> str:
    text = _("Ruling: %(text)s Reason: %(why)s") % {"text": data["text"], "why": data["why"]}
    return f"{labels.pairing_mark(data['key'])}: {text}" if data.get("key") else text


def _brought_back(data: Data, names: LogNames) -> str:
    count = data.get("count", 0)
    text = ngettext("Brought back from the venue: %(n)s result.", "Brought back from the venue: %(n)s results.", count)
    return text % {"n": count}


def _undo_or_redo(text: str, data: Data, names: LogNames) -> str:
    head = names.heads.get(data["act"])
    sentence = event_sentence(head.kind, head.data, names.at(data["act"], head.data)) if head is not None else ""
    return text % {"act": sentence}


def result_sentence(data: Data, names: LogNames) -> str:
    """A result in words, without the reason for it."""
    params = _result_params(data, names)
    if data.get("winner") is None:
        return _("%(pairing)s: double walkover.") % params
    if data.get("how", "played") != "played":
        if data.get("loser_present"):
            return _("%(pairing)s: %(winner)s won by walkover. The loser is present and can play on.") % params
        return _("%(pairing)s: %(winner)s won by walkover.") % params
    if not params["score"]:
        return _("%(pairing)s: %(winner)s won.") % params
    return _("%(pairing)s: %(winner)s won %(score)s.") % params


def _alerted(data: Data, names: LogNames) -> str:
    key, alert = data.get("key", ""), labels.capitalize(labels.label_of(ALERT_LABELS, data["what"]))
    pairing = labels.pairing_mark(key) if key.count("-") > 1 else ""
    return _("Alert for %(pairing)s: %(alert)s.") % {"pairing": pairing, "alert": alert} if pairing else f"{alert}."


def _pairing_marks(data: Data) -> str:
    return ", ".join(labels.pairing_mark(key) for key in data.get("keys", ()))


def _paused(data: Data, names: LogNames) -> str:
    text = _("Paused: %(pairings)s.") % {"pairings": _pairing_marks(data)}
    return f"{text} {data['why']}" if data.get("why") else text


ROLE_LABELS: labels.Labels = {role.value: role.label for role in Role}
ALERT_LABELS: labels.Labels = {
    "disputed": gettext_lazy("the players reported different results"),
    "unconfirmed": gettext_lazy("result reported against an opponent without an account"),
    "no_result": gettext_lazy("the match ended without a winner"),
    "deadline": gettext_lazy("the deadline passed without a result"),
    "stalled": gettext_lazy("the round is overdue"),
    "no_show": gettext_lazy("a player did not show up"),
    "away": gettext_lazy("a player left the board"),
    "not_started": gettext_lazy("the tournament could not start automatically"),
    "unpaired": gettext_lazy("the next round can't be paired with your preferences"),
}

SENTENCES: Mapping[str, Callable[[Data, LogNames], str]] = {
    "waited": lambda data, names: _("%(name)s joined the waiting list.") % {"name": names.entrant(data)},
    "admitted": lambda data, names: _("%(name)s got a place.") % {"name": names.entrant(data)},
    "paid": _payment,
    "filled": _bots_added,
    "late": _late_entry,
    "substituted": lambda data, names: _("%(name)s replaced %(was)s.") % {"name": data["name"], "was": data["was"]},
    "wished": _preferences_set,
    "bye_requested": _bye_requested,
    "timed": _round_time_set,
    "matched": _matched,
    "rested": _rested,
    "returned": lambda data, names: _("%(name)s is back.") % {"name": names.entrant(data)},
    "closed": lambda data, names: _("The pairing has ended. The matches in play count."),
    "recess": _break_started,
    "recess_over": lambda data, names: _("The break ended."),
    "configured": lambda data, names: _("Settings saved."),
    "registered": lambda data, names: _("%(name)s registered.") % {"name": data.get("name") or names.entrant(data)},
    "rostered": lambda data, names: _("Players of %(name)s saved.") % {"name": names.entrant(data)},
    "lined_up": _lineup_set,
    "checked_in": lambda data, names: _("%(name)s checked in.") % {"name": names.entrant(data)},
    "checked_out": lambda data, names: _("%(name)s is no longer checked in.") % {"name": names.entrant(data)},
    "withdrawn": _withdrawn,
    "reinstated": lambda data, names: _("%(name)s was reinstated.") % {"name": names.entrant(data)},
    "seeded": lambda data, names: _("Seeds saved."),
    "drawn": lambda data, names: _("Draw completed."),
    "started": lambda data, names: _("The tournament has started."),
    "opened": lambda data, names: _("%(round)s opened.") % {"round": names.round_of(data["section"], data["round"])},
    "paired": lambda data, names: _("%(round)s paired.") % {"round": names.round_of(data["section"], data["round"])},
    "reported": lambda data, names: (
        _("%(pairing)s: %(winner)s won %(score)s (reported).") % _result_params(data, names)
    ),
    "disputed": lambda data, names: (
        _("%(pairing)s: %(winner)s won %(score)s (disputed).") % _result_params(data, names)
    ),
    "result": _result,
    "undone": lambda data, names: _undo_or_redo(_("Undone: %(act)s"), data, names),
    "redone": lambda data, names: _undo_or_redo(_("Redone: %(act)s"), data, names),
    "penalised": lambda data, names: (
        _("%(pairing)s: penalty for %(name)s, %(points)s in total.")
        % {
            "pairing": labels.pairing_mark(data["key"]),
            "name": names.entrant(data),
            "points": labels.score_label(data["points"]),
        }
    ),
    "boards": lambda data, names: _("Boards saved."),
    "called": _called,
    "alerted": _alerted,
    "settled": lambda data, names: _("Alert resolved."),
    "finished": lambda data, names: _("The tournament is over."),
    "cancelled": lambda data, names: _("Tournament cancelled."),
    "linked": lambda data, names: _("Walk-in linked to the account %(name)s.") % {"name": data.get("name", "")},
    "director_added": lambda data, names: _("%(name)s was added as a director.") % {"name": data.get("name", "")},
    "director_removed": lambda data, names: _("%(name)s was removed as a director.") % {"name": data.get("name", "")},
    "appointed": lambda data, names: _official(_("%(name)s was appointed: %(role)s."), data),
    "dismissed": lambda data, names: _official(_("%(name)s was dismissed: %(role)s."), data),
    "prized": lambda data, names: _("Prizes updated."),
    "paused": _paused,
    "resumed": lambda data, names: _("Resumed: %(pairings)s.") % {"pairings": _pairing_marks(data)},
    "outage": lambda data, names: _("The site was down. That time does not count against anyone."),
    "taken_out": lambda data, names: _("The tournament was taken to its venue."),
    "brought_back": _brought_back,
    "given_up": lambda data, names: _("The copy at the venue was given up."),
    "ruled": _ruling,
    "announced": lambda data, names: _("Announcement: %(text)s") % {"text": data.get("text", "")},
}
