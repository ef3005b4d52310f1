import assert from "node:assert/strict";
import { test } from "node:test";
import { canPut, cleared, countAt, exchanged, mayBeCrawford, pips, put, sideAt, tidied } from "../../static/js/editor/setup.js";
import { START, read, write } from "../../static/js/editor/xgid.js";

const start = () => read(START);

test("the start is read from its XGID and written back", () => {
  const setup = start();
  assert.equal(write(setup), START);
  assert.deepEqual([pips(setup.checkers.white), pips(setup.checkers.black)], [167, 167]);
  assert.equal(countAt(setup.checkers, "white", 24), 2);
  assert.equal(countAt(setup.checkers, "black", 1), 2);
  assert.equal(setup.checkers.white.off, 0);
});

test("every field of an XGID comes back as it was", () => {
  for (const id of [
    "XGID=-a-a-BD-B---dE---d-e----B-:0:0:1:44:2:1:0:5:6",
    "XGID=aB-B-BC-B--------b-ccbbb-A:1:-1:1:00:4:2:0:7:10",
    "XGID=-BBB----------------bbbb--:2:1:-1:D:0:0:3:0:10",
    "XGID=---BBBBAAA---Ac-bbccbAA-A-:0:0:1:21:6:4:1:7:6",
  ]) assert.equal(write(read(id)), id);
});

test("a checker goes to any place of its own, and to no point that the opponent holds", () => {
  const { checkers } = start();
  assert.equal(canPut(checkers, "white", 7), true);
  assert.equal(canPut(checkers, "white", 1), false);
  assert.equal(canPut(checkers, "white", "bar-me"), true);
  assert.equal(canPut(checkers, "white", "bar-them"), false);
  assert.equal(canPut(checkers, "black", "off-them"), true);
  const moved = put(checkers, "black", 1, "bar-them");
  assert.deepEqual([countAt(moved, "black", 1), countAt(moved, "black", "bar-them")], [1, 1]);
  assert.equal(countAt(checkers, "black", 1), 2);
});

test("an empty board has all its checkers in the trays", () => {
  const checkers = cleared();
  assert.deepEqual([sideAt(checkers, "off-me"), sideAt(checkers, "off-them"), sideAt(checkers, 6)], ["white", "black", null]);
  assert.equal(checkers.black.off, 15);
  assert.equal(countAt(put(checkers, "black", "off-them", 20), "black", 20), 1);
  assert.equal(write({ ...start(), checkers: put(checkers, "black", "off-them", 20) }).slice(5, 31), "--------------------a-----");
});

test("exchanged colours are the same game from the other side", () => {
  const setup = read("XGID=aB-B-BC-B--------b-ccbbb-A:1:-1:1:00:4:2:0:7:10");
  assert.equal(write(exchanged(setup)), "XGID=a-BBBCC-B--------b-cb-b-bA:1:1:-1:00:2:4:0:7:10");
  assert.deepEqual(exchanged(exchanged(setup)), setup);
});

test("what the rules cannot mean is put right", () => {
  const setup = { ...start(), length: 5, score: { white: 9, black: 0 }, crawford: true };
  assert.deepEqual([tidied(setup).score.white, tidied(setup).crawford], [4, true]);
  assert.equal(tidied({ ...setup, score: { white: 3, black: 0 } }).crawford, false);
  assert.equal(tidied({ ...setup, phase: "doubled" }).phase, "roll");
  assert.equal(tidied({ ...start(), length: 1, cube: { value: 2, owner: "white", cap: 64 } }).cube.value, 1);
  assert.equal(tidied({ ...start(), phase: "doubled", cube: { value: 2, owner: "black", cap: 64 } }).cube.owner, "white");
  assert.equal(mayBeCrawford({ ...start(), length: 5, score: { white: 4, black: 4 } }), false);
});
