import assert from "node:assert/strict";
import { test } from "node:test";
import { statusOf } from "../../static/js/match/status.js";
import { damas, live, plain } from "./fixtures/states.js";

const said = (state) => {
  const { headline, detail } = statusOf(state);
  return [plain(headline), plain(detail)];
};

test("the side to roll is told so, and may double first", () => {
  assert.deepEqual(said(live({ may: ["roll", "double"] })), ["Your turn", "Roll, or double first."]);
  assert.deepEqual(said(live({ you: "black" })), ["ana is to roll", ""]);
  assert.deepEqual(said(live({ position: { phase: "move", dice: [3, 1] } })), ["Your turn: play 3-1", ""]);
});

test("after a 1-2 a double is named, and after four numbers the same side rolls again", () => {
  const naming = { phase: "name", names: [4, 4, 2, 0, 4, 3] };
  assert.deepEqual(said(live({ position: naming })), ["Name a double", "Your 1-2 is played: now choose the double that you play with it."]);
  assert.deepEqual(said(live({ you: "black", position: naming })), ["ana names a double", ""]);
  const last = { seat: "white", dice: [6, 6], text: "stock/19(4)" };
  assert.deepEqual(said(live({ last })), ["You roll again", "All four numbers of the double are played."]);
  assert.deepEqual(said(live({ last, you: null })), ["ana rolls again", ""]);
  assert.deepEqual(said(live({ last: { ...last, seat: "black" } })), ["Your turn", "Roll the dice."]);
});

test("a cube is answered by him who was doubled, and a beaver by the doubler", () => {
  const doubled = (cube, may) => live({ may, position: { phase: "doubled", cube: { owner: null, dead: false, ...cube } } });
  assert.deepEqual(said(doubled({ value: 1, offered: 2 }, ["take", "drop"])), [
    "bea doubles to 2.", "Take the cube, or drop and lose the game at its present value.",
  ]);
  assert.deepEqual(said(doubled({ value: 1, offered: 2 }, ["take", "drop", "beaver"])), [
    "bea doubles to 2.", "Take the cube, drop, or beaver: turn it once more and keep it.",
  ]);
  assert.deepEqual(said(doubled({ value: 1, offered: 4 }, ["take", "drop"])), ["bea beavers: the cube goes to 4.", "Play on at this value, or drop."]);
});

test("in damas a player is told his colour, what he has to do, and when a draw is near", () => {
  const quiet = { text: "11-16", from: 11, to: 16, taken: [], path: [11, 16] };
  const capture = { text: "17x28", from: 17, to: 28, taken: [22], path: [17, 28] };
  const mine = (position) => said(damas({ you: "black", position }));
  assert.deepEqual(mine({ tree: [quiet, capture] }), ["Your turn: you have Black", ""]);
  assert.deepEqual(mine({ tree: [capture] }), ["Your turn: you have Black", "You have to capture."]);
  assert.deepEqual(mine({ colours: { white: "black", black: "white" } }), ["Your turn: you have White", ""]);
  assert.deepEqual(said(damas({ position: { countdown: { rule: "kings", left: 7 } } })), ["bea is to move", "Draw in 7 moves if nobody wins."]);
  assert.deepEqual(said(damas({ position: { countdown: { rule: "kings", left: 1 } } })), ["bea is to move", "Draw in 1 move if nobody wins."]);
});

test("the higher die of the opening roll of damas has Black", () => {
  const opening = { phase: "opening", turn: "chance", colours: null };
  assert.deepEqual(said(damas({ may: ["roll"], position: opening })), ["Game 1", "Opening roll: the higher die has Black and begins."]);
  assert.deepEqual(said(damas({ ready: ["white"], position: opening })), ["Waiting for your rival to roll.", "Opening roll"]);
});

test("an offer of a draw stops nobody, an offer to resign waits for its answer", () => {
  const draw = { seat: "white", draw: true, level: 0, points: 0 };
  assert.deepEqual(said(damas({ offer: draw })), ["bea is to move", "You offered a draw."]);
  const resignation = { seat: "black", level: 2, points: 4, draw: false };
  assert.deepEqual(said(live({ offer: resignation })), ["bea offers to resign.", "Gammon, 4 points"]);
});

test("a pause says who made it, and why", () => {
  const paused = { by: "dora", why: "Lunch", at: "2026-03-02T20:00:00+00:00" };
  assert.deepEqual(said({ ...live({ may: [] }), paused }), ["Paused by dora: both clocks stand.", "Lunch"]);
  assert.equal(said({ ...live({ may: [] }), paused: { ...paused, why: "" } })[1], "The match goes on when the director says so.");
});
