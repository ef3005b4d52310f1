"""A tournament as its events, with the state after each, and what must hold after each act."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from tournaments.fold import fold, state_after
from tournaments.formats.core import Invalid, Key, Round
from tournaments.formats.registry import FORMATS
from tournaments.state import Event, State
from tournaments.terms import Terms
from tournaments.undo import AffectedPairing, affected_pairings, head_events, replay, result_keys

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
    "series": ("knockout", {"best_of": 3, "consolation": "simple"}, 2),
    "series at the end": ("double", {"best_of": 5, "best_of_rounds": 2}, 2),
    "swiss series": ("swiss", {"rounds": 3, "best_of": 3}, 4),
    "groups with series": ("groups", {"groups": 2, "advance": 2, "best_of": 3}, 6),
    "exhibition": ("exhibition", {}, 2),
    "team knockout": ("knockout", {"boards": 4}, 2),
    "team swiss": ("swiss", {"rounds": 3, "boards": 3}, 4),
    "team league": ("league", {"divisions": 2, "boards": 3}, 4),
}
LENGTH = 3


class CheckedTournament:
    """A tournament of one shape: its events, and the state after each."""

    def __init__(self, shape: str, players: int, chance: random.Random) -> None:
        format_, config, _least = SHAPES[shape]
        self.chance = chance
        self.players = players
        self.events: list[Event] = []
        self.state = State()
        terms = Terms.read({"config": {"format": format_, **config}, "lengths": [LENGTH], "clock": "none"})
        self.act(("configured", {"terms": terms.as_json()}))
        for number in range(1, players + 1):
            boards = terms.config.boards
            roster = [100 * number + board for board in range(1, boards + 1)]
            self.act(
                ("registered", {"entrant": number}),
                *[("rostered", {"entrant": number, "players": roster})] * bool(boards),
            )
        self.made = len(self.events)

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

    def acts(self) -> list[int]:
        """Return the acts that can be undone."""
        return list(head_events(self.events[self.made :]))

    def _fits(self, players: int) -> bool:
        config = self.state.rules.config
        try:
            FORMATS[config.format].check(config, players)
        except Invalid:
            return False
        return True

    # Invariants

    def check(self) -> None:
        """Check that the state is that of a clean replay of the effective acts, and has their results exactly."""
        clean = fold(self._effective_events())
        assert self.state == clean
        assert self.state.pairings == clean.pairings
        assert self.state.standings == clean.standings
        keys = [pairing.key for pairing in self.state.pairings]
        assert len(set(keys)) == len(keys)
        there = {number for pairing in self.state.fixtures for number in pairing.entrants}
        playing = {number for pairing in self.state.pairings for number in pairing.entrants}
        assert {self.state.teams.competitor(number) for number in playing} <= there
        order, entrants, waiting = (set(numbers) for numbers in (clean.order, clean.entrants, clean.waiting))
        assert len(order) + len(entrants) + len(waiting) == len(clean.order) + len(clean.entrants) + len(clean.waiting)
        assert there <= order <= entrants
        assert not order or entrants - clean.withdrawn <= order
        assert waiting.isdisjoint(entrants | clean.withdrawn)
        assert clean.late.keys() <= order
        assert all(missed.rounds <= len(clean.rounds) for missed in clean.late.values())
        assert there == set(self.state.order) or not self.state.fixtures or self.state.rounds
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


def places(state: State) -> Any:
    """Return what a tournament looks like from outside."""
    people = state.entrants, state.waiting, state.people, state.paid, state.order, state.withdrawn, state.late
    extras = state.together, state.apart, state.byes, state.current_break, state.reports, state.penalties
    return state.phase, people, extras, state.fixtures, state.pairings, state.standings
