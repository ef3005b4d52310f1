"""Whatever is entered, corrected, undone and redone, in whatever order: the tournament is what its acts say.

Without a database as `forgiving.py` says; with one, the rows, boards and ratings follow. `make fuzz-tournaments` runs
more.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from accounts.models import User
from games.models import Match, RatedMatch
from tests.tournaments.conftest import fresh, terms
from tests.tournaments.site_matches import assert_ratings_match_logs, play_on_site
from tools.fuzz.tournaments import SHAPES, sequence
from tournaments import services, undo
from tournaments.errors import AffectsPairings, Refused
from tournaments.formats.core import Pairing
from tournaments.models import Entrant, Meeting, Tournament
from tournaments.services.transaction import load_events
from tournaments.state import State

People = Callable[..., User]
Call = tuple[Callable[..., Any], dict[str, Any]]


@pytest.mark.parametrize("shape", SHAPES)
def test_random_undos_and_corrections_give_the_state_of_the_effective_acts(shape: str) -> None:
    for seed in range(4):
        sequence(shape, seed)


# Shapes whose rounds open by themselves: those of teams, and exhibitions, are asked as pure folds, above.
SINGLE_PLAYERS = [
    shape for shape, (format_, config, _least) in SHAPES.items() if not config.get("boards") and format_ != "exhibition"
]


class Desked:
    """A tournament that a director mends by its services, at random; some matches are played on the site, rated."""

    def __init__(self, shape: str, seed: int, dora: User, people: list[User], *, boards: bool) -> None:
        self.chance = random.Random(f"{shape} {seed} {boards}")
        self.shape, self.dora, self.people, self.boards = shape, dora, people, boards
        self.made = self._opened()
        self.calls: dict[int, Call] = {}  # by act, as a clean replay would do it
        self.undone: list[int] = []  # undone, the last one last, with nothing done since

    def _opened(self) -> Tournament:
        format_, config, least = SHAPES[self.shape]
        options: dict[str, Any] = {"clock": "club", "rated": True} if self.boards else {}
        made = services.tournament_create(
            creator=self.dora, name="Torneo semanal del club", terms=terms(format_, config=config, **options)
        )
        for number in range(max(6, least + 2)):
            if self.boards and number < len(self.people):
                services.entrant_register(tournament_id=made.pk, user=self.people[number])
            else:
                services.entrant_add(tournament_id=made.pk, user=self.dora, name=f"W{number}")
        services.tournament_start(tournament_id=made.pk, user=self.dora)
        return made

    # Moves

    def move(self) -> None:
        every = [self.enter] * 6 + [self.correct, self.leave, self.back, self.undo, self.redo] * 2
        people = [self.late, self.substitute, self.paid, self.penalise, self.prefer]
        self.chance.choice([*every, *people, *([self.rest] if self.boards else [])])()

    def enter(self) -> None:
        ready = [pairing for pairing in fresh(self.made).pairings if pairing.state == "ready"]
        if not ready or fresh(self.made).phase != "running":
            return
        pairing = self.chance.choice(ready)
        winner = self.chance.choice(pairing.entrants)
        row = self.made.meetings.filter(key=pairing.key, match__isnull=False).first()
        if row is not None and self.chance.random() < 0.7:
            match = play_on_site(self.made, pairing.key, self._user(winner))
            assert match.status == Match.Status.OVER
        else:
            self.do(services.result_enter, key=pairing.key, winner=winner, points=_points(pairing, winner))

    def correct(self) -> None:
        done = [pairing for pairing in fresh(self.made).pairings if pairing.state == "done"]
        if done:
            pairing = self.chance.choice(done)
            winner = self.chance.choice((*pairing.entrants, None))
            how = "played" if winner else "walkover"
            points = _points(pairing, winner) if winner else None
            self.do(services.result_correct, key=pairing.key, winner=winner, points=points, how=how, why="Seen by all")

    def leave(self) -> None:
        here = sorted(set(fresh(self.made).entrants) - fresh(self.made).withdrawn)
        if len(here) > 3 and self.chance.random() < 0.5:
            self.do(services.entrant_withdraw, number=self.chance.choice(here))

    def back(self) -> None:
        if withdrawn := sorted(fresh(self.made).withdrawn):
            self.do(services.entrant_reinstate, number=self.chance.choice(withdrawn))

    def late(self) -> None:
        self.do(services.entrant_late, name=f"L{fresh_version(self.made)}", half=self.chance.random() < 0.5)

    def substitute(self) -> None:
        number = self.chance.choice(fresh(self.made).entrants)
        self.do(services.entrant_substitute, number=number, name=f"S{fresh_version(self.made)}")

    def paid(self) -> None:
        number = self.chance.choice(fresh(self.made).entrants)
        self.do(services.entrant_paid, number=number, paid=self.chance.random() < 0.7)

    def penalise(self) -> None:
        ready = [pairing for pairing in fresh(self.made).pairings if pairing.state == "ready"]
        if ready:
            pairing = self.chance.choice(ready)
            number, points = self.chance.choice(pairing.entrants), self.chance.choice((0, 1, 2, 3))
            self.do(services.penalty_give, key=pairing.key, number=number, points=points)

    def prefer(self) -> None:
        order = fresh(self.made).order
        if len(order) >= 4:
            a, b, c, d = self.chance.sample(order, 4)
            self.do(services.pairing_preferences_set, together=[(a, b)], apart=self.chance.choice(([], [(c, d)])))

    def rest(self) -> None:
        """A break begins or ends; it cannot be taken back, so a clean replay of the other acts would differ."""
        recess = fresh(self.made).current_break
        self.do(services.break_start if recess is None else services.break_end)

    def undo(self) -> None:
        """The last act that stands; where boards are played, any."""
        found = [act for act in self._acts() if act not in self._undone()]
        if found:
            act = self.chance.choice(found[-4:]) if self.boards else found[-1]
            self._rewrite(services.act_undo, act)
            self.undone.append(act)

    def redo(self) -> None:
        """The last one that was undone, if nothing was done since; where boards are played, any."""
        found = sorted(self._undone()) if self.boards else self.undone
        if found:
            act = self.chance.choice(found) if self.boards else found[-1]
            self._rewrite(services.act_redo, act)
            self.undone = self.undone[:-1]

    def do(self, service: Callable[..., Any], **arguments: Any) -> None:
        """Ask for it, and agree to what would be reset; what is refused has changed nothing."""
        version = fresh_version(self.made)
        try:
            self._agreeing(service, **arguments)
        except Refused:
            assert fresh_version(self.made) == version
            return
        if fresh_version(self.made) > version:
            self.calls[version + 1] = (service, arguments)
            self.undone = []

    def _agreeing(self, service: Callable[..., Any], **arguments: Any) -> None:
        try:
            service(tournament_id=self.made.pk, user=self.dora, **arguments)
        except AffectsPairings as shown:
            keys = [change.pairing.key for change in shown.affected]
            service(tournament_id=self.made.pk, user=self.dora, **arguments, agreed=keys)

    def _rewrite(self, service: Callable[..., Any], act: int) -> None:
        try:
            self._agreeing(service, act=act)
        except Refused as refusal:
            if refusal.code != "by_itself":
                raise

    def _acts(self) -> list[int]:
        return [act for act, head in undo.head_events(load_events(self.made)).items() if head.kind != "drawn"]

    def _undone(self) -> frozenset[int]:
        return undo.undone_acts(load_events(self.made)) & frozenset(self._acts())

    def _user(self, number: int) -> User:
        user = self.made.entrants.get(number=number).user
        assert user is not None
        return user

    # What has to hold

    def check(self) -> None:
        """Every row is what the events say."""
        state, made = fresh(self.made), Tournament.objects.get(pk=self.made.pk)
        assert (made.phase, made.ended_at is not None) == (state.phase, state.phase == "over")
        for entrant in made.entrants.all():
            number, there = entrant.number, entrant.number in (*state.entrants, *state.waiting)
            assert (entrant.waiting, entrant.paid) == (number in state.waiting, number in state.paid)
            assert entrant.withdrawn == (number in state.withdrawn if there else True)
            assert number not in state.people or entrant.name == state.people[number][-1].name
        rows = {row.key: row for row in made.meetings.select_related("a", "b", "match")}
        pairs = {pairing.key: pairing for pairing in state.pairings if len(pairing.entrants) == 2}
        assert rows.keys() == pairs.keys()
        playing: set[int] = set()
        for key, pairing in pairs.items():
            row = rows[key]
            assert ((row.a.number, row.b.number), row.state) == (pairing.entrants, pairing.state)
            open_ = row.match is not None and row.match.status in (Match.Status.OPEN, Match.Status.LIVE)
            if pairing.state == "done":
                assert not open_
                assert pairing.result is not None
                assert pairing.result.match in ("", row.match_id)
            elif row.opened_at is not None:
                assert playing.isdisjoint(pairing.entrants)
                playing |= set(pairing.entrants)
        for key, pairing in pairs.items():
            waits = pairing.state == "ready" and rows[key].opened_at is None
            opens = waits and state.phase == "running" and state.current_break is None
            assert not opens or not playing.isdisjoint(pairing.entrants)
        assert services.unrecorded_match_ids() == []
        self._boards(state, {row.match_id: row for row in rows.values()})

    def _boards(self, state: State, linked: dict[str | None, Meeting]) -> None:
        """No board without its pairing, nor without the lead that it begins with; a match counts if its result stands
        and was won by playing.
        """
        on_site = Match.objects.filter(from_url=f"/tournaments/{self.made.pk}/")
        for match in on_site.filter(status__in=(Match.Status.OPEN, Match.Status.LIVE)):
            row = linked[match.pk]
            penalties = state.penalties_of(state.by_key[row.key])
            points = {seat.user_id: seat.points for seat in match.seats.all()}
            assert points == {
                row.a.user_id: penalties.get(row.b.number, 0),
                row.b.user_id: penalties.get(row.a.number, 0),
            }
        counting = {
            pairing.result.match for pairing in state.pairings if pairing.result and pairing.result.how == "played"
        } - {""}
        lines = RatedMatch.objects.filter(match__in=on_site)
        assert {line.match_id for line in lines if line.counts} == counting

    def replayed(self) -> State:
        """The acts that stand, done one after the other in a tournament of their own."""
        again = Desked.__new__(Desked)
        again.__dict__.update(self.__dict__)
        again.made = again._opened()
        for act, (service, arguments) in self.calls.items():
            if act not in undo.undone_acts(load_events(self.made)):
                again._agreeing(service, **arguments)
            elif service == services.entrant_late:  # nobody else has his number
                Entrant.objects.create(
                    tournament=again.made,
                    number=again.made.entrants.count() + 1,
                    written_name=arguments["name"],
                    withdrawn=True,
                    entered_at=again.made.created_at,
                )
        return fresh(again.made)


def fresh_version(made: Tournament) -> int:
    return Tournament.objects.values_list("version", flat=True).get(pk=made.pk)


def _points(pairing: Pairing, winner: int) -> list[int]:
    return [3 if number == winner else 1 for number in pairing.entrants]


def bare(pairings: tuple[Pairing, ...]) -> list[Pairing]:
    """Without the reasons that only a correction has."""
    return [
        pairing if pairing.result is None else replace(pairing, result=replace(pairing.result, why=""))
        for pairing in pairings
    ]


def mend(shape: str, seed: int, dora: User) -> None:
    """Acts undone newest first leave what a clean replay of the others gives, by the services from the start."""
    desk = Desked(shape, seed, dora, [], boards=False)
    for _step in range(16):
        desk.move()
        desk.check()
    state, again = fresh(desk.made), desk.replayed()
    assert bare(state.pairings) == bare(again.pairings)
    assert (state.standings, state.phase) == (again.standings, again.phase)


def mend_boards(shape: str, seed: int, dora: User, people: list[User]) -> None:
    desk = Desked(shape, seed, dora, people, boards=True)
    for _step in range(14):
        desk.move()
        desk.check()
    assert_ratings_match_logs()


@pytest.mark.django_db
@pytest.mark.parametrize("shape", SINGLE_PLAYERS)
def test_rows_equal_a_clean_replay_of_the_effective_events(shape: str, dora: User) -> None:
    mend(shape, 0, dora)


@pytest.mark.django_db
@pytest.mark.parametrize("shape", ["progressive consolation", "swiss"])
def test_matches_and_ratings_follow_the_effective_events(shape: str, dora: User, person: People) -> None:
    mend_boards(shape, 0, dora, [person(name) for name in ("ana", "bea", "eva", "fede", "gala")])


@pytest.mark.looks
@pytest.mark.django_db
@pytest.mark.parametrize("shape", SINGLE_PLAYERS)
def test_rows_matches_and_ratings_follow_many_times(shape: str, dora: User, person: People) -> None:
    people = [person(name) for name in ("ana", "bea", "eva", "fede", "gala")]
    for seed in range(1, 1 + int(os.environ.get("DESK_SEEDS", "1"))):
        mend(shape, seed, dora)
        mend_boards(shape, seed, dora, people)
