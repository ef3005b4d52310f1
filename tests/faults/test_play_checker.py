"""The checker of play under faults finds each thing that must not be: a check that cannot fail is a defect."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from games import replay
from games.dice import hands, proof
from games.dice.chain import Chain
from games.dice.record import transcript
from games.engine import SIDES
from games.registry import RULES
from tests.faults.play.checker import Rows, both_sides, breaches
from tests.faults.play.told import Record, picture

LENGTH = 40  # actions of the story


@dataclass
class Story:
    """What the house and the two bots would say of the same match."""

    told: dict[str, Any]
    ana: Record
    bea: Record

    def found(self) -> list[str]:
        rows = Rows.read(self.told)
        return [str(breach) for breach in breaches(rows, [self.ana, self.bea])]


class Teller:
    """A match that is played as the house plays it, and written down from all three sides."""

    def __init__(self) -> None:
        chain = Chain.of(secrets.token_bytes(32), 100)
        self.server, self.chains = chain, {side: Chain.of(secrets.token_bytes(32), 100) for side in SIDES}
        self.hands = hands.Hands(chain.element(0).hex())
        nonces = {side: secrets.token_bytes(32) for side in SIDES}
        for side in SIDES:
            end, promise = self.chains[side].element(0).hex(), proof.commitment(nonces[side]).hex()
            self.hands = self.hands.give(side, end, promise)
        for side in SIDES:
            self.hands = self.hands.reveal(side, nonces[side].hex(), self.chains[side].element(1).hex())
        self.state = replay.start(RULES["backgammon"], 3, {})
        self.rows: list[list[Any]] = []
        self.elements: list[tuple[int, str, str, str]] = []
        self.records = {side: Record("m", name) for side, name in zip(SIDES, ("ana", "bea"), strict=True)}
        self.rolls = 0

    def step(self, actor: str, text: str, element: str = "", client_id: str | None = None) -> None:
        game, self.state = self.state.game, self.state.after(actor, text)
        self.rows.append(
            [len(self.rows) + 1, game, actor, text, client_id, text if client_id else "", None, 9000, 9000]
        )
        self.elements.append((game, actor, text, element))

    def act(self, side: str, text: str) -> None:
        """A player's act, and the dice that follow from it."""
        after, client_id = len(self.rows), f"page-{side}-{len(self.rows)}"
        element = ""
        if text == "roll" and not self.state.opening:
            element = self.chains[side].element(self.hands.of(side).used + 1).hex()
            self.hands = self.hands.rolled(side, element)
        elif text == "roll":
            element = self.hands.of(side).deposit or ""
        self.step(side, text, element, client_id)
        if self.state.needs_dice:
            self.rolls += 1
            thrown = self.hands.throw("m", self.server, i=self.rolls, rollers=self.state.position.rollers)
            self.hands = thrown.hands
            self.step("chance", "dice {}{}".format(*thrown.dice), thrown.s)
            for record in self.records.values():
                record.rolls[self.rolls] = self.rows[-1][3]
        if self.state.opening and not self.state.ready:  # a tie: both give for the next opening roll
            for each in SIDES:
                self.hands = self.hands.put(each, self.chains[each].element(self.hands.of(each).used + 1).hex())
        while self.state.position.auto:
            self.step("server", self.state.position.auto)
        self.rows[after][6] = len(self.rows)
        mine = self.records[side]
        mine.asked[client_id], mine.acked[client_id] = (text, after, element), len(self.rows)
        view = self.state.position.view(None)
        seen = picture(view["board"], view["cube"], view["dice"], self.state.score.view(), self.state.game)
        for record in self.records.values():
            record.pictures[len(self.rows)] = seen
            record.actions |= {row[0]: (row[2], row[3]) for row in self.rows[after:]}

    def story(self, length: int = LENGTH) -> Story:
        while len(self.rows) < length:
            turn = next(side for side in SIDES if self.state.awaits(side))
            self.act(turn, "roll" if "roll" in self.state.may(turn) else next(iter(self.state.position.actions())))
        told = {
            "id": "m",
            "variant": "backgammon",
            "length": 3,
            "options": {},
            "over": False,
            "version": len(self.rows),
            "roll_index": self.rolls,
            "snapshot": self.state.snapshot(),
            "winner": "",
            "ended_by": "",
            "points": {side: self.state.score.points(side) for side in SIDES},
            "names": {"ana": "white", "bea": "black"},
            "transcript": transcript("m", self.hands, self.elements),
            "actions": self.rows,
        }
        return Story(copy.deepcopy(told), self.records["white"], self.records["black"])


@pytest.fixture
def story() -> Story:
    return Teller().story()


def test_an_honest_story_has_no_breach(story: Story) -> None:
    assert story.found() == []


def test_a_match_in_which_nothing_has_happened_has_no_breach() -> None:
    assert Teller().story(length=0).found() == []


def lost(story: Story) -> None:
    """The last act of the record is gone, with the version: only the one who was answered knows of it."""
    last = next(row for row in reversed(story.told["actions"]) if row[4])
    story.told["actions"] = [row for row in story.told["actions"] if row[0] < last[0]]


def doubled(story: Story) -> None:
    row = next(row for row in story.told["actions"] if row[4])
    story.told["actions"].append([len(story.told["actions"]) + 1, *row[1:]])


def gap(story: Story) -> None:
    del story.told["actions"][10]


def moved(story: Story) -> None:
    """An act stands elsewhere than where it was acknowledged."""
    client_id = next(iter(story.ana.acked))
    story.ana.acked[client_id] += 1


def other_text(story: Story) -> None:
    row = next(row for row in story.told["actions"] if row[4])
    row[5] = "double"


def changed_die(story: Story) -> None:
    roll = story.told["transcript"]["rolls"][3]
    roll["dice"][0] = roll["dice"][0] % 6 + 1


def told_another_die(story: Story) -> None:
    story.bea.rolls[3] = "dice 11" if story.bea.rolls[3] != "dice 11" else "dice 22"


def refused_and_recorded(story: Story) -> None:
    story.ana.refused[next(iter(story.ana.acked))] = "stale"


def never_asked(story: Story) -> None:
    client_id = next(iter(story.bea.asked))
    del story.bea.asked[client_id], story.bea.acked[client_id]


def shown_another_board(story: Story) -> None:
    story.bea.pictures[max(story.bea.pictures)] = "0" * 16


def told_another_action(story: Story) -> None:
    n = max(story.ana.actions)
    story.ana.actions[n] = (story.ana.actions[n][0], "what nobody played")


def beyond_the_end(story: Story) -> None:
    story.bea.actions[story.told["version"] + 1] = ("white", "roll")


def other_snapshot(story: Story) -> None:
    story.told["snapshot"]["game"] = 2


def other_points(story: Story) -> None:
    story.told["points"]["white"] = 1


def version_ahead(story: Story) -> None:
    story.told["version"] += 1


def no_flag(story: Story) -> None:
    story.told["actions"][20][7] = 0


def below_zero(story: Story) -> None:
    story.told["actions"][20][8] = -1


DOCTORED: dict[Callable[[Story], None], str] = {
    lost: "lost: ",
    doubled: "is recorded 2 times",
    gap: "not numbered without gaps",
    moved: "was acknowledged with",
    other_text: "was acknowledged with",
    changed_die: "the dice are wrong at roll 4",
    told_another_die: "for roll 3, which the transcript does not say",
    refused_and_recorded: "was refused (stale) and is recorded",
    never_asked: "nobody asked for this",
    shown_another_board: "was shown another position",
    told_another_action: "was told",
    beyond_the_end: "which does not exist",
    other_snapshot: "the snapshot is not what the record leads to",
    other_points: "the record leads to",
    version_ahead: "the match says version",
    no_flag: "white has 0 ms left, and no flag fell",
    below_zero: "black has -1 ms left",
}


@pytest.mark.parametrize("doctor", DOCTORED, ids=lambda doctor: doctor.__name__)
def test_each_change_of_the_story_is_found(story: Story, doctor: Callable[[Story], None]) -> None:
    doctor(story)

    assert any(DOCTORED[doctor] in found for found in story.found()), story.found()


def test_a_reserve_at_zero_is_right_where_the_flag_falls(story: Story) -> None:
    last = story.told["actions"][-1]
    story.told["actions"] = [*story.told["actions"], [last[0] + 1, 1, "server", "flag black", None, "", None, 9000, 0]]
    state = replay.restore(RULES["backgammon"], {}, story.told["snapshot"]).after("server", "flag black")
    story.told |= {"version": last[0] + 1, "snapshot": state.snapshot(), "winner": "white", "ended_by": "flag"}

    assert story.found() == []


def test_a_breach_is_shown_with_the_rows_and_with_what_both_bots_lived(story: Story) -> None:
    lost(story)
    rows = Rows.read(story.told)
    breach = next(one for one in breaches(rows, [story.ana, story.bea]) if "lost" in one.what)

    shown = both_sides(breach, rows, [story.ana, story.bea])

    assert str(breach) in shown
    assert "row " in shown
    assert "asked page-" in shown
    assert "bea was told" in shown


# What a bot notices by itself, because it needs the order in which it happened


def state_at(version: int, kind: str = "state") -> dict[str, Any]:
    return {"t": kind, "version": version, "you": "white", "position": None, "match": None}


def test_a_version_that_was_seen_and_is_gone_is_a_breach() -> None:
    ana = Record("m", "ana")
    ana.connecting()
    ana.hears(state_at(7))
    ana.connecting()
    ana.hears(state_at(6))

    assert ana.wrong == ["version 7 was seen, and state says 6"]


def test_a_heartbeat_may_not_know_less_than_was_seen_before_it_was_asked() -> None:
    ana = Record("m", "ana")
    ana.hears(state_at(7))
    ana.sends({"t": "ping"})
    ana.hears({"t": "pong", "version": 6})

    assert ana.wrong == ["version 7 was seen, and pong says 6"]


def test_a_late_event_is_no_step_back() -> None:
    ana = Record("m", "ana")
    ana.connecting()
    ana.hears(state_at(7))
    ana.sends({"t": "ping"})
    ana.hears(state_at(5, "event"))
    ana.hears({"t": "pong", "version": 7})

    assert ana.wrong == []


def test_two_answers_to_the_same_act_must_be_equal() -> None:
    ana = Record("m", "ana")
    ana.sends({"t": "act", "id": "page-1", "after": 3, "action": "roll"})
    ana.hears({"t": "ack", "id": "page-1", "version": 5})
    ana.hears({"t": "ack", "id": "page-1", "version": 5})
    ana.hears({"t": "ack", "id": "page-1", "version": 6})

    assert ana.wrong == ["ack of page-1 was 5, and is now 6"]


def test_the_dice_of_an_index_never_change() -> None:
    ana = Record("m", "ana")
    for dice in ("dice 31", "dice 31", "dice 66"):
        told = {"n": 3, "game": 1, "seat": "chance", "text": dice, "proof": {"i": 1}}
        ana.hears({**state_at(3, "event"), "actions": [told]})

    assert "roll 1 was dice 31, and is now dice 66" in ana.wrong
