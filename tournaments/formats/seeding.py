"""The seats of the drawn order in a bracket, and its byes."""

from __future__ import annotations

from typing import Literal

from .core import Bye, Seed


def bracket_size(entrants: int) -> int:
    """The number of seats of the smallest bracket for so many entrants: a power of two, at least 2."""
    return max(2, 1 << (entrants - 1).bit_length())


def seats(size: int) -> tuple[int, ...]:
    """The seeds from the top of a bracket with `size` seats, a power of two: 1, 8, 4, 5, 2, 7, 3, 6.

    The first two can meet in the final only, the first four not before the semi-finals, and so on; in every round in
    which all the better seeds win, seed s meets the one whose number added to s is the number of players left plus 1.
    """
    order = [1]
    while len(order) < size:
        together = 2 * len(order) + 1
        order = [seed for better in order for seed in (better, together - better)]
    return tuple(order)


def seating(entrants: int, byes: Literal["top", "drawn"] = "top", late: int = 0) -> tuple[Seed | Bye, ...]:
    """The seed or bye at each seat of the bracket, from the top; two seats meet in the first round, never two byes.

    `top`: the missing players are the last seeds, so the byes go to seeds 1, 2, ... `drawn`: they do not go to seeds,
    but to first-round pairings spread over the whole bracket, whoever is drawn there. The upper half of the seeds keep
    their seats, and the others fill in order the seats that are no byes.

    The last `late` entrants came after the draw: they take byes, and nobody else moves. With byes at the top that is
    the last bye of the top, else the first one from the top of the bracket; without a bye all are seated anew.
    """
    if byes == "drawn" and late and bracket_size(entrants) == bracket_size(entrants - late):
        late_seeds = [Seed(seed) for seed in range(entrants, entrants - late, -1)]
        seated = seating(entrants - late, byes)
        return tuple(late_seeds.pop() if late_seeds and seat == Bye() else seat for seat in seated)
    size = bracket_size(entrants)
    order, half = seats(size), size // 2
    if byes == "top":
        return tuple(Seed(seed) if seed <= entrants else Bye() for seed in order)
    missing = size - entrants
    with_bye = {(2 * n + 1) * half // (2 * missing) for n in range(missing)}
    opposite = sorted(seat for number, seat in enumerate(order[1::2]) if number not in with_bye)
    moved = {seat: seed for seed, seat in enumerate(opposite, half + 1)}
    return tuple(Seed(seat) if seat <= half else Seed(moved[seat]) if seat in moved else Bye() for seat in order)
