"""Swiss of a fixed number of rounds, without colours: entrants of equal score meet, and nobody twice if avoidable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from .bracket import FEWEST, all_settled, check_size
from .core import (
    Bye,
    Config,
    Entrant,
    History,
    Invalid,
    Pairing,
    PairingReason,
    Round,
    Seed,
    Slot,
    Standing,
    cached_on_history,
)
from .matching import Meeting, pair
from .resolve import pairing_key, resolve_pairing
from .standings import check_tie_breaks, points_of_request, table


class Swiss:
    """The Swiss format: all entrants play every round, a bye scores a win, withdrawn entrants are not paired again."""

    key = "swiss"
    sections = "table"
    takes_bye_requests = True
    at_once = False
    pairs_free_players = False
    needs_accounts = False
    section = "swiss"

    def check(self, config: Config, entrants: int) -> None:
        """Raises Invalid: too_few, too_many, rounds (nobody needs to meet twice, or have two byes), tie_breaks."""
        check_size(entrants)
        most = entrants - 1 + entrants % 2
        if not 1 <= config.rounds <= most:
            raise Invalid("rounds", rounds=config.rounds, least=1, most=most)
        check_tie_breaks(config)

    @cached_on_history
    def pairings(self, config: Config, history: History) -> tuple[Pairing, ...]:
        return recorded_pairings(self.section, history, half_byes=config.half_byes)

    def next_round(self, config: Config, history: History) -> Round | None:
        pairings = self.pairings(config, history)
        if _last(config, history) or not all_settled(pairings):
            return None
        number = len(history.rounds) + 1
        absent = tuple(entrant for entrant in _active(history) if number in history.byes.get(entrant, ()))
        playing = [entrant for entrant in _active(history) if entrant not in absent]
        return replace(pair_next_round(self.section, playing, pairings, history), absent=absent)

    def standings(self, config: Config, history: History) -> tuple[Standing, ...]:
        return table(
            self.pairings(config, history),
            history.order,
            config.tie_breaks,
            section=self.section,
            withdrawn=history.withdrawn,
            late=history.late,
            unplayed_boards=config.unplayed_boards,
        )

    def over(self, config: Config, history: History) -> bool:
        return _last(config, history) and all_settled(self.pairings(config, history))


def _last(config: Config, history: History) -> bool:
    """Whether no round comes after those that are recorded."""
    return len(history.rounds) >= config.rounds or len(_active(history)) < FEWEST


def _active(history: History) -> list[Entrant]:
    return [entrant for entrant in history.order if entrant not in history.withdrawn]


def recorded_pairings(section: str, history: History, *, half_byes: int = 0) -> tuple[Pairing, ...]:
    """The pairings of the recorded rounds; the bye comes after the pairs, against an empty slot.

    After it stand those who asked for a bye: their first `half_byes` are worth half a point, all others nothing.
    """
    seed = {entrant: place for place, entrant in enumerate(history.order, start=1)}
    pairings: list[Pairing] = []
    asked: Counter[Entrant] = Counter()
    for played in history.rounds:
        whys = played.whys or pairing_reasons(played.pairs, played.bye, pairings)
        sides = [(Slot(Seed(seed[a]), a), Slot(Seed(seed[b]), b)) for a, b in played.pairs]
        if played.bye is not None:
            sides.append((Slot(Seed(seed[played.bye]), played.bye), Slot(Bye(), is_empty=True)))
        pairings += [
            resolve_pairing(
                section=section,
                round_=played.round,
                number=number,
                a=a,
                b=b,
                why=why,
                results=history.results,
                withdrawn=history.withdrawn,
            )
            for number, ((a, b), why) in enumerate(zip(sides, whys, strict=True), start=1)
        ]
        for number, entrant in enumerate(played.absent, start=len(sides) + 1):
            asked[entrant] += 1
            points = 0.5 if asked[entrant] <= half_byes else 0
            why = PairingReason("requested", {"points": points})
            a, b = Slot(Seed(seed[entrant]), entrant), Slot(Bye(), is_empty=True)
            key = pairing_key(section, played.round, number)
            pairings.append(Pairing(key, section, played.round, number, a, b, "absent", why))
    return tuple(pairings)


def pair_next_round(section: str, active: Sequence[Entrant], pairings: Sequence[Pairing], history: History) -> Round:
    """Pair the round after these pairings, for the active entrants, by their scores and the director's preferences.

    Raises Invalid: pairs_forced, pairs_forbidden.
    """
    scores = _scores(pairings, history)
    pairs, bye = pair(active, scores, [_meetings(pairings)], together=history.together, apart=history.apart)
    number = max((pairing.round for pairing in pairings), default=0) + 1
    return Round(section, number, tuple(pairs), bye, pairing_reasons(pairs, bye, pairings, history))


def pairing_reasons(
    pairs: Sequence[tuple[Entrant, Entrant]],
    bye: Entrant | None,
    pairings: Sequence[Pairing],
    history: History | None = None,
) -> tuple[PairingReason, ...]:
    """The reasons of these pairs, then of the bye: the results so far, or the director's preferences."""
    score = _scores(pairings, history)
    forced = {frozenset(two) for two in history.together} if history is not None else set()
    met = Counter(frozenset(meeting[:2]) for meeting in _meetings(pairings))

    def reason(a: Entrant, b: Entrant) -> PairingReason:
        if frozenset((a, b)) in forced:
            return PairingReason("forced")
        if times := met[frozenset((a, b))]:
            return PairingReason("rematch", {"times": times})
        if score.get(a, 0) == score.get(b, 0):
            return PairingReason("fold", {"score": score.get(a, 0)})
        return PairingReason("floated", {"scores": (score.get(a, 0), score.get(b, 0))})

    whys = [reason(a, b) for a, b in pairs]
    if bye is not None:
        whys.append(PairingReason("bye", {"score": score.get(bye, 0), "had": met[frozenset((bye, None))]}))
    return tuple(whys)


def changed_round(proposed: Round, pairs: Sequence[tuple[Entrant, Entrant]], bye: Entrant | None) -> Round:
    """The proposed round with other pairs of the same entrants; those that differ are the director's.

    Raises Invalid("round_pairs") unless the same entrants play, each once.
    """
    playing = [entrant for pair in pairs for entrant in pair] + ([bye] if bye is not None else [])
    expected = [entrant for pair in proposed.pairs for entrant in pair]
    expected += [proposed.bye] if proposed.bye is not None else []
    if sorted(playing) != sorted(expected):
        raise Invalid("round_pairs")
    groups = [*map(frozenset, proposed.pairs), *([frozenset((proposed.bye,))] if proposed.bye is not None else [])]
    reasons = dict(zip(groups, proposed.whys, strict=True))
    changed = [*map(frozenset, pairs), *([frozenset((bye,))] if bye is not None else [])]
    whys = tuple(reasons.get(group, PairingReason("forced")) for group in changed)
    return Round(proposed.section, proposed.round, tuple(pairs), bye, whys, proposed.absent)


def _wins(pairings: Iterable[Pairing]) -> Counter[Entrant]:
    return Counter(pairing.winner for pairing in pairings if pairing.winner is not None)


def _scores(pairings: Sequence[Pairing], history: History | None) -> dict[Entrant, float]:
    """The wins and half of the draws, with the points of byes on request and of late entrants for missed rounds."""
    scores: dict[Entrant, float] = dict(_wins(pairings))
    for pairing in pairings:
        if pairing.result is not None and pairing.result.drawn:
            for entrant in pairing.entrants:
                scores[entrant] = scores.get(entrant, 0) + 0.5
        if pairing.state == "absent":
            for entrant in pairing.entrants:
                scores[entrant] = scores.get(entrant, 0) + points_of_request(pairing)
    for entrant, missed in history.late.items() if history is not None else ():
        if missed.points:
            scores[entrant] = scores.get(entrant, 0) + missed.points
    return scores


def _meetings(pairings: Iterable[Pairing]) -> list[Meeting[Entrant]]:
    """All meetings; a double walkover counts, too: the two were paired, and need not be again.

    A bye at a player's request is none: the next bye may still be theirs.
    """
    return [
        (pairing.a.entrant, pairing.b.entrant, pairing.winner)
        for pairing in pairings
        if pairing.a.entrant is not None and pairing.state != "absent"
    ]
