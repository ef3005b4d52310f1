"""What both seats of a match have given for its dice, as a value that is stepped: chains, nonces, elements (bgdice/1).

Each browser sends its *hand* (the end of its chain and the commitment to its nonce). When no hand is missing any more
the nonces are shown, and with them the element of each seat for the opening roll, its *deposit*: so the opening never
waits for a slow answer, and nobody sees a rival's element before the dice fall. A seat that has nothing to give is
*held*, from then on to the end of the match: its element, and a nonce never shown, is 32 zero bytes, and its rolls are
decided by the server's chain and by what the rival gave.

A seat may *order* its rolls: then the server rolls for it as soon as it is its turn, with the element that was left for
that, once. An order and what was left for it are the seat's alone: the rival is not to know who will not double.

Everything is hex here, as on the wire and in the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.dice import proof
from games.dice.chain import Chain, follows
from games.engine import SIDES, Json, Side, rival

LETTER: dict[Side, proof.Who] = {"white": "A", "black": "B"}
HELD = proof.HELD.hex()


class Unfit(Exception):
    """What a seat gave cannot be taken; `code` says why. Nothing was changed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Hand:
    """One seat: the end of its chain, its nonce and the promise of it, the element shown last, the elements used.

    `order` says that the server is to roll for it, but not where its player could double if `unless_double`; `left` is
    the element for that roll.
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
        """Whether nothing of this seat's hand is still to come."""
        return self.held or self.end is not None

    def follows(self, element: str) -> bool:
        """Whether `element` is the next one of this seat's chain."""
        last = self.shown or self.end
        return last is not None and follows(bytes.fromhex(element), bytes.fromhex(last))

    def view(self) -> Json:
        """What everybody may know: of a deposit only that it is there, and nothing of an order."""
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
class Thrown:
    """One roll: its index, whose it is, both dice, the server's element and those of the rollers; hands after it."""

    i: int
    dice: tuple[int, int]
    s: str
    elements: Mapping[Side, str]
    hands: Hands

    @property
    def proof(self) -> Json:
        return proof_json(self.i, self.elements, self.s)


@dataclass(frozen=True, slots=True)
class Hands:
    """Both seats, and the end of the server's chain."""

    s0: str
    white: Hand = Hand()
    black: Hand = Hand()

    def of(self, side: Side) -> Hand:
        return self.white if side == "white" else self.black

    @property
    def ready(self) -> bool:
        """No hand is missing: nonces may be shown, since nobody can choose a chain any more."""
        return self.white.settled and self.black.settled

    # What a seat gives

    def give(self, side: Side, end: str, commit: str) -> Hands:
        """The hand of a seat; the same one again changes nothing. Raises Unfit: dice_hand, dice_held."""
        hand = self.of(side)
        if (hand.end, hand.commit) == (end, commit):
            return self
        if hand.held:
            raise Unfit("dice_held")
        if hand.end is not None:
            raise Unfit("dice_hand")
        return self._with(side, replace(hand, end=end, commit=commit))

    def reveal(self, side: Side, nonce: str, element: str) -> Hands:
        """The nonce of a seat and its first deposit; the same again changes nothing.

        Raises Unfit: dice_held, dice_early, dice_nonce, element_wrong.
        """
        hand = self.of(side)
        if hand.nonce is not None and hand.nonce == nonce and element in (hand.deposit, hand.shown):
            return self
        if hand.held:
            raise Unfit("dice_held")
        if hand.end is None or not self.ready:
            raise Unfit("dice_early")
        if proof.commitment(bytes.fromhex(nonce)).hex() != hand.commit:
            raise Unfit("dice_nonce")
        return self._with(side, replace(hand, nonce=nonce)).put(side, element)

    def put(self, side: Side, element: str) -> Hands:
        """The element of a seat for the opening roll that comes; the same again changes nothing.

        Raises Unfit: dice_held, dice_early, element_wrong.
        """
        hand = self.of(side)
        if element in (hand.deposit, hand.shown):
            return self
        if hand.held:
            raise Unfit("dice_held")
        if hand.nonce is None:
            raise Unfit("dice_early")
        if not hand.follows(element):
            raise Unfit("element_wrong")
        return self._with(side, replace(hand, deposit=element))

    def order(self, side: Side, on: bool, element: str, *, unless_double: bool = False) -> Hands:
        """Roll for this seat, or do so no more; with its next `element` for one roll, or none. Again changes nothing.

        `unless_double` leaves a turn to its player at which he could double.
        What was left is not given back, but it is not used without the seat either. Raises Unfit: dice_early,
        element_wrong.
        """
        hand = replace(self.of(side), order=on, unless_double=on and unless_double)
        if not on:
            hand = replace(hand, left=None)
        elif element and not hand.held and element not in (hand.left, hand.shown):
            if hand.nonce is None:
                raise Unfit("dice_early")
            if not hand.follows(element):
                raise Unfit("element_wrong")
            hand = replace(hand, left=element)
        return self._with(side, hand)

    def ordered(self, side: Side, *, double: bool) -> bool:
        """Whether the server is to roll for this seat, which could `double`: a held one needs no element."""
        hand = self.of(side)
        return hand.order and (hand.held or hand.left is not None) and not (double and hand.unless_double)

    def hold(self, side: Side) -> Hands:
        """This seat gives nothing any more, to the end of the match."""
        return self._with(side, replace(self.of(side), held=True, deposit=None, left=None))

    # Rolling

    def opened(self, side: Side) -> Hands:
        """This seat is put down as rolled at an opening: held, if it has put nothing down nor left anything."""
        hand = self.of(side)
        element = hand.deposit or hand.left
        return self.hold(side) if element is None else self._with(side, replace(hand, deposit=element))

    def rolled(self, side: Side, element: str) -> Hands:
        """This seat rolls alone with `element`: held without one. Raises Unfit("element_wrong")."""
        hand = self.of(side)
        if hand.held:
            return self
        if not element:
            return self.hold(side)
        if hand.nonce is None or not hand.follows(element):
            raise Unfit("element_wrong")
        return self._with(side, replace(hand, deposit=element))

    def throw(self, match_id: str, chain: Chain, *, i: int, rollers: Sequence[Side]) -> Thrown:
        """Roll `i` of the match, from the server's element `i` and what the rollers have put down.

        It depends on nothing else, so the same roll asked for again has the same dice. Raises IndexError past the end
        of the server's chain.
        """
        elements: dict[Side, str] = {side: self.of(side).deposit or HELD for side in SIDES if side in rollers}
        s = chain.element(i)
        c = b"".join(bytes.fromhex(element) for element in elements.values())
        dice = proof.roll(self.context(match_id), i, who(elements), s, c)
        return Thrown(i, dice, s.hex(), elements, self.shown(rollers))

    def shown(self, rollers: Sequence[Side]) -> Hands:
        """The dice have fallen: what the rollers had put down is used up."""
        hands = self
        for side in rollers:
            hand = hands.of(side)
            if hand.deposit is not None:
                hand = replace(hand, shown=hand.deposit, used=hand.used + 1, deposit=None, left=None)
                hands = hands._with(side, hand)
        return hands

    def context(self, match_id: str) -> bytes:
        """X, fixed from the first roll on: by then every nonce is shown or will never be."""
        ends = (bytes.fromhex(hand.end or HELD) for hand in (self.white, self.black))
        nonces = (bytes.fromhex(hand.nonce or HELD) for hand in (self.white, self.black))
        return proof.context(match_id, bytes.fromhex(self.s0), *ends, *nonces)

    # Telling

    def view(self) -> Json:
        """What everybody at the table sees (docs/protocol.md)."""
        return {"ready": self.ready, "s0": self.s0, **{side: self.of(side).view() for side in SIDES}}

    def snapshot(self) -> Json:
        return {"s0": self.s0, **{side: self.of(side).snapshot() for side in SIDES}}

    def _with(self, side: Side, hand: Hand) -> Hands:
        return replace(self, white=hand) if side == "white" else replace(self, black=hand)


def restore(snapshot: Mapping[str, Any]) -> Hands:
    """The hands that `snapshot` was taken of."""
    return Hands(snapshot["s0"], *(Hand(**snapshot[side]) for side in SIDES))


def spared(hands: Hands, side: Side) -> bool:
    """Whether this seat could not show its nonce yet, because it waited for the rival's hand."""
    return hands.of(side).settled and not hands.of(side).held and not hands.of(rival(side)).settled


def who(elements: Mapping[Side, str]) -> proof.Who:
    """Whose roll it is, by those who gave their elements for it: an opening has both."""
    return "O" if len(elements) == len(SIDES) else LETTER[next(iter(elements))]


def proof_json(i: int, elements: Mapping[Side, str], s: str) -> Json:
    """What proves a roll, as a transcript and the wire have it; White's element is `a`, Black's `b`."""
    told: Json = {"i": i, "who": who(elements), "s": s}
    told |= {LETTER[side].lower(): element for side, element in elements.items()}
    return {**told, "held": True} if HELD in elements.values() else told
