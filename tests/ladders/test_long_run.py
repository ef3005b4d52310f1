"""Months of a ladder with players who do what they like and workers that die: its rows never contradict its events."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress

import pytest

from accounts.models import User
from games.errors import Refused
from games.models import Match
from ladders import services as ladders
from ladders.models import Ladder, LadderChallenge, LadderEvent
from ladders.services import transaction
from ladders.tasks import sweep_ladders
from tests.ladders.conftest import Clock, arrive, give_up, order

pytestmark = pytest.mark.django_db

STEPS = 120


class LadderRun:
    """One ladder, its people, and a chance that is the same in every run."""

    def __init__(self, ladder: Ladder, people: list[User], director: User, seed: int) -> None:
        self.ladder, self.people, self.director = ladder, people, director
        self.chance = random.Random(seed)
        self.played: set[str] = set()

    def random_member(self) -> User:
        return self.chance.choice(self.people)

    def call(self) -> None:
        ladders.challenge_make(ladder_id=self.ladder.pk, user=self.random_member(), opponent=self.random_member())

    def answer(self) -> None:
        for challenge in self.ladder.challenges.filter(status="offered").select_related("defender", "challenger"):
            service = self.chance.choice([ladders.challenge_accept] * 3 + [ladders.challenge_decline])
            service(challenge_id=challenge.pk, user=challenge.defender)

    def play(self) -> None:
        for match in Match.objects.filter(ladder_challenge__ladder=self.ladder, status="open"):
            give_up(
                arrive(match), self.chance.choice([seat.user for seat in match.seats.order_by("side") if seat.user])
            )
            self.played.add(match.pk)
            if self.chance.random() < 0.5:
                ladders.match_over(match_id=match.pk)

    def come_and_go(self) -> None:
        service = self.chance.choice([ladders.ladder_leave, ladders.ladder_join, ladders.ladder_back])
        service(ladder_id=self.ladder.pk, user=self.random_member())

    def rest(self) -> None:
        ladders.ladder_away(ladder_id=self.ladder.pk, user=self.random_member(), days=self.chance.randint(1, 9))

    def direct(self) -> None:
        service = self.chance.choice([ladders.ladder_undo, ladders.ladder_redo])
        newest = LadderEvent.objects.filter(ladder=self.ladder).count()
        service(ladder_id=self.ladder.pk, by=self.director, n=self.chance.randint(1, newest))

    def season(self) -> None:
        if self.chance.random() < 0.2:
            ladders.season_close(ladder_id=self.ladder.pk, by=self.director)


def dying_sweep(chance: random.Random) -> None:
    """A sweep whose worker may die after any ladder that it wrote."""
    write = transaction.LadderTransaction.commit

    def commit(self: transaction.LadderTransaction) -> None:
        write(self)
        if chance.random() < 0.3:
            raise SystemExit

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transaction.LadderTransaction, "commit", commit)
        try:
            sweep_ladders()
        except SystemExit:
            return


@pytest.mark.parametrize("kind", ["challenge", "season", "hill"])
def test_whatever_people_do_and_however_workers_die(
    make: Callable[..., Ladder], clock: Clock, person: Callable[..., User], dora: User, kind: str
) -> None:
    people = [person(name) for name in ("eva", "flo", "gil", "hugo", "ines")]
    run = LadderRun(make(kind=kind, joined=tuple(people)), people, dora, seed=len(kind))
    acts = [run.call] * 4 + [run.answer, run.play] * 3
    acts += [run.come_and_go, run.rest, run.direct, run.season]
    for _ in range(STEPS):
        with suppress(Refused):
            run.chance.choice(acts)()
        clock.forward(hours=run.chance.choice([1, 5, 30]), outage=run.chance.random() < 0.05)
        dying_sweep(run.chance)
    for _ in range(3):
        sweep_ladders()
    assert sweep_ladders() == 0
    assert run.played
    assert len(order(run.ladder)) <= len(people)
    for match_id in run.played:
        assert LadderEvent.objects.filter(ladder=run.ladder, match=match_id, type="result").count() == 1
    assert not LadderChallenge.objects.filter(status="accepted", match__status="over").exists()
