"""The ratings of a pool of players as the fold of its log of rated matches. Pure: values in, values out.

Two systems. ``fibs`` (R1) rates a match as a whole, with the standard library alone; ``glicko2`` (R3) rates each game
of it, since games can be drawn, with the library `glicko2-py`. Every number that a pool shows comes from `steps`.

This file runs by itself, so that anyone can download the log of a pool and recompute its list::

    python3 ratings.py log.jsonl
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

System = Literal["fibs", "glicko2"]
Glicko = tuple[float, float, float]
"""Rating, deviation, volatility."""

START = 1500.0
START_DEVIATION = 350.0
START_VOLATILITY = 0.06
TAU = 0.5
"""How fast volatility may change: Glickman's own example, in the middle of the range that he advises."""
PROVISIONAL_EXPERIENCE = 100
PROVISIONAL_DEVIATION = 110
ABSENCE = timedelta(days=30)
FORM = 10
"""The last results that a rating remembers."""


def fibs(n: float, winner: tuple[float, float], loser: tuple[float, float]) -> tuple[float, float]:
    """What the winner of a match to n gains and what the loser loses, both positive (R1, the formula of FIBS).

    A player is (rating, experience), as they stood before the match. Raises ValueError where n is not positive.
    """
    if not n > 0:
        raise ValueError(f"a match to {n} cannot be rated")
    stake = 4 * math.sqrt(n) * chance_against(n, winner[0], loser[0])
    return stake * ramp(n, winner[1]), stake * ramp(n, loser[1])


def chance_against(n: float, winner: float, loser: float) -> float:
    """The probability that the winner would lose: P of the formula, the same for both (R1)."""
    exponent = abs(winner - loser) * math.sqrt(n) / 2000
    upset = 1 / (10 ** min(exponent, 300) + 1)
    return upset if winner >= loser else 1 - upset


def ramp(n: float, experience: float) -> float:
    """K of the formula: from nearly 5 for a beginner down to 1 once experience and this match reach 400 points."""
    return max(1.0, 5 - (experience + n) / 100)


def glicko(player: Glicko, games: Sequence[tuple[float, float, float]]) -> Glicko:
    """A player after one rating period of Glicko-2; without games only the deviation grows.

    Each game is (rating of the opponent, deviation of the opponent, result 1, 0.5 or 0), all as they stood before.
    """
    from glicko2.math import mu_to_rating, phi_to_rd, rating_to_mu, rd_to_phi, update_rating

    rating, deviation, volatility = player
    opponents = [
        (rating_to_mu(opponent_rating), rd_to_phi(spread), result) for opponent_rating, spread, result in games
    ]
    mu, phi, sigma = update_rating(rating_to_mu(rating), rd_to_phi(deviation), volatility, opponents, TAU)
    return mu_to_rating(mu), phi_to_rd(phi), sigma


def expected_score(player: Glicko, opponent: Glicko) -> float:
    """The expected score of a player in one game, between 0 and 1 (Glicko-2)."""
    from glicko2.math import E, rating_to_mu, rd_to_phi

    return float(E(rating_to_mu(player[0]), rating_to_mu(opponent[0]), rd_to_phi(opponent[1])))


@dataclass(frozen=True, slots=True)
class Line:
    """One rated match in a log. `results` are White's: 1 or 0 for the match, or 1, 0.5, 0 for each of its games.

    `weight` is n of the formula, `winner` a side. A match that does not count was annulled: it changes nothing.
    """

    n: int
    at: datetime
    white: Hashable
    black: Hashable
    weight: float
    winner: str
    results: tuple[float, ...]
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Standing:
    """A player in a pool. `form` has the last results, W or L, the latest first; times are ends of matches."""

    rating: float = START
    experience: float = 0.0
    deviation: float | None = None
    volatility: float | None = None
    matches: int = 0
    wins: int = 0
    form: str = ""
    peak: float = START
    peak_at: datetime | None = None
    last_at: datetime | None = None

    @property
    def provisional(self) -> bool:
        """Whether the rating is still provisional (R1, R3)."""
        return is_provisional(self.experience, self.deviation)

    @property
    def glicko(self) -> Glicko:
        """The three numbers of Glicko-2, those of a new player where there are none yet."""
        return self.rating, self.deviation or START_DEVIATION, self.volatility or START_VOLATILITY


@dataclass(frozen=True, slots=True)
class Step:
    """The change by one match for one player; `formula` has the numbers of its calculation."""

    line: Line
    player: Hashable
    before: Standing
    after: Standing
    formula: dict[str, float]


Standings = dict[Hashable, Standing]


def stakes(own: Standing, opponent: Standing, *, weight: float, system: System, at: datetime) -> tuple[float, float]:
    """What a player gains by winning a match, and what they lose by losing it; both positive.

    Glicko-2 rates each game, so there it is what one game changes.
    """
    changes = []
    for winner, result in (("white", 1.0), ("black", 0.0)):
        line = Line(1, at, "own", "opponent", weight, winner, (result,))
        step = next(steps([line], system=system, standings={"own": own, "opponent": opponent}))
        changes.append(step.after.rating - own.rating)
    return changes[0], -changes[1]


def is_provisional(experience: float, deviation: float | None) -> bool:
    """Below 100 points of experience; in Glicko-2 while the deviation is above 110."""
    return experience < PROVISIONAL_EXPERIENCE if deviation is None else deviation > PROVISIONAL_DEVIATION


def fold(log: Iterable[Line], *, system: System, standings: Mapping[Hashable, Standing] | None = None) -> Standings:
    """Everybody's standing after a log, from given standings or from nothing."""
    result = dict(standings or {})
    for step in steps(log, system=system, standings=standings):
        result[step.player] = step.after
    return result


def steps(
    log: Iterable[Line], *, system: System, standings: Mapping[Hashable, Standing] | None = None
) -> Iterator[Step]:
    """The changes by each match of a log, White's step before Black's, in the order of the log."""
    known = dict(standings or {})
    rate = _SYSTEMS[system]
    for line in log:
        if line.counts:
            for step in rate(line, known.get(line.white, Standing()), known.get(line.black, Standing())):
                known[step.player] = step.after
                yield step


def _fibs_steps(line: Line, white: Standing, black: Standing) -> tuple[Step, Step]:
    n, white_won = line.weight, line.winner == "white"
    winner, loser = (white, black) if white_won else (black, white)
    gain, loss = fibs(n, (winner.rating, winner.experience), (loser.rating, loser.experience))
    p = chance_against(n, winner.rating, loser.rating)

    def step(player: Hashable, before: Standing, won: bool) -> Step:
        change = gain if won else -loss
        after = _after(before, line, won, before.rating + change, before.experience + n)
        return Step(line, player, before, after, {"change": change, "n": n, "p": p, "k": ramp(n, before.experience)})

    return step(line.white, white, white_won), step(line.black, black, not white_won)


def _glicko_steps(line: Line, white: Standing, black: Standing) -> tuple[Step, Step]:
    absent = {True: _absent(white, line.at), False: _absent(black, line.at)}

    def step(player: Hashable, before: Standing, is_white: bool) -> Step:
        own, opponent = absent[is_white], absent[not is_white]
        results = line.results if is_white else tuple(1 - result for result in line.results)
        rating, deviation, volatility = glicko(own, [(*opponent[:2], result) for result in results])
        expected, scored = len(results) * expected_score(own, opponent), sum(results)
        change = rating - before.rating
        factor = change / (scored - expected) if scored != expected else 0.0
        formula = {"change": change, "games": len(results), "scored": scored, "expected": expected, "factor": factor}
        won = is_white == (line.winner == "white")
        after = _after(before, line, won, rating, before.experience + len(results), deviation, volatility)
        return Step(line, player, before, after, formula)

    return step(line.white, white, True), step(line.black, black, False)


def _absent(player: Standing, at: datetime) -> Glicko:
    """A player after an absence: a rating period without games for each full 30 days since the last match (R3)."""
    known = player.glicko
    for _ in range((at - player.last_at) // ABSENCE if player.last_at else 0):
        known = glicko(known, [])
    return known


def _after(
    before: Standing,
    line: Line,
    won: bool,
    rating: float,
    experience: float,
    deviation: float | None = None,
    volatility: float | None = None,
) -> Standing:
    """A standing after one more match; made at once, since a long log makes hundreds of thousands."""
    best = before.peak_at is None or rating > before.peak
    return Standing(
        rating,
        experience,
        deviation,
        volatility,
        matches=before.matches + 1,
        wins=before.wins + won,
        form=(("W" if won else "L") + before.form)[:FORM],
        peak=rating if best else before.peak,
        peak_at=line.at if best else before.peak_at,
        last_at=line.at,
    )


_SYSTEMS = {"fibs": _fibs_steps, "glicko2": _glicko_steps}


# The log as a file: a head, and one line of JSON for each match


def line_json(line: Line, match: str) -> dict[str, Any]:
    """A line as the log writes it; `match` is the id of its page."""
    return {
        "n": line.n,
        "match": match,
        "at": line.at.isoformat(),
        "white": line.white,
        "black": line.black,
        "weight": line.weight,
        "winner": line.winner,
        "results": list(line.results),
        "counts": line.counts,
    }


def read(rows: Iterable[str]) -> tuple[System, list[Line]]:
    """The system and the lines of a log. Raises ValueError, KeyError where it is none."""
    head, *rest = [json.loads(row) for row in rows if row.strip()]
    if head["system"] not in _SYSTEMS:
        raise ValueError(f"unknown system {head['system']}")
    lines = []
    for row in rest:
        del row["match"]
        row["at"], row["results"] = datetime.fromisoformat(row["at"]), tuple(row["results"])
        lines.append(Line(**row))
    return head["system"], lines


def ranked(standings: Mapping[Hashable, Standing]) -> list[tuple[Hashable, Standing]]:
    """The list of a pool: the highest rating first, equal ones by name."""
    return sorted(standings.items(), key=lambda item: (-item[1].rating, str(item[0])))


def main(path: str) -> None:
    """Print the list that follows from the log in a file."""
    with open(path, encoding="utf-8") as rows:
        system, lines = read(rows)
    for rank, (name, standing) in enumerate(ranked(fold(lines, system=system)), 1):
        badge = " provisional" if standing.provisional else ""
        print(f"{rank:5d}  {standing.rating:10.4f}  {standing.experience:8g}  {name}{badge}")


if __name__ == "__main__":
    main(sys.argv[1])
