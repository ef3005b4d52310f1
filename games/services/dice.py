"""What a seat gives for the dice beside its rolls: the end of its chain, its nonce, the element of an opening, an order
to roll for it (ruling V).

None of it is an action: the version of the match stays, and the same thing given twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from games.dice.match_dice import DiceRefused, MatchDice
from games.engine import Side
from games.errors import Refused, Stale
from games.frames import DiceCommit, DiceDeposit, DiceFrame, DiceOrder, DiceReveal
from games.services.locked_match import LockedMatch, match_step

Change = Callable[[MatchDice, Side], MatchDice]


def dice_give(*, match_id: str, user_id: int | None, frame: DiceFrame) -> int:
    """Carry out one frame `dice` of docs/protocol.md; returns the version of the match, a later one if a roll was due.

    Raises NotFound, Stale, Refused: not_seated, not_live, match_over, dice_none, dice_hand, dice_held, dice_early,
    dice_nonce, dice_not_now, element_wrong, order_live.
    """

    def give(locked: LockedMatch, side: Side) -> None:
        if isinstance(frame, DiceOrder):
            _order(locked, side, frame)
        else:
            _give(locked, side, _change(frame))

    locked, expired = match_step(match_id, user_id, give)
    if expired:
        raise Stale
    return locked.match.version


def _change(frame: DiceCommit | DiceReveal | DiceDeposit) -> Change:
    match frame:
        case DiceCommit(end=end, commit=commit):
            return lambda dice, side: dice.commit(side, end, commit)
        case DiceReveal(nonce=nonce, element=element):
            return lambda dice, side: dice.reveal(side, nonce, element)
        case DiceDeposit(element=element):
            return lambda dice, side: dice.deposit(side, element)


def _give(locked: LockedMatch, side: Side, change: Change) -> None:
    dice = _changed(locked, side, change)
    if dice == locked.dice:  # a retry
        return
    _check_unfinished(locked)
    if not locked.state.opening:
        raise Refused("dice_not_now", ruling="V")
    locked.save_dice(dice)


def _order(locked: LockedMatch, side: Side, frame: DiceOrder) -> None:
    """Roll for this seat from now on, or no more.

    By correspondence alone. Each ordered roll uses up an element that was left for it; a held seat needs none. With
    `unless_double` a turn at which its player could double is left to them.
    """
    dice = _changed(
        locked,
        side,
        lambda dice, side: dice.order(side, frame.on, frame.element, unless_double=frame.unless_double),
    )
    if not locked.preset.slow:
        raise Refused("order_live", ruling="V")
    if dice != locked.dice:
        _check_unfinished(locked)
        locked.save_order(dice)


def _changed(locked: LockedMatch, side: Side, change: Change) -> MatchDice:
    if locked.dice is None:
        raise Refused("dice_none", ruling="V")
    try:
        return change(locked.dice, side)
    except DiceRefused as error:
        raise Refused(error.code, ruling="V") from error


def _check_unfinished(locked: LockedMatch) -> None:
    if locked.state.result is not None:
        raise Refused("match_over")
