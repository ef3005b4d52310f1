"""Where the drawn order sits in a bracket, and who has the byes."""

from __future__ import annotations

from typing import Literal

from .core import Bye, Seed


def size_for(entrants: int) -> int:
    """The places of the smallest bracket that holds so many: a power of two, 2 at least."""
    return max(2, 1 << (entrants - 1).bit_length())


def seats(size: int) -> tuple[int, ...]:
    """The seeds from the top of a bracket with `size` places, a power of two: 1, 8, 4, 5, 2, 7, 3, 6.

    The first two can meet in the final only, the first four not before the semi-finals, and so on; in every round in
    which all the better seeds win, seed s meets the one with whom he adds up to the number of players left and one.
    """
    order = [1]
    while len(order) < size:
        together = 2 * len(order) + 1
        order = [seed for better in order for seed in (better, together - better)]
    return tuple(order)


def seating(entrants: int, byes: Literal["top", "drawn"] = "top", late: int = 0) -> tuple[Seed | Bye, ...]:
    """Who sits at each place of the bracket, from the top; two places meet in the first round, never two byes.

    `top`: the missing players are the last seeds, so the byes fall to seeds 1, 2, ... `drawn`: they fall on places and
    not on seeds, namely on first-round pairings spread over the whole bracket, whoever the draw has put there. The
    upper half of the seeds keep their seats, and the others fill in order the seats that no bye has taken.

    The last `late` of them came after the draw: they take byes, and nobody else moves. While the byes were at the top
    that is the last bye of the top, else the first one from the top of the bracket; without a bye all sit anew.
    """
    if byes == "drawn" and late and size_for(entrants) == size_for(entrants - late):
        coming = [Seed(seed) for seed in range(entrants, entrants - late, -1)]
        there = seating(entrants - late, byes)
        return tuple(coming.pop() if coming and one == Bye() else one for one in there)
    size = size_for(entrants)
    order, half = seats(size), size // 2
    if byes == "top":
        return tuple(Seed(seed) if seed <= entrants else Bye() for seed in order)
    missing = size - entrants
    resting = {(2 * n + 1) * half // (2 * missing) for n in range(missing)}
    opposite = sorted(seat for number, seat in enumerate(order[1::2]) if number not in resting)
    moved = {seat: seed for seed, seat in enumerate(opposite, half + 1)}
    return tuple(Seed(seat) if seat <= half else Seed(moved[seat]) if seat in moved else Bye() for seat in order)
