"""What the list of tournaments and the page of one show: the same number of queries however many play."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.names import fold
from games import words as play_words
from games.database import now
from games.models import Match, Seat
from tournaments import acts
from tournaments.errors import NotFound
from tournaments.formats.core import Pairing
from tournaments.models import Entrant, Meeting, Tournament, TournamentEvent
from tournaments.selectors import words
from tournaments.selectors.cards import Card, Sheet, awaited
from tournaments.selectors.evening import Evening
from tournaments.selectors.head import Head
from tournaments.selectors.parts import Line, Part, champions, finish, rounds_shown
from tournaments.selectors.parts import parts as parts_of
from tournaments.selectors.reports import Reporting, reporting
from tournaments.services.desk import events_of, state_of
from tournaments.terms import Terms

MOST_OVER = 20
MOST_AHEAD = 3  # matches of mine that are not open yet
PHASES = Tournament.Phase


# The list


@dataclass(frozen=True, slots=True)
class Listed:
    """A tournament as the list shows it to one viewer."""

    tournament: Tournament
    terms: Terms
    players: int
    entered: bool

    @property
    def format(self) -> str:
        return words.format_of(self.terms.config)

    @property
    def lengths(self) -> str:
        return words.lengths(self.terms.lengths)

    @property
    def variant(self) -> str:
        return play_words.variant(self.terms.variant)

    @property
    def starts(self) -> str:
        return words.moment(self.tournament.starts_at, ZoneInfo(self.tournament.timezone))

    @property
    def starts_iso(self) -> str:
        return words.iso(self.tournament.starts_at, ZoneInfo(self.tournament.timezone))

    @property
    def ended(self) -> str:
        return words.moment(self.tournament.ended_at, ZoneInfo(self.tournament.timezone))


@dataclass(frozen=True, slots=True)
class Lists:
    running: list[Listed]
    open: list[Listed]
    over: list[Listed]


def tournaments(user: User | None) -> Lists:
    """What runs, what one can enter, and what ended last."""
    plays = Q(entrants__withdrawn=False, entrants__waiting=False)
    counted = Tournament.objects.annotate(players=Count("entrants", filter=plays))
    ahead = counted.filter(phase__in=(PHASES.OPEN, PHASES.DRAWN)).order_by("starts_at", "created_at")
    mine = (
        set(Entrant.objects.filter(user=user, withdrawn=False).values_list("tournament", flat=True)) if user else set()
    )
    return Lists(
        running=_listed(counted.filter(phase=PHASES.RUNNING).order_by("-begun_at"), mine),
        open=_listed(ahead, mine),
        over=_listed(counted.filter(phase=PHASES.OVER).order_by("-ended_at")[:MOST_OVER], mine),
    )


def _listed(found: QuerySet[Any], mine: set[str]) -> list[Listed]:
    return [Listed(one, Terms.read(one.terms), one.players, one.pk in mine) for one in found]


# The page


@dataclass(frozen=True, slots=True)
class Next:
    """A pairing that the viewer has to play. `act`: arrive, wait, go, report, told, or "" while it is not open."""

    card: Card
    rival: str
    round: str
    length: str
    act: str
    match_id: str = ""
    report: Reporting | None = None  # where the players may tell the result


@dataclass(frozen=True, slots=True)
class Mine:
    """The viewer as an entrant: what he plays next, or whom he waits for."""

    entrant: Entrant
    next: list[Next] = field(default_factory=list)
    waits: str = ""
    place: int | None = None
    going: bool = False  # whether there is anything left that he could withdraw from
    later: int = 0  # how many more matches he has after those in `next`


@dataclass(frozen=True, slots=True)
class Said:
    """An announcement."""

    text: str
    by: str
    at: str


@dataclass(frozen=True)
class View(Head):
    """The page of one tournament for one viewer."""

    directors: list[User]
    parts: list[Part]
    mine: Mine | None
    said: list[Said]
    proof: bool  # whether there is a draw to check
    directs: bool
    member: bool
    search: str

    @property
    def terms(self) -> Terms:
        return self.state.rules

    @property
    def path(self) -> str:
        return reverse("tournament", args=[self.tournament.pk])

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What was chosen, by name."""
        terms = self.terms
        said = [
            (_("Format"), words.format_of(terms.config)),
            (_("Game"), " · ".join([play_words.variant(terms.variant), *self._options])),
            (_("Length"), words.lengths(terms.lengths)),
            (_("Clock"), f"{play_words.clock(terms.clock)} · {play_words.clock_terms(terms.clock)}"),
            (_("Where"), words.named(words.VENUES, terms.venue)),
        ]
        if conditions := words.conditions(terms, self.tournament.club.name):
            said.append((_("Who may enter"), conditions))
        if terms.side_lengths:
            said.insert(3, (_("Other brackets"), words.lengths(terms.side_lengths)))
        return said

    @property
    def _options(self) -> list[str]:
        return play_words.terms(self.terms.variant, self.terms.lengths[0], self.terms.options)

    @property
    def starts_iso(self) -> str:
        return words.iso(self.tournament.starts_at, self.sheet.zone)

    @property
    def entrants(self) -> list[Entrant]:
        """Those who play: in the order of the draw, before it in the order of their entry; those who left last."""
        seeds = self.sheet.seeds
        return sorted(
            self.sheet.entrants.values(),
            key=lambda one: (one.withdrawn, one.waiting, seeds.get(one.number, len(seeds) + one.number)),
        )

    @property
    def players(self) -> int:
        return sum(one.plays for one in self.sheet.entrants.values())

    @cached_property
    def evening(self) -> Evening:
        return Evening(self.sheet, now())

    @property
    def full(self) -> bool:
        return self.tournament.capacity is not None and self.players >= self.tournament.capacity

    @property
    def live(self) -> list[Card]:
        """The boards in play."""
        sheet = self.sheet
        playing = {key for key, row in sheet.meetings.items() if row.match and row.match.status == Match.Status.LIVE}
        cards = (sheet.card(pairing) for pairing in self.state.pairings if pairing.key in playing)
        return [card for card in cards if card.live]

    @property
    def champions(self) -> list[str]:
        return champions(self.sheet)

    @property
    def finish(self) -> tuple[Line, ...]:
        return finish(self.sheet)

    @property
    def found_at(self) -> str:
        """The way to where he is now: the first pairing that he has to play, or the last that he played."""
        here = [one for one in self.state.pairings if self.sheet.looked_for in one.entrants and one.state != "void"]
        going = [one for one in here if one.state in ("ready", "waiting")]
        at = going[0] if going else here[-1] if here else None
        if at is None:
            return ""
        asked, _hash, key = self.sheet.href(at).partition("#")
        return f"?player={quote(self.search)}{asked.replace('?', '&')}#{key}" if asked else f"#{key}"

    @property
    def found(self) -> Entrant | None:
        """Who is looked for by name."""
        number = self.sheet.looked_for
        return self.sheet.entrants[number] if self.search and number is not None else None


def tournament_named(tournament_id: str) -> Tournament:
    """Raises NotFound."""
    found = Tournament.objects.select_related("club").filter(pk=tournament_id).first()
    if found is None:
        raise NotFound
    return found


def version(tournament_id: str) -> int:
    """How many events there are. Raises NotFound."""
    found = Tournament.objects.filter(pk=tournament_id).values_list("version", flat=True).first()
    if found is None:
        raise NotFound
    return found


def page(*, tournament_id: str, user: User | None, search: str = "", asked: Collection[str] = ()) -> View:
    """The page of a tournament, for a player or (None) for a passer-by. Raises NotFound.

    `asked` are the parts of a large one that are shown only to who wants them: `league-5` (a round), `grid-league`.
    """
    tournament = tournament_named(tournament_id)
    entrants = {one.number: one for one in tournament.entrants.select_related("user")}
    me = next((one for one in entrants.values() if user is not None and one.user_id == user.pk), None)
    looked_for = _search(entrants, search)
    state = state_of(tournament)
    shown = rounds_shown(state, asked)
    sheet = Sheet(
        tournament,
        state,
        entrants,
        _meetings(tournament, shown),
        _seats_in_play(tournament),
        mine=me.number if me else None,
        looked_for=looked_for if looked_for is not None else me.number if me else None,
        shown=shown,
        asked=frozenset(asked),
    )
    directors = [one.user for one in tournament.directors.select_related("user").order_by("pk")]
    told = TournamentEvent.objects.filter(tournament=tournament, kind__in=("announced", "drawn")).select_related("by")
    return View(
        sheet=sheet,
        directors=directors,
        parts=parts_of(sheet),
        mine=_mine(sheet, me) if me else None,
        said=[_said(event, sheet.zone) for event in reversed(told) if event.kind == "announced"],
        proof=bool(state.order) and any(event.kind == "drawn" and event.data.get("document") for event in told),
        directs=user in directors,
        member=user is not None and not user.is_guest,
        search=search,
    )


def draw_document(tournament_id: str) -> Mapping[str, Any]:
    """Everything that it takes to check the draw that counts. Raises NotFound while there is none."""
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    events = acts.standing(events_of(tournament)) if tournament is not None else []
    found: Mapping[str, Any] | None = next((one.data.get("document") for one in events if one.kind == "drawn"), None)
    if not found:
        raise NotFound
    return found


def _meetings(tournament: Tournament, shown: frozenset[tuple[str, int]] | None) -> dict[str, Meeting]:
    """The meetings that are open or `shown` (None: all), with their matches, without the positions on the boards."""
    wanted = Q()
    if shown is not None:
        wanted = Q(opened_at__isnull=False, state=Meeting.State.READY)
        for section, number in shown:
            wanted |= Q(section=section, round=number)
    rows = (
        tournament.meetings.filter(wanted)
        .order_by()
        .select_related("match")
        .only("tournament", "key", "section", "round", "state", "opened_at", "due_at", "match__status")
    )
    return {row.key: row for row in rows}


def _seats_in_play(tournament: Tournament) -> dict[str, list[Seat]]:
    """The seats of matches that are ready or in play."""
    found: dict[str, list[Seat]] = {}
    going = (Match.Status.OPEN, Match.Status.LIVE)
    for seat in Seat.objects.filter(match__meeting__tournament=tournament, match__status__in=going):
        found.setdefault(seat.match_id, []).append(seat)
    return found


def _search(entrants: Mapping[int, Entrant], search: str) -> int | None:
    """The first entrant whose name is, begins with or holds what was written."""
    wanted = fold(search.strip())
    if not wanted:
        return None
    names = {number: fold(one.name) for number, one in entrants.items()}
    for fits in (str.__eq__, str.startswith, str.__contains__):
        for number, name in names.items():
            if fits(name, wanted):
                return number
    return None


def _said(event: TournamentEvent, zone: ZoneInfo) -> Said:
    by = event.by.username if event.by else ""
    return Said(event.data.get("text", ""), by, words.moment(event.at, zone))


def _mine(sheet: Sheet, me: Entrant) -> Mine:
    mine = [one for one in sheet.state.pairings if one.state == "ready" and me.number in one.entrants]
    mine.sort(key=lambda one: not _is_open(sheet, one))
    shown = sum(_is_open(sheet, one) for one in mine) + MOST_AHEAD
    ready = [_next(sheet, pairing, me) for pairing in mine[:shown]]
    waits = "" if ready else awaited(sheet, me.number)
    going = any(one.state in ("ready", "waiting") and me.number in one.entrants for one in sheet.state.pairings)
    placed = [one.place for one in sheet.state.standings if one.entrant == me.number]
    over = sheet.state.phase == "over"
    table = sheet.state.format.sections == "table" and not sheet.state.complete
    return Mine(
        me,
        ready if not me.withdrawn else [],
        waits,
        placed[0] if over and placed else None,
        going=going or table,
        later=len(mine[shown:]),
    )


def _is_open(sheet: Sheet, pairing: Pairing) -> bool:
    meeting = sheet.meetings.get(pairing.key)
    return meeting is not None and meeting.opened_at is not None


def _next(sheet: Sheet, pairing: Pairing, me: Entrant) -> Next:
    meeting = sheet.meetings.get(pairing.key)
    match = meeting.match if meeting else None
    rival = next(number for number in pairing.entrants if number != me.number)
    online = sheet.state.rules.venue == "online"
    act = ""
    if _is_open(sheet, pairing):
        act = _act(sheet, pairing, match, me)
    told = act in ("report", "told") or (act in ("arrive", "wait") and not online)
    names = {number: sheet.name(number) for number in pairing.entrants}
    return Next(
        card=sheet.card(pairing),
        rival=sheet.name(rival),
        round=_("Round %(n)s") % {"n": pairing.round},
        length=play_words.length(sheet.state.rules.length(pairing.section, pairing.round)),
        act=act,
        match_id=match.pk if match else "",
        report=reporting(sheet.state, pairing, names, me.number) if told else None,
    )


def _act(sheet: Sheet, pairing: Pairing, match: Match | None, me: Entrant) -> str:
    """What one does about a pairing that is open."""
    if sheet.state.report(pairing) is not None:
        return "told"
    if match is None or match.status not in (Match.Status.OPEN, Match.Status.LIVE):
        return "report"
    if match.status == Match.Status.LIVE:
        return "go"
    seats = sheet.seats.get(match.pk, ())
    return "wait" if any(seat.user_id == me.user_id and seat.arrived_at for seat in seats) else "arrive"
