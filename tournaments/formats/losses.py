"""X-losses: paired as a Swiss, until all but one entrant have as many losses as put them out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from .bracket import FEWEST, all_settled, check_size
from .core import Config, Entrant, History, Invalid, Pairing, Round, Standing, cached_on_history
from .standings import check_tie_breaks, table
from .swiss import pair_next_round, recorded_pairings

MOST_LOSSES = 9


class Losses:
    """The X-losses format: `config.losses` losses put an entrant out. A bye is no loss, a missed round is one.

    It ends when one entrant is left, or after `config.rounds`.
    """

    key = "losses"
    sections = "table"
    takes_bye_requests = False
    at_once = False
    pairs_free_players = False
    needs_accounts = False
    section = "losses"

    def check(self, config: Config, entrants: int) -> None:
        """Raises Invalid: too_few, too_many, losses, rounds (0: until one is left), tie_breaks."""
        check_size(entrants)
        if not 1 <= config.losses <= MOST_LOSSES:
            raise Invalid("losses", losses=config.losses, least=1, most=MOST_LOSSES)
        if config.rounds < 0:
            raise Invalid("rounds", rounds=config.rounds, least=0)
        check_tie_breaks(config)

    @cached_on_history
    def pairings(self, config: Config, history: History) -> tuple[Pairing, ...]:
        return recorded_pairings(self.section, history)

    def next_round(self, config: Config, history: History) -> Round | None:
        pairings = self.pairings(config, history)
        staying = _staying(config, history, pairings)
        if not all_settled(pairings) or _last(config, history, staying):
            return None
        return pair_next_round(self.section, staying, pairings, history)

    def standings(self, config: Config, history: History) -> tuple[Standing, ...]:
        """The entrants still in, by the tie-breaks, and after them those who are out."""
        pairings = self.pairings(config, history)
        staying = _staying(config, history, pairings)
        lines = table(pairings, history.order, config.tie_breaks, section=self.section, late=history.late)
        remaining = [line for line in lines if line.entrant in staying]
        eliminated = [replace(line, note="out") for line in lines if line.entrant not in staying]
        return (*_placed(remaining, 1), *_placed(eliminated, len(remaining) + 1))

    def over(self, config: Config, history: History) -> bool:
        pairings = self.pairings(config, history)
        return all_settled(pairings) and _last(config, history, _staying(config, history, pairings))


def _staying(config: Config, history: History, pairings: Sequence[Pairing]) -> list[Entrant]:
    """The entrants still in, in the order of the draw."""
    lost: Counter[Entrant] = Counter(
        {entrant: missed.rounds for entrant, missed in history.late.items() if not missed.half}
    )
    for pairing in pairings:
        if pairing.state == "done":
            lost.update(entrant for entrant in pairing.entrants if entrant != pairing.winner)
    return [entrant for entrant in history.order if lost[entrant] < config.losses and entrant not in history.withdrawn]


def _last(config: Config, history: History, staying: Sequence[Entrant]) -> bool:
    """Whether no round comes after those that are recorded."""
    return len(staying) < FEWEST or 0 < config.rounds <= len(history.rounds)


def _placed(lines: list[Standing], first: int) -> list[Standing]:
    """The same lines with places counted from `first`; shared places stay shared."""
    ahead = [line.place for line in lines]
    return [replace(line, place=first + ahead.index(line.place)) for line in lines]
