"""The audit of play under faults finds each kind of breach: a check that cannot fail is a defect."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from games import replay
from games.dice import match_dice, proof
from games.dice.chain import Chain
from games.dice.transcript import transcript
from games.engine import SIDES
from games.registry import RULES
from tools.faults.play.audit import Rows, breaches, describe
from tools.faults.play.record import Record, fingerprint

LENGTH = 40  # actions of the story


@dataclass
class Story:
    """What the site and the two bots recorded of the same match."""

    facts: dict[str, Any]
    ana: Record
    bea: Record

    def found(self) -> list[str]:
        rows = Rows.read(self.facts)
        return [str(breach) for breach in breaches(rows, [self.ana, self.bea])]


class Recorder:
    """A match played as the site plays it, and recorded from all three sides."""

    def __init__(self) -> None:
        chain = Chain.of(secrets.token_bytes(32), 100)
        self.server, self.chains = chain, {side: Chain.of(secrets.token_bytes(32), 100) for side in SIDES}
        self.match_dice = match_dice.MatchDice(chain.element(0).hex())
        nonces = {side: secrets.token_bytes(32) for side in SIDES}
        for side in SIDES:
            end, promise = self.chains[side].element(0).hex(), proof.commitment(nonces[side]).hex()
            self.match_dice = self.match_dice.commit(side, end, promise)
        for side in SIDES:
            self.match_dice = self.match_dice.reveal(side, nonces[side].hex(), self.chains[side].element(1).hex())
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
        """Record a player's act, and the dice that follow."""
        after, client_id = len(self.rows), f"page-{side}-{len(self.rows)}"
        element = ""
        if text == "roll" and not self.state.opening:
            element = self.chains[side].element(self.match_dice.of(side).used + 1).hex()
            self.match_dice = self.match_dice.rolled(side, element)
        elif text == "roll":
            element = self.match_dice.of(side).deposit or ""
        self.step(side, text, element, client_id)
        if self.state.needs_dice:
            self.rolls += 1
            rolled = self.match_dice.roll("m", self.server, i=self.rolls, rollers=self.state.position.rollers)
            self.match_dice = rolled.match_dice
            self.step("chance", "dice {}{}".format(*rolled.dice), rolled.s)
            for record in self.records.values():
                record.rolls[self.rolls] = self.rows[-1][3]
        if self.state.opening and not self.state.ready:  # a tie: both deposit for the next opening roll
            for each in SIDES:
                self.match_dice = self.match_dice.deposit(
                    each, self.chains[each].element(self.match_dice.of(each).used + 1).hex()
                )
        while self.state.position.auto:
            self.step("server", self.state.position.auto)
        self.rows[after][6] = len(self.rows)
        record = self.records[side]
        record.asked[client_id], record.acked[client_id] = (text, after, element), len(self.rows)
        view = self.state.position.view(None)
        seen = fingerprint(view["board"], view["cube"], view["dice"], self.state.score.view(), self.state.game)
        for record in self.records.values():
            record.fingerprints[len(self.rows)] = seen
            record.actions |= {row[0]: (row[2], row[3]) for row in self.rows[after:]}

    def story(self, length: int = LENGTH) -> Story:
        while len(self.rows) < length:
            turn = next(side for side in SIDES if self.state.awaits(side))
            self.act(turn, "roll" if "roll" in self.state.may(turn) else next(iter(self.state.position.actions())))
        facts = {
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
            "transcript": transcript("m", self.match_dice, self.elements),
            "actions": self.rows,
        }
        return Story(copy.deepcopy(facts), self.records["white"], self.records["black"])


@pytest.fixture
def story() -> Story:
    return Recorder().story()


def test_an_unchanged_history_has_no_violation(story: Story) -> None:
    assert story.found() == []


def test_a_match_without_actions_has_no_violation() -> None:
    assert Recorder().story(length=0).found() == []


def lost(story: Story) -> None:
    """Remove the last act from the rows, with its version: only the bot knows of it."""
    last = next(row for row in reversed(story.facts["actions"]) if row[4])
    story.facts["actions"] = [row for row in story.facts["actions"] if row[0] < last[0]]


def doubled(story: Story) -> None:
    row = next(row for row in story.facts["actions"] if row[4])
    story.facts["actions"].append([len(story.facts["actions"]) + 1, *row[1:]])


def gap(story: Story) -> None:
    del story.facts["actions"][10]


def moved(story: Story) -> None:
    """Move an act away from the version at which it was acknowledged."""
    client_id = next(iter(story.ana.acked))
    story.ana.acked[client_id] += 1


def other_text(story: Story) -> None:
    row = next(row for row in story.facts["actions"] if row[4])
    row[5] = "double"


def changed_die(story: Story) -> None:
    roll = story.facts["transcript"]["rolls"][3]
    roll["dice"][0] = roll["dice"][0] % 6 + 1


def claim_another_die(story: Story) -> None:
    story.bea.rolls[3] = "dice 11" if story.bea.rolls[3] != "dice 11" else "dice 22"


def refused_and_recorded(story: Story) -> None:
    story.ana.refused[next(iter(story.ana.acked))] = "stale"


def never_asked(story: Story) -> None:
    client_id = next(iter(story.bea.asked))
    del story.bea.asked[client_id], story.bea.acked[client_id]


def shown_another_board(story: Story) -> None:
    story.bea.fingerprints[max(story.bea.fingerprints)] = "0" * 16


def claim_another_action(story: Story) -> None:
    n = max(story.ana.actions)
    story.ana.actions[n] = (story.ana.actions[n][0], "what nobody played")


def beyond_the_end(story: Story) -> None:
    story.bea.actions[story.facts["version"] + 1] = ("white", "roll")


def other_snapshot(story: Story) -> None:
    story.facts["snapshot"]["game"] = 2


def other_points(story: Story) -> None:
    story.facts["points"]["white"] = 1


def version_ahead(story: Story) -> None:
    story.facts["version"] += 1


def no_flag(story: Story) -> None:
    story.facts["actions"][20][7] = 0


def below_zero(story: Story) -> None:
    story.facts["actions"][20][8] = -1


DOCTORED: dict[Callable[[Story], None], str] = {
    lost: "lost: ",
    doubled: "is read_matches 2 times",
    gap: "not numbered without gaps",
    moved: "was acknowledged with",
    other_text: "was acknowledged with",
    changed_die: "the dice are wrong at roll 4",
    claim_another_die: "for roll 3, which the transcript does not say",
    refused_and_recorded: "was refused (stale) and is read_matches",
    never_asked: "nobody asked for this",
    shown_another_board: "was shown another position",
    claim_another_action: "was told",
    beyond_the_end: "which does not exist",
    other_snapshot: "the snapshot is not what the record leads to",
    other_points: "the record leads to",
    version_ahead: "the match says version",
    no_flag: "white has 0 ms left, and no flag fell",
    below_zero: "black has -1 ms left",
}


@pytest.mark.parametrize("doctor", DOCTORED, ids=lambda doctor: doctor.__name__)
def test_each_change_of_the_history_is_found(story: Story, doctor: Callable[[Story], None]) -> None:
    doctor(story)

    assert any(DOCTORED[doctor] in found for found in story.found()), story.found()


def test_a_reserve_of_zero_is_allowed_when_the_flag_falls(story: Story) -> None:
    last = story.facts["actions"][-1]
    story.facts["actions"] = [
        *story.facts["actions"],
        [last[0] + 1, 1, "server", "flag black", None, "", None, 9000, 0],
    ]
    state = replay.restore(RULES["backgammon"], {}, story.facts["snapshot"]).after("server", "flag black")
    story.facts |= {"version": last[0] + 1, "snapshot": state.snapshot(), "winner": "white", "ended_by": "flag"}

    assert story.found() == []


def test_a_violation_is_described_with_rows_and_both_records(story: Story) -> None:
    lost(story)
    rows = Rows.read(story.facts)
    breach = next(found for found in breaches(rows, [story.ana, story.bea]) if "lost" in found.text)

    shown = describe(breach, rows, [story.ana, story.bea])

    assert str(breach) in shown
    assert "row " in shown
    assert "asked page-" in shown
    assert "bea was told" in shown


# What a bot's own record notices, because it needs the order of frames


def state_at(version: int, kind: str = "state") -> dict[str, Any]:
    return {"t": kind, "version": version, "you": "white", "position": None, "match": None}


def test_a_version_that_disappears_is_a_violation() -> None:
    ana = Record("m", "ana")
    ana.begin_connection()
    ana.record_received(state_at(7))
    ana.begin_connection()
    ana.record_received(state_at(6))

    assert ana.wrong == ["version 7 was seen, and state says 6"]


def test_a_heartbeat_may_not_be_older_than_a_version_already_seen() -> None:
    ana = Record("m", "ana")
    ana.record_received(state_at(7))
    ana.record_sent({"t": "ping"})
    ana.record_received({"t": "pong", "version": 6})

    assert ana.wrong == ["version 7 was seen, and pong says 6"]


def test_a_late_event_is_not_a_violation() -> None:
    ana = Record("m", "ana")
    ana.begin_connection()
    ana.record_received(state_at(7))
    ana.record_sent({"t": "ping"})
    ana.record_received(state_at(5, "event"))
    ana.record_received({"t": "pong", "version": 7})

    assert ana.wrong == []


def test_two_answers_to_the_same_action_must_be_equal() -> None:
    ana = Record("m", "ana")
    ana.record_sent({"t": "act", "id": "page-1", "after": 3, "action": "roll"})
    ana.record_received({"t": "ack", "id": "page-1", "version": 5})
    ana.record_received({"t": "ack", "id": "page-1", "version": 5})
    ana.record_received({"t": "ack", "id": "page-1", "version": 6})

    assert ana.wrong == ["ack of page-1 was 5, and is now 6"]


def test_the_dice_of_an_index_never_change() -> None:
    ana = Record("m", "ana")
    for dice in ("dice 31", "dice 31", "dice 66"):
        facts = {"n": 3, "game": 1, "seat": "chance", "text": dice, "proof": {"i": 1}}
        ana.record_received({**state_at(3, "event"), "actions": [facts]})

    assert "roll 1 was dice 31, and is now dice 66" in ana.wrong
