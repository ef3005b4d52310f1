"""Swiss of a fixed number of rounds, without colours: who won as often meets, and nobody twice if it can be avoided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from .bracket import FEWEST, all_settled, check_size
from .core import (
    Bye,
    Config,
    Entrant,
    History,
    Invalid,
    Pairing,
    Round,
    Seed,
    Slot,
    Standing,
    Why,
    once,
    settle,
)
from .matching import Meeting, pair
from .standings import check_tie_breaks, table


class Swiss:
    """Everybody plays every round; the bye scores a win. Who withdraws is not paired again."""

    key = "swiss"
    sections = "table"
    section = "swiss"

    def check(self, config: Config, entrants: int) -> None:
        """Raises Invalid: too_few, too_many, rounds (nobody needs to meet twice, or rest twice), tie_breaks."""
        check_size(entrants)
        most = entrants - 1 + entrants % 2
        if not 1 <= config.rounds <= most:
            raise Invalid("rounds", rounds=config.rounds, least=1, most=most)
        check_tie_breaks(config)

    @once
    def pairings(self, config: Config, history: History) -> tuple[Pairing, ...]:
        return recorded(self.section, history)

    def next_round(self, config: Config, history: History) -> Round | None:
        pairings = self.pairings(config, history)
        if _last(config, history) or not all_settled(pairings):
            return None
        return draw(self.section, _active(history), pairings, history)

    def standings(self, config: Config, history: History) -> tuple[Standing, ...]:
        return table(
            self.pairings(config, history),
            history.order,
            config.tie_breaks,
            section=self.section,
            withdrawn=history.withdrawn,
            late=history.late,
        )

    def over(self, config: Config, history: History) -> bool:
        return _last(config, history) and all_settled(self.pairings(config, history))


def _last(config: Config, history: History) -> bool:
    """Whether no round comes after those that are recorded."""
    return len(history.rounds) >= config.rounds or len(_active(history)) < FEWEST


def _active(history: History) -> list[Entrant]:
    return [entrant for entrant in history.order if entrant not in history.withdrawn]


def recorded(section: str, history: History) -> tuple[Pairing, ...]:
    """The pairings of the recorded rounds; the bye is the last of its round, against a ghost."""
    seed = {entrant: place for place, entrant in enumerate(history.order, start=1)}
    pairings: list[Pairing] = []
    for one in history.rounds:
        whys = one.whys or reasons(one.pairs, one.bye, pairings)
        sides = [(Slot(Seed(seed[a]), a), Slot(Seed(seed[b]), b)) for a, b in one.pairs]
        if one.bye is not None:
            sides.append((Slot(Seed(seed[one.bye]), one.bye), Slot(Bye(), ghost=True)))
        pairings += [
            settle(
                section=section,
                round_=one.round,
                number=number,
                a=a,
                b=b,
                why=why,
                results=history.results,
                withdrawn=history.withdrawn,
            )
            for number, ((a, b), why) in enumerate(zip(sides, whys, strict=True), start=1)
        ]
    return tuple(pairings)


def draw(section: str, active: Sequence[Entrant], pairings: Sequence[Pairing], history: History) -> Round:
    """The round after these pairings, for those still in, by their wins so far and as the director wishes.

    Raises Invalid: pairs_forced, pairs_forbidden.
    """
    scores = _scores(pairings, history)
    pairs, bye = pair(active, scores, [_meetings(pairings)], together=history.together, apart=history.apart)
    number = max((pairing.round for pairing in pairings), default=0) + 1
    return Round(section, number, tuple(pairs), bye, reasons(pairs, bye, pairings, history))


def reasons(
    pairs: Sequence[tuple[Entrant, Entrant]],
    bye: Entrant | None,
    pairings: Sequence[Pairing],
    history: History | None = None,
) -> tuple[Why, ...]:
    """Why these pairs came of what was played before, or of what the director wished: one a pair, then the bye's."""
    score = _scores(pairings, history)
    forced = {frozenset(two) for two in history.together} if history is not None else set()
    met = Counter(frozenset(meeting[:2]) for meeting in _meetings(pairings))

    def reason(a: Entrant, b: Entrant) -> Why:
        if frozenset((a, b)) in forced:
            return Why("forced")
        if times := met[frozenset((a, b))]:
            return Why("rematch", {"times": times})
        if score.get(a, 0) == score.get(b, 0):
            return Why("fold", {"score": score.get(a, 0)})
        return Why("floated", {"scores": (score.get(a, 0), score.get(b, 0))})

    whys = [reason(a, b) for a, b in pairs]
    if bye is not None:
        whys.append(Why("bye", {"score": score.get(bye, 0), "had": met[frozenset((bye, None))]}))
    return tuple(whys)


def _wins(pairings: Iterable[Pairing]) -> Counter[Entrant]:
    return Counter(pairing.winner for pairing in pairings if pairing.winner is not None)


def _scores(pairings: Iterable[Pairing], history: History | None) -> dict[Entrant, float]:
    """The wins so far, and what late entrants were given."""
    scores: dict[Entrant, float] = dict(_wins(pairings))
    for entrant, missed in history.late.items() if history is not None else ():
        if missed.points:
            scores[entrant] = scores.get(entrant, 0) + missed.points
    return scores


def _meetings(pairings: Iterable[Pairing]) -> list[Meeting[Entrant]]:
    """A match that nobody came to counts as a meeting too: the two were paired, and need not be again."""
    return [(one.a.entrant, one.b.entrant, one.winner) for one in pairings if one.a.entrant is not None]
