"""Statistics: counted once for each finished match, reproducible, and read in a constant number of queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import services, tasks
from games.models import Match, RollCount, SeatFacts
from games.selectors import dice_reports as next_rolls
from games.selectors import statistics
from games.services import Answer
from games.services.statistics import facts_of, rolls_add
from tests.games.finished_matches import keep, sample

pytestmark = pytest.mark.django_db


def numbers(user: User) -> list[dict[str, object]]:
    return list(SeatFacts.objects.filter(user=user).order_by("ended_at").values())


def rolls(user: User) -> dict[int, int]:
    return dict(RollCount.objects.filter(user=user).values_list("dice", "count"))


@pytest.fixture
def counted(ana: User, bea: User) -> Match:
    """The file m11: ana (White) beat bea 4-1 or so in five games to three points."""
    match = keep(sample("m11.mat"), ana, bea)
    assert services.facts_make(match_id=match.pk)
    return match


def test_both_seats_are_counted(counted: Match, ana: User, bea: User) -> None:
    ana_facts, bea_facts = SeatFacts.objects.get(user=ana), SeatFacts.objects.get(user=bea)
    assert (ana_facts.opponent, ana_facts.variant, ana_facts.pace, ana_facts.length) == (bea, "backgammon", "live", 3)
    assert (ana_facts.rolls, ana_facts.rolls_double, ana_facts.pips, ana_facts.plays) == (112, 20, 899, 113)
    assert (bea_facts.rolls, bea_facts.rolls_double, bea_facts.pips, bea_facts.plays) == (111, 14, 870, 113)
    assert (ana_facts.doubles_dropped, bea_facts.doubles_offered, bea_facts.doubles_cashed) == (1, 1, 1)
    assert (ana_facts.bar_rolls, ana_facts.bar_entered, bea_facts.bar_rolls, bea_facts.bar_entered) == (13, 12, 7, 6)
    assert ana_facts.games == bea_facts.games == ana_facts.games_won + ana_facts.games_lost == 5
    assert (ana_facts.games_won, ana_facts.games_lost) == (bea_facts.games_lost, bea_facts.games_won)
    assert (ana_facts.gammons_won, ana_facts.points) == (bea_facts.gammons_lost, bea_facts.rival_points)
    assert ana_facts.won is not bea_facts.won


def test_the_counted_rolls_match_the_record(counted: Match, ana: User) -> None:
    assert sum(rolls(ana).values()) == 112
    assert (rolls(ana)[61], rolls(ana)[66], rolls(ana)[44]) == (10, 4, 2)


def test_counting_again_changes_nothing(counted: Match, ana: User) -> None:
    before = numbers(ana), rolls(ana)
    assert services.facts_make(match_id=counted.pk)
    assert (numbers(ana), rolls(ana)) == before


def test_the_rolls_of_a_second_match_are_added(counted: Match, ana: User, bea: User) -> None:
    before = Counter(rolls(ana))
    second = keep(sample("m10.mat"), bea, ana)
    services.facts_make(match_id=second.pk)
    facts = SeatFacts.objects.get(user=ana, seat__match=second)
    assert sum(rolls(ana).values()) == before.total() + facts.rolls == 112 + 28
    assert all(rolls(ana)[dice] >= count for dice, count in before.items())


def test_the_pure_function_returns_what_is_saved(counted: Match, ana: User) -> None:
    seats = list(counted.seats.order_by("side"))
    rows, added = facts_of(counted, seats, list(counted.games.all()), list(counted.actions.order_by("n")))
    white = next(row for row in rows if row.user_id == ana.pk)
    assert white.pips == 899
    assert added[ana.pk, "backgammon", "live", 61] == 10
    assert added.total() == 112 + 111


def test_a_rebuild_makes_the_same_numbers(counted: Match, ana: User, bea: User) -> None:
    services.facts_make(match_id=keep(sample("m14.mat"), bea, ana).pk)
    before = numbers(ana), numbers(bea), rolls(ana), rolls(bea)
    rolls_add({(ana.pk, "backgammon", "live", 66): 100})
    SeatFacts.objects.filter(user=bea).update(pips=0)
    out = StringIO()
    call_command("statistics_rebuild", stdout=out)
    assert (numbers(ana), numbers(bea), rolls(ana), rolls(bea)) == before
    assert out.getvalue() == "2 matches counted.\n"


def test_cancelled_and_imported_matches_are_not_counted(ana: User, bea: User) -> None:
    off = keep(sample("m10.mat"), ana, bea, ended_by=Match.EndedBy.STOPPED, winner="")
    filed = keep(sample("m10.mat"), ana, bea, source="mat")
    assert not services.facts_make(match_id=off.pk)
    assert not services.facts_make(match_id=filed.pk)
    assert not services.facts_make(match_id="nowhere")
    assert services.facts_missing(days=None, most=10) == []
    assert not SeatFacts.objects.exists()


def test_the_sweep_finds_uncounted_matches(ana: User, bea: User, open_table: Callable[..., Match]) -> None:
    open_table()
    old = keep(sample("m10.mat"), ana, bea)
    assert services.facts_missing(days=1, most=10) == []
    assert services.facts_missing(days=None, most=10) == [old.pk]
    tasks.facts_make(old.pk)
    assert services.facts_missing(days=None, most=10) == []


def test_a_match_that_ends_is_counted_by_a_worker(
    open_table: Callable[..., Match],
    act: Callable[..., Answer],
    ana: User,
    bea: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., object],
) -> None:
    queued: list[tuple[str, object]] = []
    monkeypatch.setattr("games.notify._enqueue", lambda task, about, countdown: queued.append((task, about)))
    match = open_table()
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        act(match, bea, "resign match")
    assert ("games.tasks.facts_make", match.pk) in queued
    tasks.facts_make(match.pk)
    facts = SeatFacts.objects.get(user=ana)
    assert (facts.won, facts.games, facts.rolls, facts.plays) == (True, 0, 0, 0)


def test_damas_have_no_dice_and_no_cube(
    open_table: Callable[..., Match], act: Callable[..., Answer], ana: User, bea: User
) -> None:
    match = open_table(variant="damas", length=1, clock="none", rated=False)
    for user in (ana, bea):
        act(match, user, "roll")
    act(match, bea, "resign match")
    assert services.facts_make(match_id=match.pk)
    facts = SeatFacts.objects.get(user=ana)
    assert (facts.variant, facts.rolls, facts.doubles_offered, facts.bar_rolls, facts.won) == ("damas", 0, 0, 0, True)


# Reading


def test_statistics_are_summed_by_the_chosen_filter(counted: Match, ana: User, bea: User) -> None:
    services.facts_make(match_id=keep(sample("m10.mat"), bea, ana).pk)
    rows = statistics.stats_rows(ana)
    assert [(row.variant, row.pace, row.length, row.stats.matches) for row in rows] == [
        ("backgammon", "live", 1, 1),
        ("backgammon", "live", 3, 1),
    ]
    whole = statistics.total_stats(rows)
    assert (whole.matches, whole.rolls, whole.plays) == (2, 140, 142)
    assert list(statistics.stats_by(lambda row: row.length, rows)) == [1, 3]
    assert [(row.opponent, row.stats.matches) for row in statistics.stats_by_opponent(ana)] == [(bea, 2)]
    assert statistics.stats_by_opponent(ana, variant="damas") == []


def test_without_matches_there_are_no_shares(ana: User) -> None:
    figures = statistics.total_stats(statistics.stats_rows(ana))
    assert (figures.matches, figures.share, figures.seconds_a_play, figures.taken_share) == (0, None, None, None)
    assert next_rolls.player_dice(ana, figures) == next_rolls.DiceReport()
    assert statistics.opponents_seconds_per_play(ana) is None


def test_the_dice_are_compared_with_fair_ones(counted: Match, ana: User) -> None:
    dice = next_rolls.player_dice(ana, statistics.total_stats(statistics.stats_rows(ana)))
    assert (dice.rolls, dice.enough, len(dice.found)) == (112, False, 21)
    assert dice.doubles is not None
    assert (dice.doubles.found, round(dice.doubles.expected, 2)) == (20, 18.67)
    assert dice.pips is not None
    assert dice.pips.found == pytest.approx(899 / 112)
    assert dice.bar is not None
    assert (dice.bar.found, round(dice.bar.expected, 3)) == (12, 12.472)
    assert 0 < dice.p_value < 1


def test_the_same_queries_for_one_match_and_for_three(counted: Match, ana: User, bea: User) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as caught:
            figures = statistics.total_stats(statistics.stats_rows(ana))
            statistics.stats_by_opponent(ana)
            statistics.opponents_seconds_per_play(ana)
            next_rolls.player_dice(ana, figures)
        return len(caught)

    count = queries()
    for name in ("m10.mat", "m14.mat"):
        services.facts_make(match_id=keep(sample(name), bea, ana).pk)
    assert queries() == count == 6
