import assert from "node:assert/strict";
import { test } from "node:test";
import { gameOver, gameResult, halves, matchResult } from "../../static/js/match/format.js";
import { live, plain } from "./fixtures/states.js";

const score = (white, black) => ({ length: 5, white, black, crawford: false });
const over = (result, white, black, you = null) => plain(matchResult(live({ you, match: { status: "over", result, score: score(white, black) } })));

test("halves are written as halves", () => {
  assert.deepEqual([0, 0.5, 1, 1.5, 12.5].map(halves), ["0", "½", "1", "1½", "12½"]);
});

test("to a player a plain result is one line", () => {
  const result = { winner: "white", by: "points" };
  assert.deepEqual([over(result, 5, 2, "white"), over(result, 5, 2, "black")], ["You won 5–2", "You lost 5–2"]);
});

test("a match ends on points, on time or by resignation", () => {
  assert.equal(over({ winner: "white", by: "score" }, 5, 2), "ana won 5–2.");
  assert.equal(over({ winner: "black", by: "score" }, 0.5, 1.5), "bea won 1½–½.");
  assert.equal(over({ winner: "black", by: "flag" }, 4, 0), "bea won: ana ran out of time.");
  assert.equal(over({ winner: "white", by: "resign" }, 0, 4), "ana won: bea resigned the match.");
});

test("a session ends with its standing, whoever leads, and a file can stop in the middle", () => {
  assert.equal(over({ winner: "white", by: "ended" }, 5, 2), "Session over: ana 5, bea 2.");
  assert.equal(over({ winner: null, by: "ended" }, 2, 2), "Session over: ana 2, bea 2.");
  assert.equal(over({ winner: null, by: "unfinished" }, 3, 1), "Match unfinished: ana 3, bea 1.");
});

test("a match that was called off was won by nobody", () => {
  assert.equal(over({ winner: null, by: "stopped" }, 3, 1), "Match called off: ana 3, bea 1.");
});

test("the result of a game names how it was won", () => {
  const textOf = (outcome, you) => plain(gameOver(outcome, (side) => ({ white: "ana", black: "bea" })[side], you));
  assert.equal(textOf({ winner: "white", points: 7, kind: "points" }), "ana wins 7 points.");
  assert.equal(textOf({ winner: "white", points: 7, kind: "points" }, "white"), "You win 7 points.");
  assert.equal(textOf({ winner: "black", points: 4, kind: "gammon" }), "Gammon! bea wins 4 points.");
  assert.equal(textOf({ winner: "white", points: 1, kind: "blocked" }), "ana wins: bea has no legal move.");
  assert.equal(textOf({ winner: "white", points: 2, kind: "flag" }), "ana wins 2 points: bea ran out of time.");
  assert.equal(textOf({ winner: null, points: 1, kind: "agreement" }), "Draw by agreement.");
  assert.equal(textOf({ winner: null, points: 1, kind: "kings" }), "Draw: only kings left, and nobody won within the move limit.");
});

test("the result of a game is what changed between two scores", () => {
  const before = live();
  const after = (white, black, ended = null) => live({ ended, match: { game: 2, score: score(white, black) } });
  assert.equal(gameResult(before, after(0, 0)), "");
  assert.equal(gameResult(before, after(2, 0)), "You win 2 points.");
  assert.equal(plain(gameResult(before, after(0, 1, { winner: "black", points: 1, kind: "blocked" }))), "bea wins: ana has no legal move.");
  assert.equal(gameResult(before, after(0.5, 0.5)), "The game is a draw.");
});
