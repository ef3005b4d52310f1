"""The page of one tournament for one viewer, in the same number of queries however many play."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.names.validation import fold
from games import labels as game_labels
from games.database import now
from games.models import Match, Seat
from tournaments import undo
from tournaments.errors import NotFound
from tournaments.models import Entrant, Meeting, Team, Tournament, TournamentEvent
from tournaments.roles import Role
from tournaments.selectors import labels
from tournaments.selectors.arena import ArenaClock, arena_clock
from tournaments.selectors.page_header import PageHeader
from tournaments.selectors.pairing_cards import PairingCard, TournamentSnapshot
from tournaments.selectors.rulings import Ruling, ruling_of
from tournaments.selectors.sections import SectionView, StandingsRow, champions, order_of_finish, rounds_shown
from tournaments.selectors.sections import section_views as parts_of
from tournaments.selectors.tournament_status import TournamentStatus
from tournaments.selectors.viewer_entry import ViewerEntry, viewer_entry
from tournaments.services.transaction import load_events, load_state
from tournaments.terms import Terms

SHOWN_EVENTS = ("announced", "drawn", "ruled")


@dataclass(frozen=True, slots=True)
class ByeOption:
    """A round in which the viewer may ask for a bye, and whether they did."""

    round: int
    asked: bool


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement."""

    text: str
    by: str
    at: str


@dataclass(frozen=True)
class TournamentPage(PageHeader):
    """The page of one tournament for one viewer."""

    directors: list[User]
    sections: list[SectionView]
    viewer_entry: ViewerEntry | None
    announcements: list[Announcement]
    rulings: list[Ruling]
    has_draw_document: bool  # whether there is a draw to check
    role: str  # the viewer's; "": none
    is_member: bool
    search: str
    viewer: User | None = None

    @property
    def is_director(self) -> bool:
        """Whether the viewer directs the tournament."""
        return self.role == Role.DIRECTOR

    @property
    def terms(self) -> Terms:
        return self.state.rules

    @property
    def path(self) -> str:
        return reverse("tournament", args=[self.tournament.pk])

    @property
    def facts(self) -> list[tuple[str, str]]:
        """The settings in words: name and value."""
        terms = self.terms
        details = [
            (_("Format"), labels.format_label(terms.config)),
            (_("Game"), " · ".join([game_labels.variant(terms.variant), *self._options])),
            (_("Length"), labels.lengths_label(terms.lengths)),
            (_("Clock"), f"{game_labels.clock(terms.clock)} · {game_labels.clock_terms(terms.clock)}"),
            (_("Venue"), labels.label_of(labels.VENUES, terms.venue)),
        ]
        if conditions := labels.conditions_label(terms, self.tournament.club.name):
            details.append((_("Who can register"), conditions))
        if terms.side_lengths:
            details.insert(3, (_("Other brackets"), labels.lengths_label(terms.side_lengths)))
        return details

    @property
    def _options(self) -> list[str]:
        return game_labels.terms(self.terms.variant, self.terms.lengths[0], self.terms.options)

    @property
    def starts_iso(self) -> str:
        return labels.iso_moment(self.tournament.starts_at, self.snapshot.zone)

    @property
    def entrants(self) -> list[Entrant]:
        """All entrants, players or teams, in the order of the draw, before it in that of entry; withdrawn ones last."""
        seeds = self.snapshot.seeds
        return sorted(
            (entrant for entrant in self.snapshot.entrants.values() if entrant.team_id is None),
            key=lambda entrant: (
                entrant.withdrawn,
                entrant.waiting,
                seeds.get(entrant.number, len(seeds) + entrant.number),
            ),
        )

    @property
    def players(self) -> int:
        return sum(entrant.plays for entrant in self.snapshot.entrants.values())

    @property
    def size(self) -> str:
        return labels.size_label(self.players, self.tournament.capacity, self.terms.config)

    @property
    def viewer_team(self) -> Entrant | None:
        """The team that the viewer plays for or captains."""
        competitor = self.snapshot.competitor(self.snapshot.viewer_number)
        if competitor is not None and competitor in self.state.rosters:
            return self.snapshot.entrants[competitor]
        return next((team for team in self.entrants if self.viewer is not None and is_captain(self.viewer, team)), None)

    @property
    def is_captain(self) -> bool:
        """Whether the viewer is the captain of their team."""
        team = self.viewer_team
        return team is not None and self.viewer is not None and is_captain(self.viewer, team)

    @cached_property
    def status(self) -> TournamentStatus:
        return TournamentStatus(self.snapshot, now())

    @cached_property
    def arena_clock(self) -> ArenaClock | None:
        """The end of the pairing of an arena, while players are paired."""
        return arena_clock(self.state, now())

    @property
    def takes_entries(self) -> bool:
        """Whether players can enter by themselves, before the draw or into a running arena."""
        return self.state.phase == "open" or self.state.takes_players

    @property
    def viewer_pauses(self) -> bool:
        """Whether the viewer pauses in an arena."""
        return self.snapshot.viewer_number in self.state.paused

    @property
    def shows_check_in_code(self) -> bool:
        """Whether the viewer has a place to check in for at the door, by the code that the director scans."""
        entrant = self.viewer_entry.entrant if self.viewer_entry is not None else None
        at_the_door = self.state.phase == "open" and not self.state.plays_online_only
        return at_the_door and entrant is not None and entrant.plays and not entrant.checked_in

    @property
    def bye_options(self) -> list[ByeOption]:
        """The rounds in which the viewer may ask for a bye."""
        entrant = self.viewer_entry.entrant if self.viewer_entry is not None else None
        if entrant is None or not entrant.plays:
            return []
        asked = self.state.byes.get(entrant.number, frozenset())
        return [ByeOption(round_, round_ in asked) for round_ in self.status.bye_rounds]

    @property
    def is_full(self) -> bool:
        return self.tournament.capacity is not None and self.players >= self.tournament.capacity

    @property
    def live_cards(self) -> list[PairingCard]:
        """The cards of the matches in play."""
        snapshot = self.snapshot
        playing = {key for key, row in snapshot.meetings.items() if row.match and row.match.status == Match.Status.LIVE}
        cards = (snapshot.card(pairing) for pairing in self.state.pairings if pairing.key in playing)
        return [card for card in cards if card.live]

    @property
    def standings_lines(self) -> list[StandingsRow]:
        """The lines of all tables."""
        return [line for part in self.sections for line in part.standings]

    @property
    def champions(self) -> list[str]:
        return champions(self.snapshot)

    @property
    def order_of_finish(self) -> tuple[StandingsRow, ...]:
        return order_of_finish(self.snapshot)

    @property
    def found_url(self) -> str:
        """A link to the player who was searched: the first pairing that they have to play, or their last one."""
        highlighted = self.snapshot.competitor(self.snapshot.highlighted)
        if self.state.pairs_free_players:
            return ""
        pairings = [
            pairing for pairing in self.state.fixtures if highlighted in pairing.entrants and pairing.state != "void"
        ]
        unplayed = [pairing for pairing in pairings if pairing.state in ("ready", "waiting")]
        found = unplayed[0] if unplayed else pairings[-1] if pairings else None
        if found is None:
            return ""
        requested, _hash, key = self.snapshot.link_to(found).partition("#")
        return f"?player={quote(self.search)}{requested.replace('?', '&')}#{key}" if requested else f"#{key}"

    @property
    def found_entrant(self) -> Entrant | None:
        """The entrant who was searched by name."""
        number = self.snapshot.highlighted
        return self.snapshot.entrants[number] if self.search and number is not None else None


def tournament_or_not_found(tournament_id: str) -> Tournament:
    """A tournament with its club. Raises NotFound."""
    found = Tournament.objects.select_related("club", "weekend").filter(pk=tournament_id).first()
    if found is None:
        raise NotFound
    return found


def tournament_version(tournament_id: str) -> int:
    """The version of a tournament: how many events it has. Raises NotFound."""
    found = Tournament.objects.filter(pk=tournament_id).values_list("version", flat=True).first()
    if found is None:
        raise NotFound
    return found


def tournament_page(
    *, tournament_id: str, user: User | None, search: str = "", requested: Collection[str] = ()
) -> TournamentPage:
    """The page of a tournament for a user, or for an anonymous visitor (None). Raises NotFound.

    `requested` are parts that a large page leaves out at first: `league-5` (a round), `grid-league` (a crosstable).
    """
    tournament = tournament_or_not_found(tournament_id)
    rows = tournament.entrants.select_related("user", "as_team__captain", "as_team__club")
    entrants = {entrant.number: entrant for entrant in rows}
    viewer_entrant = next(
        (entrant for entrant in entrants.values() if user is not None and entrant.user_id == user.pk), None
    )
    highlighted = _entrant_matching(entrants, search)
    state = load_state(tournament)
    shown = rounds_shown(state, requested)
    snapshot = TournamentSnapshot(
        tournament,
        state,
        entrants,
        _meetings(tournament, shown),
        _seats_in_play(tournament),
        viewer_number=viewer_entrant.number if viewer_entrant else None,
        highlighted=highlighted if highlighted is not None else viewer_entrant.number if viewer_entrant else None,
        shown_rounds=shown,
        requested=frozenset(requested),
    )
    officials = list(tournament.officials.select_related("user").order_by("pk"))
    events = TournamentEvent.objects.filter(
        tournament=tournament, kind__in=("announced", "drawn", "ruled")
    ).select_related("by")
    return TournamentPage(
        snapshot=snapshot,
        directors=[official.user for official in officials if official.role == Role.DIRECTOR],
        role=next((official.role for official in officials if official.user == user), ""),
        sections=parts_of(snapshot),
        viewer_entry=viewer_entry(snapshot, viewer_entrant) if viewer_entrant else None,
        announcements=[_announcement(event, snapshot.zone) for event in reversed(events) if event.kind == "announced"],
        rulings=[ruling_of(event, snapshot.zone) for event in reversed(events) if event.kind == "ruled"],
        has_draw_document=bool(state.order)
        and any(event.kind == "drawn" and event.data.get("document") for event in events),
        is_member=user is not None and not user.is_guest,
        search=search,
        viewer=user,
    )


def is_captain(user: User, entrant: Entrant) -> bool:
    """Whether a user is the captain of an entrant that is a team, read with `as_team`."""
    team: Team | None = getattr(entrant, "as_team", None)
    return team is not None and team.captain_id == user.pk


def draw_document(tournament_id: str) -> Mapping[str, Any]:
    """The document that verifies the effective draw. Raises NotFound before the draw."""
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    events = undo.effective_events(load_events(tournament)) if tournament is not None else []
    found: Mapping[str, Any] | None = next(
        (event.data.get("document") for event in events if event.kind == "drawn"), None
    )
    if not found:
        raise NotFound
    return found


def _meetings(tournament: Tournament, shown: frozenset[tuple[str, int]] | None) -> dict[str, Meeting]:
    """The open meetings and those of the `shown` rounds (None: all), with their matches, without positions."""
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
    unfinished = (Match.Status.OPEN, Match.Status.LIVE)
    for seat in Seat.objects.filter(match__meeting__tournament=tournament, match__status__in=unfinished):
        found.setdefault(seat.match_id, []).append(seat)
    return found


def _entrant_matching(entrants: Mapping[int, Entrant], search: str) -> int | None:
    """The first entrant whose name equals, starts with or contains the search text."""
    wanted = fold(search.strip())
    if not wanted:
        return None
    names = {number: fold(entrant.name) for number, entrant in entrants.items()}
    for fits in (str.__eq__, str.startswith, str.__contains__):
        for number, name in names.items():
            if fits(name, wanted):
                return number
    return None


def _announcement(event: TournamentEvent, zone: ZoneInfo) -> Announcement:
    by = event.by.username if event.by else ""
    return Announcement(event.data.get("text", ""), by, labels.format_moment(event.at, zone))
