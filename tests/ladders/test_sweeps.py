"""What happens on ladders at a time: each deadline has its effect once, however often and however late one looks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games import services as play
from games.models import Match
from ladders import services as ladders
from ladders.models import Ladder, LadderChallenge, LadderEvent, LadderPlayer, LadderPulse
from ladders.services import sweeps, transaction
from ladders.tasks import sweep_ladders
from tests.ladders.conftest import Clock, arrive, give_up, kinds, order

pytestmark = pytest.mark.django_db
Make = Callable[..., Ladder]


def call(ladder: Ladder, challenger: User, defender: User) -> LadderChallenge:
    return ladders.challenge_make(ladder_id=ladder.pk, user=challenger, opponent=defender)


def agree(ladder: Ladder, challenger: User, defender: User) -> Match:
    made = call(ladder, challenger, defender)
    return ladders.challenge_accept(challenge_id=made.pk, user=defender)


def status(match_or_call: Match | LadderChallenge) -> str:
    match_or_call.refresh_from_db()
    return match_or_call.status


# Challenges


def test_who_does_not_answer_in_time_loses_and_once(ladder: Ladder, clock: Clock, ana: User, bea: User) -> None:
    made = call(ladder, bea, ana)
    clock.forward(hours=47, minutes=59)
    assert sweep_ladders() == 0
    clock.forward(minutes=2)
    assert [sweep_ladders(), sweep_ladders()] == [1, 0]
    assert (status(made), made.winner, order(ladder)) == ("forfeit", bea, ["bea", "ana", "carlos"])
    assert kinds(ladder) == ["challenged", "expired"]


def test_or_the_challenge_lapses(make: Make, clock: Clock, ana: User, bea: User) -> None:
    ladder = make(config={"on_no_answer": "drop"})
    made = call(ladder, bea, ana)
    clock.forward(hours=49)
    assert [sweep_ladders(), sweep_ladders()] == [1, 0]
    assert (status(made), order(ladder)) == ("dropped", ["ana", "bea", "carlos"])


def test_an_answer_after_the_deadline_counts_while_nobody_has_carried_it_out(
    ladder: Ladder, clock: Clock, ana: User, bea: User
) -> None:
    made = call(ladder, bea, ana)
    clock.forward(hours=49)
    assert ladders.challenge_accept(challenge_id=made.pk, user=ana).status == "open"
    assert sweep_ladders() == 0


@pytest.mark.parametrize(
    ("rule", "places"),
    [
        ("forfeit_challenger", ["ana", "bea", "carlos"]),
        ("forfeit_defender", ["carlos", "ana", "bea"]),
        ("drop", ["ana", "bea", "carlos"]),
    ],
)
def test_a_match_that_nobody_came_to_ends_as_the_ladder_says(
    make: Make, clock: Clock, ana: User, carlos: User, rule: str, places: list[str]
) -> None:
    ladder = make(config={"on_not_played": rule})
    match = agree(ladder, carlos, ana)
    clock.forward(days=6, hours=23)
    assert sweep_ladders() == 0
    clock.forward(hours=2)
    assert [sweep_ladders(), sweep_ladders()] == [1, 0]
    assert (status(match), order(ladder), kinds(ladder)[-1]) == ("cancelled", places, "not_played")
    assert status(match.ladder_challenge) == ("dropped" if rule == "drop" else "forfeit")


def test_who_came_alone_does_not_lose(ladder: Ladder, clock: Clock, ana: User, carlos: User) -> None:
    match = agree(ladder, carlos, ana)
    play.match_arrive(match_id=match.pk, user=carlos)
    clock.forward(days=8)
    sweep_ladders()
    assert order(ladder) == ["carlos", "ana", "bea"]


def test_a_match_in_play_is_played_out(ladder: Ladder, clock: Clock, ana: User, carlos: User) -> None:
    match = arrive(agree(ladder, carlos, ana))
    clock.forward(days=8)
    assert [sweep_ladders(), sweep_ladders()] == [1, 0]
    assert status(match.ladder_challenge) == "accepted"
    give_up(match, ana)
    assert [sweep_ladders(), sweep_ladders()] == [1, 0]
    assert order(ladder) == ["carlos", "ana", "bea"]


def test_a_result_that_nobody_heard_of_comes_before_the_deadline(
    ladder: Ladder, clock: Clock, ana: User, carlos: User
) -> None:
    match = arrive(agree(ladder, carlos, ana))
    give_up(match, ana)  # the word is lost: nothing is sent in this test
    clock.forward(days=8)
    assert sweep_ladders() == 1
    assert (order(ladder), kinds(ladder)) == (["carlos", "ana", "bea"], ["challenged", "accepted", "result"])


def test_a_lost_result_of_a_season_is_found(
    make: Make, clock: Clock, open_table: Callable[..., Match], ana: User
) -> None:
    ladder = make(kind="season")
    give_up(open_table(length=3), ana)
    assert [sweep_ladders(), sweep_ladders()] == [1, 0]
    assert order(ladder) == ["bea", "ana", "carlos"]


def test_a_match_that_was_called_off_counts_for_nobody(ladder: Ladder, clock: Clock, ana: User, carlos: User) -> None:
    match = arrive(agree(ladder, carlos, ana))
    play.match_call_off(match_id=match.pk)
    assert [sweep_ladders(), sweep_ladders()] == [1, 0]
    assert (status(match.ladder_challenge), order(ladder)) == ("dropped", ["ana", "bea", "carlos"])


# Players


def test_a_place_freezes_then_falls_then_falls_again(ladder: Ladder, clock: Clock, ana: User, bea: User) -> None:
    seen: list[tuple[int, list[str]]] = []
    for _ in range(100):
        clock.forward(days=1)
        before = LadderEvent.objects.count()
        sweep_ladders()
        if LadderEvent.objects.count() > before:
            seen.append((round(clock.ahead / timedelta(days=1)), kinds(ladder)[before - LadderEvent.objects.count() :]))
    assert seen == [(30, ["froze"] * 3), (45, ["dropped"] * 3), (90, ["dropped"] * 3)]
    assert LadderPlayer.objects.filter(ladder=ladder, frozen=True).count() == 3
    ladders.ladder_back(ladder_id=ladder.pk, user=ana)
    assert not LadderPlayer.objects.get(user=ana).frozen
    assert sorted(order(ladder)) == ["ana", "bea", "carlos"]


def test_a_vacation_ends_by_itself_and_was_no_absence(ladder: Ladder, clock: Clock, ana: User) -> None:
    ladders.ladder_away(ladder_id=ladder.pk, user=ana, days=20)
    clock.forward(days=20, hours=1)
    assert [sweep_ladders(), sweep_ladders()] == [1, 0]
    assert (kinds(ladder), ladder.players.get(user=ana).away_until) == (["away", "back"], None)
    clock.forward(days=26)
    assert sweep_ladders() == 2
    assert list(ladder.players.filter(frozen=True).values_list("user__username", flat=True)) == ["bea", "carlos"]
    assert order(ladder) == [*order(ladder)]


# Seasons and hills


def test_a_season_ends_by_itself_and_the_next_is_as_long(make: Make, clock: Clock) -> None:
    ladder = make(kind="season", season_ends_at=clock.now() + timedelta(days=28))
    clock.forward(days=28, minutes=1)
    assert sweep_ladders() >= 1
    ladder.refresh_from_db()
    season = ladder.seasons.get()
    assert (ladder.season, season.number, [row["name"] for row in season.table]) == (2, 1, ["ana", "bea", "carlos"])
    assert ladder.season_ends_at is not None
    assert timedelta(days=27) < ladder.season_ends_at - clock.now() < timedelta(days=28)
    assert sweep_ladders() == 0


def test_the_line_of_a_hill_moves_on_by_itself(make: Make, clock: Clock, ana: User, bea: User, carlos: User) -> None:
    ladder = make(kind="hill")
    assert [sweep_ladders(), sweep_ladders()] == [1, 0]
    made = ladder.challenges.get()
    assert (made.challenger, made.defender, ladder.events.order_by("n").last().by) == (bea, ana, None)  # type: ignore[union-attr]
    clock.forward(hours=49)
    sweep_ladders()  # the king has not answered: he goes to the end, and the new one is called
    assert order(ladder) == ["bea", "carlos", "ana"]
    sweep_ladders()
    assert list(ladder.challenges.filter(status="offered").values_list("challenger", "defender")) == [
        (carlos.pk, bea.pk)
    ]


def test_an_abandoned_hill_comes_to_rest(make: Make, clock: Clock) -> None:
    ladder = make(kind="hill")
    for _ in range(80):
        clock.forward(days=1)
        sweep_ladders()
    event_count = LadderEvent.objects.filter(ladder=ladder).count()
    for _ in range(20):
        clock.forward(days=1)
        sweep_ladders()
    assert LadderEvent.objects.filter(ladder=ladder).count() == event_count
    assert len(order(ladder)) == 3


# Outages


def test_the_time_of_an_outage_is_given_back_to_everybody_once(
    ladder: Ladder, clock: Clock, ana: User, bea: User
) -> None:
    made = call(ladder, bea, ana)
    due = made.due_at
    assert due is not None
    clock.forward(hours=47)
    assert sweep_ladders() == 0
    clock.forward(days=1, outage=True)
    assert [sweep_ladders(), sweep_ladders()] == [0, 0]
    assert (status(made), kinds(ladder)) == ("offered", ["challenged", "outage"])
    assert made.due_at is not None
    assert abs(made.due_at - due - timedelta(days=1)) < timedelta(minutes=1)
    assert order(ladder) == ["ana", "bea", "carlos"]
    clock.forward(hours=2)
    assert sweep_ladders() == 1
    assert order(ladder) == ["bea", "ana", "carlos"]


def test_a_short_silence_is_not_an_outage(ladder: Ladder, clock: Clock) -> None:
    sweep_ladders()
    clock.forward(minutes=9, outage=True)
    sweep_ladders()
    assert kinds(ladder) == []
    assert LadderPulse.objects.count() == 1


# Workers that die


def crash_after(monkeypatch: pytest.MonkeyPatch, commits: int) -> None:
    """The worker dies when it is about to write a ladder back for the last of so many times."""
    write = transaction.LadderTransaction.commit
    left = [commits]

    def dying(self: transaction.LadderTransaction) -> None:
        left[0] -= 1
        write(self)
        if left[0] <= 0:
            raise SystemExit

    monkeypatch.setattr(transaction.LadderTransaction, "commit", dying)


@pytest.mark.parametrize("commits", [1, 2, 3, 4])
def test_what_a_dying_worker_leaves_the_next_one_does(
    make: Make, clock: Clock, ana: User, bea: User, carlos: User, commits: int
) -> None:
    first, second = make(name="A"), make(name="B", config={"on_no_answer": "drop"})
    played = make(name="C")
    call(first, bea, ana)
    call(second, bea, ana)
    give_up(arrive(agree(played, carlos, ana)), ana)
    clock.forward(days=8)
    with pytest.MonkeyPatch.context() as patch:
        crash_after(patch, commits)
        if commits <= 3:
            with pytest.raises(SystemExit):
                sweep_ladders()
        else:
            sweep_ladders()
    for _ in range(2):
        sweep_ladders()
    assert [order(ladder) for ladder in (first, second, played)] == [
        ["bea", "ana", "carlos"],
        ["ana", "bea", "carlos"],
        ["carlos", "ana", "bea"],
    ]
    assert [kinds(ladder)[-1] for ladder in (first, second, played)] == ["expired", "expired", "result"]


def test_an_outage_that_a_worker_died_over_is_given_back_whole(make: Make, clock: Clock, ana: User, bea: User) -> None:
    both = [make(name="A"), make(name="B")]
    made = [call(ladder, bea, ana) for ladder in both]
    clock.forward(days=3, outage=True)
    with pytest.MonkeyPatch.context() as patch:
        crash_after(patch, 1)
        with pytest.raises(SystemExit):
            sweep_ladders()
    for _ in range(2):
        assert sweep_ladders() == 0
    assert [kinds(ladder) for ladder in both] == [["challenged", "outage"]] * 2
    assert {status(challenge) for challenge in made} == {"offered"}


def test_a_broken_ladder_does_not_stop_the_others(
    make: Make, clock: Clock, monkeypatch: pytest.MonkeyPatch, ana: User, bea: User
) -> None:
    broken, good = make(name="A"), make(name="B")
    for ladder in (broken, good):
        call(ladder, bea, ana)
    clock.forward(hours=49)
    end_challenge = sweeps.end_challenge

    def failing(tx: Any, challenge: LadderChallenge, *args: Any, **facts: Any) -> None:
        if challenge.ladder_id == broken.pk:
            raise ValueError("broken")
        end_challenge(tx, challenge, *args, **facts)

    monkeypatch.setattr(sweeps, "end_challenge", failing)
    assert sweep_ladders() == 2
    assert [order(ladder) for ladder in (broken, good)] == [["ana", "bea", "carlos"], ["bea", "ana", "carlos"]]
