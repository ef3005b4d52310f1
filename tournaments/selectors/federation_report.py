"""Reports for federations: the matches that were played, and the master points, with member numbers (ruling E28).

For the directors of a tournament, or of a club for its tournaments of some days. docs/formats.md describes the tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from accounts.clubs.roles import may_direct
from accounts.models import Club, User
from tournaments import undo
from tournaments.errors import Refused
from tournaments.final_ranking import final_ranks
from tournaments.formats.core import Pairing
from tournaments.models import Entrant, Tournament, TournamentEvent
from tournaments.prizes import Purse
from tournaments.roles import DeskAct
from tournaments.selectors import lookups
from tournaments.selectors.seasons import ended_between
from tournaments.services.placings import awards_of
from tournaments.state import Event, State
from tournaments.without_accents import without_accents

MOST_DAYS = 366
SHEETS = ("matches", "points")
THOUSANDTHS = 1000


@dataclass(frozen=True, slots=True)
class ReportedPlayer:
    """Somebody who played: their name, and their member number in the federation ("": not known)."""

    name: str
    member_number: str


@dataclass(frozen=True, slots=True)
class ReportedMatch:
    """A match that was played: the points are None where only the winner was entered (ruling E12)."""

    day: date
    tournament: Tournament
    pairing: Pairing
    variant: str
    length: int
    player: ReportedPlayer
    opponent: ReportedPlayer
    points: tuple[float, float] | None
    winner: ReportedPlayer
    online: bool

    @property
    def score(self) -> str:
        """`7-4`, the points of the player first; "" where they are not known."""
        return "-".join(f"{points:g}" for points in self.points) if self.points else ""


@dataclass(frozen=True, slots=True)
class ReportedPoints:
    """The master points of a player in a tournament that is over, in thousandths, and the values they come from."""

    day: date
    tournament: Tournament
    player: ReportedPlayer
    division: int
    players: int
    rank: int
    sharing: int
    weight: int  # of the event, in percent
    for_wins: int
    for_place: int

    @property
    def total(self) -> int:
        return self.for_wins + self.for_place


@dataclass(frozen=True)
class FederationReport:
    """What a federation is told about some tournaments, the first one to end first."""

    tournaments: Sequence[_Played]

    @cached_property
    def matches(self) -> list[ReportedMatch]:
        return [match for played in self.tournaments for match in played.matches()]

    @cached_property
    def points(self) -> list[ReportedPoints]:
        return [points for played in self.tournaments for points in played.points()]

    @property
    def without_number(self) -> int:
        """How many players of these matches have no member number."""
        players = {player for match in self.matches for player in (match.player, match.opponent)}
        return sum(not player.member_number for player in players)


@dataclass(frozen=True)
class NumberedEntrant:
    """A player of a tournament with the member number that its report gives."""

    entrant: Entrant

    @property
    def number(self) -> int:
        return self.entrant.number

    @property
    def name(self) -> str:
        return self.entrant.name

    @property
    def member_number(self) -> str:
        return _number_of(self.entrant)


@dataclass(frozen=True)
class TournamentReport(FederationReport):
    """The report of one tournament, for its desk."""

    tournament: Tournament
    players: list[NumberedEntrant]


def tournament_report(*, tournament_id: str, user: User) -> TournamentReport:
    """The report of a tournament as far as it is played, for its directors. Raises NotFound, Refused: not_director."""
    tournament = lookups.desk_tournament(tournament_id=tournament_id, user=user, act=DeskAct.REPORT)
    (played,) = _load([tournament])
    people = [entrant for entrant in played.entrants.values() if played.is_person(entrant)]
    players = sorted(map(NumberedEntrant, people), key=lambda player: without_accents(player.name))
    return TournamentReport([played], tournament, players)


def club_report(*, club: Club, user: User, first: date, last: date) -> FederationReport:
    """The report of the tournaments of a club that ended on these days, in its time zone, for its directors.

    Raises Refused: not_club_director, report_days.
    """
    if not may_direct(user, club):
        raise Refused("not_club_director")
    if not 0 <= (last - first).days < MOST_DAYS:
        raise Refused("report_days", params={"most": MOST_DAYS})
    return FederationReport(_load(list(ended_between(club, first, last))))


# Reading: four queries, however many tournaments there are


@dataclass(frozen=True)
class _Played:
    """A tournament with its state, the moments of its results, and the accounts of everybody who played."""

    tournament: Tournament
    state: State
    entrants: Mapping[int, Entrant]
    entered: Mapping[tuple[str, frozenset[int]], datetime]  # the first result of these two at that pairing
    predecessors: Mapping[int, User]

    def is_person(self, entrant: Entrant) -> bool:
        """Whether this is a player, and no computer."""
        is_bot = entrant.user is not None and entrant.user.is_bot
        return not is_bot and entrant.number not in self.state.rosters and not entrant.waiting

    def matches(self) -> Iterator[ReportedMatch]:
        """The matches that two people played to their end: no walkovers, no byes."""
        found = [match for pairing in self.state.pairings if (match := self._match(pairing)) is not None]
        yield from sorted(found, key=lambda match: match.day)

    def points(self) -> Iterator[ReportedPoints]:
        """The master points, from the first place down; none before the end (ruling P1)."""
        ranks = {rank.entrant: rank for rank in final_ranks(self.state)}
        weight = Purse.read(self.state.purse).weight
        for award in awards_of(self.state):
            entrant, rank = self.entrants[award.entrant], ranks[award.entrant]
            if self.is_person(entrant) and award.total:
                yield ReportedPoints(
                    day=self._day(self.tournament.ended_at or self.tournament.created_at),
                    tournament=self.tournament,
                    player=ReportedPlayer(entrant.name, _number_of(entrant)),
                    division=rank.division,
                    players=rank.players,
                    rank=rank.rank,
                    sharing=rank.sharing,
                    weight=weight,
                    for_wins=award.wins,
                    for_place=award.placement,
                )

    def _match(self, pairing: Pairing) -> ReportedMatch | None:
        result = pairing.result
        if pairing.state != "done" or result is None or result.how != "played" or result.winner is None:
            return None
        players = [self._player(number, pairing) for number in pairing.entrants]
        first, second = players
        if first is None or second is None:
            return None
        entered = self.entered.get((pairing.key, frozenset(pairing.entrants)))
        rules = self.state.rules
        return ReportedMatch(
            day=self._day(entered or self.tournament.ended_at or self.tournament.created_at),
            tournament=self.tournament,
            pairing=pairing,
            variant=rules.variant,
            length=rules.length(pairing.section, pairing.round),
            player=first,
            opponent=second,
            points=result.points,
            winner=first if result.winner == pairing.entrants[0] else second,
            online=bool(result.match),
        )

    def _player(self, number: int, pairing: Pairing) -> ReportedPlayer | None:
        """Who played a pairing, a predecessor of the present player if it was theirs (E4); None for a computer."""
        person = self.state.predecessor(pairing, number)
        if person is None:
            entrant = self.entrants[number]
            return ReportedPlayer(entrant.name, _number_of(entrant)) if self.is_person(entrant) else None
        user = self.predecessors.get(person.user) if person.user is not None else None
        if user is None:
            return ReportedPlayer(person.name, "")
        return None if user.is_bot else ReportedPlayer(user.username, user.federation_number)

    def _day(self, moment: datetime) -> date:
        return moment.astimezone(ZoneInfo(self.tournament.timezone)).date()


def _number_of(entrant: Entrant) -> str:
    """The member number of an entrant: what a director entered, else what the player has in their settings."""
    return entrant.federation_number or (entrant.user.federation_number if entrant.user is not None else "")


def _load(tournaments: Sequence[Tournament]) -> list[_Played]:
    keys = [tournament.pk for tournament in tournaments]
    entrants: dict[str, dict[int, Entrant]] = {key: {} for key in keys}
    for entrant in Entrant.objects.filter(tournament__in=keys).select_related("user"):
        entrants[entrant.tournament_id][entrant.number] = entrant
    events: dict[str, list[tuple[Event, datetime]]] = {key: [] for key in keys}
    rows = TournamentEvent.objects.filter(tournament__in=keys).order_by("n")
    for key, kind, data, act, at in rows.values_list("tournament_id", "kind", "data", "act", "at"):
        events[key].append((Event(kind, data, act), at))
    states = {key: undo.replay([event for event, _at in happened]) for key, happened in events.items()}
    people = {person.user for state in states.values() for holders in state.people.values() for person in holders}
    predecessors = User.objects.in_bulk([pk for pk in people if pk is not None]) if people else {}
    return [
        _Played(
            tournament,
            states[tournament.pk],
            entrants[tournament.pk],
            _first_entries(states[tournament.pk], events[tournament.pk]),
            predecessors,
        )
        for tournament in tournaments
    ]


def _first_entries(
    state: State, happened: Sequence[tuple[Event, datetime]]
) -> dict[tuple[str, frozenset[int]], datetime]:
    """When the first result of each pairing was entered that was not undone: a correction does not move the day."""
    undone = undo.undone_acts(event for event, _at in happened)
    found: dict[tuple[str, frozenset[int]], datetime] = {}
    for event, at in happened:
        if event.kind == "result" and event.act not in undone:
            key = event.data["key"]
            pairing = state.by_key.get(key)
            met = event.data.get("of") or (pairing.entrants if pairing is not None else ())
            found.setdefault((key, frozenset(met)), at)
    return found


# The tables


def sheet_rows(report: FederationReport, sheet: str) -> Iterator[Sequence[Any]]:
    """The rows of one table, its heads first. The heads that an import of results needs have its names."""
    return match_rows(report.matches) if sheet == "matches" else points_rows(report.points)


def match_rows(matches: Iterable[ReportedMatch]) -> Iterator[Sequence[Any]]:
    """The table of the matches."""
    yield (
        *("date", "event", "section", "round", "game", "length", "player", "player_member_number", "opponent"),
        *("opponent_member_number", "score", "winner", "played", "tournament", "pairing"),
    )
    for match in matches:
        yield (
            match.day.isoformat(),
            match.tournament.name,
            match.pairing.section,
            match.pairing.round,
            match.variant,
            match.length,
            match.player.name,
            match.player.member_number,
            match.opponent.name,
            match.opponent.member_number,
            match.score,
            match.winner.name,
            "online" if match.online else "board",
            match.tournament.pk,
            match.pairing.key,
        )


def points_rows(points: Iterable[ReportedPoints]) -> Iterator[Sequence[Any]]:
    """The table of the master points."""
    yield (
        *("date", "event", "player", "member_number", "division", "players", "rank", "sharing", "event_weight"),
        *("match_win_points", "placement_points", "master_points", "tournament"),
    )
    for row in points:
        yield (
            row.day.isoformat(),
            row.tournament.name,
            row.player.name,
            row.player.member_number,
            row.division,
            row.players,
            row.rank,
            row.sharing,
            f"{row.weight / 100:.2f}",
            *(f"{value / THOUSANDTHS:.3f}" for value in (row.for_wins, row.for_place, row.total)),
            row.tournament.pk,
        )
