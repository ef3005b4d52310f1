"""The sentences of ladders: what every event says, and the rules of every kind in plain words."""

from __future__ import annotations

from typing import Any

import pytest

from ladders import labels
from ladders import rules as ladders
from ladders.labels import Names

ANA, BEA, CARLOS = 1, 2, 3
PLAYERS = {ANA: "ana", BEA: "bea", CARLOS: "carlos"}
BOTH = {"challenger": BEA, "defender": ANA}
WON = {**BOTH, "winner": BEA, "moves": {"2": [2, 1], "1": [1, 2]}}
HELD = {**BOTH, "winner": ANA}
LOST = {**BOTH, "loser": ANA, "winner": BEA}

EVENTS: list[tuple[str, dict[str, Any], str]] = [
    ("created", {}, "Ladder created."),
    ("changed", {}, "Ladder settings changed."),
    ("closed", {}, "Ladder closed."),
    ("opened", {}, "Ladder reopened."),
    ("joined", {"player": ANA, "moves": {"1": [None, 4]}}, "ana joined the ladder at rank 4."),
    ("left", {"player": ANA, "moves": {"1": [1, None]}}, "ana left the ladder."),
    ("away", {"player": ANA, "days": 1}, "ana is away for 1 day."),
    ("away", {"player": ANA, "days": 5}, "ana is away for 5 days."),
    ("back", {"player": ANA}, "ana is back."),
    ("challenged", BOTH, "bea challenged ana."),
    ("challenged", {**BOTH, "itself": True}, "bea is next to play the king, ana."),
    ("accepted", BOTH, "ana accepted bea's challenge."),
    ("declined", BOTH, "ana declined bea's challenge."),
    ("declined", LOST, "ana declined bea's challenge. ana lost by forfeit."),
    ("withdrawn", BOTH, "bea withdrew the challenge to ana."),
    ("expired", BOTH, "ana did not answer bea's challenge in time. The challenge expired."),
    ("expired", LOST, "ana did not answer bea's challenge in time. ana lost by forfeit."),
    ("not_played", {**BOTH, "loser": BEA}, "bea and ana did not play in time. bea lost by forfeit."),
    ("result", WON, "bea beat ana and moved up to rank 1; ana is now at rank 2."),
    ("result", HELD, "ana beat bea and defended their place."),
    (
        "decided",
        {**WON, "reason": "at the club"},
        "Director's ruling: bea beat ana and moved up to rank 1; ana is now at rank 2. (at the club)",
    ),
    (
        "decided",
        {**BOTH, "winner": None, "reason": "ill"},
        "The director cancelled bea's challenge to ana. (ill)",
    ),
    ("froze", {"player": ANA}, "ana has not played for a while, so their place is frozen."),
    ("thawed", {"player": ANA}, "ana is playing again: their place is no longer frozen."),
    ("dropped", {"player": ANA, "moves": {"1": [1, 4]}}, "ana has not played for a long time and dropped to rank 4."),
    ("placed", {"player": BEA, "to": 1, "reason": "late"}, "The director moved bea to rank 1. (late)"),
    ("undo", {"undone": 7, "reason": "wrong"}, "The director undid event 7. (wrong)"),
    ("redo", {"undone": 7, "reason": ""}, "The director restored event 7."),
    ("season", {"number": 2}, "Season 2 ended and a new one started."),
    ("outage", {"seconds": 60}, "The site was down. That time does not count against anyone."),
    ("eclipse", {}, "eclipse"),
]


@pytest.mark.parametrize(("type_", "payload", "sentence"), EVENTS)
def test_an_event_in_one_sentence(type_: str, payload: dict[str, Any], sentence: str) -> None:
    assert labels.sentence(type_, payload, Names(PLAYERS)) == sentence


def test_every_event_of_the_fold_has_words() -> None:
    from ladders.rules.fold import STEPS

    assert set(STEPS) <= set(labels.SENTENCES)


@pytest.mark.parametrize(
    ("names", "payload", "sentence"),
    [
        (Names(PLAYERS, rule="swap"), WON, "bea beat ana and they swapped ranks: 1 and 2."),
        (Names(PLAYERS, "hill"), WON, "bea beat ana and is the new king; ana goes to the back of the queue."),
        (Names(PLAYERS, "hill"), HELD, "ana beat bea and is still king; bea goes to the back of the queue."),
        (Names(PLAYERS, "season"), {**WON, "points": {"2": 4, "1": 1}}, "bea beat ana: +4 and +1 points."),
        (Names(PLAYERS, "season"), WON, "bea beat ana."),
        (Names({}), WON, "? beat ? and moved up to rank 1; ? is now at rank 2."),
    ],
)
def test_a_result_is_told_by_the_rules_of_the_ladder(names: Names, payload: dict[str, Any], sentence: str) -> None:
    assert labels.sentence("result", payload, names) == sentence


def test_a_challenger_who_has_already_passed_the_other_moves_nobody() -> None:
    assert labels.sentence("result", {**BOTH, "winner": BEA}, Names(PLAYERS)) == "bea beat ana."


def test_the_players_of_an_event_are_all_that_its_sentence_and_its_moves_name() -> None:
    assert labels.players_in({**WON, "moves": {"3": [4, 5]}, "loser": None}) == {ANA, BEA, CARLOS}


def rules(kind: str, **config: Any) -> list[str]:
    return labels.rules(kind, ladders.Config.of({"kind": kind, **config}).as_json())


def test_the_rules_of_a_ladder_by_challenge() -> None:
    assert rules("challenge") == [
        "You can challenge players up to 3 places above you. Frozen and away players don't count.",
        "If you win, you take your opponent's place and everyone in between moves down one.",
        "If you lose, the order does not change.",
        "Answer a challenge within 2 days and play it within 7 days.",
        "If you don't answer in time, you lose by forfeit.",
        "If the match is not played in time and only one player came to the board, the other one loses. "
        "If neither came, the challenger loses.",
        "You can challenge the same player again after 7 days.",
        "After you defend your place, nobody can challenge you for 3 days.",
        "You can have one challenge at a time, sent or received.",
        "After 30 days without a match your place is frozen: nobody can challenge you until you play again.",
        "Every 45 days without a match costs you 3 places.",
        "You can be away for up to 21 days per season. "
        "While you are away, nobody can challenge you and your deadlines are paused.",
        "New players start at the bottom.",
    ]


def test_rules_that_are_switched_off_are_not_spoken_of() -> None:
    off = {"range": 0, "rule": "swap", "rematch_days": 0, "immunity_hours": 0, "freeze_days": 0, "drop_days": 0}
    assert rules("challenge", **off, vacation_days=0, on_no_answer="drop", on_not_played="drop", most_out=2) == [
        "You can challenge anyone above you.",
        "If you win, you swap places with the loser.",
        "If you lose, the order does not change.",
        "Answer a challenge within 2 days and play it within 7 days.",
        "A challenge that isn't answered in time expires.",
        "If the match is not played in time, the challenge expires.",
        "You can have at most 2 sent and 1 received challenges at once.",
        "New players start at the bottom.",
    ]


def test_the_rules_of_the_other_kinds() -> None:
    assert rules("season", best_of=10)[:4] == [
        "A win earns 3 points and a loss 1.",
        "Beating a higher-ranked player earns 1 extra.",
        "Only your best 10 matches count.",
        "Only the first 3 matches against the same opponent count.",
    ]
    assert rules("hill")[0] == "The first player is king. The next in the queue plays the king."
    assert rules("rating", active_days=30)[1] == "Only players with a rated match in the last 30 days are shown."


@pytest.mark.parametrize(
    ("places", "text"),
    [([3], "3"), ([2, 3], "2, 3"), ([2, 3, 4], "2 to 4"), ([1, 3, 4], "1, 3, 4"), ([1, 3, 4, 5], "1, 3 to 5")],
)
def test_places_are_listed_shortly(places: list[int], text: str) -> None:
    assert labels.place_list(places) == text
