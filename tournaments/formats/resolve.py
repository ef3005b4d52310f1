"""Which state a pairing has, and which players come from it to the next ones. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from tournaments.formats.core import (
    Entrant,
    Key,
    LoserOf,
    Pairing,
    PairingReason,
    PairingState,
    Result,
    ResultKey,
    Slot,
    WinnerOf,
    result_of,
)


def pairing_key(section: str, round_: int, number: int) -> Key:
    return f"{section}-{round_}-{number}"


def resolve_pairing(
    *,
    section: str,
    round_: int,
    number: int,
    a: Slot,
    b: Slot,
    why: PairingReason,
    results: Mapping[ResultKey, Result],
    withdrawn: frozenset[Entrant],
    key: Key = "",
) -> Pairing:
    """A pairing with its state: the only place that knows byes, empty slots and what a withdrawal means.

    A recorded result of these two entrants stands whatever happened later; what others played here, before a correction
    brought these two, does not concern them. Without a `key` it is that of its section, round and number.
    """
    key = key or pairing_key(section, round_, number)

    def pairing(state: PairingState, result: Result | None = None) -> Pairing:
        return Pairing(key, section, round_, number, a, b, state, why, result)

    if not (a.known and b.known):
        return pairing("waiting")
    if a.is_empty and b.is_empty:
        return pairing("void")
    if a.is_empty or b.is_empty:
        return pairing("bye")
    result = result_of(results, key, a.entrant, b.entrant)
    if result is not None:
        return pairing("done", result)
    remaining = [slot.entrant for slot in (a, b) if slot.entrant not in withdrawn]
    if len(remaining) == 2:
        return pairing("ready")
    return pairing("done", Result(remaining[0] if remaining else None, how="withdrawn"))


def winner_slot(source: WinnerOf, pairing: Pairing) -> Slot:
    """The slot that the winner of `pairing` fills."""
    if pairing.state in ("waiting", "ready"):
        return Slot(source)
    return Slot(source, pairing.winner, is_empty=pairing.winner is None)


def loser_slot(source: LoserOf, pairing: Pairing, *, if_present: bool) -> Slot:
    """The slot that the loser of `pairing` fills: empty after a bye or a double walkover.

    `if_present`: also after a walkover whose loser is not there (ruling E10).
    """
    if pairing.state in ("waiting", "ready"):
        return Slot(source)
    result = pairing.result
    absent = if_present and result is not None and result.how == "walkover" and not result.loser_present
    loser = None if absent else pairing.loser
    return Slot(source, loser, is_empty=loser is None)
