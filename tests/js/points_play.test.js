import assert from "node:assert/strict";
import { test } from "node:test";
import * as Play from "../../static/js/points/play.js";
import { read } from "./fixtures/read.js";

const positions = read("positions");
const opening = positions["opening 31"].tree;
const half = (play, from, to) => Play.choices(play).find((choice) => choice[0] === from && choice[1] === to);

test("a play is walked half-move by half-move until it is complete", () => {
  let play = Play.begin(opening);
  assert.equal(Play.isComplete(play), false);
  play = Play.advance(play, half(play, 8, 5));
  assert.equal(Play.isComplete(play), false);
  play = Play.advance(play, half(play, 6, 5));
  assert.equal(Play.isComplete(play), true);
  assert.deepEqual(Play.choices(play), []);
  assert.equal(Play.notationOf(play.halves), "8/5 6/5");
});

test("a half-move that is not in the tree is refused", () => {
  assert.throws(() => Play.advance(Play.begin(opening), [8, 2, 6, 0, -1]), /not in the tree/);
});

test("undo takes back the last half-move and nothing else", () => {
  const start = Play.begin(opening);
  const first = Play.advance(start, half(start, 8, 5));
  const second = Play.advance(first, half(first, 6, 5));
  assert.deepEqual(Play.undo(second), first);
  assert.deepEqual(Play.undo(first), start);
  assert.deepEqual(Play.undo(start), start);
});

test("a checker reaches what one die or both dice allow", () => {
  const found = Play.reach(Play.begin(opening), 8, [3, 1]);
  assert.deepEqual([...found.keys()].sort((a, b) => a - b), [4, 5, 7]);
  assert.equal(Play.notationOf(found.get(4)), "8/5 5/4");
});

test("the left die decides the way of a compound move", () => {
  const found = Play.reach(Play.begin(opening), 8, [1, 3]);
  assert.equal(Play.notationOf(found.get(4)), "8/7 7/4");
});

test("a checker that cannot move reaches nothing", () => {
  assert.equal(Play.reach(Play.begin(opening), 5, [3, 1]).size, 0);
  assert.equal(Play.tap(Play.begin(opening), 5, [3, 1]), null);
});

test("doubles take a checker up to four steps", () => {
  const tree = [[[24, 18, 6, 0, 1]], [[18, 12, 6, 0, 2]], [[12, 6, 6, 1, 3]], [[6, 0, 6, 0, -1]]];
  const found = Play.reach(Play.begin(tree), 24, [6, 6]);
  assert.deepEqual([...found.keys()], [18, 12, 6, 0]);
  assert.equal(Play.notationOf(found.get(0)), "24/18 18/12 12/6* 6/off");
});

test("a click plays the left die if it can, else the other", () => {
  const start = Play.begin(opening);
  assert.equal(Play.tap(start, 8, [3, 1])[1], 5);
  assert.equal(Play.tap(start, 8, [1, 3])[1], 7);
  const after = Play.advance(start, half(start, 8, 5));
  assert.equal(Play.tap(after, 6, [3, 1])[1], 5);
});

test("checkers on the bar are the only ones that can move", () => {
  assert.deepEqual(Play.sources(Play.begin(positions["from the bar"].tree)), [25]);
});

test("a play is forced when every order of it leads to one position", () => {
  assert.equal(Play.notationOf(Play.forced(positions.forced.tree).halves), "bar/21 bar/23*");
  assert.equal(Play.notationOf(Play.forced(positions["one number"].tree).halves), "1/off");
  assert.equal(Play.forced(opening), null);
  assert.equal(Play.forced([[]]), null);
  assert.equal(Play.forced(null), null);
});

test("a hit improving makes another position of the same journey", () => {
  assert.equal(Play.forced([[[9, 3, 6, 0, 1], [9, 7, 2, 1, 2]], [[3, 1, 2, 0, -1]], [[7, 1, 6, 0, -1]]]), null);
});

test("an empty tree is a complete play of nothing", () => {
  assert.equal(Play.isComplete(Play.begin([[]])), true);
  assert.equal(Play.isComplete(Play.begin([])), true);
});

test("spent dice are marked; doubles are four dice", () => {
  const used = (order, halves) => Play.diceLeft(order, halves).map((die) => die.used);
  assert.deepEqual(used([3, 1], []), [false, false]);
  assert.deepEqual(used([3, 1], [[6, 5, 1, 0, -1]]), [false, true]);
  assert.deepEqual(used([6, 6], [[24, 18, 6, 0, 1], [24, 18, 6, 0, 2]]), [true, true, false, false]);
});

test("a complete play of every fixture spends as many half-moves as any other", () => {
  for (const [name, { tree }] of Object.entries(positions)) {
    const lengths = new Set([...Play.completions(Play.begin(tree))].map((play) => play.halves.length));
    assert.equal(lengths.size, 1, name);
  }
});
