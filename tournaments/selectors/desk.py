"""What the director's desk shows: what needs him now, the next step, the open rounds, the entrants and the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from accounts.models import User
from games.database import now
from games.models import Match, Seat
from tournaments import acts
from tournaments.errors import Refused
from tournaments.fold import Event
from tournaments.formats.core import Invalid, Pairing
from tournaments.models import Entrant, Tournament, TournamentEvent
from tournaments.selectors import log, words
from tournaments.selectors.cards import Card, Sheet
from tournaments.selectors.evening import Evening, unpaired
from tournaments.selectors.head import Head
from tournaments.selectors.pages import tournament_named
from tournaments.selectors.parts import champions
from tournaments.selectors.reports import Reporting, reporting

SHOWN_EVENTS = 60
SHOWN_RESULTS = 8
ADVICE: words.Words = {
    "disputed": gettext_lazy("Ask the two, and say which story stands."),
    "unconfirmed": gettext_lazy("Nobody else can confirm it: say whether it stands."),
    "no_result": gettext_lazy("Enter the result, or let them play again over the board."),
    "deadline": gettext_lazy("Enter the result, a walkover or a double walkover."),
    "stalled": gettext_lazy("Ask those who still play, or enter their results."),
    "no_show": gettext_lazy("Penalty points are counted. Wait, or enter a walkover."),
    "away": gettext_lazy("The rival may claim the match on that player's turn. You can pause it, or enter a result."),
}
OPEN = (Match.Status.OPEN, Match.Status.LIVE)


@dataclass(frozen=True, slots=True)
class Table:
    """An open pairing: its card, the forms of its result, its match if it is played on this site."""

    card: Card
    report: Reporting
    match_id: str = ""
    penalties: str = ""
    alerted: bool = False
    paused: bool = False

    @property
    def running(self) -> list[str]:
        """Its key, as a list, when its match can be paused."""
        return [self.card.key] if self.card.live and not self.paused else []

    @property
    def stopped(self) -> list[str]:
        """Its key, as a list, when its match can go on."""
        return [self.card.key] if self.paused else []


@dataclass(frozen=True, slots=True)
class Stage:
    """An open round with its pairings that still have no result."""

    title: str
    note: str
    tables: list[Table]

    @property
    def running(self) -> list[str]:
        """The pairings whose match is in play here, and not paused."""
        return [key for table in self.tables for key in table.running]

    @property
    def stopped(self) -> list[str]:
        return [key for table in self.tables for key in table.stopped]


@dataclass(frozen=True, slots=True)
class Alert:
    """Something that a director has to see to, and what he can do about it."""

    what: str
    key: str
    title: str
    text: str
    advice: str
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """The next thing to do as a button: the address it posts to, its label, the rounds that it opens."""

    url: str
    label: str
    rounds: tuple[str, ...] = ()
    note: str = ""
    why_not: str = ""


@dataclass(frozen=True)
class View(Head):
    """The desk of one tournament."""

    events: list[TournamentEvent]
    directors: list[User]
    whole_log: bool = False

    @property
    def going(self) -> bool:
        """Whether it is neither over nor cancelled."""
        return self.state.phase in ("open", "drawn", "running")

    @property
    def champions(self) -> list[str]:
        """Who won, once everything is played."""
        return champions(self.sheet)

    # Entrants

    @cached_property
    def here(self) -> list[Entrant]:
        """Those who play: seeded places first, then in the order of entry; after the draw in its order."""
        place = {number: n for n, number in enumerate(self.state.order)}
        still = [one for one in self.sheet.entrants.values() if one.plays]
        if place:
            return sorted(still, key=lambda one: place.get(one.number, one.number + len(place)))
        return sorted(still, key=lambda one: (one.seed_rank is None, one.seed_rank or 0, one.number))

    @property
    def players(self) -> int:
        return len(self.here)

    @cached_property
    def gone(self) -> list[Entrant]:
        return [one for one in self.sheet.entrants.values() if one.withdrawn]

    @cached_property
    def evening(self) -> Evening:
        """Who waits, who may come late, breaks, wishes and the next round's time."""
        return Evening(self.sheet, now(), self.round_name)

    @property
    def checked_in(self) -> int:
        return sum(one.checked_in for one in self.here)

    @cached_property
    def names(self) -> Mapping[int, str]:
        return {number: one.name for number, one in self.sheet.entrants.items()}

    # Rounds

    @cached_property
    def round_names(self) -> Mapping[tuple[str, int], str]:
        """Every round by section and number: `Main bracket: Semi-finals`, or `Round 2` where there is one section."""
        sizes: dict[str, dict[int, int]] = {}
        for pairing in self.state.pairings:
            rounds = sizes.setdefault(pairing.section, {})
            rounds[pairing.round] = max(rounds.get(pairing.round, 0), pairing.number)
        said: dict[tuple[str, int], str] = {}
        for section, rounds in sizes.items():
            names = words.rounds(section, rounds) if self.bracket(section) else {}
            for number in rounds:
                name = names.get(number) or _("Round %(n)s") % {"n": number}
                title = words.section(section, self.state.rules.config)
                said[section, number] = f"{title}: {name}" if len(sizes) > 1 else name
        return said

    def bracket(self, section: str) -> bool:
        return self.state.format.sections == "bracket" or section in ("main", "final")

    def round_name(self, section: str, round_: int) -> str:
        return self.round_names.get((section, round_)) or _("Round %(n)s") % {"n": round_}

    @cached_property
    def stages(self) -> list[Stage]:
        """The open rounds in which somebody still has to play."""
        found: dict[tuple[str, int], list[Table]] = {}
        for pairing in self.state.pairings:
            if pairing.key in self.tables:
                found.setdefault((pairing.section, pairing.round), []).append(self.tables[pairing.key])
        lengths = {one: self.state.rules.length(*one) for one in found}
        return [
            Stage(self.round_name(*one), _("to %(length)s") % {"length": lengths[one]}, tables)
            for one, tables in found.items()
        ]

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """The pairings that are to be played now, by key."""
        if self.state.phase != "running":
            return {}
        return {
            pairing.key: self._table(pairing)
            for pairing in self.state.pairings
            if pairing.state == "ready" and self._open(pairing)
        }

    def _open(self, pairing: Pairing) -> bool:
        meeting = self.sheet.meetings.get(pairing.key)
        return meeting is not None and meeting.opened_at is not None

    def _table(self, pairing: Pairing) -> Table:
        match = self.sheet.meetings[pairing.key].match
        return Table(
            card=self.sheet.card(pairing),
            report=reporting(self.state, pairing, self.names),
            match_id=match.pk if match is not None and match.status in OPEN else "",
            penalties=self.sheet.penalties(pairing),
            paused=match is not None and match.pause is not None,
            alerted=any(key == pairing.key for _what, key in self.state.standing_alerts),
        )

    # What is to be done

    @cached_property
    def alerts(self) -> list[Alert]:
        return [self._alert(what, key) for what, key in self.state.standing_alerts]

    def _alert(self, what: str, key: str) -> Alert:
        table = self.tables.get(key)
        title = ""
        if table is not None:
            title = " – ".join(player.name for player in table.report.sides)
        elif what == "stalled":
            section, _dash, number = key.rpartition("-")
            title = self.round_name(section, int(number)) if number.isdecimal() else ""
        return Alert(what, key, title, self._alert_text(what, key), self._advice(what, key), table)

    def _alert_text(self, what: str, key: str) -> str:
        if what == "away":
            name = self.names.get(self.state.alerts[what, key].get("entrant", 0), "")
            return _("%(name)s has left the board.") % {"name": name}
        return f"{words.capital(words.named(log.ALERTS, what))}."

    def _advice(self, what: str, key: str) -> str:
        if what == "not_started":
            facts = self.state.alerts[what, key]
            return Refused(facts.get("code", ""), params=dict(facts.get("params", {}))).text
        if what == "unpaired":
            facts = self.state.alerts[what, key]
            refused = Refused(facts.get("code", ""), params=dict(facts.get("params", {}))).text
            return f"{refused} {_('Change the wishes for the next round.')}"
        return str(ADVICE.get(what, ""))

    @cached_property
    def steps(self) -> list[Step]:
        """What can be done next, the first being the big button."""
        if self.state.phase == "open":
            why_not = self._why_not()
            note = self._count_note()
            return [
                Step("desk-draw", pgettext("to do", "Draw"), note=note, why_not=why_not),
                Step("desk-start", _("Draw and start"), note=_("With the draw entries close."), why_not=why_not),
            ]
        if self.state.phase == "drawn":
            return [
                Step(
                    "desk-start",
                    pgettext("to do", "Start"),
                    note=_("The draw is made: from now on matches are played."),
                )
            ]
        if self.state.phase == "running" and self.state.recess is not None:
            return []
        if self.state.phase == "running" and self.state.rules.pace == "hand":
            return self._round_steps()
        return []

    def _why_not(self) -> str:
        """What stands against the draw."""
        there = [one for one in self.here if one.checked_in] if self.state.rules.check_in else self.here
        try:
            self.state.format.check(self.state.rules.config, len(there))
        except Invalid as fault:
            return Refused(fault.code, params=dict(fault.params)).text
        return ""

    def _count_note(self) -> str:
        number = len(self.here)
        said = ngettext("%(number)s player", "%(number)s players", number) % {"number": number}
        if not self.state.rules.check_in:
            return said
        return _("%(players)s, %(here)s of them here: only they are drawn") % {"players": said, "here": self.checked_in}

    def _round_steps(self) -> list[Step]:
        """The rounds to be opened or paired by hand; the same round of all groups or divisions is one step."""
        shut: dict[tuple[str, int], list[tuple[str, int]]] = {}
        for pairing in self.state.pairings:
            one = (pairing.section, pairing.round)
            if pairing.state == "ready" and one not in self.state.opened:
                kin = shut.setdefault((pairing.section.rpartition("-")[0] or pairing.section, pairing.round), [])
                if one not in kin:
                    kin.append(one)
        steps = []
        for (_kind, number), rounds in shut.items():
            name = self.round_name(*rounds[0]) if len(rounds) == 1 else _("Round %(n)s") % {"n": number}
            keys = tuple(f"{section} {round_}" for section, round_ in rounds)
            steps.append(Step("desk-round", _("Open: %(round)s") % {"round": name}, keys))
        try:
            paired = self.state.next_round()
        except Invalid as fault:
            return [Step("desk-round", _("Pair the next round"), why_not=unpaired(fault, self.names)), *steps]
        if paired is not None:
            steps.insert(0, Step("desk-round", _("Pair and open round %(n)s") % {"n": paired.round}))
        return steps

    @property
    def waits(self) -> str:
        """What the tournament waits for, where there is nothing for the director to do."""
        if self.state.phase != "running" or self.steps or not self.tables:
            return ""
        number = len(self.tables)
        return ngettext("Waiting for %(number)s result.", "Waiting for %(number)s results.", number) % {
            "number": number
        }

    # What happened

    @cached_property
    def told(self) -> list[Event]:
        """The events as the fold reads them."""
        return [Event(event.kind, event.data, event.act) for event in self.events]

    @cached_property
    def words(self) -> log.Names:
        return log.Names(self.names, self.round_name, acts.heads(self.told))

    def in_words(self, events: Iterable[TournamentEvent]) -> list[log.Entry]:
        """Events in the order in which they come, with what can be undone of them."""
        return log.entries(events, self.words, self.sheet.zone, acts.undone(self.told))

    @cached_property
    def happened(self) -> list[log.Entry]:
        """The log, the last event first."""
        events = self.events if self.whole_log else self.events[-SHOWN_EVENTS:]
        return self.in_words(reversed(events))

    @cached_property
    def ended(self) -> list[Card]:
        """The pairings with a result, the last one entered first: some of them, to be corrected."""
        keys = dict.fromkeys(event.data["key"] for event in reversed(self.events) if event.kind == "result")
        found = (self.state.by_key.get(key) for key in keys)
        done = (one for one in found if one is not None and one.state == "done")
        return [self.sheet.card(one) for one in islice(done, SHOWN_RESULTS)]

    @property
    def more_events(self) -> int:
        return len(self.events) - len(self.happened)

    @property
    def announced(self) -> list[log.Entry]:
        """The announcements, the last one first."""
        return [
            log.Entry(
                words.moment(event.at, self.sheet.zone),
                event.by.username if event.by else "",
                event.data.get("text", ""),
            )
            for event in reversed(self.events)
            if event.kind == "announced"
        ]


def desk(*, tournament_id: str, user: User, whole_log: bool = False) -> View:
    """The desk, for its directors. Raises NotFound, Refused("not_director")."""
    tournament = tournament_named(tournament_id)
    directors = [one.user for one in tournament.directors.select_related("user").order_by("pk")]
    if user not in directors:
        raise Refused("not_director")
    events = list(TournamentEvent.objects.filter(tournament=tournament).select_related("by").order_by("n"))
    sheet = Sheet(
        tournament,
        acts.replay([Event(event.kind, event.data, event.act) for event in events]),
        {one.number: one for one in tournament.entrants.select_related("user")},
        {row.key: row for row in tournament.meetings.order_by().select_related("match")},
        _seats(tournament),
    )
    return View(sheet, events, directors, whole_log)


def _seats(tournament: Tournament) -> dict[str, list[Seat]]:
    """The seats of the matches in play, for their scores."""
    found: dict[str, list[Seat]] = {}
    for seat in Seat.objects.filter(match__meeting__tournament=tournament, match__status__in=OPEN):
        found.setdefault(seat.match_id, []).append(seat)
    return found
