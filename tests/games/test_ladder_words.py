"""The sentences of ladders: what every event says, and the rules of every kind in plain words."""

from __future__ import annotations

from typing import Any

import pytest

from games import ladder_words, ladders
from games.ladder_words import Names

ANA, BEA, CARLOS = 1, 2, 3
PLAYERS = {ANA: "ana", BEA: "bea", CARLOS: "carlos"}
BOTH = {"challenger": BEA, "defender": ANA}
WON = {**BOTH, "winner": BEA, "moves": {"2": [2, 1], "1": [1, 2]}}
HELD = {**BOTH, "winner": ANA}
LOST = {**BOTH, "loser": ANA, "winner": BEA}

EVENTS: list[tuple[str, dict[str, Any], str]] = [
    ("created", {}, "The ladder is set up."),
    ("changed", {}, "The settings of the ladder are changed."),
    ("closed", {}, "The ladder is closed."),
    ("opened", {}, "The ladder is open again."),
    ("joined", {"player": ANA, "moves": {"1": [None, 4]}}, "ana joins in place 4."),
    ("left", {"player": ANA, "moves": {"1": [1, None]}}, "ana leaves the ladder."),
    ("away", {"player": ANA, "days": 1}, "ana is away for 1 day."),
    ("away", {"player": ANA, "days": 5}, "ana is away for 5 days."),
    ("back", {"player": ANA}, "ana is back."),
    ("challenged", BOTH, "bea challenges ana."),
    ("challenged", {**BOTH, "itself": True}, "bea is next to play the king, ana."),
    ("accepted", BOTH, "ana accepts the challenge of bea."),
    ("declined", BOTH, "ana declines the challenge of bea."),
    ("declined", LOST, "ana declines the challenge of bea. ana has lost it by forfeit."),
    ("withdrawn", BOTH, "bea takes back the challenge to ana."),
    ("expired", BOTH, "ana did not answer the challenge of bea in time. The challenge lapses."),
    ("expired", LOST, "ana did not answer the challenge of bea in time. ana has lost it by forfeit."),
    ("not_played", {**BOTH, "loser": BEA}, "bea and ana did not play in time. bea has lost it by forfeit."),
    ("result", WON, "bea beats ana and takes place 1; ana is in place 2 now."),
    ("result", HELD, "ana defends against bea: nobody moves."),
    (
        "decided",
        {**WON, "reason": "at the club"},
        "The director decides: bea beats ana and takes place 1; ana is in place 2 now. (at the club)",
    ),
    (
        "decided",
        {**BOTH, "winner": None, "reason": "ill"},
        "The director calls off the challenge of bea to ana. (ill)",
    ),
    ("froze", {"player": ANA}, "ana has not played for a while: the place is frozen."),
    ("thawed", {"player": ANA}, "ana plays again: the place is no longer frozen."),
    ("dropped", {"player": ANA, "moves": {"1": [1, 4]}}, "ana has not played for a long time and falls to place 4."),
    ("placed", {"player": BEA, "to": 1, "reason": "late"}, "The director puts bea in place 1. (late)"),
    ("undo", {"undone": 7, "reason": "wrong"}, "The director takes back event 7. (wrong)"),
    ("redo", {"undone": 7, "reason": ""}, "The director restores event 7."),
    ("season", {"number": 2}, "Season 2 is over, and the next one begins."),
    ("outage", {"seconds": 60}, "The site was out of order: that time counts for nobody."),
    ("eclipse", {}, "eclipse"),
]


@pytest.mark.parametrize(("type_", "payload", "sentence"), EVENTS)
def test_an_event_in_one_sentence(type_: str, payload: dict[str, Any], sentence: str) -> None:
    assert ladder_words.sentence(type_, payload, Names(PLAYERS)) == sentence


def test_every_event_of_the_fold_has_words() -> None:
    from games.ladders.fold import STEPS

    assert set(STEPS) <= set(ladder_words.SENTENCES)


@pytest.mark.parametrize(
    ("names", "payload", "sentence"),
    [
        (Names(PLAYERS, rule="swap"), WON, "bea beats ana: they change places, 1 and 2."),
        (Names(PLAYERS, "hill"), WON, "bea beats ana and is king now; ana goes to the end of the line."),
        (Names(PLAYERS, "hill"), HELD, "ana beats bea and remains king; bea goes to the end of the line."),
        (Names(PLAYERS, "season"), {**WON, "points": {"2": 4, "1": 1}}, "bea beats ana: 4 points and 1."),
        (Names(PLAYERS, "season"), WON, "bea beats ana."),
        (Names({}), WON, "? beats ? and takes place 1; ? is in place 2 now."),
    ],
)
def test_a_result_is_told_by_the_rules_of_the_ladder(names: Names, payload: dict[str, Any], sentence: str) -> None:
    assert ladder_words.sentence("result", payload, names) == sentence


def test_a_challenger_who_has_already_passed_the_other_moves_nobody() -> None:
    assert ladder_words.sentence("result", {**BOTH, "winner": BEA}, Names(PLAYERS)) == "bea beats ana."


def test_the_players_of_an_event_are_all_that_its_sentence_and_its_moves_name() -> None:
    assert ladder_words.players_in({**WON, "moves": {"3": [4, 5]}, "loser": None}) == {ANA, BEA, CARLOS}


def rules(kind: str, **config: Any) -> list[str]:
    return ladder_words.rules(kind, ladders.Config.of({"kind": kind, **config}).as_json())


def test_the_rules_of_a_ladder_by_challenge() -> None:
    assert rules("challenge") == [
        "You may challenge whoever stands up to 3 places above you; the frozen and the absent do not count.",
        "If you win you take that place, and all between move down one.",
        "If you lose nobody moves.",
        "A challenge is answered within 2 days and played within 7 days.",
        "Who does not answer in time loses by forfeit.",
        "If the match is not played in time and only one of the two came to the board, the other has lost it; if "
        "neither did, the challenger has.",
        "The same two may meet again after 7 days.",
        "Who has defended a place cannot be challenged for 3 days.",
        "One challenge at a time, made or received.",
        "After 30 days without a match a place is frozen: it cannot be challenged until its owner plays.",
        "Every 45 days without a match cost 3 places.",
        "You may be away for 21 days a season: nobody challenges you then, and your deadlines wait.",
        "Newcomers begin at the bottom.",
    ]


def test_rules_that_are_switched_off_are_not_spoken_of() -> None:
    off = {"range": 0, "rule": "swap", "rematch_days": 0, "immunity_hours": 0, "freeze_days": 0, "drop_days": 0}
    assert rules("challenge", **off, vacation_days=0, on_no_answer="drop", on_not_played="drop", most_out=2) == [
        "You may challenge anybody above you.",
        "If you win you change places with the loser.",
        "If you lose nobody moves.",
        "A challenge is answered within 2 days and played within 7 days.",
        "A challenge without an answer lapses.",
        "If the match is not played in time the challenge lapses.",
        "At most 2 made and 1 received challenges at once.",
        "Newcomers begin at the bottom.",
    ]


def test_the_rules_of_the_other_kinds() -> None:
    assert rules("season", best_of=10)[:4] == [
        "A win gives 3 points, a loss 1.",
        "Beating somebody placed higher gives 1 more.",
        "Only your best 10 matches count.",
        "Only the first 3 matches against the same rival count.",
    ]
    assert rules("hill")[0] == "The first is king. The next in line plays against the king."
    assert rules("rating", active_days=30)[1] == "Shown is who has played a rated match in the last 30 days."


@pytest.mark.parametrize(
    ("places", "said"),
    [([3], "3"), ([2, 3], "2, 3"), ([2, 3, 4], "2 to 4"), ([1, 3, 4], "1, 3, 4"), ([1, 3, 4, 5], "1, 3 to 5")],
)
def test_places_are_listed_shortly(places: list[int], said: str) -> None:
    assert ladder_words.place_list(places) == said
