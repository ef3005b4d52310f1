"""Random corrections of tournaments without a database, in every format: results, corrections, waiting list, late
entries, withdrawals and returns, substitutes, pairing requests, penalties and breaks, each undone and redone at random.
`Mended.check` has what must hold after each step.

`python -m tools.fuzz.tournaments --sequences 10000` runs many (`make fuzz-tournaments`); the tests run a few hundred.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from tournaments.fold import fold, state_after
from tournaments.formats.core import EntrantPair, Invalid, Key, Pairing, Round
from tournaments.formats.matching import pair
from tournaments.formats.registry import FORMATS
from tournaments.roster_events import late_entry_refusal
from tournaments.state import Event, State
from tournaments.terms import Terms
from tournaments.undo import AffectedPairing, affected_pairings, head_events, replay, result_keys, undone_acts

SHAPES: dict[str, tuple[str, dict[str, Any], int]] = {  # format, its config, the fewest players
    "knockout": ("knockout", {}, 2),
    "drawn byes": ("knockout", {"byes": "drawn"}, 2),
    "simple consolation": ("knockout", {"consolation": "simple"}, 2),
    "progressive consolation": ("knockout", {"consolation": "progressive", "last_chance": True}, 2),
    "double": ("double", {}, 2),
    "swiss": ("swiss", {"rounds": 3}, 4),
    "losses": ("losses", {"losses": 2}, 2),
    "round robin": ("round-robin", {}, 2),
    "groups": ("groups", {"groups": 2, "advance": 2}, 6),
    "league": ("league", {"divisions": 2}, 4),
}
LENGTH = 3


class Mended:
    """A tournament whose director corrects at random: its events, and the state after each."""

    def __init__(self, shape: str, players: int, chance: random.Random) -> None:
        format_, config, _least = SHAPES[shape]
        self.chance = chance
        self.players = players
        self.events: list[Event] = []
        self.state = State()
        terms = Terms.read({"config": {"format": format_, **config}, "lengths": [LENGTH], "clock": "none"})
        self.act(("configured", {"terms": terms.as_json()}))
        for number in range(1, players + 1):
            self.act(("registered", {"entrant": number}))
        self.made = len(self.events)

    # Actions

    def act(self, *told: tuple[str, Mapping[str, Any]]) -> int:
        """Do these things at once, with everything that follows from them; the number of the act."""
        act = len(self.events) + 1
        for kind, data in told:
            self._add(Event(kind, data, act))
        self._advance(act)
        return act

    def rewrite(self, kind: str, act: int) -> tuple[AffectedPairing, ...]:
        """Undo or redo an act; what would be reset is what is reset."""
        before = self.state
        self.events.append(Event(kind, {"act": act}, len(self.events) + 1))
        self.state = replay(self.events)
        told = result_keys(self.events, act)
        lost = affected_pairings(before, self.state, rewritten=told)
        self._kept(before, lost, told)
        self._advance(len(self.events))
        return lost

    def _add(self, event: Event) -> None:
        self.events.append(event)
        self.state = state_after(self.state, event)

    def _advance(self, act: int) -> None:
        while self.state.phase == "running":
            if self.state.complete:
                self._add(Event("finished", {}, act))
                break
            paired = self._next_round()
            if paired is not None:
                pairs, bye = [list(pair) for pair in paired.pairs], paired.bye
                said = {"section": paired.section, "round": paired.round, "pairs": pairs, "bye": bye}
                self._add(Event("paired", {**said, "whys": [{"code": one.code} for one in paired.whys]}, act))
            else:
                break

    def _next_round(self) -> Round | None:
        """Pair what can be paired now: nothing in a break, or where requests leave an entrant without an opponent."""
        if self.state.current_break is not None:
            return None
        try:
            return self.state.next_round()
        except Invalid:
            return None

    # Moves: each does something and returns its name, or finds nothing to do

    def move(self) -> str:
        """Do one thing at random; its name."""
        weights = [weight for _move, weight in MOVES.values()]
        for name in self.chance.choices(list(MOVES), weights, k=40):
            if MOVES[name][0](self):
                return name
        return "nothing"

    def draw(self) -> bool:
        order = self._here()
        if self.state.phase != "open" or not self._fits(len(order)):
            return False
        self.chance.shuffle(order)
        return bool(self.act(("drawn", {"order": order})))

    def start(self) -> bool:
        return self.state.phase == "drawn" and bool(self.act(("started", {})))

    def result(self) -> bool:
        ready = [one for one in self.state.pairings if one.state == "ready"]
        return self.state.phase == "running" and bool(ready) and self._tell(self.chance.choice(ready))

    def correct(self) -> bool:
        done = [one for one in self.state.pairings if one.state == "done"]
        going = self.state.phase in ("running", "over")
        return going and bool(done) and self._tell(self.chance.choice(done), corrects=True)

    def report(self) -> bool:
        ready = [one for one in self.state.pairings if one.state == "ready"]
        if self.state.phase != "running" or not ready:
            return False
        one = self.chance.choice(ready)
        told = _story(one, one.entrants[0])
        return bool(self.act(("reported", {**told, "by": self.chance.choice(one.entrants)})))

    def withdraw(self) -> bool:
        """Withdraw an entrant or somebody waiting; before the draw the place goes to the first of the waiting list."""
        here = self._here()
        if not self._going() or len(here) <= 2:
            return False
        one = self.chance.choice((*here, *self.state.waiting))
        comes = self.state.waiting[:1] if self.state.phase == "open" and one in here else ()
        return bool(self.act(("withdrawn", {"entrant": one}), *(("admitted", {"entrant": two}) for two in comes)))

    def reinstate(self) -> bool:
        gone = sorted(self.state.withdrawn)
        if not self._going() or not gone:
            return False
        one = self.chance.choice(gone)
        again = self.state.phase == "open" and one not in self.state.entrants
        back = ("reinstated", {"entrant": one})
        return bool(self.act(("registered", {"entrant": one}), back) if again else self.act(back))

    def enter(self) -> bool:
        """Enter a new player or add them to the waiting list; or let a withdrawn one return to it."""
        if self.state.phase != "open":
            return False
        if self.chance.random() < 0.5:
            one = self.chance.choice((*sorted(self.state.withdrawn), self._new()))
            return bool(self.act(("waited", {"entrant": one})))
        return bool(self.act(("registered", {"entrant": self._new()})))

    def admit(self) -> bool:
        if self.state.phase != "open" or not self.state.waiting:
            return False
        return bool(self.act(("admitted", {"entrant": self.chance.choice(self.state.waiting)})))

    def late(self) -> bool:
        """Enter a late player, new or from the waiting list."""
        if self.state.phase not in ("drawn", "running"):
            return False
        one = self.chance.choice((*self.state.waiting, self._new()))
        came = ("admitted" if one in self.state.waiting else "registered", {"entrant": one})
        missed = len(self.state.rounds) if self.state.format.sections == "table" else 0
        late = ("late", {"entrant": one, "missed": missed, "half": self.chance.random() < 0.3})
        then = fold([Event(*came), Event(*late)], self.state)
        if late_entry_refusal(self.state, then, one) or affected_pairings(self.state, then):
            return False
        return bool(self.act(came, late))

    def substitute(self) -> bool:
        if not self._going() or not self.state.entrants:
            return False
        one = self.chance.choice(self.state.entrants)
        comes = {"user": None, "name": f"S{len(self.events)}"}
        told = {"entrant": one, **comes, "first": {"user": None, "name": f"W{one}"}}
        back = [("reinstated", {"entrant": one})] if one in self.state.withdrawn else []
        return bool(self.act(("substituted", told), *back))

    def paid(self) -> bool:
        one = self.chance.choice(self.state.entrants)
        return bool(self.act(("paid", {"entrant": one, "paid": one not in self.state.paid})))

    def penalise(self) -> bool:
        """Give points to the opponent; as many as the match is long lose it."""
        ready = [one for one in self.state.pairings if one.state == "ready"]
        if self.state.phase != "running" or not ready:
            return False
        one, points = self.chance.choice(ready), self.chance.randint(0, LENGTH)
        loser, rival = self.chance.sample(one.entrants, 2)
        lost = ("result", {**_story(one, rival), "points": None, "how": "walkover"})
        told = ("penalised", {"key": one.key, "of": list(one.entrants), "entrant": loser, "points": points})
        return bool(self.act(told, lost) if points == LENGTH else self.act(told))

    def wish(self) -> bool:
        """Request two entrants to meet in the next round, and two never to meet."""
        there = [one for one in self.state.order if one not in self.state.withdrawn]
        if not self._going() or self.state.format.sections != "table" or len(there) < 4:
            return False
        a, b, c, d = self.chance.sample(there, 4)
        together, apart = [(a, b)] * self.chance.randint(0, 1), [(c, d)] * self.chance.randint(0, 1)
        return self._wished(together, apart)

    def _wished(self, together: list[EntrantPair], apart: list[EntrantPair]) -> bool:
        if (tuple(together), tuple(apart)) == (self.state.together, self.state.apart):
            return False
        there = [one for one in self.state.order if one not in self.state.withdrawn]
        try:
            pair(there, {}, [], together=together, apart=apart)
        except Invalid:
            return False
        told = {"together": [list(two) for two in together], "apart": [list(two) for two in apart]}
        return bool(self.act(("wished", told)))

    def rest(self) -> bool:
        """Begin or end a break."""
        if self.state.current_break is not None:
            return bool(self.act(("recess_over", {})))
        return self.state.phase == "running" and bool(self.act(("recess", {"since": "2026-01-01T20:00:00+00:00"})))

    def _new(self) -> int:
        return 1 + max(event.data["entrant"] for event in self.events if event.kind in ("registered", "waited"))

    def _here(self) -> list[int]:
        return [number for number in self.state.entrants if number not in self.state.withdrawn]

    def _going(self) -> bool:
        return self.state.phase in ("open", "drawn", "running")

    def cancel(self) -> bool:
        return self.state.phase == "running" and bool(self.act(("cancelled", {})))

    def undo(self) -> bool:
        standing = [act for act in self.acts() if act not in undone_acts(self.events)]
        return self._rewrite_one("undone", standing)

    def redo(self) -> bool:
        return self._rewrite_one("redone", [act for act in self.acts() if act in undone_acts(self.events)])

    def undo_and_redo(self) -> bool:
        """Undo and redo at once: nothing has changed, and everything that followed meanwhile is gone again."""
        standing = [act for act in self.acts() if act not in undone_acts(self.events)]
        if not standing:
            return False
        before, act = self.state, self.chance.choice(standing)
        self.rewrite("undone", act)
        self.rewrite("redone", act)
        assert self.state == before
        assert places(self.state) == places(before)
        return True

    def _rewrite_one(self, kind: str, found: list[int]) -> bool:
        if not found:
            return False
        late = found[-3:] if self.chance.random() < 0.7 else found  # people mostly undo what they have just done
        self.rewrite(kind, self.chance.choice(late))
        return True

    def _tell(self, one: Pairing, *, corrects: bool = False) -> bool:
        before = self.state
        winner = None if self.chance.random() < 0.03 else self.chance.choice(one.entrants)
        told = {**_story(one, winner), "how": "played" if winner else "walkover"}
        self.act(("result", {**told, "corrects": True, "why": "seen by all"} if corrects else told))
        if corrects:
            self._kept(before, affected_pairings(before, self.state), frozenset({one.key}))
        return True

    def _fits(self, players: int) -> bool:
        config = self.state.rules.config
        try:
            FORMATS[config.format].check(config, players)
        except Invalid:
            return False
        return True

    def acts(self) -> list[int]:
        """Return the acts that can be undone."""
        return list(head_events(self.events[self.made :]))

    # Invariants

    def check(self) -> None:
        """Check that the state is that of a clean replay of the effective acts, and has their results exactly."""
        clean = fold(self._standing())
        assert self.state == clean
        assert self.state.pairings == clean.pairings
        assert self.state.standings == clean.standings
        keys = [one.key for one in self.state.pairings]
        assert len(set(keys)) == len(keys)
        there = {number for one in self.state.pairings for number in one.entrants}
        order, entrants, waiting = (set(some) for some in (clean.order, clean.entrants, clean.waiting))
        assert len(order) + len(entrants) + len(waiting) == len(clean.order) + len(clean.entrants) + len(clean.waiting)
        assert there <= order <= entrants
        assert not order or entrants - clean.withdrawn <= order
        assert waiting.isdisjoint(entrants | clean.withdrawn)
        assert clean.late.keys() <= order
        assert all(missed.rounds <= len(clean.rounds) for missed in clean.late.values())
        assert there == set(self.state.order) or not self.state.pairings or self.state.rounds
        told = self._told()
        for one in self.state.pairings:
            last = told.get((one.key, frozenset(one.entrants))) if len(one.entrants) == 2 else None
            if one.result is None or one.result.how == "withdrawn":
                assert last is None or one.state != "ready", one
            else:
                assert last is not None, one
                assert one.result.winner == last["winner"]
                points = dict(zip(last["of"], last["points"] or (), strict=False))
                assert one.result.points == (tuple(points[number] for number in one.entrants) if points else None)
        assert (self.state.phase == "over") <= self.state.complete
        assert not (self.state.phase == "running" and self.state.complete)

    def _standing(self) -> Iterator[Event]:
        """Compute the effective acts differently from `undo.effective_events`: by the last word about each act."""
        said = [event for event in self.events if event.kind in ("undone", "redone")]
        last = {event.data["act"]: event for event in said}
        overtaken = {event.act for event in said if last[event.data["act"]].kind != event.kind}
        for event in self.events:
            word = last.get(event.act)
            taken = word is not None and word.kind == "undone"
            if event not in said and not taken and event.act not in overtaken:
                yield Event(event.kind, dict(event.data))

    def _told(self) -> dict[tuple[Key, frozenset[int]], Mapping[str, Any]]:
        """Return the last effective result of each two entrants at each pairing since this draw."""
        found: dict[tuple[Key, frozenset[int]], Mapping[str, Any]] = {}
        state = State()
        for event in self._standing():
            if event.kind == "result" and state.phase not in ("open", "drawn"):
                found[event.data["key"], frozenset(event.data["of"])] = event.data
            state = (
                state_after(state, event) if event.kind in ("drawn", "started", "cancelled", "configured") else state
            )
        return found

    def _kept(self, before: State, lost: tuple[AffectedPairing, ...], named: frozenset[Key]) -> None:
        """Check that nothing is reset but what was announced: the same two, with the same result."""
        reset = {one.pairing.key for one in lost} | named
        for one in before.pairings:
            if one.key in reset or one.result is None or one.result.how == "withdrawn":
                continue
            then = self.state.by_key[one.key]
            assert then.result is not None, one
            assert (set(then.entrants), then.result.winner) == (set(one.entrants), one.result.winner)

    def take_all_back(self) -> None:
        """Undo everything, newest first: what is left is the tournament as it was opened."""
        for act in reversed([act for act in self.acts() if act not in undone_acts(self.events)]):
            self.rewrite("undone", act)
        assert places(self.state) == places(fold([*self.events[: self.made], *self._lasting()]))

    def _lasting(self) -> Iterator[Event]:
        """Return what cannot be undone: entries, the waiting list and breaks, without what followed from their end."""
        gone = head_events(self.events)
        for event in self.events[self.made :]:
            if event.act not in gone and event.kind in ("registered", "waited", "recess", "recess_over"):
                yield event

    def play_out(self) -> None:
        """Check that the tournament can be played to its end."""
        if self.state.phase == "cancelled":
            return
        for _ in range(2000):
            if self.state.current_break is not None:
                self.rest()
            if self.state.phase == "over" or not (self.draw() or self.start() or self.result() or self._wished([], [])):
                break
        assert self.state.phase == "over" or not self._fits(len(self.state.entrants) - len(self.state.withdrawn))
        self.check()


Move = Callable[[Mended], bool]
MOVES: dict[str, tuple[Move, int]] = {  # and how often each comes up
    "draw": (Mended.draw, 20),
    "start": (Mended.start, 40),
    "result": (Mended.result, 40),
    "correct": (Mended.correct, 12),
    "report": (Mended.report, 3),
    "withdraw": (Mended.withdraw, 3),
    "reinstate": (Mended.reinstate, 3),
    "enter": (Mended.enter, 4),
    "admit": (Mended.admit, 3),
    "late": (Mended.late, 4),
    "substitute": (Mended.substitute, 2),
    "paid": (Mended.paid, 1),
    "penalise": (Mended.penalise, 3),
    "wish": (Mended.wish, 4),
    "rest": (Mended.rest, 3),
    "cancel": (Mended.cancel, 1),
    "undo": (Mended.undo, 12),
    "redo": (Mended.redo, 8),
    "undo and redo": (Mended.undo_and_redo, 3),
}


def _story(one: Pairing, winner: int | None) -> dict[str, Any]:
    points = [LENGTH if number == winner else 1 for number in one.entrants] if winner else None
    return {"key": one.key, "of": list(one.entrants), "winner": winner, "points": points}


def places(state: State) -> Any:
    """Return what a tournament looks like from outside."""
    people = state.entrants, state.waiting, state.people, state.paid, state.order, state.withdrawn, state.late
    said = state.together, state.apart, state.current_break, state.reports, state.penalties
    return state.phase, people, said, state.pairings, state.standings


def sequence(shape: str, seed: int, steps: int = 30) -> int:
    """Run one tournament with so many corrections, checked after each; how many steps it had."""
    chance = random.Random(f"{shape} {seed}")
    least = SHAPES[shape][2]
    one = Mended(shape, chance.randint(least, max(9, least + 3)), chance)
    if chance.random() < 0.7:
        one.draw()
        one.start()
    for step in range(steps):
        name = one.move()
        try:
            one.check()
        except AssertionError as error:
            raise AssertionError(f"{shape} {seed}, step {step}: {name}") from error
    if chance.random() < 0.5:
        one.take_all_back()
    else:
        one.play_out()
    return steps


def _some(shape: str, seeds: range) -> int:
    return sum(sequence(shape, seed) for seed in seeds)


def main() -> None:
    parser = argparse.ArgumentParser(description="Mend tournaments at random, and see that each is what its acts say.")
    parser.add_argument("--sequences", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=2)
    said = parser.parse_args()
    each, begun = -(-said.sequences // len(SHAPES)), time.monotonic()
    with ProcessPoolExecutor(said.processes) as pool:
        for shape, steps in zip(SHAPES, pool.map(_some, SHAPES, [range(each)] * len(SHAPES)), strict=True):
            print(f"{shape}: {each} sequences, {steps} steps", flush=True)
    print(f"{each * len(SHAPES)} sequences in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
