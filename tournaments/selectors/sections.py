"""The sections of a tournament's page: brackets as columns, standings with their rounds, crosstables."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tournaments.formats.core import Pairing, Standing
from tournaments.formats.exhibition import host_score
from tournaments.models import Meeting
from tournaments.selectors import crosstables, labels
from tournaments.selectors.arena import ArenaPlayer, arena_players
from tournaments.selectors.crosstables import MOST_CELLS, Cell
from tournaments.selectors.pairing_cards import PairingCard, TournamentSnapshot, cards_by_round
from tournaments.state import State

BRACKETS = frozenset(("main", "consolation", "last", "losers", "final", "third"))
MOST_CARDS = 1000  # on a page at once


@dataclass(frozen=True, slots=True)
class RoundColumn:
    """One round. `places` are its cards from top to bottom, with None for gaps; those of a `deferred` round are loaded
    on request.

    `link` is how its lines lead to the next round: "merge" two to one, "straight" one to one, "" not at all.
    """

    round: int
    title: str
    anchor: str
    note: str
    places: tuple[PairingCard | None, ...]
    link: str = ""
    deferred: bool = False

    @property
    def cards(self) -> list[PairingCard]:
        return [card for card in self.places if card is not None]

    @property
    def first(self) -> str:
        """The anchor of its first card."""
        return next((card.key for card in self.cards), "")


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A row of the standings."""

    standing: Standing
    name: str
    url: str
    values: tuple[str, ...]
    replaced: str  # whom a substitute replaced: `replaces carlos`
    note: str
    is_viewer: bool
    highlighted: bool
    cells: tuple[Cell, ...] = ()  # of the crosstable
    arena: ArenaPlayer | None = None  # of an arena


@dataclass(frozen=True, slots=True)
class SectionView:
    """A section of the page: `kind` bracket, table, cross or arena.

    The crosstable of a cross table is part of its standings, with a column for each player; that of other tables stands
    alone, with a column for each round. `crosstable_deferred`: it is so large that it is loaded on request.
    """

    key: str
    kind: str
    title: str
    columns: tuple[RoundColumn, ...] = ()
    standings: tuple[StandingsRow, ...] = ()
    tie_break_heads: tuple[tuple[str, str], ...] = ()  # of the tie-breaks: short, long
    crosstable_heads: tuple[tuple[str, str], ...] = ()  # its heads
    crosstable_deferred: bool = False
    crosstable_requested: bool = False
    of_teams: bool = False  # matches can be drawn
    score: str = ""  # of an exhibition, which has no standings: `ana 12 – guests 4`

    @property
    def anchor(self) -> str:
        return f"section-{self.key}"

    @property
    def template(self) -> str:
        return f"tournaments/_{self.kind if self.kind in ('bracket', 'arena') else 'table'}.html"

    @property
    def crosstable_anchor(self) -> str:
        return f"grid-{self.key}"

    @property
    def has_separate_crosstable(self) -> bool:
        """Whether the crosstable stands alone, below the standings."""
        return bool(self.crosstable_heads) and (self.kind == "table" or self.crosstable_requested)

    @property
    def rounds(self) -> tuple[RoundColumn, ...]:
        """The rounds below the standings; where rounds are paired one by one, the last one first."""
        return self.columns[::-1] if self.kind == "table" else self.columns


def section_views(snapshot: TournamentSnapshot) -> list[SectionView]:
    """The sections of a drawn tournament, in the order of their format."""
    if not snapshot.state.order:
        return []
    if snapshot.state.pairs_free_players:
        return [_arena_view(snapshot)]
    sections: dict[str, list[Pairing]] = {}
    for pairing in snapshot.state.fixtures:
        sections.setdefault(pairing.section, []).append(pairing)
    if not sections and snapshot.state.format.sections == "table":
        sections[snapshot.state.format.key] = []
    return [_section_view(snapshot, key, pairings) for key, pairings in sections.items()]


def _arena_view(snapshot: TournamentSnapshot) -> SectionView:
    """The table of an arena. Its matches are too many to be shown one by one: the page lists those in play."""
    players = arena_players(snapshot)
    lines = tuple(
        replace(standings_row(snapshot, standing), arena=players[standing.entrant])
        for standing in snapshot.state.standings
    )
    heads = ((labels.label_of(labels.TIE_BREAK_HEADS, "arena"), labels.label_of(labels.TIE_BREAKS, "arena")),)
    return SectionView("arena", "arena", _("Standings"), standings=lines, tie_break_heads=heads)


def _section_view(snapshot: TournamentSnapshot, key: str, pairings: Sequence[Pairing]) -> SectionView:
    state = snapshot.state
    config = state.rules.config
    title = labels.section_label(key, config)
    if key in BRACKETS:
        return SectionView(
            key,
            "bracket",
            title,
            _bracket_columns(snapshot, key, cards_by_round(snapshot.card(pairing) for pairing in pairings)),
        )
    table = state.format.sections == "table"
    lines = tuple(
        standings_row(snapshot, standing)
        for standing in state.standings
        if standing.section == key or (table and not standing.section)
    )
    heads = tuple(
        (labels.label_of(labels.TIE_BREAK_HEADS, name), labels.label_of(labels.TIE_BREAKS, name))
        for name, _value in (lines[0].standing.values if lines else ())
    )
    columns = _table_rounds(snapshot, key, pairings)
    part = SectionView(
        key, "table" if table else "cross", title, columns, lines, heads, of_teams=bool(state.teams.boards)
    )
    if state.format.at_once:
        columns = tuple(replace(column, title=_("Boards")) for column in columns)
        return replace(part, columns=columns, score=_host_score(snapshot))
    return _with_crosstable(snapshot, part, pairings)


def _host_score(snapshot: TournamentSnapshot) -> str:
    host, guests = host_score(snapshot.state.fixtures)
    params = {"name": snapshot.name(snapshot.state.order[0]), "host": host, "guests": guests}
    return _("%(name)s %(host)s – guests %(guests)s") % params


def _with_crosstable(snapshot: TournamentSnapshot, part: SectionView, pairings: Sequence[Pairing]) -> SectionView:
    """The section with its crosstable, or marked as deferred."""
    players = [line.standing.entrant for line in part.standings]
    rounds = crosstables.round_headings(pairings)
    requested = part.crosstable_anchor in snapshot.requested
    if not pairings or (len(players) * len(rounds if part.kind == "table" else players) > MOST_CELLS and not requested):
        return replace(part, crosstable_deferred=bool(pairings))
    if part.kind == "table":
        cells, heads = crosstables.round_cells(snapshot, players, pairings), rounds
    else:
        cells, heads = (
            crosstables.opponent_cells(snapshot, players, pairings),
            crosstables.player_headings([line.name for line in part.standings]),
        )
    lines = tuple(replace(line, cells=cells[line.standing.entrant]) for line in part.standings)
    return replace(part, standings=lines, crosstable_heads=heads, crosstable_requested=requested)


def _bracket_columns(
    snapshot: TournamentSnapshot, key: str, rounds: dict[int, list[PairingCard]]
) -> tuple[RoundColumn, ...]:
    """The rounds of a bracket, each with the places that align it with its neighbours."""
    shown = {
        number: left for number, cards in rounds.items() if (left := [card for card in cards if card.state != "void"])
    }
    sizes = {number: max(card.number for card in rounds[number]) for number in shown}
    names = labels.round_labels(key, sizes)
    columns = []
    for number, cards in shown.items():
        at = {card.number: card for card in cards}
        after = sizes.get(number + 1)
        link = "straight" if after == sizes[number] else "merge" if after and 2 * after == sizes[number] else ""
        places = tuple(at.get(place) for place in range(1, sizes[number] + 1))
        columns.append(
            RoundColumn(number, names[number], f"{key}-{number}", _length(snapshot, key, number), places, link)
        )
    return tuple(columns)


def _table_rounds(snapshot: TournamentSnapshot, key: str, pairings: Sequence[Pairing]) -> tuple[RoundColumn, ...]:
    def note(number: int) -> str:
        return " · ".join(
            part for part in (_length(snapshot, key, number), _round_deadline(snapshot, key, number)) if part
        )

    cards = cards_by_round(snapshot.card(pairing) for pairing in pairings if snapshot.shows_round(key, pairing.round))
    return tuple(
        RoundColumn(
            number,
            _("Round %(n)s") % {"n": number},
            f"{key}-{number}",
            note(number),
            tuple(cards.get(number, ())),
            deferred=not snapshot.shows_round(key, number),
        )
        for number in sorted({pairing.round for pairing in pairings})
    )


def rounds_shown(state: State, requested: Collection[str] = ()) -> frozenset[tuple[str, int]] | None:
    """The rounds whose pairings a page shows at first: None for all, if they are not too many.

    Of a large table those are the round in play and the next one (of a finished one the last two), and the rounds
    that are `requested`, as `league-5`.
    """
    if len(state.fixtures) <= MOST_CARDS:
        return None
    rounds: dict[str, list[int]] = {}
    current: dict[str, int] = {}
    for pairing in state.fixtures:
        numbers = rounds.setdefault(pairing.section, [])
        if not numbers or numbers[-1] != pairing.round:
            numbers.append(pairing.round)
        if pairing.state in ("ready", "waiting"):
            current.setdefault(pairing.section, pairing.round)
    shown = set()
    for section, numbers in rounds.items():
        first = current.get(section, numbers[-1] - 1)
        shown |= {
            (section, number)
            for number in numbers
            if section in BRACKETS or number in (first, first + 1) or f"{section}-{number}" in requested
        }
    return frozenset(shown)


def _round_deadline(snapshot: TournamentSnapshot, key: str, round_: int) -> str:
    """The deadline of a round, if all its pairings have the same."""
    dues = {
        meeting.due_at
        for meeting in snapshot.meetings.values()
        if (meeting.section, meeting.round, meeting.state) == (key, round_, Meeting.State.READY)
    }
    due = dues.pop() if len(dues) == 1 else None
    return _("until %(moment)s") % {"moment": labels.format_moment(due, snapshot.zone)} if due else ""


def _length(snapshot: TournamentSnapshot, key: str, round_: int) -> str:
    state = snapshot.state
    return labels.length_label(state.rules.length(key, round_), state.series.length(key, round_))


def standings_row(snapshot: TournamentSnapshot, standing: Standing) -> StandingsRow:
    entrant = snapshot.entrants[standing.entrant]
    return StandingsRow(
        standing=standing,
        name=entrant.name,
        url=snapshot.player_url(standing.entrant),
        values=tuple(labels.format_number(value) for _name, value in standing.values),
        replaced=snapshot.place_names.replaced(standing.entrant),
        note=labels.label_of(labels.NOTES, standing.note) if standing.note else "",
        is_viewer=snapshot.is_viewer(standing.entrant),
        highlighted=standing.entrant == snapshot.competitor(snapshot.highlighted),
    )


def champions(snapshot: TournamentSnapshot) -> list[str]:
    """The winners, once everything is played; of a league the first of its first division.

    There are none where both lost the final.
    """
    if snapshot.state.phase != "over" or not snapshot.state.standings or snapshot.state.standings[0].place != 1:
        return []
    first = snapshot.state.standings[0]
    return [
        snapshot.name(standing.entrant)
        for standing in snapshot.state.standings
        if standing.place == first.place and standing.section == first.section
    ]


def order_of_finish(snapshot: TournamentSnapshot) -> tuple[StandingsRow, ...]:
    """The order of finish of a bracket that is over."""
    if snapshot.state.phase != "over" or not snapshot.state.order or snapshot.state.format.sections != "bracket":
        return ()
    return tuple(standings_row(snapshot, standing) for standing in snapshot.state.standings)
