"""The pages of a team and of a team match, and what their forms show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Club, Membership, User
from games import labels as game_labels
from tournaments.errors import NotFound, Refused
from tournaments.formats.core import Entrant as EntrantNumber
from tournaments.formats.core import Key, Pairing
from tournaments.models import Entrant, Team
from tournaments.roles import DeskAct, may
from tournaments.selectors import labels
from tournaments.selectors.pairing_cards import PairingCard
from tournaments.selectors.tournament_page import TournamentPage, is_captain, tournament_page


@dataclass(frozen=True, slots=True)
class TeamPlayerRow:
    """A player of a team: their registered board (None: a reserve), and the boards that they have won and lost."""

    entrant: Entrant
    name: str
    board: int | None
    replaced: str
    won: int
    lost: int

    @property
    def played(self) -> int:
        return self.won + self.lost


@dataclass(frozen=True, slots=True)
class LineupRow:
    """A round for which a team can set its line-up, and the line-up now."""

    section: str
    round: int
    title: str
    opponent: str  # "" where the round is not paired yet
    players: tuple[str, ...]
    numbers: tuple[EntrantNumber, ...]  # of the players
    chosen: bool  # whether it was set, and is not the registered order


@dataclass(frozen=True)
class TeamPage:
    """A team for one viewer."""

    view: TournamentPage
    entrant: Entrant
    team: Team

    @property
    def name(self) -> str:
        return self.entrant.name

    @property
    def number(self) -> EntrantNumber:
        return self.entrant.number

    @cached_property
    def players(self) -> list[TeamPlayerRow]:
        """The players in the order of the boards, then the reserves."""
        state, snapshot = self.view.state, self.view.snapshot
        rows = []
        for place, number in enumerate(state.rosters.get(self.number, ()), start=1):
            boards = [board for board in state.pairings if number in board.entrants and board.state == "done"]
            won = sum(board.winner == number for board in boards)
            board = place if place <= state.teams.boards else None
            replaced = snapshot.place_names.replaced(number)
            row = snapshot.entrants[number]
            rows.append(TeamPlayerRow(row, row.name, board, replaced, won, len(boards) - won))
        return rows

    @property
    def matches(self) -> list[PairingCard]:
        """The matches of the team, as far as they are known."""
        fixtures = (fixture for fixture in self.view.state.fixtures if self.number in fixture.entrants)
        return [self.view.snapshot.card(fixture) for fixture in fixtures]

    @property
    def directs(self) -> bool:
        return may(self.view.role, DeskAct.MANAGE_ENTRANTS)

    @property
    def manages(self) -> bool:
        """Whether the viewer sets the line-ups of the team: its captain, and the directors."""
        return self.directs or (self.view.viewer is not None and is_captain(self.view.viewer, self.entrant))

    @property
    def may_change(self) -> bool:
        """Whether the viewer changes the players of the team now; after the draw directors add reserves."""
        phases = ("open", "drawn", "running") if self.directs else ("open",)
        return self.manages and self.view.state.phase in phases

    @property
    def may_substitute(self) -> bool:
        """Whether the viewer may put a substitute in the place of a player for good (ruling E4)."""
        return self.directs and self.view.state.phase in ("drawn", "running")

    @property
    def may_withdraw(self) -> bool:
        return self.manages and not self.entrant.withdrawn and self.view.state.phase in ("open", "drawn", "running")

    @property
    def may_leave(self) -> bool:
        """Whether the viewer plays for this team and may still leave it."""
        viewer = self.view.viewer
        plays = viewer is not None and any(row.entrant.user_id == viewer.pk for row in self.players)
        return plays and self.view.state.phase == "open"

    @property
    def lineups(self) -> list[LineupRow]:
        """The rounds for which the line-up can be set: for the captain and the directors alone."""
        if not self.manages or self.entrant.withdrawn or self.view.state.phase not in ("open", "drawn", "running"):
            return []
        return [self._lineup(section, round_) for section, round_ in self.view.state.lineup_rounds(self.number)]

    def _lineup(self, section: str, round_: int) -> LineupRow:
        state, snapshot = self.view.state, self.view.snapshot
        fixture = next(
            (
                fixture
                for fixture in state.fixtures
                if (fixture.section, fixture.round) == (section, round_) and self.number in fixture.entrants
            ),
            None,
        )
        others = [number for number in fixture.entrants if number != self.number] if fixture is not None else []
        numbers = state.teams.lineup(section, round_, self.number)
        return LineupRow(
            section,
            round_,
            round_title(self.view, section, round_),
            snapshot.name(others[0]) if others else "",
            tuple(snapshot.name(number) for number in numbers),
            numbers,
            (section, round_, self.number) in state.lineups,
        )

    def lineup_of(self, section: str, round_: int) -> LineupRow:
        """The line-up of a round that can be set now. Raises Refused: lineup_fixed, lineup_round."""
        found = next((row for row in self.lineups if (row.section, row.round) == (section, round_)), None)
        if found is None:
            published = self.view.state.is_published(section, round_)
            raise Refused("lineup_fixed" if published else "lineup_round")
        return found


@dataclass(frozen=True)
class TeamMatchPage:
    """A team match with its boards, for one viewer."""

    view: TournamentPage
    fixture: Pairing

    @property
    def card(self) -> PairingCard:
        return self.view.snapshot.card(self.fixture)

    @property
    def title(self) -> str:
        return round_title(self.view, self.fixture.section, self.fixture.round)

    @property
    def length(self) -> str:
        return game_labels.length(self.view.terms.length(self.fixture.section, self.fixture.round))

    @property
    def teams(self) -> list[tuple[str, str]]:
        """The two teams: name and page."""
        tournament = self.view.tournament.pk
        return [
            (self.view.snapshot.name(number), reverse("team", args=[tournament, number]))
            for number in self.fixture.entrants
        ]

    @property
    def has_home(self) -> bool:
        """Whether the first team plays at home: in a round robin and a league."""
        return self.view.state.format.sections == "cross"

    @property
    def boards(self) -> Sequence[PairingCard]:
        return self.card.boards

    @property
    def verdict(self) -> str:
        """How the match ended: `Ajenjo won 3–1`, `Draw 2–2`; "" before its end."""
        result = self.fixture.result
        if result is None:
            return ""
        points = [game_labels.points(value) for value in sorted(result.points or (), reverse=True)]
        score = "–".join(points)
        if result.winner is None:
            return _("Draw %(score)s") % {"score": score} if result.drawn else _("Both teams lost")
        name = self.view.snapshot.name(result.winner)
        if not score:
            return _("%(team)s won without playing") % {"team": name}
        if result.points is not None and result.points[0] == result.points[1]:
            return _("%(team)s goes on after %(score)s, by the tie-break") % {"team": name, "score": score}
        return _("%(team)s won %(score)s") % {"team": name, "score": score}


def round_title(view: TournamentPage, section: str, round_: int) -> str:
    """The name of a round: `Semi-finals`, `Round 2`."""
    fixtures = [fixture for fixture in view.state.fixtures if fixture.section == section]
    sizes: dict[int, int] = {}
    for fixture in fixtures:
        sizes[fixture.round] = max(sizes.get(fixture.round, 0), fixture.number)
    names = labels.round_labels(section, sizes) if view.state.format.sections == "bracket" else {}
    return names.get(round_) or _("Round %(n)s") % {"n": round_}


def team_page(*, tournament_id: str, number: int, user: User | None) -> TeamPage:
    """A team. Raises NotFound."""
    view = tournament_page(tournament_id=tournament_id, user=user)
    entrant = view.snapshot.entrants.get(number)
    team: Team | None = getattr(entrant, "as_team", None)
    if entrant is None or team is None:
        raise NotFound
    return TeamPage(view, entrant, team)


def managed_team(*, tournament_id: str, number: int, user: User) -> TeamPage:
    """A team for its captain or a director. Raises NotFound, Refused("not_captain")."""
    page = team_page(tournament_id=tournament_id, number=number, user=user)
    if not page.manages:
        raise Refused("not_captain")
    return page


def team_match_page(*, tournament_id: str, key: Key, user: User | None) -> TeamMatchPage:
    """A match between two teams. Raises NotFound."""
    view = tournament_page(tournament_id=tournament_id, user=user)
    fixture = view.state.fixture_by_key.get(key)
    if not view.of_teams or fixture is None or len(fixture.entrants) < 2:
        raise NotFound
    return TeamMatchPage(view, fixture)


def team_entry_page(*, tournament_id: str, user: User) -> TournamentPage:
    """A tournament that a team can be entered in. Raises NotFound, Refused: no_teams, entry_closed."""
    view = tournament_page(tournament_id=tournament_id, user=user)
    if not view.of_teams:
        raise Refused("no_teams")
    if view.state.phase != "open":
        raise Refused("entry_closed")
    return view


def clubs_to_play_for(user: User, *, directs: bool, of: Team | None = None) -> list[Club]:
    """The clubs that a team may be of: a director chooses among all, a captain among theirs and the one it is `of`."""
    if directs:
        return list(Club.objects.order_by("name", "pk"))
    rows = Membership.objects.filter(user=user).select_related("club")
    own = {row.club_id for row in rows if not row.expired}
    kept = Q(pk=of.club_id if of is not None else None)
    return list(Club.objects.filter(Q(pk__in=own) | Q(is_default=True) | kept).order_by("name", "pk"))
