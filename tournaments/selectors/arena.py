"""What the pages of an arena show beside its table: recent results, what everybody is doing, the end of the pairing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy

from games.models import Match
from tournaments.formats.arena import STREAK_WIN, Arena, ArenaMatch, ArenaScore
from tournaments.formats.core import Entrant
from tournaments.selectors.pairing_cards import TournamentSnapshot
from tournaments.state import State

SHOWN_RESULTS = 8
# The picture of the results, in the units of templates/tournaments/_arena.html: marks stand on a line or hang from it.
STEP, LINE = 10, 16
WIN_HEIGHT, STREAK_HEIGHT, LOSS_HEIGHT = 8, 15, 8

ACTIVITIES: Mapping[str, Promise] = {
    "playing": pgettext_lazy("a player of an arena", "playing"),
    "waiting": pgettext_lazy("a player of an arena", "waiting"),
    "paused": pgettext_lazy("a player of an arena", "paused"),
    "left": pgettext_lazy("a player of an arena", "left"),
}


@dataclass(frozen=True, slots=True)
class ResultMark:
    """A result in the picture of the recent ones: `kind` is won, streak (a win that counts double) or lost."""

    kind: str
    x: int
    y: int
    height: int


@dataclass(frozen=True, slots=True)
class ArenaPlayer:
    """A player of an arena now; `activity` is a key of ACTIVITIES, "" once it is over."""

    points: int
    score: str  # matches won and lost
    marks: tuple[ResultMark, ...]
    results: str  # the marks in words
    activity: str
    match_url: str
    on_streak: bool

    @property
    def kinds(self) -> list[str]:
        """The recent results: won, streak or lost."""
        return [mark.kind for mark in self.marks]

    @property
    def activity_label(self) -> str:
        return str(ACTIVITIES[self.activity]) if self.activity else ""


@dataclass(frozen=True, slots=True)
class ArenaClock:
    """The end of the pairing: its moment, and what is left of it (`12:05`) when the page is made."""

    ends_at: datetime
    left: str


def arena_players(snapshot: TournamentSnapshot) -> dict[Entrant, ArenaPlayer]:
    """The players of an arena by number; none in other formats."""
    state = snapshot.state
    if not isinstance(state.format, Arena):
        return {}
    boards = {
        number: snapshot.card(pairing).url
        for pairing in state.pairings
        if pairing.state == "ready" and (row := snapshot.meetings.get(pairing.key)) is not None
        if row.match is not None and row.match.status == Match.Status.LIVE
        for number in pairing.entrants
    }
    scores = state.format.scores(state.rules.config, state.history)
    return {number: _player(state, number, score, boards.get(number, "")) for number, score in scores.items()}


def _player(state: State, number: Entrant, score: ArenaScore, match_url: str) -> ArenaPlayer:
    recent = score.matches[-SHOWN_RESULTS:]
    return ArenaPlayer(
        points=score.points,
        score=f"{score.wins}–{score.losses}",
        marks=tuple(_mark(place, match) for place, match in enumerate(recent)),
        results=", ".join(_in_words(match) for match in recent),
        activity=activity_of(state, number, score),
        match_url=match_url,
        on_streak=score.on_streak and state.phase == "running",
    )


def activity_of(state: State, number: Entrant, score: ArenaScore) -> str:
    """What a player of an arena is doing: a key of ACTIVITIES, or "" when there is nothing to say."""
    if state.phase != "running":
        return ""
    if number in state.withdrawn:
        return "left"
    if score.playing:
        return "playing"
    if number in state.paused:
        return "paused"
    return "" if state.closed else "waiting"


def _kind(match: ArenaMatch) -> str:
    if not match.won:
        return "lost"
    return "streak" if match.points == STREAK_WIN else "won"


def _mark(place: int, match: ArenaMatch) -> ResultMark:
    kind = _kind(match)
    height = {"won": WIN_HEIGHT, "streak": STREAK_HEIGHT, "lost": LOSS_HEIGHT}[kind]
    return ResultMark(kind, place * STEP, LINE + 1 if kind == "lost" else LINE - height, height)


def _in_words(match: ArenaMatch) -> str:
    words = {"lost": pgettext("form", "lost"), "won": pgettext("form", "won"), "streak": _("won, double points")}
    return words[_kind(match)]


def arena_clock(state: State, moment: datetime) -> ArenaClock | None:
    """The end of the pairing, while players are paired."""
    if not state.takes_players or state.ends_at is None:
        return None
    seconds = max(0, -int((moment - state.ends_at).total_seconds() // 1))
    hours, minutes = divmod(seconds // 60, 60)
    left = f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"
    return ArenaClock(state.ends_at, left)


def counted_activities(players: Sequence[ArenaPlayer]) -> list[tuple[str, int]]:
    """How many are playing, waiting and paused: each activity as a label, with its number."""
    counts = {name: sum(player.activity == name for player in players) for name in ACTIVITIES if name != "left"}
    return [(str(ACTIVITIES[name]), count) for name, count in counts.items()]
