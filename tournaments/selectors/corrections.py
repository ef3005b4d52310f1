"""The pages of corrections: the result to correct, the pairings that would be reset, and the filtered log."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext_lazy as _

from games import labels as game_labels
from tournaments.errors import Refused
from tournaments.models import TournamentEvent
from tournaments.part_keys import fixture_key
from tournaments.selectors import labels, tournament_log
from tournaments.selectors.director_desk import DirectorDesk
from tournaments.selectors.pairing_cards import PairingCard
from tournaments.selectors.result_claims import PairingClaims, pairing_claims
from tournaments.undo import AffectedPairing

LOG_FILTERS: labels.Labels = {
    "results": _("results"),
    "players": _("players"),
    "rounds": _("rounds"),
    "mended": _("corrections"),
}
LOG_FILTER_KINDS = {
    "results": ("reported", "disputed", "result", "penalised"),
    "players": ("registered", "checked_in", "checked_out", "withdrawn", "reinstated", "seeded", "linked"),
    "rounds": ("drawn", "started", "opened", "paired", "paused", "resumed", "finished", "cancelled"),
    "mended": ("undone", "redone"),
}


@dataclass(frozen=True, slots=True)
class ResetPairing:
    """A pairing that would be reset, as it is now; `playing`: its match would be stopped."""

    card: PairingCard
    playing: bool
    score: str


def reset_pairings(view: DirectorDesk, affected: Iterable[AffectedPairing]) -> list[ResetPairing]:
    """The pairings whose reset a director has to agree to."""
    found = []
    for item in affected:
        card = view.snapshot.card(item.pairing)
        score = f"{card.a.points}–{card.b.points}" if card.a.points else card.status
        found.append(ResetPairing(card, item.playing, score))
    return found


def requested_change(view: DirectorDesk, data: Mapping[str, str]) -> str:
    """The act that would be undone or redone, or the corrected result, in the words of the log."""
    if "act" in data:
        head = view.log_names.heads.get(int(data["act"]))
        return tournament_log.event_sentence(head.kind, head.data, view.log_names) if head is not None else ""
    how = data.get("how", "played")
    pairing = view.state.by_key.get(data["key"])
    names = {**view.names, **(view.names_in(pairing) if pairing is not None else {})}
    return tournament_log.event_sentence(
        "result",
        {
            "key": data["key"],
            "winner": int(data["winner"]) if how != "double" else None,
            "points": [float(data["won"]), float(data["lost"])] if how == "played" and data.get("lost") else None,
            "how": "played" if how == "played" else "walkover",
            "loser_present": how == "walkover" and bool(data.get("loser_present")),
        },
        replace(view.log_names, entrants=names),
    )


@dataclass(frozen=True, slots=True)
class CorrectableResult:
    """A result as the correction form shows it: the winner, the points of the winner and of the loser."""

    claims: PairingClaims
    card: PairingCard
    winner: int | None
    won: str = ""
    lost: str = ""
    feeds_consolation: bool = False
    loser_present: bool = False


def correctable_result(view: DirectorDesk, key: str) -> CorrectableResult:
    """The result of a pairing, to be corrected. Raises Refused: no_pairing, no_result_yet."""
    pairing = view.state.by_key.get(key)
    if pairing is None:
        raise Refused("no_pairing")
    if pairing.state != "done" or pairing.result is None:
        raise Refused("no_result_yet")
    points = pairing.result.points or ()
    won, lost = (f"{number:g}" for number in sorted(points, reverse=True)) if points else ("", "")
    return CorrectableResult(
        pairing_claims(view.state, pairing, view.names_in(pairing)),
        view.snapshot.card(pairing),
        pairing.result.winner,
        won,
        lost,
        view.feeds_consolation(fixture_key(key)),
        pairing.result.loser_present,
    )


def current_score(result: CorrectableResult) -> str:
    """`7–4`, the winner's points first."""
    return (
        f"{game_labels.points(float(result.won))}–{game_labels.points(float(result.lost))}"
        if result.won
        else result.card.status
    )


def filter_events(events: Iterable[TournamentEvent], kind: str, author: str) -> list[TournamentEvent]:
    """The events of a kind and of a person (by name), the last first; an empty filter lets everything through."""
    kinds: Collection[str] | None = LOG_FILTER_KINDS.get(kind)

    def fits(event: TournamentEvent) -> bool:
        by = event.by.username if event.by else ""
        is_correction = kind == "mended" and bool(event.data.get("corrects"))
        return (kinds is None or event.kind in kinds or is_correction) and (not author or by == author)

    return [event for event in reversed(list(events)) if fits(event)]


def event_authors(events: Iterable[TournamentEvent]) -> list[str]:
    """The names of all who caused an event."""
    return sorted({event.by.username for event in events if event.by})
