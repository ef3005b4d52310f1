"""What a director sees when he mends: the result to be corrected, what would be reset, and the whole log."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from games import words as play_words
from tournaments.acts import Affected
from tournaments.errors import Refused
from tournaments.models import TournamentEvent
from tournaments.selectors import log, words
from tournaments.selectors.cards import Card
from tournaments.selectors.desk import View
from tournaments.selectors.reports import Reporting, reporting

KINDS: words.Words = {
    "results": _("results"),
    "players": _("players"),
    "rounds": _("rounds"),
    "mended": _("corrected, undone and redone"),
}
GROUPS = {
    "results": ("reported", "disputed", "result", "penalised"),
    "players": ("registered", "checked_in", "checked_out", "withdrawn", "reinstated", "seeded", "linked"),
    "rounds": ("drawn", "started", "opened", "paired", "paused", "resumed", "finished", "cancelled"),
    "mended": ("undone", "redone"),
}


@dataclass(frozen=True, slots=True)
class Reset:
    """A pairing that would be reset, as it stands now; `playing`: its match would be stopped."""

    card: Card
    playing: bool
    score: str


def resets(view: View, affected: Iterable[Affected]) -> list[Reset]:
    """The list that a director has to agree to."""
    found = []
    for one in affected:
        card = view.sheet.card(one.pairing)
        score = f"{card.a.points}–{card.b.points}" if card.a.points else card.status
        found.append(Reset(card, one.playing, score))
    return found


def asked(view: View, told: Mapping[str, str]) -> str:
    """The act that would be undone or redone, or the result that would stand, as the log says it."""
    if "act" in told:
        head = view.words.heads.get(int(told["act"]))
        return log.sentence(head.kind, head.data, view.words) if head is not None else ""
    how = told.get("how", "played")
    return log.sentence(
        "result",
        {
            "key": told["key"],
            "winner": int(told["winner"]) if how != "double" else None,
            "points": [float(told["won"]), float(told["lost"])] if how == "played" else None,
            "how": "played" if how == "played" else "walkover",
        },
        view.words,
    )


@dataclass(frozen=True, slots=True)
class Corrected:
    """A result as the form that corrects it begins: who won, and the points of the winner and of the loser."""

    report: Reporting
    card: Card
    winner: int | None
    won: str = ""
    lost: str = ""


def corrected(view: View, key: str) -> Corrected:
    """The pairing whose result is to be corrected. Raises Refused: no_pairing, no_result_yet."""
    pairing = view.state.by_key.get(key)
    if pairing is None:
        raise Refused("no_pairing")
    if pairing.state != "done" or pairing.result is None:
        raise Refused("no_result_yet")
    points = pairing.result.points or ()
    won, lost = (f"{number:g}" for number in sorted(points, reverse=True)) if points else ("", "")
    return Corrected(
        reporting(view.state, pairing, view.names), view.sheet.card(pairing), pairing.result.winner, won, lost
    )


def score_of(one: Corrected) -> str:
    """`7–4`, the winner's points first."""
    return f"{play_words.points(float(one.won))}–{play_words.points(float(one.lost))}" if one.won else one.card.status


def chosen(events: Iterable[TournamentEvent], what: str, who: str) -> list[TournamentEvent]:
    """The events of a kind and of a person (by name), the last one first; of all where nothing is asked."""
    kinds: Collection[str] | None = GROUPS.get(what)

    def fits(event: TournamentEvent) -> bool:
        by = event.by.username if event.by else ""
        mends = what == "mended" and bool(event.data.get("corrects"))
        return (kinds is None or event.kind in kinds or mends) and (not who or by == who)

    return [event for event in reversed(list(events)) if fits(event)]


def people(events: Iterable[TournamentEvent]) -> list[str]:
    """Who did anything, by name."""
    return sorted({event.by.username for event in events if event.by})
