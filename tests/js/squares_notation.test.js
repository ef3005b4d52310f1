import assert from "node:assert/strict";
import { test } from "node:test";
import { isComplete, textOf } from "../../static/js/squares/play.js";
import { findPlay, parseSquares } from "../../static/js/squares/notation.js";

const moves = [
  { text: "11-16", from: 11, to: 16, taken: [], path: [11, 16] },
  { text: "17x28", from: 17, to: 28, taken: [22], path: [17, 28] },
  { text: "46x28x17", from: 46, to: 17, taken: [22, 41], path: [46, 28, 17] },
  { text: "46x37x17", from: 46, to: 17, taken: [21, 41], path: [46, 37, 26, 17] },
];
const made = (text) => {
  const play = findPlay(moves, text);
  return play && (isComplete(play) ? textOf(play) : "...");
};

test("a move is read however it is written", () => {
  for (const text of ["11-16", "11 16", " 11 - 16 ", "11–16", "11x16"]) assert.equal(made(text), "11-16", text);
  for (const text of ["17x28", "17X28", "17 x 28", "17×28", "17:28", "17 28", "17-28"]) assert.equal(made(text), "17x28", text);
});

test("the squares improving choose among captures", () => {
  assert.equal(made("46x28x17"), "46x28x17");
  assert.equal(made("46x37x17"), "46x37x17");
  assert.equal(made("46x26x17"), "46x37x17");
  assert.equal(made("46 37 26 17"), "46x37x17");
  assert.equal(made("46x17"), "...");
});

test("what no listed move is means nothing", () => {
  for (const text of ["", "11", "hello", "16-11", "11-17", "46x40x17", "46x26x37x17", "11--16", "111-16"]) assert.equal(made(text), null, text);
});

test("only moves are read as squares", () => {
  assert.deepEqual(parseSquares("17x28x39"), [17, 28, 39]);
  for (const text of ["huff 12", "compel", "dice 53", "roll", "12"]) assert.equal(parseSquares(text), null, text);
});
