import assert from "node:assert/strict";
import { test } from "node:test";
import { notationOf } from "../../static/js/points/play.js";
import { canonical, findPlay, localized, looksLikePlay, parseLegs } from "../../static/js/points/notation.js";
import { read } from "./fixtures/read.js";

const positions = read("positions");
const opening = positions["opening 31"].tree;
const made = (tree, text) => {
  const found = findPlay(tree, text);
  return found && `${notationOf(found.play.halves)}${found.complete ? "" : " ..."}`;
};

test("a play is read whatever the order and the spaces", () => {
  assert.equal(made(opening, "8/5 6/5"), "8/5 6/5");
  assert.equal(made(opening, " 6/5,  8 / 5 "), "8/5 6/5");
  assert.equal(made(opening, "24/20"), "24/21 21/20");
  assert.equal(made(opening, "24/21/20"), "24/21 21/20");
  assert.equal(made(opening, "24/23/20"), "24/23 23/20");
});

test("a part of a play is found and marked as partial", () => {
  assert.equal(made(opening, "8/5"), "8/5 ...");
});

test("what is not in the tree is not found", () => {
  for (const text of ["8/4 6/5", "8/2", "5/8", "8/5 8/5", "", "hello", "8", "99/3", "8/5(9)x"]) assert.equal(made(opening, text), null, text);
});

test("bar and off, in English and in Spanish, with stars or without", () => {
  assert.equal(made(positions.forced.tree, "bar/23* bar/21"), "bar/23* bar/21");
  assert.equal(made(positions.forced.tree, "barra/21 barra/23"), "bar/21 bar/23*");
  assert.equal(made(positions["one number"].tree, "1/off"), "1/off");
  assert.equal(made(positions["one number"].tree, "1/fuera"), "1/off");
  assert.equal(made(positions["one number"].tree, "1/0"), "1/off");
});

test("repeated half-moves are counted", () => {
  assert.deepEqual(parseLegs("6/off(2)"), [{ from: 6, to: 0, hit: false }, { from: 6, to: 0, hit: false }]);
  assert.deepEqual(parseLegs("8/4(2)*").map((leg) => leg.hit), [true, true]);
  assert.deepEqual(parseLegs("24/18*/13").map((leg) => leg.hit), [true, false]);
  assert.equal(made(positions.doubles.tree, "23/17* 7/1(3)"), "23/17* 7/1 7/1 7/1");
});

test("a star chooses the way that hits, no star the way that does not", () => {
  const { tree } = positions["bearing off"];
  assert.equal(made(tree, "9/7*/1"), "9/7* 7/1");
  assert.equal(made(tree, "9/1*"), "9/7* 7/1");
  assert.equal(made(tree, "9/1"), "9/3 3/1");
});

test("every canonical play of the rules is found in the tree of the rules", () => {
  for (const [name, { tree, plays }] of Object.entries(positions)) {
    for (const text of plays) assert.equal(findPlay(tree, text)?.complete, true, `${name}: ${text}`);
  }
});

test("a play is written in the reader's language", () => {
  globalThis.messages = { plural: (n) => Number(n !== 1), texts: { bar: "barra", off: "fuera" } };
  assert.equal(localized("bar/20* 6/off(2)"), "barra/20* 6/fuera(2)");
  assert.notEqual(parseLegs(localized("bar/20 6/off")), null);
  delete globalThis.messages;
  assert.equal(localized("bar/20"), "bar/20");
});

test("what the board shows in the language of the page can be typed", () => {
  globalThis.messages = { plural: () => 0, texts: { bar: "μπάρα", off: "έξω", stock: "mão" } };
  assert.equal(made(positions.forced.tree, "Μπάρα/23* μπάρα/21"), "bar/23* bar/21");
  assert.equal(made(positions["one number"].tree, localized("1/off")), "1/off");
  assert.equal(made(positions["one number"].tree, "1/off"), "1/off");
  assert.equal(canonical("MÃO/24 Barra/20 6/έξω(2)"), "stock/24 bar/20 6/off(2)");
  assert.deepEqual(["μπάρα/20", "8/5", "έξω/5", "double"].map(looksLikePlay), [true, true, false, false]);
  delete globalThis.messages;
  assert.equal(made(positions.forced.tree, "μπάρα/23"), null);
});
