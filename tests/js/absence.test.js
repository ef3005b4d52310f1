import assert from "node:assert/strict";
import { test } from "node:test";
import { waitOf } from "../../static/js/match/absence.js";
import { buttonsOf } from "../../static/js/match/buttons.js";
import { linesOf } from "../../static/js/match/move-list.js";
import { statusOf } from "../../static/js/match/status.js";
import { describeActions } from "../../static/js/match/action-text.js";
import { matchResult } from "../../static/js/match/format.js";
import { live, plain } from "./fixtures/states.js";

const waits = (state, away, elapsed = 0) => {
  const wait = waitOf(state, away, elapsed);
  return wait && [plain(wait.text), wait.does];
};
const opponentsTurn = { position: { turn: "black" } };
const idle = { view: null, started: false, complete: false };

test("while the match waits for the absent opponent the countdown runs on", () => {
  const away = { black: { since_ms: 23_000, left_ms: 97_000 } };
  assert.deepEqual(waits(live(opponentsTurn), away), ["bea is away. You can claim the match in 1:37.", []]);
  assert.deepEqual(waits(live(opponentsTurn), away, 88_100), ["bea is away. You can claim the match in 0:09.", []]);
});

test("when it has ended the server says what may be done", () => {
  const away = { black: { since_ms: 121_000, left_ms: 0, may: ["claim", "adjourn"] } };
  assert.deepEqual(waits(live(opponentsTurn), away), ["bea is away. You don't have to wait any longer.", ["claim", "adjourn"]]);
  const ended = { black: { since_ms: 119_000, left_ms: 1000 } };
  assert.deepEqual(waits(live(opponentsTurn), ended, 1000), ["bea is away. You don't have to wait any longer.", []]);
});

test("no absence is shown on your own turn, to a spectator, before it counts, in a pause, and after the end", () => {
  const away = { black: { since_ms: 23_000, left_ms: 97_000 } };
  assert.equal(waits(live(), away), null);
  assert.equal(waits(live({ ...opponentsTurn, you: null }), away), null);
  assert.equal(waits(live(opponentsTurn), { black: { since_ms: 23_000 } }), null);
  assert.equal(waits(live({ ...opponentsTurn, paused: { by: "dora", at: "" } }), away), null);
  assert.equal(waits(live({ ...opponentsTurn, match: { status: "over" } }), away), null);
  assert.equal(waits(live(opponentsTurn), {}), null);
});

test("at an opening roll a player waits only after rolling", () => {
  const away = { black: { since_ms: 23_000, left_ms: 97_000 } };
  const opening = { position: { phase: "opening", turn: "chance" } };
  assert.equal(waits(live(opening), away), null);
  assert.deepEqual(waits(live({ ...opening, ready: ["white"] }), away)[1], []);
});

test("an adjourned match says who wants to go on, and asks whoever has not said so", () => {
  const adjourned = (ready, you = "white") => live({ you, paused: { by: "ana", adjourned: true, at: "", ready } });
  const shown = (state) => [plain(statusOf(state).detail), [...buttonsOf(state, idle, false).keys()]];
  assert.equal(statusOf(adjourned([])).headline, "Adjourned. The clocks are stopped.");
  assert.deepEqual(shown(adjourned([])), ["The match resumes when both players are ready.", ["go-on"]]);
  assert.deepEqual(shown(adjourned(["black"])), ["bea wants to resume.", ["go-on"]]);
  assert.deepEqual(shown(adjourned(["white"])), ["Your opponent has been notified. Waiting for them to return.", []]);
  assert.deepEqual(shown(adjourned(["white"], null)), ["ana wants to resume.", []]);
});

test("the page says what the server will do about an absence", () => {
  const action = (text, n) => ({ n, game: 1, seat: "server", text });
  const spoken = ["adjourn", "resume", "absent black"].flatMap((text) => describeActions([action(text, 1)], live(), live()));
  assert.deepEqual(spoken, ["The match is adjourned.", "The match resumes.", "Match claimed: a player is away."]);
  assert.deepEqual(linesOf([action("adjourn", 1), action("absent black", 2)]).map(({ black }) => black), [[{ dice: "", text: "absent", n: 2 }]]);
  const over = live({ match: { status: "over", result: { winner: "white", by: "absent" } } });
  assert.equal(plain(matchResult(over)), "ana won: bea was away for too long.");
});
