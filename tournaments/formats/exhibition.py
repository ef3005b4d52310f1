"""Simultaneous exhibition: one host plays everybody else at once (ruling E25)."""

from __future__ import annotations

from .bracket import FEWEST, all_settled
from .core import Config, History, Invalid, Pairing, PairingReason, Round, Seed, Slot, Standing, cached_on_history
from .resolve import resolve_pairing

MOST = 65  # the host and 64 guests


class Exhibition:
    """The exhibition format: the first of the draw is the host, and has a pairing with each of the others.

    There are no places: what counts is the score of the host against all guests (`host_score`).
    """

    key = "exhibition"
    sections = "cross"
    takes_bye_requests = False
    at_once = True
    pairs_free_players = False
    needs_accounts = False
    section = "exhibition"

    def check(self, config: Config, entrants: int) -> None:
        """Raises Invalid: too_few, too_many."""
        if entrants < FEWEST:
            raise Invalid("too_few", least=FEWEST)
        if entrants > MOST:
            raise Invalid("too_many", most=MOST)

    @cached_on_history
    def pairings(self, config: Config, history: History) -> tuple[Pairing, ...]:
        host, *guests = history.order
        return tuple(
            resolve_pairing(
                section=self.section,
                round_=1,
                number=number,
                a=Slot(Seed(1), host),
                b=Slot(Seed(number + 1), guest),
                why=PairingReason("host"),
                results=history.results,
                withdrawn=history.withdrawn,
            )
            for number, guest in enumerate(guests, start=1)
        )

    def next_round(self, config: Config, history: History) -> Round | None:
        return None

    def standings(self, config: Config, history: History) -> tuple[Standing, ...]:
        """None: nobody wins a place."""
        return ()

    def over(self, config: Config, history: History) -> bool:
        return all_settled(self.pairings(config, history))


def host_score(pairings: tuple[Pairing, ...]) -> tuple[int, int]:
    """How many pairings the host has won, and how many the guests."""
    winners = [(pairing.winner, pairing.a.entrant) for pairing in pairings if pairing.state == "done"]
    host = sum(winner == number for winner, number in winners)
    return host, sum(winner is not None for winner, _host in winners) - host
