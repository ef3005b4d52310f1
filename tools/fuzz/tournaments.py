"""Random corrections of tournaments without a database, in every format: results, corrections, waiting list, late
entries, withdrawals and returns, substitutes, pairing requests, penalties and breaks, each undone and redone at random.
`CorrectedTournament.check` has what must hold after each step.

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
    "third place": ("knockout", {"third_place": True}, 4),
    "simple consolation": ("knockout", {"consolation": "simple"}, 2),
    "progressive consolation": ("knockout", {"consolation": "progressive", "last_chance": True}, 2),
    "double": ("double", {}, 2),
    "swiss": ("swiss", {"rounds": 3, "half_byes": 1}, 4),
    "losses": ("losses", {"losses": 2}, 2),
    "round robin": ("round-robin", {}, 2),
    "groups": ("groups", {"groups": 2, "advance": 2}, 6),
    "league": ("league", {"divisions": 2}, 4),
}
LENGTH = 3


class CorrectedTournament:
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

    def act(self, *changes: tuple[str, Mapping[str, Any]]) -> int:
        """Do these things at once, with everything that follows from them; the number of the act."""
        act = len(self.events) + 1
        for kind, data in changes:
            self._add(Event(kind, data, act))
        self._advance(act)
        return act

    def rewrite(self, kind: str, act: int) -> tuple[AffectedPairing, ...]:
        """Undo or redo an act; what would be reset is what is reset."""
        before = self.state
        self.events.append(Event(kind, {"act": act}, len(self.events) + 1))
        self.state = replay(self.events)
        rewritten = result_keys(self.events, act)
        lost = affected_pairings(before, self.state, rewritten=rewritten)
        self._check_kept(before, lost, rewritten)
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
                data = {"section": paired.section, "round": paired.round, "pairs": pairs, "bye": bye}
                data["absent"] = list(paired.absent)
                self._add(Event("paired", {**data, "whys": [{"code": why.code} for why in paired.whys]}, act))
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
        ready = [pairing for pairing in self.state.pairings if pairing.state == "ready"]
        return self.state.phase == "running" and bool(ready) and self._enter_result(self.chance.choice(ready))

    def correct(self) -> bool:
        done = [pairing for pairing in self.state.pairings if pairing.state == "done"]
        going = self.state.phase in ("running", "over")
        return going and bool(done) and self._enter_result(self.chance.choice(done), corrects=True)

    def report(self) -> bool:
        ready = [pairing for pairing in self.state.pairings if pairing.state == "ready"]
        if self.state.phase != "running" or not ready:
            return False
        pairing = self.chance.choice(ready)
        data = _result_data(pairing, pairing.entrants[0])
        return bool(self.act(("reported", {**data, "by": self.chance.choice(pairing.entrants)})))

    def withdraw(self) -> bool:
        """Withdraw an entrant or somebody waiting; before the draw the place goes to the first of the waiting list."""
        here = self._here()
        if not self._going() or len(here) <= 2:
            return False
        entrant = self.chance.choice((*here, *self.state.waiting))
        admitted = self.state.waiting[:1] if self.state.phase == "open" and entrant in here else ()
        changes = [("withdrawn", {"entrant": entrant}), *(("admitted", {"entrant": first}) for first in admitted)]
        return bool(self.act(*changes))

    def reinstate(self) -> bool:
        withdrawn = sorted(self.state.withdrawn)
        if not self._going() or not withdrawn:
            return False
        entrant = self.chance.choice(withdrawn)
        registers = self.state.phase == "open" and entrant not in self.state.entrants
        back = ("reinstated", {"entrant": entrant})
        return bool(self.act(("registered", {"entrant": entrant}), back) if registers else self.act(back))

    def enter(self) -> bool:
        """Enter a new player or add them to the waiting list; or let a withdrawn one return to it."""
        if self.state.phase != "open":
            return False
        if self.chance.random() < 0.5:
            entrant = self.chance.choice((*sorted(self.state.withdrawn), self._new()))
            return bool(self.act(("waited", {"entrant": entrant})))
        return bool(self.act(("registered", {"entrant": self._new()})))

    def admit(self) -> bool:
        if self.state.phase != "open" or not self.state.waiting:
            return False
        return bool(self.act(("admitted", {"entrant": self.chance.choice(self.state.waiting)})))

    def late(self) -> bool:
        """Enter a late player, new or from the waiting list."""
        if self.state.phase not in ("drawn", "running"):
            return False
        entrant = self.chance.choice((*self.state.waiting, self._new()))
        entry = ("admitted" if entrant in self.state.waiting else "registered", {"entrant": entrant})
        missed = len(self.state.rounds) if self.state.format.sections == "table" else 0
        late = ("late", {"entrant": entrant, "missed": missed, "half": self.chance.random() < 0.3})
        then = fold([Event(*entry), Event(*late)], self.state)
        if late_entry_refusal(self.state, then, entrant) or affected_pairings(self.state, then):
            return False
        return bool(self.act(entry, late))

    def substitute(self) -> bool:
        if not self._going() or not self.state.entrants:
            return False
        entrant = self.chance.choice(self.state.entrants)
        newcomer = {"user": None, "name": f"S{len(self.events)}"}
        data = {"entrant": entrant, **newcomer, "first": {"user": None, "name": f"W{entrant}"}}
        back = [("reinstated", {"entrant": entrant})] if entrant in self.state.withdrawn else []
        return bool(self.act(("substituted", data), *back))

    def paid(self) -> bool:
        entrant = self.chance.choice(self.state.entrants)
        return bool(self.act(("paid", {"entrant": entrant, "paid": entrant not in self.state.paid})))

    def penalise(self) -> bool:
        """Give points to the opponent; as many as the match is long lose it."""
        ready = [pairing for pairing in self.state.pairings if pairing.state == "ready"]
        if self.state.phase != "running" or not ready:
            return False
        pairing, points = self.chance.choice(ready), self.chance.randint(0, LENGTH)
        loser, opponent = self.chance.sample(pairing.entrants, 2)
        lost = ("result", {**_result_data(pairing, opponent), "points": None, "how": "walkover"})
        penalty = ("penalised", {"key": pairing.key, "of": list(pairing.entrants), "entrant": loser, "points": points})
        return bool(self.act(penalty, lost) if points == LENGTH else self.act(penalty))

    def request_pairings(self) -> bool:
        """Request two entrants to meet in the next round, and two never to meet."""
        there = [entrant for entrant in self.state.order if entrant not in self.state.withdrawn]
        if not self._going() or self.state.format.sections != "table" or len(there) < 4:
            return False
        a, b, c, d = self.chance.sample(there, 4)
        together, apart = [(a, b)] * self.chance.randint(0, 1), [(c, d)] * self.chance.randint(0, 1)
        return self._request(together, apart)

    def _request(self, together: list[EntrantPair], apart: list[EntrantPair]) -> bool:
        if (tuple(together), tuple(apart)) == (self.state.together, self.state.apart):
            return False
        there = [entrant for entrant in self.state.order if entrant not in self.state.withdrawn]
        try:
            pair(there, {}, [], together=together, apart=apart)
        except Invalid:
            return False
        data = {"together": [list(two) for two in together], "apart": [list(two) for two in apart]}
        return bool(self.act(("wished", data)))

    def request_bye(self) -> bool:
        """Ask for a bye in a round to come, or take the request back."""
        most = self.state.rules.config.rounds
        if not self._going() or not self.state.format.takes_bye_requests or len(self.state.rounds) >= most:
            return False
        entrant = self.chance.choice(self.state.entrants)
        round_ = self.chance.randint(len(self.state.rounds) + 1, most)
        asked = round_ not in self.state.byes.get(entrant, ())
        return bool(self.act(("bye_requested", {"entrant": entrant, "round": round_, "asked": asked})))

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
        return self._rewrite_random("undone", standing)

    def redo(self) -> bool:
        return self._rewrite_random("redone", [act for act in self.acts() if act in undone_acts(self.events)])

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

    def _rewrite_random(self, kind: str, found: list[int]) -> bool:
        if not found:
            return False
        late = found[-3:] if self.chance.random() < 0.7 else found  # people mostly undo what they have just done
        self.rewrite(kind, self.chance.choice(late))
        return True

    def _enter_result(self, pairing: Pairing, *, corrects: bool = False) -> bool:
        before = self.state
        winner = None if self.chance.random() < 0.03 else self.chance.choice(pairing.entrants)
        data = {**_result_data(pairing, winner), "how": "played" if winner else "walkover"}
        self.act(("result", {**data, "corrects": True, "why": "seen by all"} if corrects else data))
        if corrects:
            self._check_kept(before, affected_pairings(before, self.state), frozenset({pairing.key}))
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
        clean = fold(self._effective_events())
        assert self.state == clean
        assert self.state.pairings == clean.pairings
        assert self.state.standings == clean.standings
        keys = [pairing.key for pairing in self.state.pairings]
        assert len(set(keys)) == len(keys)
        there = {number for pairing in self.state.pairings for number in pairing.entrants}
        order, entrants, waiting = (set(numbers) for numbers in (clean.order, clean.entrants, clean.waiting))
        assert len(order) + len(entrants) + len(waiting) == len(clean.order) + len(clean.entrants) + len(clean.waiting)
        assert there <= order <= entrants
        assert not order or entrants - clean.withdrawn <= order
        assert waiting.isdisjoint(entrants | clean.withdrawn)
        assert clean.late.keys() <= order
        assert all(missed.rounds <= len(clean.rounds) for missed in clean.late.values())
        assert there == set(self.state.order) or not self.state.pairings or self.state.rounds
        results = self._last_results()
        for pairing in self.state.pairings:
            last = results.get((pairing.key, frozenset(pairing.entrants))) if len(pairing.entrants) == 2 else None
            if pairing.result is None or pairing.result.how == "withdrawn":
                assert last is None or pairing.state != "ready", pairing
            else:
                assert last is not None, pairing
                assert pairing.result.winner == last["winner"]
                points = dict(zip(last["of"], last["points"] or (), strict=False))
                expected = tuple(points[number] for number in pairing.entrants) if points else None
                assert pairing.result.points == expected
        assert (self.state.phase == "over") <= self.state.complete
        assert not (self.state.phase == "running" and self.state.complete)

    def _effective_events(self) -> Iterator[Event]:
        """Compute the effective acts differently from `undo.effective_events`: by the last word about each act."""
        rewrites = [event for event in self.events if event.kind in ("undone", "redone")]
        last = {event.data["act"]: event for event in rewrites}
        overtaken = {event.act for event in rewrites if last[event.data["act"]].kind != event.kind}
        for event in self.events:
            word = last.get(event.act)
            undone = word is not None and word.kind == "undone"
            if event not in rewrites and not undone and event.act not in overtaken:
                yield Event(event.kind, dict(event.data))

    def _last_results(self) -> dict[tuple[Key, frozenset[int]], Mapping[str, Any]]:
        """Return the last effective result of each two entrants at each pairing since this draw."""
        found: dict[tuple[Key, frozenset[int]], Mapping[str, Any]] = {}
        state = State()
        for event in self._effective_events():
            if event.kind == "result" and state.phase not in ("open", "drawn"):
                found[event.data["key"], frozenset(event.data["of"])] = event.data
            state = (
                state_after(state, event) if event.kind in ("drawn", "started", "cancelled", "configured") else state
            )
        return found

    def _check_kept(self, before: State, lost: tuple[AffectedPairing, ...], named: frozenset[Key]) -> None:
        """Check that nothing is reset but what was announced: the same two, with the same result."""
        reset = {affected.pairing.key for affected in lost} | named
        for pairing in before.pairings:
            if pairing.key in reset or pairing.result is None or pairing.result.how == "withdrawn":
                continue
            then = self.state.by_key[pairing.key]
            assert then.result is not None, pairing
            assert (set(then.entrants), then.result.winner) == (set(pairing.entrants), pairing.result.winner)

    def take_all_back(self) -> None:
        """Undo everything, newest first: what is left is the tournament as it was opened."""
        for act in reversed([act for act in self.acts() if act not in undone_acts(self.events)]):
            self.rewrite("undone", act)
        assert places(self.state) == places(fold([*self.events[: self.made], *self._lasting()]))

    def _lasting(self) -> Iterator[Event]:
        """Return what cannot be undone: entries, the waiting list and breaks, without what followed from their end."""
        undoable = head_events(self.events)
        for event in self.events[self.made :]:
            if event.act not in undoable and event.kind in ("registered", "waited", "recess", "recess_over"):
                yield event

    def play_out(self) -> None:
        """Check that the tournament can be played to its end."""
        if self.state.phase == "cancelled":
            return
        for _ in range(2000):
            if self.state.current_break is not None:
                self.rest()
            went_on = self.state.phase != "over" and (self.draw() or self.start() or self.result())
            if not went_on and (self.state.phase == "over" or not self._request([], [])):
                break
        assert self.state.phase == "over" or not self._fits(len(self.state.entrants) - len(self.state.withdrawn))
        self.check()


Move = Callable[[CorrectedTournament], bool]
MOVES: dict[str, tuple[Move, int]] = {  # and how often each comes up
    "draw": (CorrectedTournament.draw, 20),
    "start": (CorrectedTournament.start, 40),
    "result": (CorrectedTournament.result, 40),
    "correct": (CorrectedTournament.correct, 12),
    "report": (CorrectedTournament.report, 3),
    "withdraw": (CorrectedTournament.withdraw, 3),
    "reinstate": (CorrectedTournament.reinstate, 3),
    "enter": (CorrectedTournament.enter, 4),
    "admit": (CorrectedTournament.admit, 3),
    "late": (CorrectedTournament.late, 4),
    "substitute": (CorrectedTournament.substitute, 2),
    "paid": (CorrectedTournament.paid, 1),
    "penalise": (CorrectedTournament.penalise, 3),
    "request": (CorrectedTournament.request_pairings, 4),
    "request bye": (CorrectedTournament.request_bye, 6),
    "rest": (CorrectedTournament.rest, 3),
    "cancel": (CorrectedTournament.cancel, 1),
    "undo": (CorrectedTournament.undo, 12),
    "redo": (CorrectedTournament.redo, 8),
    "undo and redo": (CorrectedTournament.undo_and_redo, 3),
}


def _result_data(pairing: Pairing, winner: int | None) -> dict[str, Any]:
    points = [LENGTH if number == winner else 1 for number in pairing.entrants] if winner else None
    return {"key": pairing.key, "of": list(pairing.entrants), "winner": winner, "points": points}


def places(state: State) -> Any:
    """Return what a tournament looks like from outside."""
    people = state.entrants, state.waiting, state.people, state.paid, state.order, state.withdrawn, state.late
    extras = state.together, state.apart, state.byes, state.current_break, state.reports, state.penalties
    return state.phase, people, extras, state.pairings, state.standings


def sequence(shape: str, seed: int, steps: int = 30) -> int:
    """Run one tournament with so many corrections, checked after each; how many steps it had."""
    chance = random.Random(f"{shape} {seed}")
    least = SHAPES[shape][2]
    tournament = CorrectedTournament(shape, chance.randint(least, max(9, least + 3)), chance)
    if chance.random() < 0.7:
        tournament.draw()
        tournament.start()
    for step in range(steps):
        name = tournament.move()
        try:
            tournament.check()
        except AssertionError as error:
            raise AssertionError(f"{shape} {seed}, step {step}: {name}") from error
    if chance.random() < 0.5:
        tournament.take_all_back()
    else:
        tournament.play_out()
    return steps


def _run_seeds(shape: str, seeds: range) -> int:
    return sum(sequence(shape, seed) for seed in seeds)


def main() -> None:
    parser = argparse.ArgumentParser(description="Correct tournaments at random and check them after each step.")
    parser.add_argument("--sequences", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    each, started_at = -(-options.sequences // len(SHAPES)), time.monotonic()
    with ProcessPoolExecutor(options.processes) as pool:
        for shape, steps in zip(SHAPES, pool.map(_run_seeds, SHAPES, [range(each)] * len(SHAPES)), strict=True):
            print(f"{shape}: {each} sequences, {steps} steps", flush=True)
    print(f"{each * len(SHAPES)} sequences in {time.monotonic() - started_at:.0f} s")


if __name__ == "__main__":
    main()
