"""Ruling "Match clock": whose time runs in each phase, stepped through the real services."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest

from accounts.models import User
from games import formats, services
from games.clocks import MINUTE, SECOND
from games.errors import Refused
from games.events import state_of
from games.models import Action, Match
from games.selectors import match_files
from games.services import Answer
from tests.games.clock_control import Time
from tests.replayed_state import replayed_state

pytestmark = pytest.mark.django_db

Open = Callable[..., Match]
Act = Callable[..., Answer]
Dice = deque[tuple[int, int]]
FULL = 10 * MINUTE  # a club's match to 5


def clock(match: Match) -> tuple[str | None, int, int, int]:
    """The running side, both reserves, and the rest of its delay when it was last set."""
    clock_row = Match.objects.get(pk=match.pk).clock
    assert clock_row is not None
    return clock_row["running"], clock_row["white"], clock_row["black"], clock_row["delay_left"]


def due_in(match: Match, time: Time) -> float | None:
    """Seconds to the deadline."""
    flag_at = Match.objects.get(pk=match.pk).flag_at
    return None if flag_at is None else (flag_at - time.moment).total_seconds()


@pytest.fixture
def opened(time: Time, open_table: Open, act: Act, next_rolls: Dice, ana: User, bea: User) -> Match:
    """ana rolled 3 and bea 1: ana is to play 31, and her time begins to run."""
    next_rolls.append((3, 1))
    match = open_table()
    act(match, ana, "roll")
    act(match, bea, "roll")
    return match


def test_at_the_opening_roll_both_clocks_stop_for_twenty_seconds(
    time: Time, open_table: Open, act: Act, next_rolls: Dice, ana: User
) -> None:
    next_rolls.append((6, 1))
    match = open_table()
    assert (clock(match), due_in(match, time)) == ((None, FULL, FULL, 0), 20)
    time(seconds=15)
    act(match, ana, "roll")
    assert (clock(match), due_in(match, time)) == ((None, FULL, FULL, 0), 5)  # no new wait for the missing player
    time(seconds=5)
    services.match_touch(match_id=match.pk)
    assert [row.text for row in Action.objects.filter(match=match)] == ["roll", "hold black", "dice 61"]
    assert (clock(match), due_in(match, time)) == (("white", FULL, FULL, 12 * SECOND), 612)


def test_between_games_both_clocks_stop_and_the_reserve_carries_over(
    opened: Match, time: Time, act: Act, ana: User, bea: User
) -> None:
    time(seconds=20)
    act(opened, ana, "8/5 6/5")
    time(seconds=4)
    act(opened, bea, "double")
    time(seconds=13)
    act(opened, ana, "drop")
    assert (clock(opened), due_in(opened, time)) == ((None, FULL - 9 * SECOND, FULL, 0), 20)


def test_a_turn_has_one_delay_for_rolling_and_moving(
    opened: Match, time: Time, act: Act, next_rolls: Dice, ana: User, bea: User
) -> None:
    act(opened, ana, "8/5 6/5")
    time(seconds=7)
    next_rolls.append((6, 5))
    act(opened, bea, "roll")
    assert clock(opened) == ("black", FULL, FULL, 5 * SECOND)
    time(seconds=8)
    act(opened, bea, "24/18 18/13")
    assert clock(opened) == ("white", FULL, FULL - 3 * SECOND, 12 * SECOND)


def test_a_double_and_a_take_switch_the_running_clock_with_a_fresh_delay(
    opened: Match, time: Time, act: Act, ana: User, bea: User
) -> None:
    act(opened, ana, "8/5 6/5")
    time(seconds=11)
    act(opened, bea, "double")
    assert clock(opened) == ("white", FULL, FULL, 12 * SECOND)
    time(seconds=14)
    act(opened, ana, "take")
    assert clock(opened) == ("black", FULL - 2 * SECOND, FULL, 12 * SECOND)


def test_a_resignation_and_its_rejection_switch_the_running_clock(
    opened: Match, time: Time, act: Act, ana: User, bea: User
) -> None:
    time(seconds=30)
    act(opened, ana, "resign 1")
    assert clock(opened) == ("black", FULL - 18 * SECOND, FULL, 12 * SECOND)
    time(seconds=13)
    act(opened, bea, "reject")
    assert clock(opened) == ("white", FULL - 18 * SECOND, FULL - SECOND, 12 * SECOND)


def test_a_dance_costs_nothing(time: Time, open_table: Open, act: Act, next_rolls: Dice, ana: User, bea: User) -> None:
    next_rolls.extend([(1, 3), (6, 4), (6, 1), (6, 5)])
    match = open_table()
    for user, action in [(ana, "roll"), (bea, "roll"), (bea, "8/5 6/5"), (ana, "roll"), (ana, "24/18 13/9")]:
        act(match, user, action)
    for user, action in [(bea, "roll"), (bea, "13/7* 8/7")]:
        act(match, user, action)
    time(seconds=5)
    act(match, ana, "roll")
    assert Action.objects.filter(match=match).values_list("actor", "text").last() == ("server", "pass")
    assert clock(match) == ("black", FULL, FULL, 12 * SECOND)


def test_the_flag_falls_at_the_deadline_and_not_before(opened: Match, time: Time, act: Act, ana: User) -> None:
    time(seconds=611.999)
    assert services.match_touch(match_id=opened.pk) == 3
    time(seconds=0.001)
    with pytest.raises(Refused, match="time_up"):
        act(opened, ana, "8/5 6/5")
    match = Match.objects.get(pk=opened.pk)
    assert (match.winner, match.ended_by) == ("black", "flag")


def test_an_agreed_overtime_is_one_minute_once_a_match(
    time: Time, open_table: Open, act: Act, next_rolls: Dice, ana: User, bea: User
) -> None:
    next_rolls.append((3, 1))
    match = open_table(clock="overtime")
    act(match, ana, "roll")
    act(match, bea, "roll")
    assert due_in(match, time) == 12 + 600 + 60
    time(seconds=12 + 600 + 20)
    act(match, ana, "8/5 6/5")
    row = Match.objects.get(pk=match.pk)
    assert (row.clock["white"], row.clock["overtime"]) == (0, {"white": 40 * SECOND, "black": MINUTE})


def test_lag_that_was_measured_is_given_back_within_the_quota(opened: Match, time: Time, act: Act, ana: User) -> None:
    time(seconds=20)
    act(opened, ana, "8/5 6/5", rtt_ms=400)
    assert clock(opened)[1] == FULL - 7600
    assert Match.objects.get(pk=opened.pk).clock.get("quota") is None  # refilled


def test_in_damas_a_bonus_is_added_for_each_move(
    time: Time, open_table: Open, act: Act, next_rolls: Dice, ana: User, bea: User
) -> None:
    next_rolls.append((6, 1))
    match = open_table(variant="damas", length=1, clock="fischer5", options={"mode": "obligatoria"})
    act(match, ana, "roll")
    act(match, bea, "roll")
    time(seconds=8)
    act(match, ana, "11-16")
    assert clock(match) == ("black", 5 * MINUTE - 3 * SECOND, 5 * MINUTE, 0)


def test_offering_and_rejecting_a_draw_renews_no_time(
    time: Time, open_table: Open, act: Act, next_rolls: Dice, ana: User, bea: User
) -> None:
    next_rolls.append((6, 1))
    match = open_table(variant="damas", length=1, clock="days1", rated=False, options={"mode": "obligatoria"})
    for user, action in [(ana, "roll"), (bea, "roll"), (ana, "11-16"), (bea, "36-31")]:
        act(match, user, action)
    time(hours=20)
    act(match, ana, "offer-draw")
    time(hours=3)
    act(match, bea, "reject")
    assert due_in(match, time) == 3600


class TestPause:
    """The director's pause: both clocks stop, nobody can act, and play resumes as it was."""

    @pytest.fixture
    def arranged(self, time: Time, act: Act, next_rolls: Dice, ana: User, bea: User) -> Match:
        next_rolls.append((3, 1))
        match = services.match_arrange(white=ana, black=bea, variant="backgammon", length=5, clock="club")
        for user in (ana, bea):
            services.match_arrive(match_id=match.pk, user=user)
        act(match, ana, "roll")
        act(match, bea, "roll")
        return match

    def test_an_hour_of_pause_costs_nobody_anything(
        self, arranged: Match, time: Time, act: Act, ana: User, dora: User
    ) -> None:
        time(seconds=5)
        services.match_pause(match_id=arranged.pk, by=dora, reason=" Lunch ")
        match = Match.objects.get(pk=arranged.pk)
        assert (match.flag_at, match.pause) == (
            None,
            {"by": "dora", "why": "Lunch", "at": time.moment.isoformat()},
        )
        time(hours=1)
        with pytest.raises(Refused, match="paused"):
            act(arranged, ana, "8/5 6/5")
        with pytest.raises(Refused, match="paused"):
            act(arranged, ana, "resign match")
        services.match_resume(match_id=arranged.pk)
        assert (clock(arranged), due_in(arranged, time)) == (("white", FULL, FULL, 7 * SECOND), 607)
        act(arranged, ana, "8/5 6/5")
        assert [row.text for row in Action.objects.filter(match=arranged)][3:] == ["pause", "resume", "8/5 6/5"]

    def test_a_match_is_paused_once_and_resumed_once(self, arranged: Match, dora: User) -> None:
        with pytest.raises(Refused, match="not_paused"):
            services.match_resume(match_id=arranged.pk)
        services.match_pause(match_id=arranged.pk, by=dora)
        with pytest.raises(Refused, match="paused"):
            services.match_pause(match_id=arranged.pk, by=dora)

    def test_a_pause_does_not_undo_a_fallen_flag(self, arranged: Match, time: Time, dora: User) -> None:
        time(seconds=613)
        services.match_pause(match_id=arranged.pk, by=dora)
        match = Match.objects.get(pk=arranged.pk)
        assert (match.status, match.ended_by, match.pause) == ("over", "flag", None)

    def test_the_record_of_a_paused_match_reads_back(self, arranged: Match, act: Act, bea: User, dora: User) -> None:
        services.match_pause(match_id=arranged.pk, by=dora)
        assert replayed_state(arranged).paused
        services.match_resume(match_id=arranged.pk)
        act(arranged, bea, "resign match")
        match = Match.objects.get(pk=arranged.pk)
        reading = formats.read(match_files.match_text(match, "json").encode(), "a.json")
        assert (reading.faults, replayed_state(match) == state_of(match)) == ((), True)
        assert match_files.match_text(match, "mat")

    def test_a_paused_match_can_be_cancelled(self, arranged: Match, dora: User) -> None:
        services.match_pause(match_id=arranged.pk, by=dora)
        assert services.match_call_off(match_id=arranged.pk).ended_by == "stopped"
