import assert from "node:assert/strict";
import { test } from "node:test";
import { decisionsOf } from "../../static/js/match/decisions.js";
import { buttonsOf, stakesOf } from "../../static/js/match/buttons.js";
import { damas, live, plain } from "./fixtures/states.js";

const idle = { view: null, started: false, complete: false };
const shown = (state, board = idle, waiting = false) => [...buttonsOf(state, board, waiting)].map(([name, able]) => (able ? name : `(${name})`));

test("six doubles are asked with how much of each can be played", () => {
  const state = live({ may: ["name 1", "name 2", "name 3", "name 4", "name 5", "name 6"], position: { phase: "name", names: [4, 4, 2, 0, 4, 3] } });
  const [row] = decisionsOf(state);
  assert.equal(row.kind, "names");
  assert.deepEqual(row.answers.map(({ act, playable }) => [act, playable]), [
    ["name 1", 4], ["name 2", 4], ["name 3", 2], ["name 4", 0], ["name 5", 4], ["name 6", 3],
  ]);
});

test("after an infraction a player may huff, compel or simply move", () => {
  const state = damas({ you: "white", may: ["move", "huff 12", "huff 17", "compel"], position: { turn: "white", huff: { squares: [12, 17], compel: true } } });
  const [row] = decisionsOf(state);
  assert.deepEqual(row.answers.map(({ act, text }) => [act, text]), [["huff 12", "Huff 12"], ["huff 17", "Huff 17"], ["compel", "Compel the capture"]]);
});

test("a draw is answered in a row of its own, a resignation with the large buttons", () => {
  const draw = damas({ may: ["accept", "reject", "move"], offer: { seat: "black", draw: true, level: 0, points: 0 } });
  assert.deepEqual(decisionsOf(draw).map(({ kind, text }) => [kind, plain(text)]), [["draw", "bea offers a draw."]]);
  assert.deepEqual(shown(draw), ["move"]);
  const resignation = live({ may: ["accept", "reject"], offer: { seat: "black", level: 1, points: 1 } });
  assert.deepEqual(decisionsOf(resignation), []);
  assert.deepEqual(shown(resignation), ["accept", "reject"]);
});

test("between two games of a session a player continues or ends it", () => {
  assert.deepEqual(shown(live({ may: ["roll", "end"], position: { phase: "opening" }, match: { game: 2, length: 0 } })), ["end", "next"]);
});

test("the play under way has its own buttons, and nothing can be pressed while an act is on its way", () => {
  const board = { view: { canMove: true }, started: true, complete: false };
  assert.deepEqual(shown(live({ may: ["move"] }), board), ["move", "undo", "(done)"]);
  assert.deepEqual(shown(live({ may: ["roll", "double"] }), idle, true), []);
});

test("taking and dropping say what is at stake, and that the match may be lost", () => {
  const doubled = (cube, score = {}) => stakesOf(live({ position: { phase: "doubled", cube: { owner: null, dead: false, ...cube } }, match: { score: { length: 5, white: 0, black: 0, crawford: false, ...score } } }));
  assert.deepEqual(doubled({ value: 2, offered: 4 }), { take: "play on for 4 points", drop: "lose 2 points", beaver: "play on for 8 points" });
  assert.deepEqual(doubled({ value: 1, offered: 2 }).drop, "lose 1 point");
  assert.deepEqual(doubled({ value: 1, offered: 2 }, { black: 4 }).drop, "lose the match");
  assert.deepEqual(doubled({ value: 1, offered: null }), { take: "", drop: "", beaver: "" });
});
