import assert from "node:assert/strict";
import { test } from "node:test";
import { questionOf } from "../../static/js/match/confirm.js";
import { live, plain } from "./fixtures/states.js";

const ORDERS = { double: null, forced: null, may: [] }; // by correspondence
const cube = (value, offered = null) => ({ value, owner: null, offered, dead: false });
const at = ({ white = 3, black = 3, length = 5 } = {}) => ({ score: { length, white, black, crawford: false } });
const text = (state, action, careful = true) => {
  const question = questionOf(state, action, careful);
  return question && plain(question.text);
};

test("a resignation says what the game costs and what the score is then", () => {
  const position = { cube: cube(2) };
  const state = live({ position, match: at(), resigns_at_once: true });
  assert.equal(text(state, "resign 1"), "You lose 2 points. The match ends 3–5.");
  const early = live({ position, match: at({ white: 1, black: 0 }), resigns_at_once: true });
  assert.equal(text(early, "resign 1"), "You lose 2 points. The score will be 1–2.");
  assert.equal(questionOf(early, "resign 2", false).title, "Resign a gammon?");
});

test("a resignation that the opponent may reject says so", () => {
  const state = live({ position: { cube: cube(1) }, match: at({ white: 0, black: 0 }) });
  assert.equal(text(state, "resign 2"), "You lose 2 points. The score will be 0–2. bea has to accept.");
});

test("a game without cube is a game, and the whole match the whole match", () => {
  const state = live({ match: at({ white: 2, black: 1 }), resigns_at_once: true });
  assert.equal(text(state, "resign 1"), "You lose the game.");
  assert.equal(text(state, "resign match"), "You lose the whole match; the score is 2–1.");
});

test("resigning and claiming are always asked, whatever the player prefers", () => {
  const state = live({ match: at({ white: 2, black: 1 }), resigns_at_once: true });
  for (const action of ["resign 1", "resign match", "claim"]) assert.ok(questionOf(state, action, false), action);
  assert.equal(text(state, "claim", false), "bea is away. You win the match; the score is 2–1.");
  assert.equal(text(live({ match: at({ length: 0 }) }), "claim"), "bea is away. The session ends at 3–3.");
});

test("correspondence a double is shown with pips and score, and a drop with what it costs", () => {
  const position = { cube: cube(1), pips: { white: 120, black: 141 } };
  const question = questionOf(live({ position, orders: ORDERS, match: at({ white: 2, black: 1 }) }), "double", true);
  assert.equal(question.title, "Double to 2?");
  assert.equal(plain(question.text), "bea can take and own the cube, or drop and lose 1 point.");
  assert.deepEqual(question.facts.map(([name, value]) => [name, plain(value)]), [["Cube", "1 → 2"], ["Pips", "you 120, bea 141"], ["Score", "2–1"]]);
  const doubled = live({ position: { cube: cube(2, 4) }, orders: ORDERS, match: at() });
  assert.equal(text(doubled, "drop"), "You lose 2 points. The match ends 3–5.");
});

test("in a live match, and for players who switched confirmation off, the cube is handled at once", () => {
  const position = { cube: cube(1), pips: { white: 120, black: 141 } };
  assert.equal(questionOf(live({ position }), "double", true), null);
  assert.equal(questionOf(live({ position, orders: ORDERS }), "double", false), null);
  for (const action of ["roll", "take", "accept", "8/5 6/5"]) assert.equal(questionOf(live({ position, orders: ORDERS }), action, true), null);
  assert.equal(questionOf(live({ you: null }), "claim", true), null);
});
