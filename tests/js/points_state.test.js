import assert from "node:assert/strict";
import { test } from "node:test";
import { advance, choices } from "../../static/js/points/play.js";
import { checkersNow, moved, numberOf, pipsNow, placeOf, recordedLegs, sceneOf, viewOf } from "../../static/js/points/state.js";
import { animate } from "../../static/js/points/animation.js";
import { read } from "./fixtures/read.js";

const position = read("positions")["opening 31"];
const ownTurn = () => viewOf(position, { you: "white", may: ["move"] });

test("checkers stand where the server put them until a half-move is made", () => {
  const view = ownTurn();
  assert.deepEqual(checkersNow(view), position.board);
  const half = choices(view.play).find((choice) => choice[0] === 8 && choice[1] === 5);
  const checkers = checkersNow({ ...view, play: advance(view.play, half) });
  assert.equal(checkers.white.points[7], 2);
  assert.equal(checkers.white.points[4], 1);
  assert.equal(position.board.white.points[7], 3);
});

test("a hit checker goes to its bar, and a checker borne off leaves the points", () => {
  const checkers = { white: { points: Array(24).fill(0), bar: 1, off: 0, stock: 0 }, black: { points: Array(24).fill(0), bar: 0, off: 0, stock: 0 } };
  checkers.black.points[3] = 1;
  const entered = moved(checkers, "white", { from: 25, to: 21, hit: true });
  assert.deepEqual([entered.white.bar, entered.white.points[20], entered.black.points[3], entered.black.bar], [0, 1, 0, 1]);
  const off = moved(entered, "white", { from: 21, to: 0, hit: false });
  assert.deepEqual([off.white.off, off.white.points[20]], [1, 0]);
});

test("places are numbered from the viewer's side", () => {
  assert.equal(placeOf(8, "white", "white"), 8);
  assert.equal(placeOf(8, "black", "white"), 17);
  assert.equal(placeOf(25, "black", "white"), "bar-them");
  assert.equal(placeOf(0, "white", "white"), "off-me");
  for (const mover of ["white", "black"]) {
    for (const n of [0, 1, 12, 24, 25, 26]) assert.equal(numberOf(placeOf(n, mover, "black"), mover, "black"), n);
  }
  assert.equal(numberOf("bar-them", "white", "white"), null);
});

test("only the side to move may move, and only with its tree", () => {
  assert.equal(viewOf(position, { you: "black", may: ["move"] }).canMove, false);
  assert.equal(viewOf(position, { you: null, may: [] }).canMove, false);
  assert.equal(viewOf({ ...position, tree: null }, { you: "white", may: ["move"] }).canMove, false);
  assert.deepEqual(sceneOf(viewOf(position, { you: null })).movable, []);
  assert.deepEqual(sceneOf(ownTurn()).movable.sort((a, b) => a - b), [6, 8, 13, 24]);
});

test("a picked checker shows where it may go", () => {
  assert.deepEqual(sceneOf({ ...ownTurn(), picked: 6 }).targets.sort((a, b) => a - b), [2, 3, 5]);
});

test("the cube lies in the middle, with its owner, or in front of the player who decides", () => {
  const at = (cube, turn = "white") => sceneOf(viewOf({ ...position, turn, cube }, { you: "white" })).cube?.at;
  assert.equal(at({ value: 1, owner: null, offered: null, dead: false }), "middle");
  assert.equal(at({ value: 2, owner: "white", offered: null, dead: false }), "me");
  assert.equal(at({ value: 2, owner: "black", offered: null, dead: false }), "them");
  assert.equal(at({ value: 1, owner: null, offered: 2, dead: false }), "offer-me");
  assert.equal(at({ value: 1, owner: null, offered: 2, dead: false }, "black"), "offer-them");
  assert.equal(at(null), undefined);
});

test("no dice of the last roll lie under an offered cube", () => {
  const last = { seat: "white", dice: [3, 1], text: "8/5 6/5" };
  const diceOf = (cube) => sceneOf(viewOf({ ...position, dice: null, turn: "white", cube }, { you: "white", last })).dice.length;
  assert.equal(diceOf({ value: 1, owner: null, offered: null, dead: false }), 2);
  assert.equal(diceOf({ value: 1, owner: null, offered: 2, dead: false }), 0);
});

test("the last play is marked from its beginning to its end, not where a checker passed by", () => {
  const last = { seat: "black", dice: [6, 4], text: "24/18 18/14" };
  const scene = sceneOf(viewOf({ ...position, phase: "roll", dice: null, tree: null }, { you: "white", last }));
  assert.deepEqual(scene.marks, { from: [1], to: [11] });
  assert.deepEqual(scene.dice.map((die) => [die.value, die.dim, die.atBottom]), [[6, true, false], [4, true, false]]);
});

test("a hit is drawn once, by the first checker that lands there", () => {
  assert.deepEqual(recordedLegs("8/5 6/5*").map((leg) => leg.hit), [true, false]);
  assert.deepEqual(recordedLegs("8/4(2)*").map((leg) => leg.hit), [true, false]);
});

test("an opponent's play is animated step by step, one's own is not repeated", () => {
  const actions = [{ n: 1, game: 1, seat: "white", text: "8/5 6/5" }];
  assert.equal(animate(viewOf(position, { you: null }), actions, { game: 1 }).length, 2);
  let view = ownTurn();
  for (const to of [[8, 5], [6, 5]]) {
    view = { ...view, play: advance(view.play, choices(view.play).find((choice) => choice[0] === to[0] && choice[1] === to[1])) };
  }
  assert.equal(animate(view, actions, { game: 1 }).length, 0);
});

test("a roll and a play that come together show the dice first", () => {
  const view = viewOf({ ...position, turn: "black", phase: "roll", dice: null, tree: null }, { you: "white" });
  const steps = animate(view, [
    { n: 1, game: 1, seat: "black", text: "roll" },
    { n: 2, game: 1, seat: "chance", text: "dice 64" },
    { n: 3, game: 1, seat: "black", text: "24/14" },
  ], { game: 1 });
  assert.deepEqual(steps.map((moment) => moment.sound), ["roll", "step"]);
  assert.deepEqual(steps[0].scene.dice.map((die) => die.value), [6, 4]);
});

test("the end of a game rests on the table before the next one is set up", () => {
  const actions = [{ n: 1, game: 1, seat: "white", text: "8/5 6/5" }, { n: 2, game: 2, seat: "white", text: "roll" }];
  const steps = animate(viewOf(position, { you: null }), actions, { game: 1 });
  assert.equal(steps.length, 3);
  assert.ok(steps[2].ms > 1000);
});

test("the pip counts follow the half-moves, and a hit checker starts again", () => {
  const view = ownTurn();
  assert.deepEqual(pipsNow({ ...view, position: { ...position, pips: { white: 167, black: 167 } } }), { white: 167, black: 167 });
  const half = choices(view.play).find((choice) => choice[0] === 8 && choice[1] === 5);
  const begun = { ...view, position: { ...position, pips: { white: 167, black: 167 } }, play: advance(view.play, half) };
  assert.deepEqual(pipsNow(begun), { white: 164, black: 167 });
  const hit = { ...begun, play: { tree: [], halves: [[26, 20, 5, 1, 0], [5, 0, 6, 0, -1]], node: -1 } };
  assert.deepEqual(pipsNow(hit), { white: 157, black: 187 });
  assert.equal(pipsNow({ ...view, position: { ...position, pips: null } }), null);
});

test("the higher die lies on the left", () => {
  assert.deepEqual(viewOf({ ...position, dice: [1, 3] }, { you: "white", may: ["move"] }).order, [3, 1]);
});
