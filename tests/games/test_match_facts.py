"""The figures of a match, counted by hand from a file that gnubg wrote and from scripts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from games import match_facts
from games.match_facts import Tally, TimedAction
from tests.games.finished_matches import sample
from tests.games.formats.matches import play_match

START = datetime(2026, 3, 1, 20, tzinfo=UTC)


def timed(*actions: str, every: int = 5) -> list[TimedAction]:
    """Actions written as `white roll`, one every so many seconds."""
    timed_actions = [action.split(" ", 1) for action in actions]
    return [
        TimedAction(actor, text, START + timedelta(seconds=every * n)) for n, (actor, text) in enumerate(timed_actions)
    ]


def count(*actions: str, length: int = 5, delay: int = 0) -> match_facts.Tallies:
    return match_facts.count("backgammon", length, {}, delay=delay, actions=timed(*actions))


OPENING = ("white roll", "black roll", "chance dice 31", "white 8/5 6/5")


def test_a_one_game_match_is_counted_as_by_hand() -> None:
    """m10: White makes plays 2 to 30 of the sheet, Black 1 to 29; Black's first is the opening roll."""
    record = sample("m10.mat")
    actions = [f"{actor} {text}" for game in record.games for actor, text in game.actions]
    tallies = match_facts.count(record.variant, 1, record.options, delay=0, actions=timed(*actions))
    white, black = tallies["white"], tallies["black"]
    assert (white.rolls, white.rolls_double, white.plays) == (29, 7, 29)
    assert (black.rolls, black.rolls_double, black.plays) == (28, 3, 29)
    assert (white.dice[43], white.dice[22], white.dice[55], black.dice[42]) == (3, 2, 1, 3)
    assert (white.bar_rolls, white.bar_entered, black.bar_rolls, black.bar_entered) == (4, 4, 4, 4)
    assert white.pips == sum(facts_pips(dice) * n for dice, n in white.dice.items()) == 233
    assert (white.doubles_offered, white.doubles_taken, black.doubles_dropped) == (0, 0, 0)


def facts_pips(dice: int) -> int:
    high, low = divmod(dice, 10)
    return (high + low) * (2 if high == low else 1)


def test_the_opening_roll_belongs_to_neither_player() -> None:
    tallies = count(*OPENING)
    assert (tallies["white"].rolls, tallies["white"].plays, tallies["white"].dice.total()) == (0, 1, 0)
    assert tallies["black"] == Tally()


def test_a_double_is_offered_and_taken_or_passed() -> None:
    facts = count(*OPENING, "black double", "white take", "black roll", "chance dice 62", "black 24/18 13/11")
    assert (facts["black"].doubles_offered, facts["black"].doubles_cashed, facts["white"].doubles_taken) == (1, 0, 1)
    assert (facts["black"].rolls, facts["black"].plays, facts["black"].dice) == (1, 1, {62: 1})
    passed = count(*OPENING, "black double", "white drop")
    assert (passed["black"].doubles_cashed, passed["white"].doubles_dropped, passed["white"].plays) == (1, 1, 1)


def test_a_double_counts_as_four_numbers() -> None:
    tallies = count(*OPENING, "black roll", "chance dice 55", "black 13/3(2)")
    assert (tallies["black"].rolls_double, tallies["black"].pips) == (1, 20)


def test_entering_from_the_bar_is_counted() -> None:
    """White hits and has made the 6, 5 and 2 points: 1 - (3/6)^2 of all rolls enter."""
    black = ("black roll", "chance dice 41", "black 24/23 13/9")
    hit = (*OPENING, *black, "white roll", "chance dice 64", "white 8/2 6/2*", "black roll")
    came_in = count(*hit, "chance dice 31", "black bar/22 9/8")["black"]
    assert (came_in.bar_rolls, came_in.bar_entered, came_in.bar_expected, came_in.bar_variance) == (1, 1, 0.75, 0.1875)
    danced = count(*hit, "chance dice 65", "server pass")["black"]
    assert (danced.bar_rolls, danced.bar_entered, danced.bar_expected, danced.plays) == (1, 0, 0.75, 1)
    gave_up = count(*hit, "chance dice 31", "black resign match")["black"]
    assert (gave_up.rolls, gave_up.bar_rolls) == (2, 0)


def test_time_runs_for_the_side_to_act_and_stands_at_the_opening() -> None:
    """Five seconds pass before each action: White plays, Black rolls and plays; no time runs while dice fall."""
    tallies = count(*OPENING, "black roll", "chance dice 62", "black 24/18 13/11")
    assert (tallies["white"].thinking_ms, tallies["black"].thinking_ms) == (5000, 10000)


def test_no_side_thinks_longer_than_its_clock_ran() -> None:
    """An hour of pause in which the clock took two seconds beyond a delay of twelve."""
    timed_actions = timed(*OPENING)
    timed_actions = [action._replace(white_ms=600_000, black_ms=600_000) for action in timed_actions]
    timed_actions[-1] = timed_actions[-1]._replace(at=timed_actions[-2].at + timedelta(hours=1), white_ms=598_000)
    tallies = match_facts.count("backgammon", 5, {}, delay=12_000, actions=timed_actions)
    assert tallies["white"].thinking_ms == 14_000


def test_resigning_and_answering_do_not_count_as_plays() -> None:
    tallies = count(*OPENING, "black resign 1", "white accept")
    assert (tallies["white"].plays, tallies["black"].plays) == (1, 0)


def test_every_game_can_be_counted_and_missing_figures_are_zero() -> None:
    for variant, length in (("nackgammon", 1), ("hypergammon", 1), ("acey-deucey", 15), ("damas", 1)):
        record = play_match(3, length, variant=variant)
        actions = [f"{actor} {text}" for game in record.games for actor, text in game.actions]
        tallies = match_facts.count(variant, length, record.options, delay=0, actions=timed(*actions))
        plays = sum(tally.plays for tally in tallies.values())
        assert plays > 0
        assert tallies["white"].rolls == tallies["white"].dice.total()
        assert (variant == "damas") == (tallies["white"].rolls == 0)
