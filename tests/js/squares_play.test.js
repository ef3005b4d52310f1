import assert from "node:assert/strict";
import { test } from "node:test";
import * as Play from "../../static/js/squares/play.js";

const quiet = (from, to) => ({ text: `${from}-${to}`, from, to, taken: [], path: [from, to] });
const capture = (text, captured, path) => ({ text, from: path[0], to: path.at(-1), taken: captured, path });

const opening = [quiet(11, 16), quiet(11, 17), quiet(12, 17), quiet(12, 18)];
/** A king on 46 that takes 41 and then either 22 or 23, or another man's single capture. */
const two = [
  capture("46x17", [22, 32], [46, 28, 17]),
  capture("46x19", [23, 32], [46, 28, 19]),
  capture("46x14", [23, 32], [46, 28, 14]),
  capture("20x29", [24], [20, 29]),
];
/** Two captures from 17 to 39 over different men. */
const same = [capture("17x28x39", [22, 33], [17, 28, 39]), capture("17x26x39", [21, 34], [17, 26, 39])];

const walk = (moves, from, ...squares) => squares.reduce((play, to) => Play.choose(play, Play.standing(play) ?? from, to), Play.begin(moves));

test("a quiet move is one choice", () => {
  const play = walk(opening, 11, 16);
  assert.equal(Play.isComplete(play), true);
  assert.equal(Play.textOf(play), "11-16");
  assert.deepEqual(Play.sources(Play.begin(opening)), [11, 12]);
  assert.deepEqual(Play.sources(play), []);
});

test("a square where no move goes cannot be chosen", () => {
  assert.equal(Play.choose(Play.begin(opening), 11, 18), null);
  assert.equal(Play.choose(Play.begin(opening), 13, 18), null);
  assert.equal(Play.choose(walk(opening, 11, 16), 16, 21), null);
});

test("a man reaches the squares where its moves end", () => {
  assert.deepEqual(Play.reach(Play.begin(opening), 11), { ends: [16, 17], waypoints: [] });
  assert.deepEqual(Play.reach(Play.begin(opening), 1), { ends: [], waypoints: [] });
});

test("a capture of several men is complete when its end is chosen", () => {
  const play = walk(two, 46, 17);
  assert.equal(Play.textOf(play), "46x17");
  assert.deepEqual(play.path, [46, 28, 17]);
  assert.deepEqual(Play.stages(Play.begin(two), play).map((stage) => stage.path), [[46, 28], [46, 28, 17]]);
});

test("a capture goes step by step too, and what remains is offered", () => {
  assert.deepEqual(Play.reach(Play.begin(two), 46), { ends: [14, 17, 19], waypoints: [28] });
  const play = walk(two, 46, 28);
  assert.equal(Play.isComplete(play), false);
  assert.equal(Play.textOf(play), "46x28");
  assert.equal(Play.standing(play), 28);
  assert.deepEqual(Play.sources(play), [28]);
  assert.deepEqual(Play.reach(play, 28), { ends: [14, 17, 19], waypoints: [] });
  assert.equal(Play.textOf(Play.choose(play, 28, 19)), "46x19");
  assert.equal(Play.choose(play, 20, 29), null);
});

test("a step that leaves one capture makes it whole, for it must be played on", () => {
  const moves = [two[0], two[3]];
  assert.equal(Play.textOf(walk(moves, 46, 28)), "46x17");
});

test("where several captures end on one square the path chooses", () => {
  const play = walk(same, 17, 39);
  assert.equal(Play.isComplete(play), false);
  assert.equal(play.goal, 39);
  assert.equal(Play.standing(play), 17);
  assert.deepEqual(Play.reach(play, 17), { ends: [], waypoints: [26, 28] });
  assert.equal(Play.textOf(Play.choose(play, 17, 26)), "17x26x39");
  assert.equal(Play.textOf(walk(same, 17, 28)), "17x28x39");
  assert.equal(Play.choose(play, 17, 39), null);
});

test("with a short and a long path to the same square, choosing it twice means the short one", () => {
  const moves = [capture("17x39", [28], [17, 39]), capture("17x26x39", [21, 34], [17, 26, 39])];
  const play = walk(moves, 17, 39);
  assert.deepEqual(Play.reach(play, 17), { ends: [39], waypoints: [26] });
  assert.equal(Play.textOf(Play.choose(play, 17, 39)), "17x39");
});

test("paths through the same squares in another order are told apart by the next square", () => {
  const moves = [capture("a", [1, 2, 3], [10, 20, 30, 40]), capture("b", [1, 2, 4], [10, 30, 20, 40])];
  const play = walk(moves, 10, 40);
  assert.deepEqual(Play.reach(play, 10).waypoints, [20, 30]);
  assert.equal(Play.textOf(Play.choose(play, 10, 30)), "b");
});

test("a capture may end where it began", () => {
  const moves = [capture("28x28", [22, 23, 32, 33], [28, 17, 8, 19, 28])];
  assert.deepEqual(Play.reach(Play.begin(moves), 28), { ends: [28], waypoints: [8, 17, 19] });
  assert.equal(Play.textOf(walk(moves, 28, 28)), "28x28");
});

test("undo takes back one choice", () => {
  const start = Play.begin(two);
  const first = Play.choose(start, 46, 28);
  const done = Play.choose(first, 28, 19);
  assert.equal(Play.undo(done), first);
  assert.equal(Play.undo(first), start);
  assert.equal(Play.undo(start), start);
  assert.equal(Play.isStarted(start), false);
  assert.equal(Play.isStarted(first), true);
});

test("the only move is forced", () => {
  assert.equal(Play.textOf(Play.forced([two[0]])), "46x17");
  assert.equal(Play.forced(opening), null);
  assert.equal(Play.forced([]), null);
});
