"""A pairing as the pages show it: a card of a bracket, a row of a round, a sentence for those who listen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils.translation import gettext as _

from games import words as play_words
from games.models import Match, Seat
from tournaments.fold import State
from tournaments.formats.core import Key, LoserOf, Pairing, Slot, WinnerOf
from tournaments.models import Entrant, Meeting, Tournament
from tournaments.selectors import words


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two of a card: an entrant, or where he will come from."""

    name: str = ""
    source: str = ""
    number: int | None = None
    seed: int | None = None  # the place in the draw
    points: str = ""
    won: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A pairing. `state` is a class for the stylesheet: waiting, closed, ready, live, told, done, bye, void."""

    key: Key
    mark: str
    round: int
    number: int
    a: Side
    b: Side
    state: str
    status: str  # in words, short
    why: str
    sentence: str
    match_id: str = ""
    due: str = ""
    mine: bool = False
    on_path: bool = False
    corrected: bool = False  # by a director; `why` says why

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.a, self.b

    @property
    def live(self) -> bool:
        return self.state == "live"

    @property
    def url(self) -> str:
        return reverse("match", args=[self.match_id]) if self.match_id else ""


@dataclass
class Sheet:
    """Everything that the cards of one tournament are made from, read once a request.

    `mine` is the viewer's entrant number, `looked_for` the number whose path is shown, which is
    his own when he looks for nobody.
    """

    tournament: Tournament
    state: State
    entrants: Mapping[int, Entrant]
    meetings: Mapping[Key, Meeting]
    seats: Mapping[str, list[Seat]] = field(default_factory=dict)  # of the matches in play
    mine: int | None = None
    looked_for: int | None = None
    shown: frozenset[tuple[str, int]] | None = None  # the rounds whose pairings stand on the page; None: all of them
    asked: frozenset[str] = (
        frozenset()
    )  # the parts that are fetched when somebody wants them: `league-5`, `grid-league`

    @cached_property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.tournament.timezone)

    @cached_property
    def seeds(self) -> dict[int, int]:
        """The place in the draw of each entrant."""
        return {entrant: place for place, entrant in enumerate(self.state.order, 1)}

    @cached_property
    def path(self) -> frozenset[Key]:
        """The pairings of the one who is looked for, and where he comes if he wins them all from now on."""
        if self.looked_for is None:
            return frozenset()
        found = {pairing.key for pairing in self.state.pairings if self.looked_for in pairing.entrants}
        ahead = {key for key in found if self.state.by_key[key].state in ("ready", "waiting")}
        for pairing in self.state.pairings:  # a winner goes to a pairing that stands later in the list
            fed = (slot.source.key for slot in (pairing.a, pairing.b) if isinstance(slot.source, WinnerOf))
            if pairing.key not in found and not ahead.isdisjoint(fed):
                found.add(pairing.key)
                ahead.add(pairing.key)
        return frozenset(found)

    def name(self, number: int) -> str:
        return self.entrants[number].name

    def url(self, number: int) -> str:
        """A player's page; a name without an account has none."""
        user = self.entrants[number].user
        return reverse("player", args=[user.username]) if user is not None else ""

    def shows(self, section: str, round_: int) -> bool:
        """Whether the pairings of a round stand on the page."""
        return self.shown is None or (section, round_) in self.shown

    def href(self, pairing: Pairing) -> str:
        """The way to a pairing on the page."""
        asked = "" if self.shows(pairing.section, pairing.round) else f"?round={pairing.section}-{pairing.round}"
        return f"{asked}#{pairing.key}"

    def card(self, pairing: Pairing) -> Card:
        """The card of a pairing."""
        meeting = self.meetings.get(pairing.key)
        state, status, points = self.said(pairing)
        a, b = self._side(pairing, pairing.a, points[0]), self._side(pairing, pairing.b, points[1])
        match = meeting.match if meeting else None
        return Card(
            key=pairing.key,
            mark=words.mark(pairing.key),
            round=pairing.round,
            number=pairing.number,
            a=a,
            b=b,
            state=state,
            status=status,
            why=self._why(pairing),
            sentence=self._sentence(pairing, a, b, status),
            match_id=match.pk if match is not None and match.status in (Match.Status.LIVE, Match.Status.OVER) else "",
            due=self.due(meeting) if pairing.state == "ready" else "",
            mine=self.mine is not None and self.mine in pairing.entrants,
            on_path=pairing.key in self.path,
            corrected=pairing.result is not None and pairing.result.corrected,
        )

    def _why(self, pairing: Pairing) -> str:
        """Why these two meet, what it cost to come late, and why the result was corrected."""
        said = words.why(pairing.why, pairing.a.source, pairing.b.source)
        if pairing.result is not None and pairing.result.why:
            told = _("The result was corrected: %(why)s") if pairing.result.corrected else _("Decided: %(why)s")
            said = f"{said} {told % {'why': pairing.result.why}}".strip()
        late = self.penalties(pairing)
        return f"{said} {_('Penalty points: %(points)s') % {'points': late}}." if late else said

    def penalties(self, pairing: Pairing) -> str:
        """Who came late, with his points: `bea 2`; nothing where nobody did."""
        given = self.state.penalties_of(pairing)
        return ", ".join(f"{self.name(number)} {points}" for number, points in given.items())

    def due(self, meeting: Meeting | None) -> str:
        return words.moment(meeting.due_at, self.zone, words.SHORT) if meeting else ""

    def _side(self, pairing: Pairing, slot: Slot, points: str) -> Side:
        if slot.entrant is not None:
            won = pairing.state in ("done", "bye") and pairing.winner == slot.entrant
            name, seed = self.name(slot.entrant), self.seeds.get(slot.entrant)
            return Side(name, "", slot.entrant, seed, points, won)
        return Side(source=_("bye") if slot.ghost else words.source(slot.source))

    def said(self, pairing: Pairing) -> tuple[str, str, tuple[str, str]]:
        """(state, status in words, the points of a and b)"""
        none = ("", "")
        result = pairing.result
        if pairing.state == "done" and result is not None:
            points = tuple(play_words.points(p) for p in result.points) if result.points else none
            how = words.HOW.get(result.how)
            status = _("both lose") if result.winner is None else str(how) if how else ""
            return "done", status, (points[0], points[1])
        if pairing.state == "ready":
            return self._ready(pairing, self.meetings.get(pairing.key))
        return pairing.state, "", none

    def _ready(self, pairing: Pairing, meeting: Meeting | None) -> tuple[str, str, tuple[str, str]]:
        report = self.state.report(pairing)
        if report is not None:
            status = _("disputed") if report.disputed else _("reported")
            return "told", status, (play_words.points(report.points[0]), play_words.points(report.points[1]))
        if meeting is None or meeting.opened_at is None:
            return "closed", "", ("", "")
        match = meeting.match
        if match is not None and match.status == Match.Status.LIVE:
            score = {seat.user_id: play_words.points(seat.points) for seat in self.seats.get(match.pk, ())}
            a, b = (score.get(self.entrants[number].user_id, "") for number in pairing.entrants)
            return "live", _("playing"), (a, b)
        return "ready", _("to be played"), ("", "")

    def _sentence(self, pairing: Pairing, a: Side, b: Side, status: str) -> str:
        told = {
            "mark": words.mark(pairing.key),
            "a": a.name or a.source,
            "b": b.name or b.source,
            "points": f"{a.points}–{b.points}" if a.points else "",
            "status": status,
        }
        if pairing.state == "bye":
            return _("%(mark)s: %(name)s has a bye.") % {**told, "name": a.name or b.name}
        if pairing.state == "void":
            return _("%(mark)s: nobody comes here.") % told
        if pairing.state == "done" and pairing.winner is not None:
            if b.won:
                told |= {"a": b.name, "b": a.name, "points": f"{b.points}–{a.points}" if b.points else ""}
            told["points"] = ", ".join(part for part in (told["points"], status) if part)
            if told["points"]:
                return _("%(mark)s: %(a)s beat %(b)s, %(points)s.") % told
            return _("%(mark)s: %(a)s beat %(b)s.") % told
        if status and a.points:
            return _("%(mark)s: %(a)s against %(b)s, %(status)s, %(points)s.") % told
        if status:
            return _("%(mark)s: %(a)s against %(b)s, %(status)s.") % told
        return _("%(mark)s: %(a)s against %(b)s.") % told


def awaited(sheet: Sheet, number: int) -> str:
    """Whom an entrant waits for: `winner of ana – bea`, or of `2-1` where those are not known either; "" for nobody."""
    for pairing in sheet.state.pairings:
        if pairing.state != "waiting" or number not in pairing.entrants:
            continue
        other = pairing.b if pairing.a.entrant == number else pairing.a
        if not isinstance(other.source, WinnerOf | LoserOf):
            return words.source(other.source)
        before = sheet.state.by_key[other.source.key]
        names = [sheet.name(one) for one in before.entrants]
        two = " – ".join(names) if len(names) == 2 else words.mark(before.key)
        if isinstance(other.source, WinnerOf):
            return _("winner of %(pairing)s") % {"pairing": two}
        return _("loser of %(pairing)s") % {"pairing": two}
    return ""


def by_round(cards: Iterable[Card]) -> dict[int, list[Card]]:
    """Cards by their round, each round from the top."""
    found: dict[int, list[Card]] = {}
    for card in cards:
        found.setdefault(card.round, []).append(card)
    return dict(sorted(found.items()))
