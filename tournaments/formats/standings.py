"""Tables: the standings after the matches played, by the tie-breaks that the director chose, in that order.

A round that was not played - a bye, a walkover, a round after withdrawing - counts in the score as what it was (a bye
and a walkover received are wins), and in the sums over opponents as a game against a dummy with the player's own score:
FIDE's rule for the player's unplayed rounds (Tie-Break Regulations, C.07, article 16.4). The scores of real opponents
are taken as they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from .core import Config, Entrant, Invalid, MissedRounds, Pairing, Standing

NO_LATE_ENTRANTS: Mapping[Entrant, MissedRounds] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _Game:
    """A round of one entrant; without an opponent it was not played."""

    opponent: Entrant | None
    score: float  # 1 for a win, a half for a draw


@dataclass(slots=True)
class _Record:
    """The rounds of an entrant so far, and their sums."""

    games: list[_Game] = field(default_factory=list)
    met: dict[Entrant, float] = field(default_factory=dict)  # score against each opponent, played or not
    wins: int = 0
    losses: int = 0
    draws: int = 0
    boards: float = 0  # of a team: board points
    points: float = 0  # points won minus points lost, where they are known
    unplayed_score: float = 0  # score for the rounds before a late entry, and for byes at the player's request

    @property
    def score(self) -> float:
        return self.wins + self.draws / 2 + self.unplayed_score

    @property
    def played(self) -> int:
        return sum(game.opponent is not None for game in self.games)


_Records: TypeAlias = Mapping[Entrant, _Record]
TieBreak: TypeAlias = Callable[[_Records, Entrant, Collection[Entrant]], float]


def _wins(records: _Records, entrant: Entrant, tied: Collection[Entrant]) -> float:
    """The score: matches won, with byes and walkovers."""
    return records[entrant].score


def _opponents(records: _Records, entrant: Entrant) -> list[float]:
    """The scores of the opponents, from the lowest."""
    games = records[entrant].games
    return sorted(records[entrant if game.opponent is None else game.opponent].score for game in games)


def _buchholz(records: _Records, entrant: Entrant, tied: Collection[Entrant]) -> float:
    """Buchholz: the sum of the scores of all opponents."""
    return sum(_opponents(records, entrant))


def _buchholz_cut(records: _Records, entrant: Entrant, tied: Collection[Entrant]) -> float:
    """Buchholz cut-1: without the lowest."""
    return sum(_opponents(records, entrant)[1:])


def _median(records: _Records, entrant: Entrant, tied: Collection[Entrant]) -> float:
    """Median Buchholz: without the lowest and the highest."""
    return sum(_opponents(records, entrant)[1:-1])


def _sonneborn_berger(records: _Records, entrant: Entrant, tied: Collection[Entrant]) -> float:
    """Sonneborn-Berger: the sum of the scores of beaten opponents, and of half the scores after draws."""
    return sum(
        game.score * records[entrant if game.opponent is None else game.opponent].score
        for game in records[entrant].games
    )


def _direct(records: _Records, entrant: Entrant, tied: Collection[Entrant]) -> float:
    """Wins among those still tied, if each of them met all the others; else 0. `_split` applies it again."""
    if any(second not in records[first].met for first in tied for second in tied if first != second):
        return 0
    return sum(records[entrant].met[other] for other in tied if other != entrant)


def _points(records: _Records, entrant: Entrant, tied: Collection[Entrant]) -> float:
    """Points won less points lost."""
    return records[entrant].points


def _match_points(records: _Records, entrant: Entrant, tied: Collection[Entrant]) -> float:
    """Match points of a team: 2 for a match won, 1 for a draw."""
    return 2 * records[entrant].score


def _boards(records: _Records, entrant: Entrant, tied: Collection[Entrant]) -> float:
    """Board points of a team: the boards that its players won."""
    return records[entrant].boards


TIE_BREAKS: Mapping[str, TieBreak] = {
    "wins": _wins,
    "buchholz": _buchholz,
    "buchholz-cut": _buchholz_cut,
    "median": _median,
    "sonneborn-berger": _sonneborn_berger,
    "direct": _direct,
    "points": _points,
    "match-points": _match_points,
    "boards": _boards,
}
# Those that count team matches only.
OF_TEAMS = frozenset({"match-points", "boards"})


# Sums over all opponents: they separate nobody where all had the same opponents.
SUMS_OVER_OPPONENTS = frozenset({"buchholz", "buchholz-cut", "median"})


def known_tie_breaks(boards: int) -> tuple[str, ...]:
    """The tie-breaks of tournaments of teams with so many boards, or (0) of players."""
    return tuple(name for name in TIE_BREAKS if boards or name not in OF_TEAMS)


def check_tie_breaks(config: Config, *, all_meet: bool = False) -> None:
    """Raises Invalid: tie_breaks (`name` is unknown, or given twice), tie_breaks_all_meet (none is left, see below)."""
    names = config.tie_breaks
    known = known_tie_breaks(config.boards)
    wrong = next((name for name in names if name not in known or names.count(name) > 1), None)
    if wrong is not None:
        raise Invalid("tie_breaks", name=wrong, known=known)
    if not separating_tie_breaks(names, all_meet=all_meet):
        raise Invalid("tie_breaks_all_meet", names=names)


def separating_tie_breaks(names: Sequence[str], *, all_meet: bool) -> tuple[str, ...]:
    """The tie-breaks that count in a table: where all entrants meet all others, none that sums over the opponents."""
    return tuple(name for name in names if not (all_meet and name in SUMS_OVER_OPPONENTS))


def table(
    pairings: Iterable[Pairing],
    entrants: Sequence[Entrant],
    tie_breaks: Sequence[str],
    *,
    section: str = "",
    withdrawn: Collection[Entrant] = (),
    struck: Collection[Entrant] = (),
    late: Mapping[Entrant, MissedRounds] = NO_LATE_ENTRANTS,
    unplayed_boards: int = 0,
) -> tuple[Standing, ...]:
    """The entrants from the first to the last; those that no tie-break separates share a place, in the given order.

    `withdrawn` entrants keep what they won, with the note "out". `struck` entrants are last, and none of their matches
    count, for their opponents neither. `late` entrants have the score of the rounds that they missed. `unplayed_boards`
    are the board points of a team for a match won without playing.
    """
    counted = [pairing for pairing in pairings if not any(entrant in struck for entrant in pairing.entrants)]
    staying = [entrant for entrant in entrants if entrant not in struck]
    records = _records(counted, staying, unplayed_boards)
    for entrant, missed in late.items():
        if entrant in records:
            records[entrant].unplayed_score += missed.points
    values: dict[Entrant, list[tuple[str, float]]] = {entrant: [] for entrant in staying}
    groups = [staying]
    for name in tie_breaks:
        groups = [part for group in groups for part in _split(name, group, records, values)]
    standings: list[Standing] = []
    for group in groups:
        place = len(standings) + 1
        for entrant in group:
            record = records[entrant]
            standings.append(
                Standing(
                    place,
                    entrant,
                    section,
                    record.played,
                    record.wins,
                    record.losses,
                    record.draws,
                    tuple(values[entrant]),
                    "out" if entrant in withdrawn else "",
                )
            )
    last = len(standings) + 1
    zeros = tuple((name, 0.0) for name in tie_breaks)
    removed = [Standing(last, entrant, section, values=zeros, note="out") for entrant in entrants if entrant in struck]
    return (*standings, *removed)


def _split(
    name: str, group: list[Entrant], records: _Records, values: Mapping[Entrant, list[tuple[str, float]]]
) -> list[list[Entrant]]:
    """Split a group of tied entrants by one more tie-break, and add its values to `values`."""
    found = {entrant: float(TIE_BREAKS[name](records, entrant, group)) for entrant in group}
    for entrant, value in found.items():
        values[entrant].append((name, value))
    parts = _parts(found)
    return parts if name != "direct" else [rest for part in parts for rest in _split_by_direct(part, group, records)]


def _split_by_direct(part: list[Entrant], group: Sequence[Entrant], records: _Records) -> list[list[Entrant]]:
    """What direct encounter makes of a part that it left tied in a larger group: only the matches among it count.

    FIDE's rule (Tie-Break Regulations, C.07, article 6). The values shown stay those of the first comparison.
    """
    if len(part) in (1, len(group)):
        return [part]
    parts = _parts({entrant: _direct(records, entrant, part) for entrant in part})
    return [rest for smaller in parts for rest in _split_by_direct(smaller, part, records)]


def _parts(values: Mapping[Entrant, float]) -> list[list[Entrant]]:
    """The entrants by value, from the highest; those of one value in their order."""
    parts: dict[float, list[Entrant]] = {}
    for entrant, value in values.items():
        parts.setdefault(value, []).append(entrant)
    return [parts[value] for value in sorted(parts, reverse=True)]


def _records(pairings: Sequence[Pairing], entrants: Iterable[Entrant], unplayed_boards: int) -> dict[Entrant, _Record]:
    records = {entrant: _Record() for entrant in entrants}
    paired: dict[Entrant, set[int]] = {entrant: set() for entrant in records}
    for pairing in pairings:
        for entrant in pairing.entrants:
            paired[entrant].add(pairing.round)
            _count(records[entrant], entrant, pairing, unplayed_boards)
    rounds = {pairing.round for pairing in pairings}
    for entrant, record in records.items():
        record.games += [_Game(None, 0)] * len(rounds - paired[entrant])
    return records


def _count(record: _Record, entrant: Entrant, pairing: Pairing, unplayed_boards: int) -> None:
    """Add a settled pairing to the record of an entrant."""
    won = pairing.winner == entrant
    if pairing.state == "bye":
        record.wins += 1
        record.boards += unplayed_boards
        record.games.append(_Game(None, 1))
    if pairing.state == "absent":
        record.unplayed_score += points_of_request(pairing)
        record.games.append(_Game(None, 0))
    if pairing.state != "done" or pairing.result is None:
        return
    drawn = pairing.result.drawn
    score = 0.5 if drawn else float(won)
    record.wins += won
    record.draws += drawn
    record.losses += not (won or drawn)
    other = next(opponent for opponent in pairing.entrants if opponent != entrant)
    record.met[other] = record.met.get(other, 0) + score
    record.games.append(_Game(other if pairing.result.how == "played" else None, score))
    if pairing.result.points is not None:
        own, lost = pairing.result.points if pairing.a.entrant == entrant else pairing.result.points[::-1]
        record.points += own - lost
        record.boards += own
    elif won:
        record.boards += unplayed_boards


def points_of_request(pairing: Pairing) -> float:
    """What a bye at a player's request is worth: half a point, or nothing (ruling E15)."""
    return float(pairing.why.params.get("points", 0))


def struck_entrants(pairings: Iterable[Pairing], withdrawn: Collection[Entrant]) -> frozenset[Entrant]:
    """The entrants who withdrew from a round robin before they had played half of their matches: they are struck.

    Otherwise it would matter who met them in time and who had a walkover (FIDE's practice for round robins). Only
    matches lost by withdrawing count as not played.
    """
    due: dict[Entrant, int] = {}
    missed: dict[Entrant, int] = {}
    for pairing in pairings:
        if pairing.state == "bye":
            continue
        for entrant in set(pairing.entrants).intersection(withdrawn):
            due[entrant] = due.get(entrant, 0) + 1
            by_withdrawing = (
                pairing.result is not None and pairing.result.how == "withdrawn" and pairing.winner != entrant
            )
            missed[entrant] = missed.get(entrant, 0) + by_withdrawing
    return frozenset(entrant for entrant in due if 2 * missed[entrant] > due[entrant])
