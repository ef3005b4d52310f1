"""What both seats of a match have given for its dice, as a frozen value: chains, nonces, elements (bgdice/1).

Each browser sends its *hand* (the end of its chain and the commitment to its nonce). When no hand is missing any more
the nonces are revealed, and with them the element of each seat for the opening roll, its *deposit*: so the opening
never waits for a slow answer, and nobody sees an opponent's element before the dice fall. A seat that has nothing to
give is *held*, from then on to the end of the match: its element, and a nonce never revealed, is 32 zero bytes, and its
rolls are decided by the server's chain and by what the opponent gave.

A seat may *order* its rolls: then the server rolls for it as soon as it is its turn, with the element that was left for
that, once. An order and what was left for it are private to the seat: the opponent must not know who will not double.

Everything is hex here, as on the wire and in the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.dice import proof
from games.dice.chain import Chain, follows
from games.engine import SIDES, Json, Side, opponent

LETTER: dict[Side, proof.RollerLetter] = {"white": "A", "black": "B"}
HELD = proof.HELD.hex()


class DiceRefused(Exception):
    """What a seat gave is refused; `code` says why. Nothing was changed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class SeatDice:
    """One seat: the end of its chain, its nonce and the commitment to it, the last element shown, the elements used.

    With `order` the server rolls for it, but not where its player could double if `unless_double`; `left` is the
    element for that roll.
    """

    end: str | None = None
    commit: str | None = None
    nonce: str | None = None
    shown: str | None = None
    used: int = 0
    held: bool = False
    deposit: str | None = None
    order: bool = False
    unless_double: bool = False
    left: str | None = None

    @property
    def settled(self) -> bool:
        """Whether this seat has given its hand, or never will."""
        return self.held or self.end is not None

    def follows(self, element: str) -> bool:
        """Whether `element` is the next one of this seat's chain."""
        last = self.shown or self.end
        return last is not None and follows(bytes.fromhex(element), bytes.fromhex(last))

    def view(self) -> Json:
        """What everybody may see: of a deposit only whether it exists, and nothing of an order."""
        return {
            "end": self.end,
            "commit": self.commit,
            "nonce": self.nonce,
            "held": self.held,
            "used": self.used,
            "shown": self.shown,
            "deposited": self.deposit is not None,
        }

    def snapshot(self) -> Json:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class ProvedRoll:
    """One roll: its index, both dice, the server's element `s` and those of the rollers; the match's dice after it."""

    i: int
    dice: tuple[int, int]
    s: str
    elements: Mapping[Side, str]
    match_dice: MatchDice

    @property
    def proof(self) -> Json:
        return proof_json(self.i, self.elements, self.s)


@dataclass(frozen=True, slots=True)
class MatchDice:
    """Both seats, and the end of the server's chain."""

    s0: str
    white: SeatDice = SeatDice()
    black: SeatDice = SeatDice()

    def of(self, side: Side) -> SeatDice:
        return self.white if side == "white" else self.black

    @property
    def ready(self) -> bool:
        """Whether no hand is missing: nonces may be revealed, since nobody can choose a chain any more."""
        return self.white.settled and self.black.settled

    # What a seat gives

    def commit(self, side: Side, end: str, commitment: str) -> MatchDice:
        """Record the hand of a seat; idempotent. Raises DiceRefused: dice_hand, dice_held."""
        seat = self.of(side)
        if (seat.end, seat.commit) == (end, commitment):
            return self
        if seat.held:
            raise DiceRefused("dice_held")
        if seat.end is not None:
            raise DiceRefused("dice_hand")
        return self._with(side, replace(seat, end=end, commit=commitment))

    def reveal(self, side: Side, nonce: str, element: str) -> MatchDice:
        """Record the nonce of a seat and its first deposit; idempotent.

        Raises DiceRefused: dice_held, dice_early, dice_nonce, element_wrong.
        """
        seat = self.of(side)
        if seat.nonce is not None and seat.nonce == nonce and element in (seat.deposit, seat.shown):
            return self
        if seat.held:
            raise DiceRefused("dice_held")
        if seat.end is None or not self.ready:
            raise DiceRefused("dice_early")
        if proof.commitment(bytes.fromhex(nonce)).hex() != seat.commit:
            raise DiceRefused("dice_nonce")
        return self._with(side, replace(seat, nonce=nonce)).deposit(side, element)

    def deposit(self, side: Side, element: str) -> MatchDice:
        """Record the element of a seat for the next opening roll; idempotent.

        Raises DiceRefused: dice_held, dice_early, element_wrong.
        """
        seat = self.of(side)
        if element in (seat.deposit, seat.shown):
            return self
        if seat.held:
            raise DiceRefused("dice_held")
        if seat.nonce is None:
            raise DiceRefused("dice_early")
        if not seat.follows(element):
            raise DiceRefused("element_wrong")
        return self._with(side, replace(seat, deposit=element))

    def order(self, side: Side, on: bool, element: str, *, unless_double: bool = False) -> MatchDice:
        """Roll for this seat, or do so no more; with its next `element` for one roll, or none. Idempotent.

        `unless_double` leaves a turn at which they could double to the player.
        What was left is not given back, but it is not used without the seat either. Raises DiceRefused: dice_early,
        element_wrong.
        """
        seat = replace(self.of(side), order=on, unless_double=on and unless_double)
        if not on:
            seat = replace(seat, left=None)
        elif element and not seat.held and element not in (seat.left, seat.shown):
            if seat.nonce is None:
                raise DiceRefused("dice_early")
            if not seat.follows(element):
                raise DiceRefused("element_wrong")
            seat = replace(seat, left=element)
        return self._with(side, seat)

    def is_ordered(self, side: Side, *, double: bool) -> bool:
        """Whether the server is to roll for this seat, which could `double`: a held one needs no element."""
        seat = self.of(side)
        return seat.order and (seat.held or seat.left is not None) and not (double and seat.unless_double)

    def hold(self, side: Side) -> MatchDice:
        """Hold this seat: it gives nothing any more, to the end of the match."""
        return self._with(side, replace(self.of(side), held=True, deposit=None, left=None))

    # Rolling

    def opened(self, side: Side) -> MatchDice:
        """Record that this seat rolls at an opening: it is held without a deposit or an element left for an order."""
        seat = self.of(side)
        element = seat.deposit or seat.left
        return self.hold(side) if element is None else self._with(side, replace(seat, deposit=element))

    def rolled(self, side: Side, element: str) -> MatchDice:
        """Record that this seat rolls alone; without an `element` it is held. Raises DiceRefused("element_wrong")."""
        seat = self.of(side)
        if seat.held:
            return self
        if not element:
            return self.hold(side)
        if seat.nonce is None or not seat.follows(element):
            raise DiceRefused("element_wrong")
        return self._with(side, replace(seat, deposit=element))

    def roll(self, match_id: str, chain: Chain, *, i: int, rollers: Sequence[Side]) -> ProvedRoll:
        """Roll `i` of the match, from the server's element `i` and the deposits of the rollers.

        It depends on nothing else, so the same roll asked for again has the same dice. Raises IndexError past the end
        of the server's chain.
        """
        elements: dict[Side, str] = {side: self.of(side).deposit or HELD for side in SIDES if side in rollers}
        s = chain.element(i)
        c = b"".join(bytes.fromhex(element) for element in elements.values())
        dice = proof.roll(self.context(match_id), i, roller_of(elements), s, c)
        return ProvedRoll(i, dice, s.hex(), elements, self.shown(rollers))

    def shown(self, rollers: Sequence[Side]) -> MatchDice:
        """Record that the dice have fallen: the deposits of the rollers are shown and used up."""
        match_dice = self
        for side in rollers:
            seat = match_dice.of(side)
            if seat.deposit is not None:
                seat = replace(seat, shown=seat.deposit, used=seat.used + 1, deposit=None, left=None)
                match_dice = match_dice._with(side, seat)
        return match_dice

    def context(self, match_id: str) -> bytes:
        """X, fixed from the first roll on: by then every nonce is revealed or never will be."""
        ends = (bytes.fromhex(seat.end or HELD) for seat in (self.white, self.black))
        nonces = (bytes.fromhex(seat.nonce or HELD) for seat in (self.white, self.black))
        return proof.context(match_id, bytes.fromhex(self.s0), *ends, *nonces)

    # Views and snapshots

    def view(self) -> Json:
        """What everybody at the match sees (docs/protocol.md)."""
        return {"ready": self.ready, "s0": self.s0, **{side: self.of(side).view() for side in SIDES}}

    def snapshot(self) -> Json:
        return {"s0": self.s0, **{side: self.of(side).snapshot() for side in SIDES}}

    def _with(self, side: Side, seat: SeatDice) -> MatchDice:
        return replace(self, white=seat) if side == "white" else replace(self, black=seat)


def restore(snapshot: Mapping[str, Any]) -> MatchDice:
    """The value that `snapshot` was taken of."""
    return MatchDice(snapshot["s0"], *(SeatDice(**snapshot[side]) for side in SIDES))


def waits_for_opponent(match_dice: MatchDice, side: Side) -> bool:
    """Whether this seat could not reveal its nonce yet, because it waited for the opponent's hand."""
    seat = match_dice.of(side)
    return seat.settled and not seat.held and not match_dice.of(opponent(side)).settled


def roller_of(elements: Mapping[Side, str]) -> proof.RollerLetter:
    """Whose roll it is, by the seats that gave elements for it: an opening has both."""
    return "O" if len(elements) == len(SIDES) else LETTER[next(iter(elements))]


def proof_json(i: int, elements: Mapping[Side, str], s: str) -> Json:
    """What proves a roll, as a transcript and the wire have it; White's element is `a`, Black's `b`."""
    fields: Json = {"i": i, "who": roller_of(elements), "s": s}
    fields |= {LETTER[side].lower(): element for side, element in elements.items()}
    return {**fields, "held": True} if HELD in elements.values() else fields
