"""The next dice of a match under lock: from the chains of the server and the players, or from the system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from games import dice
from games.dice.match_dice import MatchDice
from games.engine import Json, Side
from games.services import dice_chains


@dataclass(frozen=True, slots=True)
class DiceRoll:
    """One roll: the dice, what both seats have given after it, and the server's element and proof if it has one."""

    dice: tuple[int, int]
    match_dice: MatchDice | None
    element: str = ""
    proof: Json | None = None

    @property
    def text(self) -> str:
        """The action of chance: ``dice 31``."""
        return "dice {}{}".format(*self.dice)


def roll_next(
    match_id: str,
    index: int,
    *,
    match_dice: MatchDice | None,
    rollers: Sequence[Side],
    elements: Mapping[Side, str],
) -> DiceRoll:
    """Roll `index` of the match: from the chains, or from the system where nothing can be proved.

    `elements` are those that the rollers gave in this transaction; only dice that are scripted by tests read them.
    """
    chain = None if match_dice is None or dice.is_replaced() else dice_chains.chain_of(match_id, index)
    if match_dice is not None and chain is not None and index <= chain.length:
        rolled = match_dice.roll(match_id, chain, i=index, rollers=rollers)
        return DiceRoll(rolled.dice, rolled.match_dice, rolled.s, rolled.proof)
    return DiceRoll(dice.roll(match_id, index, elements), match_dice and match_dice.shown(rollers))


def needs_database(match_id: str, index: int, match_dice: MatchDice | None) -> bool:
    """Whether roll `index` has to read the chain of the match first."""
    return match_dice is not None and not dice.is_replaced() and not dice_chains.is_known(match_id, index)


def may_need_database(match_ids: Iterable[str]) -> bool:
    """Whether the next roll of one of these matches may have to read its chain first."""
    return not dice.is_replaced() and not all(map(dice_chains.is_read, match_ids))


def read_chains(match_ids: Iterable[str]) -> None:
    """Read the chains that the next rolls of these matches need, where none is known, so that these rolls need not."""
    if not dice.is_replaced():
        dice_chains.read(match_ids)


def give_element(
    match_dice: MatchDice | None, side: Side, element: str, *, opening: bool
) -> tuple[MatchDice | None, str]:
    """Record what a seat gives for its roll, and return it as its row keeps it. Without an element it is held.

    Raises DiceRefused("element_wrong").
    """
    if match_dice is None:
        return None, element
    updated = match_dice.opened(side) if opening else match_dice.rolled(side, element)
    return updated, updated.of(side).deposit or ""
