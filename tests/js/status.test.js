import assert from "node:assert/strict";
import { test } from "node:test";
import { statusOf } from "../../static/js/match/status.js";
import { damas, live, plain } from "./fixtures/states.js";

const textOf = (state) => {
  const { headline, detail } = statusOf(state);
  return [plain(headline), plain(detail)];
};

test("the status tells the side to roll to roll or double", () => {
  assert.deepEqual(textOf(live({ may: ["roll", "double"] })), ["Your turn", "Roll or double."]);
  assert.deepEqual(textOf(live({ you: "black" })), ["ana to roll", ""]);
  assert.deepEqual(textOf(live({ position: { phase: "move", dice: [3, 1] } })), ["Your turn: play 3-1", ""]);
});

test("after a 1-2 a double is named, and after four numbers the same side rolls again", () => {
  const naming = { phase: "name", names: [4, 4, 2, 0, 4, 3] };
  assert.deepEqual(textOf(live({ position: naming })), ["Name a double", "You played your 2-1. Now choose a double to play."]);
  assert.deepEqual(textOf(live({ you: "black", position: naming })), ["Waiting for ana to name a double", ""]);
  const last = { seat: "white", dice: [6, 6], text: "stock/19(4)" };
  assert.deepEqual(textOf(live({ last })), ["You roll again", "You played all four numbers of the double."]);
  assert.deepEqual(textOf(live({ last, you: null })), ["ana rolls again", ""]);
  assert.deepEqual(textOf(live({ last: { ...last, seat: "black" } })), ["Your turn", "Roll the dice."]);
});

test("a cube is answered by the player who was doubled, and a beaver by the doubler", () => {
  const doubled = (cube, may) => live({ may, position: { phase: "doubled", cube: { owner: null, dead: false, ...cube } } });
  assert.deepEqual(textOf(doubled({ value: 1, offered: 2 }, ["take", "drop"])), [
    "bea doubles to 2.", "",
  ]);
  assert.deepEqual(textOf(doubled({ value: 1, offered: 2 }, ["take", "drop", "beaver"])), [
    "bea doubles to 2.", "Take, drop, or beaver: redouble at once and keep the cube.",
  ]);
  assert.deepEqual(textOf(doubled({ value: 1, offered: 4 }, ["take", "drop"])), ["bea beavers: the cube goes to 4.", "Take to play on at this value, or drop."]);
});

test("in damas a player sees the colour, what to do, and when a draw is near", () => {
  const quiet = { text: "11-16", from: 11, to: 16, taken: [], path: [11, 16] };
  const capture = { text: "17x28", from: 17, to: 28, taken: [22], path: [17, 28] };
  const ownText = (position) => textOf(damas({ you: "black", position }));
  assert.deepEqual(ownText({ tree: [quiet, capture] }), ["Your turn: you are Black", ""]);
  assert.deepEqual(ownText({ tree: [capture] }), ["Your turn: you are Black", "You must capture."]);
  assert.deepEqual(ownText({ colours: { white: "black", black: "white" } }), ["Your turn: you are White", ""]);
  assert.deepEqual(textOf(damas({ position: { countdown: { rule: "kings", left: 7 } } })), ["bea to move", "Draw in 7 moves if nobody wins."]);
  assert.deepEqual(textOf(damas({ position: { countdown: { rule: "kings", left: 1 } } })), ["bea to move", "Draw in 1 move if nobody wins."]);
});

test("the higher die of the opening roll of damas has Black", () => {
  const opening = { phase: "opening", turn: "chance", colours: null };
  assert.deepEqual(textOf(damas({ may: ["roll"], position: opening })), ["Game 1", "Opening roll: the higher die plays Black and starts."]);
  assert.deepEqual(textOf(damas({ ready: ["white"], position: opening })), ["Waiting for your opponent to roll.", "Opening roll"]);
});

test("a draw offer does not stop play, an offer to resign waits for its answer", () => {
  const draw = { seat: "white", draw: true, level: 0, points: 0 };
  assert.deepEqual(textOf(damas({ offer: draw })), ["bea to move", "You offered a draw."]);
  const resignation = { seat: "black", level: 2, points: 4, draw: false };
  assert.deepEqual(textOf(live({ offer: resignation })), ["bea offers to resign.", "Gammon, 4 points"]);
});

test("a pause says who made it, and why", () => {
  const paused = { by: "dora", why: "Lunch", at: "2026-03-02T20:00:00+00:00" };
  assert.deepEqual(textOf({ ...live({ may: [] }), paused }), ["Paused by dora. The clocks are stopped.", "Lunch"]);
  assert.equal(textOf({ ...live({ may: [] }), paused: { ...paused, why: "" } })[1], "The director will resume the match.");
});
