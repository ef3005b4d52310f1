"""A tournament whose director corrects at random: results, corrections, waiting list, late entries, withdrawals and
returns, substitutes, pairing requests, penalties and breaks, each undone and redone at random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tools.fuzz.tournaments.checked_tournament import LENGTH, CheckedTournament, places
from tournaments.fold import fold
from tournaments.formats.core import EntrantPair, Invalid, Pairing
from tournaments.formats.matching import pair
from tournaments.roster_events import late_entry_refusal
from tournaments.state import Event
from tournaments.undo import affected_pairings, head_events, undone_acts


class CorrectedTournament(CheckedTournament):
    """Its moves: each does something and returns whether it found something to do."""

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
        if self.chance.random() < 0.2:  # a series at once
            ready += [each for each in self.state.fixtures if each.state == "ready" and self.state.is_series(each)]
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
