import assert from "node:assert/strict";
import { test } from "node:test";
import { filtered, neighbour } from "../../static/js/analysis/error-filter.js";

const SLIPS = [
  { side: "white", grade: "doubtful" },
  { side: "black", grade: "blunder" },
  { side: "white", grade: "error" },
  { side: "white", grade: "blunder" },
];

test("a filter takes a grade and all that are worse", () => {
  assert.deepEqual(filtered(SLIPS, { side: "", grade: "blunder" }), [1, 3]);
  assert.deepEqual(filtered(SLIPS, { side: "", grade: "error" }), [1, 2, 3]);
  assert.deepEqual(filtered(SLIPS, { side: "", grade: "doubtful" }), [0, 1, 2, 3]);
});

test("a filter takes one side alone", () => {
  assert.deepEqual(filtered(SLIPS, { side: "white", grade: "error" }), [2, 3]);
  assert.deepEqual(filtered([], { side: "white", grade: "error" }), []);
});

test("the reader steps through the shown errors, and stays at the ends", () => {
  assert.equal(neighbour([1, 3], 1, "next"), 3);
  assert.equal(neighbour([1, 3], 3, "next"), 3);
  assert.equal(neighbour([1, 3], 3, "back"), 1);
  assert.equal(neighbour([1, 3], 1, "back"), 1);
  assert.equal(neighbour([1, 3], 0, "next"), 1);
  assert.equal(neighbour([], -1, "next"), -1);
});
