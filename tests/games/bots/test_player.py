"""A bot of some strength: it chooses among what an engine judged, the same way each time, and well enough."""

from __future__ import annotations

import pytest

from games.bots import LEVELS, STRENGTHS, strength_of
from games.bots.engine import Judged
from games.bots.habits import lure
from games.bots.pace import LONGEST, SHORTEST, pause
from games.bots.player import Decision, chosen
from games.bots.strength import BEGINNER, CASUAL, CLUB, EXPERT, WORLD
from games.bots.whim import Whim

PLAYS = [
    Judged("8/5 6/5", 0.20),
    Judged("13/10 24/23", 0.05),
    Judged("24/20", 0.02),
    Judged("13/9", -0.02),
    Judged("6/2", -0.30),
]
CUBE = [Judged("roll", 0.30), Judged("double", 0.22)]
TRIES = 2000


def given_away(judged: list[Judged], level: int) -> float:
    """What a strength gives away on average."""
    equities = dict(judged)
    taken = [equities[chosen(judged, strength_of(level), Whim(f"m:{n}"))] for n in range(TRIES)]
    return judged[0].equity - sum(taken) / TRIES


class TestWhim:
    def test_is_the_same_whenever_it_is_asked(self) -> None:
        assert Whim("match:7").share("seen", "8/5 6/5") == Whim("match:7").share("seen", "8/5 6/5")
        assert Whim("match:7").share("seen", "8/5 6/5") != Whim("match:8").share("seen", "8/5 6/5")

    def test_is_spread_evenly_and_never_ends(self) -> None:
        shares = [Whim("match").share(n) for n in range(TRIES)]
        assert 0 < min(shares) < max(shares) < 1
        assert sum(shares) / TRIES == pytest.approx(0.5, abs=0.02)

    def test_tastes_are_gumbels(self) -> None:
        assert sum(Whim("match").taste(n) for n in range(TRIES)) / TRIES == pytest.approx(0.5772, abs=0.06)


class TestChoice:
    def test_the_best_is_the_only_choice_of_the_strongest(self) -> None:
        assert {chosen(PLAYS, WORLD, Whim(str(n))) for n in range(50)} == {"8/5 6/5"}
        assert {chosen(CUBE, WORLD, Whim(str(n))) for n in range(50)} == {"roll"}

    def test_the_same_match_and_version_get_the_same_answer(self) -> None:
        assert [chosen(PLAYS, BEGINNER, Whim(f"m:{n}")) for n in range(50)] == [
            chosen(list(PLAYS), BEGINNER, Whim(f"m:{n}")) for n in range(50)
        ]

    @pytest.mark.parametrize("judged", [PLAYS, CUBE], ids=["plays", "cube"])
    def test_each_strength_gives_away_less_than_the_one_below(self, judged: list[Judged]) -> None:
        lost = [given_away(judged, level) for level in LEVELS]
        assert lost == sorted(lost, reverse=True)
        assert lost[0] > 0.01
        assert lost[-1] == pytest.approx(0)

    def test_nobody_plays_what_everybody_sees_to_be_wrong(self) -> None:
        absurd = [Judged("8/5 6/5", 0.2), Judged("6/2", 0.2 - BEGINNER.worst - 0.01)]
        assert {chosen(absurd, BEGINNER, Whim(str(n))) for n in range(300)} == {"8/5 6/5"}

    def test_a_game_that_is_decided_is_played_as_the_engine_would(self) -> None:
        decided = [Judged("1/off", 1.0), Judged("2/1", 1.0)]
        assert {chosen(decided, BEGINNER, Whim(str(n))) for n in range(50)} == {"1/off"}

    def test_a_beginner_loves_to_hit(self) -> None:
        close = [Judged("13/9", 0.05), Judged("24/20*", 0.03)]
        hits = [sum(chosen(close, one, Whim(str(n))) == "24/20*" for n in range(500)) for one in (BEGINNER, EXPERT)]
        assert hits[0] > 250 > hits[1]

    def test_levels_are_the_five_and_a_bot_without_one_is_an_expert(self) -> None:
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
def test_what_lures_a_beginner(play: str, liked: float) -> None:
    assert lure(play) == pytest.approx(liked)


class TestPace:
    def test_a_forced_play_takes_a_moment(self) -> None:
        assert pause(Decision("pass"), whim=Whim("m"), left=None) == SHORTEST

    def test_a_close_choice_takes_longer_than_a_plain_one_and_never_long(self) -> None:
        close, plain = (pause(Decision("13/9", gap), whim=Whim("m"), left=None) for gap in (0.0, 0.4))
        assert SHORTEST < plain < 1.2 < close <= LONGEST

    def test_a_clock_that_runs_out_makes_it_quick(self) -> None:
        assert pause(Decision("13/9", 0.0), whim=Whim("m"), left=6.0) == pytest.approx(0.1)
        assert pause(Decision("13/9", 0.0), whim=Whim("m"), left=-1.0) == 0
