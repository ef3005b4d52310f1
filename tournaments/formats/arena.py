"""An arena: free players are paired all the time, until the time is up, and wins in a row are worth more (ruling E26).

What is recorded are waves: the pairs that were made at one moment, each wave a `Round` of its own. They come from
`next_wave`, which is asked when time has passed, and not from `next_round`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from .arena_pairing import FreePlayer, pair_free
from .bracket import all_settled
from .core import Config, Entrant, History, Invalid, Pairing, PairingReason, Round, Standing, cached_on_history
from .swiss import recorded_pairings

LEAST_MINUTES, MOST_MINUTES = 20, 240
LENGTHS = (1, 3)  # points of a match
FIRST_MOVE = timedelta(seconds=60)  # who has not made a first move by then loses, and is paused
WIN = 2
STREAK_WIN = 4  # each win after STREAK wins in a row
STREAK = 2
MOST_PLAYERS = 512
SECTION = "arena"


@dataclass(frozen=True, slots=True)
class ArenaMatch:
    """A finished match of an entrant: `points` are those of the arena."""

    pairing: Pairing
    opponent: Entrant
    won: bool
    points: int


@dataclass(slots=True)
class ArenaScore:
    """The matches of an entrant in their order, and what they add up to; `streak` are the wins in a row at the end."""

    matches: list[ArenaMatch] = field(default_factory=list)
    points: int = 0
    wins: int = 0
    losses: int = 0
    streak: int = 0
    playing: bool = False
    last_opponent: Entrant | None = None

    @property
    def on_streak(self) -> bool:
        """Whether the next win is worth more."""
        return self.streak >= STREAK

    def add(self, pairing: Pairing, opponent: Entrant, *, won: bool, played: bool) -> None:
        """Add a finished match. A win without playing never counts more, and a streak goes on after it unchanged."""
        points = 0
        if won:
            points = STREAK_WIN if played and self.on_streak else WIN
            self.wins += 1
            self.streak += played
        else:
            self.losses += 1
            self.streak = 0
        self.points += points
        self.matches.append(ArenaMatch(pairing, opponent, won, points))


class Arena:
    """The arena format. The table goes by points, wins, and fewer losses; equals in all of them share a place."""

    key = "arena"
    sections = "arena"
    takes_bye_requests = False
    at_once = False
    pairs_free_players = True
    needs_accounts = True
    section = SECTION

    def check(self, config: Config, entrants: int) -> None:
        """Raises Invalid: too_few, too_many, arena_minutes. One player is enough: the others join while it runs."""
        if entrants < 1:
            raise Invalid("too_few", least=1)
        if entrants > MOST_PLAYERS:
            raise Invalid("too_many", most=MOST_PLAYERS)
        if not LEAST_MINUTES <= config.minutes <= MOST_MINUTES:
            raise Invalid("arena_minutes", least=LEAST_MINUTES, most=MOST_MINUTES)

    @cached_on_history
    def pairings(self, config: Config, history: History) -> tuple[Pairing, ...]:
        return recorded_pairings(self.section, history)

    def next_round(self, config: Config, history: History) -> Round | None:
        """Nothing: what follows from results is no pairing here, only time is (`next_wave`)."""
        return None

    @cached_on_history
    def scores(self, config: Config, history: History) -> dict[Entrant, ArenaScore]:
        """The score of each entrant, by the matches that are over."""
        return _scores(history.order, self.pairings(config, history))

    def standings(self, config: Config, history: History) -> tuple[Standing, ...]:
        scores = self.scores(config, history)

        def rank(entrant: Entrant) -> tuple[int, int, int]:
            score = scores[entrant]
            return -score.points, -score.wins, score.losses

        ordered = sorted(history.order, key=rank)
        ranks = [rank(entrant) for entrant in ordered]
        return tuple(
            Standing(
                ranks.index(rank(entrant)) + 1,
                entrant,
                self.section,
                scores[entrant].wins + scores[entrant].losses,
                scores[entrant].wins,
                scores[entrant].losses,
                values=(("arena", float(scores[entrant].points)),),
                note="out" if entrant in history.withdrawn else "",
            )
            for entrant in ordered
        )

    def over(self, config: Config, history: History) -> bool:
        return history.closed and all_settled(self.pairings(config, history))

    def next_wave(self, config: Config, history: History, moment: datetime) -> Round | None:
        """The pairs of those who are free at a moment; None if there are none."""
        if history.closed:
            return None
        scores = self.scores(config, history)
        free = [
            FreePlayer(line.entrant, _waited(history, line.entrant, moment), scores[line.entrant].last_opponent)
            for line in self.standings(config, history)
            if line.entrant not in history.withdrawn
            and line.entrant not in history.paused
            and not scores[line.entrant].playing
        ]
        pairs = pair_free(free)
        if not pairs:
            return None
        last = {player.entrant: player.last for player in free}
        whys = tuple(
            PairingReason("waited")
            if last[a] == b or last[b] == a
            else PairingReason("free", {"points": (scores[a].points, scores[b].points)})
            for a, b in pairs
        )
        return Round(self.section, len(history.rounds) + 1, tuple(pairs), None, whys)


def _waited(history: History, entrant: Entrant, moment: datetime) -> timedelta:
    return moment - history.free_since.get(entrant, moment)


def _scores(order: Sequence[Entrant], pairings: Iterable[Pairing]) -> dict[Entrant, ArenaScore]:
    scores = {entrant: ArenaScore() for entrant in order}
    for pairing in pairings:
        for entrant in pairing.entrants:
            opponent = next(other for other in pairing.entrants if other != entrant)
            score = scores[entrant]
            score.last_opponent = opponent
            if pairing.state == "ready":
                score.playing = True
            elif pairing.result is not None:
                played = pairing.result.how == "played"
                score.add(pairing, opponent, won=pairing.winner == entrant, played=played)
    return scores
