"""All legal whole plays of a roll, each result once (B4-B9), and the tree of half-moves that leads to them.

Everything here works on packed boards (`Board.code`): a half-move is one addition. The rules of a single number stand
in `halves`; the duty of the whole roll (B5) stands in `whole_plays` for the results and in `Plays.tree` for the way
there. The tests hold both against a naive generator.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from .board import BAR, BLOT, EMPTY, HIT, OFF, STEP, STOCK, Board, places_of

Dice = tuple[int, int]

HOME = 6
"""The highest point of the home board (B9)."""


class HalfMove(NamedTuple):
    """One man moved by one number: from a place to a place, the die that was used, and whether it hit a blot."""

    source: int
    target: int
    die: int
    hit: bool


class Branch(NamedTuple):
    """One half-move of the tree: `next` is the node it leads to, or -1 when the play is complete; `code` its board."""

    half: HalfMove
    next: int
    code: int


Node = tuple[Branch, ...]


def numbers_of(dice: Dice) -> tuple[int, ...]:
    """The numbers that a roll gives to play: two, or four equal ones of doubles (B4)."""
    return dice * 2 if dice[0] == dice[1] else dice


def landing(source: int, die: int) -> int:
    """The point that a man reaches from a place by a number; 0 or less is off. Bar and stock enter on 25-d (B7)."""
    return (BAR if source == STOCK else source) - die


def halves(code: int, die: int) -> list[tuple[int, int, bool, int]]:
    """Every legal half-move with one number as (source, target, hit, board after it), highest source first.

    Men on the bar first (B7); land on an open point, hitting a blot (B6); bear off only with all men home, from the
    exact point, or from the highest one when the number is larger still (B9).
    """
    at = places_of(code)
    if at[BAR] > EMPTY:
        sources = [BAR]
    else:
        sources = [point for point in range(24, 0, -1) if at[point] > EMPTY]
        if at[STOCK] > EMPTY:
            sources.insert(0, STOCK)
    found = []
    step = STEP[die]
    for source in sources:
        target = (BAR if source == STOCK else source) - die
        if target > OFF:
            if at[target] >= EMPTY:
                found.append((source, target, False, code + step[source]))
            elif at[target] == BLOT:
                found.append((source, target, True, code + step[source] + HIT[target]))
        elif sources[0] <= HOME and (target == OFF or source == sources[0]):
            found.append((source, OFF, False, code + step[source]))
    return found


def whole_plays(code: int, dice: Dice) -> tuple[list[int], int]:
    """The boards that the legal plays of a roll lead to, each once in no order, and how many numbers each play uses.

    B5: both numbers if any way exists; else the larger that can be played; of doubles as many as possible. When
    nothing can be played the answer is no board and 0.
    """
    low, high = sorted(dice)
    if low == high:
        return _doubles(code, low)
    at = places_of(code)
    sources = [point for point in range(24, 0, -1) if at[point] > EMPTY]
    in_field = at[BAR] == EMPTY == at[STOCK] and len(sources) > 1 and (sources[1] > HOME or at[sources[0]] > EMPTY + 1)
    if in_field and sources[0] > HOME:
        both = _both_in_field(code, at, sources, high, low)
    else:
        both = {half[3] for first in halves(code, high) for half in halves(first[3], low)}
        both.update([half[3] for first in halves(code, low) for half in halves(first[3], high)])
    if both:
        return list(both), 2
    for die in (high, low):
        if one := [half[3] for half in halves(code, die)]:
            return one, 1
    return [], 0


def _both_in_field(code: int, at: bytes, sources: list[int], high: int, low: int) -> set[int]:
    """The boards after both numbers with two or more men outside home and none on the bar: nobody can bear off.

    Then the two half-moves do not depend on each other, save that one man may make both, that a single man cannot
    leave twice, and that a blot is hit once.
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


def _doubles(code: int, die: int) -> tuple[list[int], int]:
    """The boards after four equal numbers, or as many of them as can be played (B5).

    Any legal play of doubles stays legal when its half-moves are made from the highest source down, and then each
    play has its own result: the search walks sources downwards and needs no comparison of boards.
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
        _descend(found, code, at, die, steps, numbers, outside)
        if found:
            return found, entered + numbers
    return ([code], entered) if entered else ([], 0)


def _descend(
    found: list[int], code: int, at: bytearray, die: int, steps: list[tuple[int, int, int]], left: int, outside: int
) -> None:
    """Add to `found` each board after exactly `left` more half-moves, each from no higher a source than the last.

    `steps` are the (source, target, what it adds to the board) that remain; `outside` counts the men not home.
    """
    if left == 2 and outside > 1:
        _last_two(found, code, at, steps)
        return
    for index, (source, target, delta) in enumerate(steps):
        if at[source] <= EMPTY:
            continue
        if not target and (
            outside or (source < die and any(at[point] > EMPTY for point in range(source + 1, HOME + 1)))
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
        _descend(found, code + delta, at, die, rest, left - 1, outside - (source > HOME >= target))
        at[source] += 1
        at[target] = there


def _last_two(found: list[int], code: int, at: bytearray, steps: list[tuple[int, int, int]]) -> None:
    """What `_descend` does with two half-moves left and two men or more not home, so that nobody can bear off."""
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
    """What a roll can be played to on one board. Take it from `plays_of`, which remembers the latest ones."""

    code: int
    dice: Dice

    @cached_property
    def _whole(self) -> tuple[tuple[int, ...], int]:
        results, numbers = whole_plays(self.code, self.dice)
        return tuple(sorted(results)), numbers

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

    def way(self, result: int) -> tuple[HalfMove, ...]:
        """The half-moves of one legal play that leads to a packed result, highest source first."""
        return _way_of_doubles(self.code, result, self.dice[0]) if self.dice[0] == self.dice[1] else self._ways[result]

    @cached_property
    def _ways(self) -> dict[int, tuple[HalfMove, ...]]:
        """One way to each result of a roll of two different numbers."""
        ways: dict[int, tuple[HalfMove, ...]] = {}
        for die, other in (self.dice, self.dice[::-1]):
            for source, target, hit, mid in halves(self.code, die):
                first = HalfMove(source, target, die, hit)
                ways.setdefault(mid, (first,))
                for then_source, then_target, then_hit, after in halves(mid, other):
                    ways[after] = (first, HalfMove(then_source, then_target, other, then_hit))
        return {result: tuple(sorted(ways[result], key=lambda half: -half.source)) for result in self.results}

    @cached_property
    def tree(self) -> tuple[Node, ...]:
        """The nodes of half-moves that lead to legal plays and nowhere else; node 0 is the root.

        Two ways to the same board with the same dice left share a node, so doubles stay small. Every walk from the
        root to -1 is a legal play, and every legal play can be walked in each order that the rules allow.
        """
        numbers = numbers_of(self.dice)
        ways: dict[tuple[int, tuple[int, ...]], _Ways] = {}
        _explore(ways, self.code, numbers)
        index: dict[tuple[int, tuple[int, ...]], int] = {(self.code, numbers): 0}
        nodes: list[Node] = []
        queue = [(self.code, numbers)]
        for state in queue:
            node = []
            for half, after, left in ways[state].halves:
                following = (after, left)
                if ways[following].depth == 0:
                    node.append(Branch(half, -1, after))
                    continue
                if following not in index:
                    index[following] = len(queue)
                    queue.append(following)
                node.append(Branch(half, index[following], after))
            nodes.append(tuple(node))
        return tuple(nodes)


class _Ways(NamedTuple):
    """From one board with some dice left: how many numbers can be used, and the half-moves that use that many."""

    depth: int
    halves: tuple[tuple[HalfMove, int, tuple[int, ...]], ...]


def _explore(ways: dict[tuple[int, tuple[int, ...]], _Ways], code: int, left: tuple[int, ...]) -> _Ways:
    """Fill `ways` with every board that can be reached, keeping only what uses the most numbers (B5)."""
    known = ways.get((code, left))
    if known is not None:
        return known
    reached = []
    for die in sorted(set(left), reverse=True):
        rest = list(left)
        rest.remove(die)
        following = tuple(rest)
        for source, target, hit, after in halves(code, die):
            half = HalfMove(source, target, die, hit)
            reached.append((1 + _explore(ways, after, following).depth, half, after, following))
    depth = max((use for use, *_ in reached), default=0)
    best = [(half, after, following) for use, half, after, following in reached if use == depth]
    if depth == 1 < len(set(left)):
        largest = max(half.die for half, *_ in best)
        best = [way for way in best if way[0].die == largest]
    ways[code, left] = _Ways(depth, tuple(best))
    return ways[code, left]


def _way_of_doubles(code: int, result: int, die: int) -> tuple[HalfMove, ...]:
    """The half-moves between two boards when all numbers are equal: who left each place follows from the counts."""
    before, after = places_of(code), places_of(result)
    arrived = [0] * (STOCK + 1)
    way: list[HalfMove] = []
    for source in (BAR, STOCK, *range(24, OFF, -1)):
        target = max(landing(source, die), OFF)
        left = max(before[source], EMPTY) + arrived[source] - max(after[source], EMPTY)
        for _ in range(left):
            way.append(HalfMove(source, target, die, before[target] == BLOT and not arrived[target]))
            arrived[target] += 1
    return tuple(way)


@lru_cache(maxsize=512)
def plays_of(code: int, dice: Dice) -> Plays:
    """The plays of a roll on a packed board; the latest ones are remembered."""
    return Plays(code, dice)
