"""The director's desk: alerts, the next step, open rounds, entrants and the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import Any

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from games.database import now
from games.models import Match, Seat
from tournaments import roles, undo
from tournaments.boards import penalty_points
from tournaments.errors import Refused
from tournaments.formats.bracket import OPTIONAL_SECTIONS
from tournaments.formats.core import LoserOf, Pairing
from tournaments.models import Entrant, Tournament, TournamentEvent
from tournaments.part_keys import fixture_key
from tournaments.roles import DeskAct, Role
from tournaments.selectors import labels, tournament_log
from tournaments.selectors.arena import ArenaClock, arena_clock, arena_players, counted_activities
from tournaments.selectors.desk_steps import next_steps
from tournaments.selectors.desk_values import Alert, NextStep, OpenPairing, OpenRound, RecentResult, SeriesInPlay
from tournaments.selectors.match_clock import offers_match_clock
from tournaments.selectors.page_header import PageHeader
from tournaments.selectors.pairing_cards import TournamentSnapshot
from tournaments.selectors.place_names import NamesThroughTime
from tournaments.selectors.result_claims import pairing_claims
from tournaments.selectors.rulings import Ruling, ruling_of
from tournaments.selectors.sections import champions
from tournaments.selectors.tournament_page import tournament_or_not_found
from tournaments.selectors.tournament_status import TournamentStatus
from tournaments.state import Event

SHOWN_EVENTS = 60
SHOWN_RESULTS = 8
ADVICE: labels.Labels = {
    "disputed": gettext_lazy("Ask both players and decide which result counts."),
    "unconfirmed": gettext_lazy("Nobody else can confirm it. Decide whether the result counts."),
    "no_result": gettext_lazy("Enter the result, or have them play again over the board."),
    "deadline": gettext_lazy("Enter the result, a walkover or a double walkover."),
    "stalled": gettext_lazy("Check with the players still in play, or enter their results."),
    "no_show": gettext_lazy("Penalty points are adding up. Wait, or enter a walkover."),
    "away": gettext_lazy("The opponent may claim the match on that player's turn. You can pause it or enter a result."),
}
AT_VENUE = frozenset({DeskAct.VIEW_DESK, DeskAct.TAKE_TO_VENUE})
"""What may be done at the desk of a tournament that is played at its venue (ruling E27)."""
UNFINISHED = (Match.Status.OPEN, Match.Status.LIVE)


@dataclass(frozen=True)
class DirectorDesk(PageHeader):
    """The desk of one tournament."""

    events: list[TournamentEvent]
    role: Role
    may: frozenset[DeskAct]
    whole_log: bool = False

    @property
    def is_active(self) -> bool:
        """Whether the tournament is neither over nor cancelled."""
        return self.state.phase in ("open", "drawn", "running")

    @property
    def champions(self) -> list[str]:
        """The winners, once everything is played."""
        return champions(self.snapshot)

    # Entrants

    @cached_property
    def active_entrants(self) -> list[Entrant]:
        """The entrants who play: seeds first, then in the order of entry; after the draw in its order."""
        place = {number: index for index, number in enumerate(self.state.order)}
        playing = [entrant for entrant in self.snapshot.entrants.values() if entrant.plays]
        if place:
            return sorted(playing, key=lambda entrant: place.get(entrant.number, entrant.number + len(place)))
        return sorted(playing, key=lambda entrant: (entrant.seed_rank is None, entrant.seed_rank or 0, entrant.number))

    @property
    def players(self) -> int:
        return len(self.active_entrants)

    @cached_property
    def withdrawn_entrants(self) -> list[Entrant]:
        return [entrant for entrant in self.snapshot.entrants.values() if entrant.withdrawn and entrant.team_id is None]

    @cached_property
    def status(self) -> TournamentStatus:
        """Waiting list, late entries, breaks, pairing preferences and the time of the next round."""
        return TournamentStatus(self.snapshot, now(), self.round_name)

    @property
    def checked_in(self) -> int:
        return sum(entrant.checked_in for entrant in self.active_entrants)

    @cached_property
    def names(self) -> Mapping[int, str]:
        return {number: entrant.name for number, entrant in self.snapshot.entrants.items()}

    def names_in(self, pairing: Pairing) -> Mapping[int, str]:
        """The names of the two of a pairing, who may have been replaced since."""
        return {number: self.snapshot.name(number, pairing) for number in pairing.entrants}

    # Rounds

    @cached_property
    def round_names(self) -> Mapping[tuple[str, int], str]:
        """Every round by section and number: `Main bracket: Semi-finals`, or `Round 2` where there is one section."""
        sizes: dict[str, dict[int, int]] = {}
        for pairing in self.state.fixtures:
            rounds = sizes.setdefault(pairing.section, {})
            rounds[pairing.round] = max(rounds.get(pairing.round, 0), pairing.number)
        names_by_round: dict[tuple[str, int], str] = {}
        for section, rounds in sizes.items():
            names = labels.round_labels(section, rounds) if self.bracket(section) else {}
            for number in rounds:
                name = names.get(number) or _("Round %(n)s") % {"n": number}
                title = labels.section_label(section, self.state.rules.config)
                names_by_round[section, number] = f"{title}: {name}" if len(sizes) > 1 else name
        return names_by_round

    def bracket(self, section: str) -> bool:
        return self.state.format.sections == "bracket" or section in ("main", "final")

    def round_name(self, section: str, round_: int) -> str:
        if self.state.pairs_free_players:
            return _("Matches in play")
        return self.round_names.get((section, round_)) or _("Round %(n)s") % {"n": round_}

    @cached_property
    def open_rounds(self) -> list[OpenRound]:
        """The open rounds in which a match is left to play."""
        found: dict[tuple[str, int, str], list[OpenPairing]] = {}
        for pairing in self.state.pairings:
            if pairing.key in self.open_pairings:
                teams = self.team_names(pairing)
                number = 0 if self.state.pairs_free_players else pairing.round  # what is in play there is one list
                found.setdefault((pairing.section, number, teams), []).append(self.open_pairings[pairing.key])
        return [
            OpenRound(
                " · ".join(part for part in (self.round_name(section, number), teams) if part),
                self._length_note(section, number),
                pairings,
            )
            for (section, number, teams), pairings in found.items()
        ]

    def _length_note(self, section: str, round_: int) -> str:
        """`to 7`, or of series `best of 3 matches to 7`."""
        length, best_of = self.state.rules.length(section, round_), self.state.series.length(section, round_)
        return _("to %(length)s") % {"length": length} if best_of == 1 else labels.length_label(length, best_of)

    def team_names(self, board: Pairing) -> str:
        """The two teams of a board: `Ajenjo – Norte`; "" where there are no teams."""
        fixture = self.state.fixture_by_key.get(fixture_key(board.key)) if self.state.teams.boards else None
        return " – ".join(self.names[team] for team in fixture.entrants) if fixture is not None else ""

    @cached_property
    def open_pairings(self) -> Mapping[str, OpenPairing]:
        """The pairings to be played now, by key."""
        if self.state.phase != "running":
            return {}
        return {
            pairing.key: self._open_pairing(pairing)
            for pairing in self.state.pairings
            if pairing.state == "ready" and self._is_open(pairing)
        }

    def _is_open(self, pairing: Pairing) -> bool:
        meeting = self.snapshot.meetings.get(pairing.key)
        return meeting is not None and meeting.opened_at is not None

    def _open_pairing(self, pairing: Pairing) -> OpenPairing:
        match = self.snapshot.meetings[pairing.key].match
        return OpenPairing(
            card=self.snapshot.card(pairing),
            claims=pairing_claims(self.state, pairing, self.names),
            match_id=match.pk if match is not None and match.status in UNFINISHED else "",
            penalties=self.snapshot.penalties(pairing),
            paused=match is not None and match.pause is not None,
            alerted=any(key == pairing.key for _kind, key in self.state.current_alerts),
            feeds_consolation=self.feeds_consolation(fixture_key(pairing.key)),
            has_clock=offers_match_clock(self.state) and not (match is not None and match.status == Match.Status.LIVE),
            series=self._series(pairing),
            **self._call_facts(pairing.key),
        )

    def _series(self, match: Pairing) -> SeriesInPlay | None:
        """The series that a match belongs to; None for a single match."""
        if not labels.part_label(match):
            return None
        series = self.state.fixture_by_key[fixture_key(match.key)]
        a, b = self.state.series.score(series, self.state.results)
        return SeriesInPlay(pairing_claims(self.state, series, self.names), f"{a}–{b}")

    def _call_facts(self, key: str) -> dict[str, Any]:
        call, rules = self.state.called.get(key), self.state.rules
        if call is None:
            return {}
        minutes = call.minutes(now())
        at = datetime.fromisoformat(call.at).astimezone(self.snapshot.zone)
        points = penalty_points(minutes, grace=rules.no_show_minutes, step=rules.penalty_minutes)
        return {"called_at": formats.time_format(at, "H:i"), "minutes": minutes, "late_points": points}

    @cached_property
    def _feeding_consolation(self) -> frozenset[str]:
        sections = (pairing for pairing in self.state.fixtures if pairing.section in OPTIONAL_SECTIONS)
        sources = (slot.source for pairing in sections for slot in (pairing.a, pairing.b))
        return frozenset(source.key for source in sources if isinstance(source, LoserOf))

    def feeds_consolation(self, key: str) -> bool:
        """Whether the loser of a pairing goes on in a consolation or last chance."""
        return key in self._feeding_consolation

    # An arena

    @cached_property
    def arena_clock(self) -> ArenaClock | None:
        """The end of the pairing of an arena, while players are paired."""
        return arena_clock(self.state, now())

    @cached_property
    def arena_activities(self) -> list[tuple[str, int]]:
        """How many players of an arena are playing, waiting and paused."""
        return counted_activities(list(arena_players(self.snapshot).values()))

    # Alerts and next steps

    @cached_property
    def alerts(self) -> list[Alert]:
        return [self._alert(kind, key) for kind, key in self.state.current_alerts]

    def _alert(self, kind: str, key: str) -> Alert:
        pairing = self.open_pairings.get(key)
        title = ""
        if pairing is not None:
            title = " – ".join(player.name for player in pairing.claims.sides)
        elif kind == "stalled":
            section, _dash, number = key.rpartition("-")
            title = self.round_name(section, int(number)) if number.isdecimal() else ""
        return Alert(kind, key, title, self._alert_text(kind, key), self._advice(kind, key), pairing)

    def _alert_text(self, kind: str, key: str) -> str:
        if kind == "away":
            name = self.names.get(self.state.alerts[kind, key].get("entrant", 0), "")
            return _("%(name)s left the board.") % {"name": name}
        return f"{labels.capitalize(labels.label_of(tournament_log.ALERT_LABELS, kind))}."

    def _advice(self, kind: str, key: str) -> str:
        if kind == "not_started":
            data = self.state.alerts[kind, key]
            return Refused(data.get("code", ""), params=dict(data.get("params", {}))).text
        if kind == "unpaired":
            data = self.state.alerts[kind, key]
            refused = Refused(data.get("code", ""), params=dict(data.get("params", {}))).text
            advice = _("Change the pairing preferences for the next round.")
            return f"{refused} {advice}"
        return str(ADVICE.get(kind, ""))

    @cached_property
    def next_steps(self) -> list[NextStep]:
        """The possible next steps; the first is the primary button."""
        return next_steps(self)

    @property
    def waiting_note(self) -> str:
        """What the tournament waits for, if there is nothing for the director to do."""
        if self.state.phase != "running" or self.next_steps or not self.open_pairings or self.arena_clock is not None:
            return ""
        number = len(self.open_pairings)
        return ngettext("Waiting for %(number)s result.", "Waiting for %(number)s results.", number) % {
            "number": number
        }

    # The log

    @cached_property
    def events_read(self) -> list[Event]:
        """The events as values for the fold."""
        return [Event(event.kind, event.data, event.act) for event in self.events]

    @cached_property
    def log_names(self) -> tournament_log.LogNames:
        numbered = zip((event.n for event in self.events), self.events_read, strict=True)
        undone = undo.undone_acts(self.events_read)
        through_time = NamesThroughTime.read(self.snapshot.place_names, numbered, undone)
        return tournament_log.LogNames(self.names, self.round_name, undo.head_events(self.events_read), through_time)

    def log_entries(self, events: Iterable[TournamentEvent]) -> list[tournament_log.LogEntry]:
        """Events in words, in their order, with what the viewer can undo or redo."""
        entries = tournament_log.log_entries(
            events, self.log_names, self.snapshot.zone, undo.undone_acts(self.events_read)
        )
        return entries if DeskAct.UNDO in self.may else [replace(entry, can="") for entry in entries]

    @cached_property
    def recent_log(self) -> list[tournament_log.LogEntry]:
        """The log, the last event first."""
        events = self.events if self.whole_log else self.events[-SHOWN_EVENTS:]
        return self.log_entries(reversed(events))

    def finished_pairings(self) -> Iterator[tuple[Pairing, TournamentEvent]]:
        """The pairings that have a result, with its last event; the last one first."""
        last: dict[str, TournamentEvent] = {}
        for event in reversed(self.events):
            if event.kind == "result":
                last.setdefault(event.data["key"], event)
        for key, event in last.items():
            pairing = self.state.by_key.get(key)
            if pairing is not None and pairing.state == "done":
                yield pairing, event

    @cached_property
    def recent_results(self) -> list[RecentResult]:
        """The pairings whose results were entered last, to be corrected; the last first."""
        return [
            RecentResult(self.snapshot.card(pairing), event.act, event.by.username if event.by else "")
            for pairing, event in islice(self.finished_pairings(), SHOWN_RESULTS)
        ]

    @property
    def hidden_events(self) -> int:
        return len(self.events) - len(self.recent_log)

    @property
    def rulings(self) -> list[Ruling]:
        """The rulings, the last one first."""
        return [ruling_of(event, self.snapshot.zone) for event in reversed(self.events) if event.kind == "ruled"]

    @property
    def announcements(self) -> list[tournament_log.LogEntry]:
        """The announcements, the last one first."""
        return [
            tournament_log.LogEntry(
                labels.format_moment(event.at, self.snapshot.zone),
                event.by.username if event.by else "",
                event.data.get("text", ""),
            )
            for event in reversed(self.events)
            if event.kind == "announced"
        ]


def director_desk(
    *, tournament_id: str, user: User, act: DeskAct = DeskAct.VIEW_DESK, whole_log: bool = False
) -> DirectorDesk:
    """The desk, as the role of the viewer shows it, for those who may do an act there.

    Raises NotFound, Refused: not_official, not_referee, not_director.
    """
    tournament = tournament_or_not_found(tournament_id)
    role = roles.check(tournament.role_of(user), act)
    events = list(TournamentEvent.objects.filter(tournament=tournament).select_related("by").order_by("n"))
    snapshot = TournamentSnapshot(
        tournament,
        undo.replay([Event(event.kind, event.data, event.act) for event in events]),
        {entrant.number: entrant for entrant in tournament.entrants.select_related("user")},
        {row.key: row for row in tournament.meetings.order_by().select_related("match")},
        _seats(tournament),
    )
    desk = DirectorDesk(snapshot, events, role, roles.acts_of(role), whole_log)
    if desk.venue is not None and not desk.venue.here:
        return replace(desk, may=desk.may & AT_VENUE)
    return desk


def _seats(tournament: Tournament) -> dict[str, list[Seat]]:
    """The seats of the matches in play, for their scores."""
    found: dict[str, list[Seat]] = {}
    for seat in Seat.objects.filter(match__meeting__tournament=tournament, match__status__in=UNFINISHED):
        found.setdefault(seat.match_id, []).append(seat)
    return found
