"""A naive generator of plays, written from the rulebook alone: slow, and obviously right.

It does not use packed boards: a board is the list of 30 numbers of the wire, checkers are moved one by one in every
order of the dice, and plays that use too few numbers are dropped at the end.
"""

from __future__ import annotations

Wire = list[int]

STOCK, BAR, OFF, FIRST = 0, 1, 2, 2
"""Wire indices of the mover's stock, bar and checkers off; the mover's point n is at ``FIRST + n``."""


def moved(board: Wire, source: int, die: int, *, free_ace: bool = False) -> Wire | None:
    """The board after one checker went from a point (25: the bar, 26: the stock), or None where a rule forbids it."""
    after = list(board)
    target = min(source, 25) - die
    if board[BAR] and source != 25:
        return None  # B7: checkers on the bar first
    if source == 25:
        if not board[BAR]:
            return None
        after[BAR] -= 1
    elif source == 26:
        if not board[STOCK]:
            return None
        after[STOCK] -= 1
    else:
        if board[FIRST + source] <= 0:
            return None
        after[FIRST + source] -= 1
    if target >= 1:
        if board[FIRST + target] <= -2:
            return None  # B6: two opposing checkers block
        if board[FIRST + target] == -1:
            after[FIRST + target] = 0
            after[28] += 1
        after[FIRST + target] += 1
        return after
    if board[STOCK] or any(board[FIRST + point] > 0 for point in range(7, 25)):
        return None  # B9, A3: all checkers home
    if free_ace and source == 1:
        after[OFF] += 1
        return after  # H2: any number bears off from the 1-point
    if target < 0 and any(board[FIRST + point] > 0 for point in range(source + 1, 7)):
        return None  # B9: a higher checker must be moved
    after[OFF] += 1
    return after


def sequences(board: Wire, numbers: list[int], *, free_ace: bool = False) -> list[tuple[list[int], Wire]]:
    """Every continuation with the numbers left, one after another: the numbers used, and the final board."""
    found: list[tuple[list[int], Wire]] = [([], board)]
    for die in sorted(set(numbers)):
        rest = list(numbers)
        rest.remove(die)
        for source in range(26, 0, -1):
            after = moved(board, source, die, free_ace=free_ace)
            if after is not None:
                found += [([die, *used], final) for used, final in sequences(after, rest, free_ace=free_ace)]
    return found


def legal_boards(
    board: Wire, dice: tuple[int, int], *, free_ace: bool = False, breathing_space: bool = False
) -> tuple[list[Wire], int]:
    """The distinct boards after the legal plays of a roll in ascending order, and how many numbers they use (B5).

    The house options: `free_ace` (H2), `breathing_space` (H1).
    """
    numbers = [dice[0]] * 4 if dice[0] == dice[1] else list(dice)
    all_sequences = sequences(board, numbers, free_ace=free_ace)
    most = max(len(used) for used, _ in all_sequences)
    best = [(used, final) for used, final in all_sequences if len(used) == most]
    if most == 1 and dice[0] != dice[1]:
        larger = [(used, final) for used, final in best if used == [max(dice)]]
        best = larger or best
    if breathing_space:
        spacious = [(used, final) for used, final in best if not (final[28] and all(final[n] > 1 for n in range(3, 9)))]
        best = spacious or best
    return sorted([list(final) for final in {tuple(final) for _, final in best}]), most
