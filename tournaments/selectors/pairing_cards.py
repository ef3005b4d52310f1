"""The cards of pairings on the pages, with a sentence for screen readers, and the snapshot they are made from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils.translation import gettext as _

from games import labels as game_labels
from games.models import Match, Seat
from tournaments.formats.core import Key, LoserOf, Pairing, Slot, WinnerOf
from tournaments.models import Entrant, Meeting, Tournament
from tournaments.part_keys import fixture_key, part_number
from tournaments.selectors import labels
from tournaments.selectors.place_names import PlaceNames
from tournaments.state import State

SIDES = (attrgetter("a"), attrgetter("b"))  # of a pairing


@dataclass(frozen=True, slots=True)
class CardSide:
    """A player of a card: an entrant, or where the entrant will come from."""

    name: str = ""
    source: str = ""
    number: int | None = None
    seed: int | None = None  # the place in the draw
    points: str = ""
    won: bool = False


@dataclass(frozen=True, slots=True)
class PairingCard:
    """A pairing. `state` is a CSS class: waiting, closed, ready, live, reported, done, bye, absent, void."""

    key: Key
    mark: str
    round: int
    number: int
    a: CardSide
    b: CardSide
    state: str
    status: str  # in words, short
    why: str
    sentence: str
    match_id: str = ""
    due: str = ""
    of_viewer: bool = False
    highlighted: bool = False
    corrected: bool = False  # by a director; `why` says why
    board: int | None = None  # to which the two are called
    room: str = ""
    boards: tuple[PairingCard, ...] = ()  # of a team match, once its line-ups can be seen
    page: str = ""  # of a team match
    matches: tuple[PairingCard, ...] = ()  # of a series: those that have been played, and the next one
    part: str = ""  # of a match of a series: `match 2`

    @property
    def sides(self) -> tuple[CardSide, CardSide]:
        return self.a, self.b

    @property
    def played(self) -> tuple[PairingCard, ...]:
        """The cards of what is played: the boards of a team match, the matches of a series, else this card."""
        return self.boards or self.matches or (self,)

    @property
    def score(self) -> str:
        """`7–4`; "" without points."""
        return f"{self.a.points}–{self.b.points}" if self.a.points else ""

    @property
    def place(self) -> str:
        """Where they play: `board 12`, `board 12, Main hall`; "" before they are called."""
        if self.room:
            return _("board %(number)s, %(room)s") % {"number": self.board, "room": self.room}
        return self.board_label

    @property
    def board_label(self) -> str:
        """`board 12`; "" before they are called."""
        return _("board %(number)s") % {"number": self.board} if self.board is not None else ""

    @property
    def live(self) -> bool:
        return self.state == "live"

    @property
    def url(self) -> str:
        return reverse("match", args=[self.match_id]) if self.match_id else ""


@dataclass
class TournamentSnapshot:
    """A tournament for one viewer: everything that its cards are made from, read once per request.

    `viewer_number` is the viewer's entrant number, `highlighted` the number whose path is highlighted: the searched
    player, else the viewer.
    """

    tournament: Tournament
    state: State
    entrants: Mapping[int, Entrant]
    meetings: Mapping[Key, Meeting]
    seats: Mapping[str, list[Seat]] = field(default_factory=dict)  # of the matches in play
    viewer_number: int | None = None
    highlighted: int | None = None
    shown_rounds: frozenset[tuple[str, int]] | None = None  # the rounds whose pairings are on the page; None: all
    requested: frozenset[str] = frozenset()  # the deferred parts to include: `league-5`, `grid-league`

    @cached_property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.tournament.timezone)

    @cached_property
    def seeds(self) -> dict[int, int]:
        """The place in the draw of each entrant."""
        return {entrant: place for place, entrant in enumerate(self.state.order, 1)}

    @cached_property
    def highlighted_keys(self) -> frozenset[Key]:
        """The pairings of the highlighted entrant, and those that they reach by winning all matches from now on."""
        if self.highlighted is None:
            return frozenset()
        competitor = self.competitor(self.highlighted)
        found = {pairing.key for pairing in self.state.fixtures if competitor in pairing.entrants}
        ahead = {key for key in found if self.state.fixture_by_key[key].state in ("ready", "waiting")}
        for pairing in self.state.fixtures:  # a winner goes to a pairing that stands later in the list
            fed = (slot.source.key for slot in (pairing.a, pairing.b) if isinstance(slot.source, WinnerOf))
            if pairing.key not in found and not ahead.isdisjoint(fed):
                found.add(pairing.key)
                ahead.add(pairing.key)
        boards = (board.key for board in self.state.pairings if self.highlighted in board.entrants)
        return frozenset((*found, *boards))

    @cached_property
    def boards_by_fixture(self) -> Mapping[Key, Sequence[Pairing]]:
        """The boards of each team match whose line-ups can be seen."""
        return self._parts_by_fixture if self.state.teams.boards else {}

    @cached_property
    def matches_by_series(self) -> Mapping[Key, Sequence[Pairing]]:
        """The matches of each series that has begun or can begin."""
        return self._parts_by_fixture if self.state.series else {}

    @cached_property
    def _parts_by_fixture(self) -> Mapping[Key, Sequence[Pairing]]:
        found: dict[Key, list[Pairing]] = {}
        for pairing in self.state.pairings:
            if part_number(pairing.key):
                found.setdefault(fixture_key(pairing.key), []).append(pairing)
        return found

    def competitor(self, number: int | None) -> int | None:
        """The entrant of the draw that a number stands for: the team of a player, else the entrant itself."""
        return self.state.teams.competitor(number) if number is not None else None

    def is_viewer(self, entrant: int) -> bool:
        """Whether an entrant is the viewer, or their team."""
        return entrant in (self.viewer_number, self.competitor(self.viewer_number))

    @cached_property
    def place_names(self) -> PlaceNames:
        return PlaceNames(self.state, self.entrants)

    def name(self, number: int, pairing: Pairing | None = None) -> str:
        """The name of an entrant: of the present player, or of the one who played a pairing."""
        return self.place_names.name(number, pairing)

    def player_url(self, number: int) -> str:
        """The page of an entrant's account, or of a team; "" for a walk-in."""
        if number in self.state.rosters:
            return reverse("team", args=[self.tournament.pk, number])
        user = self.entrants[number].user
        return reverse("player", args=[user.username]) if user is not None else ""

    def shows_round(self, section: str, round_: int) -> bool:
        """Whether the page shows the pairings of a round."""
        return self.shown_rounds is None or (section, round_) in self.shown_rounds

    def link_to(self, pairing: Pairing) -> str:
        """The link to a pairing on the page."""
        requested = (
            "" if self.shows_round(pairing.section, pairing.round) else f"?round={pairing.section}-{pairing.round}"
        )
        return f"{requested}#{pairing.key}"

    def card(self, pairing: Pairing) -> PairingCard:
        """The card of a pairing; that of a series shows where its present match is played."""
        matches = self.matches_by_series.get(pairing.key, ())
        present = next((match for match in matches if match.state == "ready"), pairing)
        meeting = self.meetings.get(present.key)
        state, status, points = self.card_state(pairing)
        a, b = self._side(pairing, pairing.a, points[0]), self._side(pairing, pairing.b, points[1])
        match = meeting.match if meeting else None
        call = self.state.called.get(present.key)
        return PairingCard(
            key=pairing.key,
            mark=labels.pairing_mark(pairing.key),
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
            of_viewer=any(self.is_viewer(entrant) for entrant in pairing.entrants),
            highlighted=pairing.key in self.highlighted_keys,
            corrected=pairing.result is not None and pairing.result.corrected,
            board=call.board if call is not None else None,
            room=self.state.boards.room_of(call.board) if call is not None else "",
            boards=tuple(self.card(board) for board in self.boards_by_fixture.get(pairing.key, ())),
            page=self._page(pairing),
            matches=tuple(self.card(match) for match in matches),
            part=labels.part_label(pairing),
        )

    def _page(self, pairing: Pairing) -> str:
        """The page of a team match; "" for any other pairing, and while a team is not known."""
        is_team_match = len(pairing.entrants) == 2 and pairing.a.entrant in self.state.rosters
        return reverse("team-match", args=[self.tournament.pk, pairing.key]) if is_team_match else ""

    def _why(self, pairing: Pairing) -> str:
        """Why these two meet, why the result was corrected, and penalty points."""
        text = labels.reason_label(pairing.why, pairing.a.source, pairing.b.source)
        if pairing.result is not None and pairing.result.why:
            reason = _("Result corrected: %(why)s") if pairing.result.corrected else _("Ruling: %(why)s")
            text = f"{text} {reason % {'why': pairing.result.why}}".strip()
        if penalties := self.penalties(pairing):
            lost = _("Penalty points: %(points)s") % {"points": penalties}
            text = f"{text} {lost}."
        return text

    def penalties(self, pairing: Pairing) -> str:
        """The penalty points by name: `bea 2`; "" for none."""
        points_by_entrant = self.state.penalties_of(pairing)
        return ", ".join(f"{self.name(number, pairing)} {points}" for number, points in points_by_entrant.items())

    def due(self, meeting: Meeting | None) -> str:
        return labels.format_moment(meeting.due_at, self.zone, labels.SHORT) if meeting else ""

    def _side(self, pairing: Pairing, slot: Slot, points: str) -> CardSide:
        if slot.entrant is not None:
            won = pairing.state in ("done", "bye") and pairing.winner == slot.entrant
            name, seed = self.name(slot.entrant, pairing), self.seeds.get(slot.entrant)
            return CardSide(name, "", slot.entrant, seed, points, won)
        return CardSide(source=_("bye") if slot.is_empty else labels.source_label(slot.source))

    def card_state(self, pairing: Pairing) -> tuple[str, str, tuple[str, str]]:
        """The state of a card, its status in words, and the points of a and b."""
        none = ("", "")
        result = pairing.result
        if pairing.state == "done" and result is not None:
            points = tuple(game_labels.points(p) for p in result.points) if result.points else none
            how = labels.HOW.get(result.how)
            status = str(how) if how else ""
            if result.winner is None:
                status = _("draw") if result.drawn else _("both lose")
            return "done", status, (points[0], points[1])
        if pairing.key in self.boards_by_fixture:
            return self._team_match(self.boards_by_fixture[pairing.key])
        if pairing.state == "ready" and pairing.key in self.matches_by_series:
            return self._series(pairing, self.matches_by_series[pairing.key])
        if pairing.state == "ready":
            return self._ready(pairing, self.meetings.get(pairing.key))
        return pairing.state, "", none

    def _team_match(self, boards: Sequence[Pairing]) -> tuple[str, str, tuple[str, str]]:
        """A team match in play: how many boards each team has won so far."""
        states = {self.card_state(board)[0] for board in boards}
        if states <= {"closed"}:
            return "closed", "", ("", "")
        if states <= {"closed", "ready"}:
            return "ready", _("to be played"), ("", "")
        won = [
            sum(board.winner is not None and board.winner == side(board).entrant for board in boards) for side in SIDES
        ]
        return "ready", _("playing"), (str(won[0]), str(won[1]))

    def _series(self, series: Pairing, matches: Sequence[Pairing]) -> tuple[str, str, tuple[str, str]]:
        """A series in play: the state of its present match, and how many matches each player has won so far."""
        won = self.state.series.score(series, self.state.results)
        state, status, _points = self.card_state(next(match for match in matches if match.state == "ready"))
        if state == "closed" or (not any(won) and state == "ready"):
            return state, status, ("", "")
        return state, status, (str(won[0]), str(won[1]))

    def _ready(self, pairing: Pairing, meeting: Meeting | None) -> tuple[str, str, tuple[str, str]]:
        report = self.state.report(pairing)
        if report is not None:
            status = _("disputed") if report.disputed else _("reported")
            return "reported", status, (game_labels.points(report.points[0]), game_labels.points(report.points[1]))
        if meeting is None or meeting.opened_at is None:
            return "closed", "", ("", "")
        match = meeting.match
        if match is not None and match.status == Match.Status.LIVE:
            score = {seat.user_id: game_labels.points(seat.points) for seat in self.seats.get(match.pk, ())}
            a, b = (score.get(self.entrants[number].user_id, "") for number in pairing.entrants)
            return "live", _("playing"), (a, b)
        return "ready", _("to be played"), ("", "")

    def _sentence(self, pairing: Pairing, a: CardSide, b: CardSide, status: str) -> str:
        params = {
            "mark": labels.pairing_mark(pairing.key),
            "a": a.name or a.source,
            "b": b.name or b.source,
            "points": f"{a.points}–{b.points}" if a.points else "",
            "status": status,
        }
        if pairing.state in ("bye", "absent"):
            return _("%(mark)s: %(name)s has a bye.") % {**params, "name": a.name or b.name}
        if pairing.state == "void":
            return _("%(mark)s: no players.") % params
        if pairing.state == "done" and pairing.winner is not None:
            if b.won:
                params |= {"a": b.name, "b": a.name, "points": f"{b.points}–{a.points}" if b.points else ""}
            params["points"] = ", ".join(part for part in (params["points"], status) if part)
            if params["points"]:
                return _("%(mark)s: %(a)s beat %(b)s, %(points)s.") % params
            return _("%(mark)s: %(a)s beat %(b)s.") % params
        if status and a.points:
            return _("%(mark)s: %(a)s against %(b)s, %(status)s, %(points)s.") % params
        if status:
            return _("%(mark)s: %(a)s against %(b)s, %(status)s.") % params
        return _("%(mark)s: %(a)s against %(b)s.") % params


def next_opponent(snapshot: TournamentSnapshot, number: int) -> str:
    """Whom an entrant waits for: `winner of ana – bea`, or of `2-1` where those are unknown, too; "" for nobody."""
    competitor = snapshot.competitor(number)
    for pairing in snapshot.state.fixtures:
        if pairing.state != "waiting" or competitor not in pairing.entrants:
            continue
        other = pairing.b if pairing.a.entrant == competitor else pairing.a
        if not isinstance(other.source, WinnerOf | LoserOf):
            return labels.source_label(other.source)
        before = snapshot.state.fixture_by_key[other.source.key]
        names = [snapshot.name(entrant, before) for entrant in before.entrants]
        two = " – ".join(names) if len(names) == 2 else labels.pairing_mark(before.key)
        if isinstance(other.source, WinnerOf):
            return _("winner of %(pairing)s") % {"pairing": two}
        return _("loser of %(pairing)s") % {"pairing": two}
    return ""


def cards_by_round(cards: Iterable[PairingCard]) -> dict[int, list[PairingCard]]:
    """Cards by round, each round from the top."""
    found: dict[int, list[PairingCard]] = {}
    for card in cards:
        found.setdefault(card.round, []).append(card)
    return dict(sorted(found.items()))
