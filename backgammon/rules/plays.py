"""All legal whole plays of a roll, each result once (B4-B9, H1, H2).

Everything here works on packed boards (`Board.code`): a half-move is one addition. The rules of a single number stand
in `half_moves`; the duty to use the whole roll (B5) is in `whole_plays` for the results and in `tree` for the
half-moves that lead there. The tests compare both with a naive generator.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from backgammon.rules.half_moves import Dice, HalfMove, half_moves, landing

from .board import BAR, BLOT, EMPTY, HIT, HOME, OFF, STEP, STOCK, Board, places_of
from .house import PLAIN, House, closes_out
from .tree import Node, build_tree


def whole_plays(code: int, dice: Dice, free: int = 0) -> tuple[list[int], int]:
    """The boards after the legal plays of a roll, each once in no order, and how many numbers each play uses.

    B5: both numbers if any way exists; else the larger that can be played; of doubles as many as possible. When
    nothing can be played the result is no board and 0. From a point up to `free` any number bears off (H2).
    """
    low, high = sorted(dice)
    if low == high:
        return _doubles(code, low, free)
    at = places_of(code)
    sources = [point for point in range(24, 0, -1) if at[point] > EMPTY]
    in_field = at[BAR] == EMPTY == at[STOCK] and len(sources) > 1 and (sources[1] > HOME or at[sources[0]] > EMPTY + 1)
    if in_field and sources[0] > HOME:
        both = _both_in_field(code, at, sources, high, low)
    else:
        both = {after for _, mid in half_moves(code, high, free) for _, after in half_moves(mid, low, free)}
        both.update([after for _, mid in half_moves(code, low, free) for _, after in half_moves(mid, high, free)])
    if both:
        return list(both), 2
    for die in (high, low):
        if results := [after for _, after in half_moves(code, die, free)]:
            return results, 1
    return [], 0


def _both_in_field(code: int, at: bytes, sources: list[int], high: int, low: int) -> set[int]:
    """The boards after both numbers with two or more checkers outside home and none on the bar, so no bearing off.

    Then the two half-moves are independent, except that one checker may make both, that a single checker cannot leave
    a point twice, and that a blot is hit once.
    """
    step_high, step_low = STEP[high], STEP[low]
    firsts = [
        (point, step_high[point] if there != BLOT else step_high[point] + HIT[point - high])
        for point in sources
        if point > high and (there := at[point - high]) >= BLOT
    ]
    seconds = [
        (point, step_low[point] if there != BLOT else step_low[point] + HIT[point - low])
        for point in sources
        if point > low and (there := at[point - low]) >= BLOT
    ]
    single = EMPTY + 1
    both = {
        code + first + second
        for source, first in firsts
        for other, second in seconds
        if source != other or at[source] != single
    }
    for steps, first_die, then_step in ((firsts, high, step_low), (seconds, low, step_high)):
        for source, first in steps:
            end = source - high - low
            if end > OFF and (there := at[end]) >= BLOT:
                after = code + first + then_step[source - first_die]
                both.add(after if there != BLOT else after + HIT[end])
    for source, first in firsts:
        target = source - high
        if at[target] == BLOT and at[target + low] > EMPTY:
            twice = code + first + step_low[target + low] + HIT[target]
            both.discard(twice)
            both.add(twice - HIT[target])
    return both


def _doubles(code: int, die: int, free: int) -> tuple[list[int], int]:
    """The boards after four equal numbers, or as many of them as can be played (B5).

    Any legal play of doubles stays legal when its half-moves are made from the highest source down, and in that order
    no two plays have the same result: the search walks sources downwards and compares no boards.
    """
    at = bytearray(places_of(code))
    step = STEP[die]
    left = 4
    if entering := min(at[BAR] - EMPTY, left):
        target = BAR - die
        if at[target] < BLOT:
            return [], 0
        code += entering * step[BAR] + (HIT[target] if at[target] == BLOT else 0)
        at[BAR] -= entering
        at[target] = max(at[target], EMPTY) + entering
        left -= entering
        if not left or at[BAR] > EMPTY:
            return [code], 4 - left
    steps = []
    reached = set()
    for source in (STOCK, *range(24, 0, -1)):
        if at[source] > EMPTY or source in reached:
            target = landing(source, die)
            if target <= OFF:
                steps.append((source, OFF, step[source]))
            elif at[target] >= BLOT:
                steps.append((source, target, step[source] + (HIT[target] if at[target] == BLOT else 0)))
                reached.add(target)
    outside = at[STOCK] - EMPTY + sum([count - EMPTY for count in at[HOME + 1 : BAR] if count > EMPTY])
    entered = 4 - left
    for numbers in range(left, 0, -1):
        found: list[int] = []
        _descend(found, code, at, (die, free), steps, numbers, outside)
        if found:
            return found, entered + numbers
    return ([code], entered) if entered else ([], 0)


def _descend(
    found: list[int], code: int, at: bytearray, off: Dice, steps: list[tuple[int, int, int]], left: int, outside: int
) -> None:
    """Add to `found` each board after exactly `left` more half-moves, each from no higher a source than the last.

    `steps` are the remaining (source, target, change of the board); `outside` counts the checkers not home. `off` is
    the number, and the highest point from which it bears off whatever stands higher (H2).
    """
    if left == 2 and outside > 1:
        _last_two(found, code, at, steps)
        return
    die, free = off
    for index, (source, target, delta) in enumerate(steps):
        if at[source] <= EMPTY:
            continue
        if not target and (
            outside or (free < source < die and any(at[point] > EMPTY for point in range(source + 1, HOME + 1)))
        ):
            continue
        if left == 1:
            found.append(code + delta)
            continue
        there = at[target]
        rest = steps[index:]
        if there == BLOT:
            rest[0] = (source, target, delta - HIT[target])
        at[source] -= 1
        at[target] = max(there, EMPTY) + 1
        _descend(found, code + delta, at, off, rest, left - 1, outside - (source > HOME >= target))
        at[source] += 1
        at[target] = there


def _last_two(found: list[int], code: int, at: bytearray, steps: list[tuple[int, int, int]]) -> None:
    """`_descend` for two half-moves left and two checkers or more not home, so that no bearing off is possible."""
    live = [step for step in steps if at[step[0]] > EMPTY and step[1]]
    deltas = [step[2] for step in live]
    onwards = {step[0]: step[2] for step in steps if step[1]}
    for index, (source, target, delta) in enumerate(live, 1):
        once = code + delta
        found += [once + other for other in deltas[index:]]
        if at[source] > EMPTY + 1:
            found.append(once + delta - (HIT[target] if at[target] == BLOT else 0))
        if at[target] <= EMPTY and target in onwards:
            found.append(once + onwards[target])


@dataclass(frozen=True, eq=False)
class Plays:
    """The legal plays of a roll on one board. Use `plays_of`, which caches the latest ones."""

    code: int
    dice: Dice
    house: House = PLAIN

    @cached_property
    def _whole(self) -> tuple[tuple[int, ...], int]:
        results, numbers = whole_plays(self.code, self.dice, self.house.free)
        if self.house.desahogo:
            results = [result for result in results if not closes_out(result)] or results
        return tuple(sorted(results)), numbers

    @cached_property
    def unfiltered(self) -> Plays | None:
        """The plays without the duty to leave breathing space, where it forbids some of them; else None (H1)."""
        if not self.house.desahogo:
            return None
        all_plays = plays_of(self.code, self.dice, self.house._replace(desahogo=False))
        return all_plays if len(all_plays.results) > len(self.results) else None

    @property
    def results(self) -> tuple[int, ...]:
        """The packed boards after each legal play, in ascending order; empty when nothing can be played."""
        return self._whole[0]

    @property
    def numbers(self) -> int:
        """How many numbers of the roll every legal play uses: 0, 1 or 2, of doubles up to 4 (B5)."""
        return self._whole[1]

    @property
    def boards(self) -> list[Board]:
        """The boards after each legal play, still seen from the mover."""
        return [Board(code) for code in self.results]

    def half_moves_to(self, result: int) -> tuple[HalfMove, ...]:
        """The half-moves of one legal play that leads to a packed result, highest source first."""
        return (
            _half_moves_of_doubles(self.code, result, self.dice[0])
            if self.dice[0] == self.dice[1]
            else _half_moves_of_two(self)[result]
        )

    @property
    def tree(self) -> tuple[Node, ...]:
        """The nodes of half-moves that lead to legal plays only; node 0 is the root (`build_tree`)."""
        return _tree_of(self)


# Of the latest rolls only: hundreds of tuples each, and for what stays in memory the garbage collector stops play.
@lru_cache(maxsize=16)
def _tree_of(plays: Plays) -> tuple[Node, ...]:
    only = set(plays.results) if plays.unfiltered else None
    return build_tree(plays.code, plays.dice, plays.house.free, only=only)


@lru_cache(maxsize=16)
def _half_moves_of_two(plays: Plays) -> dict[int, tuple[HalfMove, ...]]:
    """The half-moves to each result of a roll of two different numbers."""
    moves_to: dict[int, tuple[HalfMove, ...]] = {}
    free = plays.house.free
    for die, other in (plays.dice, plays.dice[::-1]):
        for first, mid in half_moves(plays.code, die, free):
            moves_to.setdefault(mid, (first,))
            for second, after in half_moves(mid, other, free):
                moves_to[after] = (first, second)
    return {result: tuple(sorted(moves_to[result], key=lambda half: -half.source)) for result in plays.results}


def _half_moves_of_doubles(code: int, result: int, die: int) -> tuple[HalfMove, ...]:
    """The half-moves between two boards when all numbers are equal, derived from the counts on each place."""
    before, after = places_of(code), places_of(result)
    arrived = [0] * (STOCK + 1)
    moves: list[HalfMove] = []
    for source in (BAR, STOCK, *range(24, OFF, -1)):
        target = max(landing(source, die), OFF)
        left = max(before[source], EMPTY) + arrived[source] - max(after[source], EMPTY)
        for _ in range(left):
            moves.append(HalfMove(source, target, die, before[target] == BLOT and not arrived[target]))
            arrived[target] += 1
    return tuple(moves)


@lru_cache(maxsize=512)
def plays_of(code: int, dice: Dice, house: House = PLAIN) -> Plays:
    """The plays of a roll on a packed board; the latest ones are cached."""
    return Plays(code, dice, house)
