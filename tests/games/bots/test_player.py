"""A bot of some level: it chooses among rated actions, deterministically and well enough."""

from __future__ import annotations

import pytest

from games.bots import LEVELS, STRENGTHS, strength_of
from games.bots.beginner_habits import habit_bonus
from games.bots.engine import RatedAction
from games.bots.player import Decision, choose_action
from games.bots.seeded_random import SeededRandom
from games.bots.strength import BEGINNER, CASUAL, CLUB, EXPERT, WORLD
from games.bots.thinking_time import LONGEST, SHORTEST, thinking_seconds

PLAYS = [
    RatedAction("8/5 6/5", 0.20),
    RatedAction("13/10 24/23", 0.05),
    RatedAction("24/20", 0.02),
    RatedAction("13/9", -0.02),
    RatedAction("6/2", -0.30),
]
CUBE = [RatedAction("roll", 0.30), RatedAction("double", 0.22)]
TRIES = 2000


def given_away(rated: list[RatedAction], level: int) -> float:
    """The average loss of a level."""
    equities = dict(rated)
    chosen = [equities[choose_action(rated, strength_of(level), SeededRandom(f"m:{n}"))] for n in range(TRIES)]
    return rated[0].equity - sum(chosen) / TRIES


class TestRandomness:
    def test_is_the_same_whenever_it_is_asked(self) -> None:
        assert SeededRandom("match:7").uniform("seen", "8/5 6/5") == SeededRandom("match:7").uniform("seen", "8/5 6/5")
        assert SeededRandom("match:7").uniform("seen", "8/5 6/5") != SeededRandom("match:8").uniform("seen", "8/5 6/5")

    def test_is_spread_evenly_and_never_ends(self) -> None:
        shares = [SeededRandom("match").uniform(n) for n in range(TRIES)]
        assert 0 < min(shares) < max(shares) < 1
        assert sum(shares) / TRIES == pytest.approx(0.5, abs=0.02)

    def test_random_preferences_follow_a_gumbel_distribution(self) -> None:
        assert sum(SeededRandom("match").gumbel(n) for n in range(TRIES)) / TRIES == pytest.approx(0.5772, abs=0.06)


class TestChoice:
    def test_the_strongest_level_always_chooses_the_best(self) -> None:
        assert {choose_action(PLAYS, WORLD, SeededRandom(str(n))) for n in range(50)} == {"8/5 6/5"}
        assert {choose_action(CUBE, WORLD, SeededRandom(str(n))) for n in range(50)} == {"roll"}

    def test_the_same_match_and_version_get_the_same_answer(self) -> None:
        assert [choose_action(PLAYS, BEGINNER, SeededRandom(f"m:{n}")) for n in range(50)] == [
            choose_action(list(PLAYS), BEGINNER, SeededRandom(f"m:{n}")) for n in range(50)
        ]

    @pytest.mark.parametrize("rated", [PLAYS, CUBE], ids=["plays", "cube"])
    def test_each_level_loses_less_than_the_one_below(self, rated: list[RatedAction]) -> None:
        lost = [given_away(rated, level) for level in LEVELS]
        assert lost == sorted(lost, reverse=True)
        assert lost[0] > 0.01
        assert lost[-1] == pytest.approx(0)

    def test_no_level_plays_obvious_blunders(self) -> None:
        absurd = [RatedAction("8/5 6/5", 0.2), RatedAction("6/2", 0.2 - BEGINNER.max_loss - 0.01)]
        assert {choose_action(absurd, BEGINNER, SeededRandom(str(n))) for n in range(300)} == {"8/5 6/5"}

    def test_a_decided_game_is_played_as_the_engine_would(self) -> None:
        decided = [RatedAction("1/off", 1.0), RatedAction("2/1", 1.0)]
        assert {choose_action(decided, BEGINNER, SeededRandom(str(n))) for n in range(50)} == {"1/off"}

    def test_a_beginner_prefers_to_hit(self) -> None:
        close = [RatedAction("13/9", 0.05), RatedAction("24/20*", 0.03)]
        hits = [
            sum(choose_action(close, level, SeededRandom(str(n))) == "24/20*" for n in range(500))
            for level in (BEGINNER, EXPERT)
        ]
        assert hits[0] > 250 > hits[1]

    def test_there_are_five_levels_and_the_default_is_expert(self) -> None:
        assert [strength.level for strength in STRENGTHS] == [1, 2, 3, 4, 5] == list(LEVELS)
        assert [strength_of(level) for level in (1, 2, 3, 4, 5, None, 9)] == [
            *(BEGINNER, CASUAL, CLUB, EXPERT, WORLD),
            *(EXPERT, EXPERT),
        ]


@pytest.mark.parametrize(
    ("play", "liked"),
    [
        ("13/10 6/5", 0),
        ("13/8", 0.03),
        ("24/18*", 0.08),
        ("6/off(2)", 0.08),
        ("6/2(4)", 0.02),
        ("roll", 0),
        ("11-16", 0),
    ],
)
def test_beginner_temptations_are_scored(play: str, liked: float) -> None:
    assert habit_bonus(play) == pytest.approx(liked)


class TestDelay:
    def test_a_forced_play_takes_a_short_delay(self) -> None:
        assert thinking_seconds(Decision("pass"), seeded=SeededRandom("m"), left=None) == SHORTEST

    def test_a_close_choice_takes_longer_than_an_easy_one_but_never_long(self) -> None:
        close, plain = (
            thinking_seconds(Decision("13/9", gap), seeded=SeededRandom("m"), left=None) for gap in (0.0, 0.4)
        )
        assert SHORTEST < plain < 1.2 < close <= LONGEST

    def test_a_clock_that_runs_out_makes_it_quick(self) -> None:
        assert thinking_seconds(Decision("13/9", 0.0), seeded=SeededRandom("m"), left=6.0) == pytest.approx(0.1)
        assert thinking_seconds(Decision("13/9", 0.0), seeded=SeededRandom("m"), left=-1.0) == 0
