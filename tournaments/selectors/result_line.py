"""What the result line of the desk knows: the open pairings, and the results that are there, with who entered them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.urls import reverse
from django.utils import formats
from django.utils.translation import gettext as _

from accounts.models import User
from tournaments.models import TournamentEvent
from tournaments.roles import DeskAct
from tournaments.selectors import labels, tournament_log
from tournaments.selectors.desk_values import OpenPairing
from tournaments.selectors.director_desk import DirectorDesk, director_desk
from tournaments.selectors.result_claims import PairingClaims

FINISHED_NAMED = 48  # whose result the desk names when one is typed again


@dataclass(frozen=True, slots=True)
class EnteredResult:
    """A recorded result: its act, the sentence of the log, who entered it ("": the players or the site), and when."""

    act: int
    sentence: str
    by: str
    time: str
    winner: int | None
    points: tuple[float, float] | None
    how: str
    correct: str = ""  # where it is corrected, for those who may

    @property
    def provenance(self) -> str:
        """Who recorded it, when, and what: one sentence."""
        params = {"name": self.by, "time": self.time, "result": self.sentence}
        if self.by:
            return _("%(name)s entered it at %(time)s: %(result)s") % params
        return _("It was recorded at %(time)s: %(result)s") % params


def entered_result(*, tournament_id: str, user: User, key: str = "", act: int | None = None) -> EnteredResult | None:
    """The result of an act, or the last one of a pairing; None if there is none. Raises as `director_desk`."""
    desk = director_desk(tournament_id=tournament_id, user=user)
    results = (event for event in reversed(desk.events) if event.kind == "result")
    found = next(
        (event for event in results if (event.act == act if act is not None else event.data["key"] == key)), None
    )
    return _entered(desk, found) if found is not None else None


def _entered(desk: DirectorDesk, event: TournamentEvent) -> EnteredResult:
    points = event.data.get("points")
    return EnteredResult(
        act=event.act,
        sentence=tournament_log.result_sentence(event.data, desk.log_names.at(event.n, event.data)),
        by=event.by.username if event.by else "",
        time=formats.time_format(event.at.astimezone(desk.snapshot.zone), "TIME_FORMAT"),
        winner=event.data.get("winner"),
        points=(points[0], points[1]) if points else None,
        how=event.data.get("how", "played"),
        correct=_correction(desk, event.data["key"]).get("correct", ""),
    )


def open_places(desk: DirectorDesk) -> list[dict[str, Any]]:
    """The open pairings: key, places (what a director may type for each), players and match length.

    A place is the mark of the pairing, and its board; without boards its number alone, if no other one has it. A series
    is there twice: as its present match, and as a whole (`series`), whose length are the matches to win.
    """
    numbers = Counter(desk.state.by_key[key].number for key in desk.open_pairings)
    if any(pairing.card.board for pairing in desk.open_pairings.values()):
        numbers.clear()
    found: list[dict[str, Any]] = []
    for key, pairing in desk.open_pairings.items():
        places = _places(desk, key, pairing, numbers)
        found.append(_place(pairing, pairing.claims, places))
        if pairing.series is not None:
            found.append({**_place(pairing, pairing.series.claims, places), "series": True})
    return found


def _place(pairing: OpenPairing, claims: PairingClaims, places: list[str]) -> dict[str, Any]:
    return {
        "key": claims.key,
        "places": places,
        "label": str(pairing.card.board or claims.mark),
        "length": claims.length,
        "sides": [[side.number, side.name] for side in claims.sides],
    }


def _places(desk: DirectorDesk, key: str, pairing: OpenPairing, numbers: Mapping[int, int]) -> list[str]:
    number = desk.state.by_key[key].number
    places = [str(pairing.card.board)] if pairing.card.board else []
    places += [str(number)] if numbers.get(number) == 1 else []
    series = [pairing.series.claims.mark.lower()] if pairing.series is not None else []
    return [*places, pairing.claims.mark.lower(), *series]


def _correction(desk: DirectorDesk, key: str) -> dict[str, str]:
    """Where a result is corrected, for those who may."""
    if DeskAct.CORRECT_RESULTS not in desk.may:
        return {}
    return {"correct": f"{reverse('desk-correct', args=[desk.tournament.pk])}?key={key}"}


def finished_places(desk: DirectorDesk) -> list[dict[str, Any]]:
    """The pairings with a result, the last first: what is there, who entered it, and where to correct it."""
    return [
        {
            "key": pairing.key,
            "places": [labels.pairing_mark(pairing.key).lower()],
            "label": labels.pairing_mark(pairing.key),
            "length": desk.state.length(pairing),
            "sides": [[number, desk.snapshot.name(number, pairing)] for number in pairing.entrants],
            "text": _entered(desk, event).provenance,
            **_correction(desk, pairing.key),
        }
        for pairing, event in islice(desk.finished_pairings(), FINISHED_NAMED)
    ]
