import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, choose } from "../../static/js/squares/play.js";
import { isTurned, sceneOf, viewOf } from "../../static/js/squares/state.js";
import { animate, pathOf } from "../../static/js/squares/animation.js";
import { labelOf } from "../../static/js/squares/labels.js";

const bare = { men: [], kings: [] };
const position = (fields) => ({
  family: "squares", phase: "move", turn: "white", colours: { white: "white", black: "black" }, board: { white: bare, black: bare },
  mode: "soplar", dice: null, cube: null, pips: null, outcome: null, huff: null, countdown: null, tree: null, ...fields,
});
const moves = [
  { text: "38x16", from: 38, to: 16, taken: [21, 32], path: [38, 27, 16] },
  { text: "7-1", from: 7, to: 1, taken: [], path: [7, 1] },
];
const capturing = position({ board: { white: { men: [38, 7], kings: [] }, black: { men: [21, 32, 40], kings: [] } }, tree: moves });
const ownTurn = (over = {}) => viewOf(capturing, { you: "white", may: ["move"], ...over });
const at = (scene, square) => scene.pieces.find((piece) => piece.square === square);
const squares = (scene) => scene.pieces.map(({ square }) => square).sort((a, b) => a - b);

test("one's own men stand below, whatever their colour, unless the board is turned over", () => {
  const swapped = position({ colours: { white: "black", black: "white" } });
  assert.equal(isTurned(viewOf(position({}), { you: "white" })), false);
  assert.equal(isTurned(viewOf(position({}), { you: "black" })), true);
  assert.equal(isTurned(viewOf(swapped, { you: "white" })), true);
  assert.equal(isTurned(viewOf(swapped, { you: "white" }), "cw"), false);
  assert.equal(isTurned(viewOf(swapped, { you: null })), true);
});

test("before the colours are drawn White's seat has the white men", () => {
  const opening = position({ phase: "opening", turn: "chance", colours: null, dice: [5, 3], board: { white: { men: [50], kings: [] }, black: { men: [1], kings: [] } } });
  const scene = sceneOf(viewOf(opening, { you: "black" }));
  assert.equal(at(scene, 50).colour, "white");
  assert.equal(scene.turned, true);
  assert.deepEqual(scene.dice.map(({ value, atBottom: own, mark }) => [value, own, mark]), [[5, false, "white"], [3, true, "black"]]);
});

test("men wear the colour of their seat in this game", () => {
  const swapped = position({ colours: { white: "black", black: "white" }, board: { white: { men: [1], kings: [] }, black: { men: [], kings: [50] } } });
  const scene = sceneOf(viewOf(swapped));
  assert.deepEqual(at(scene, 1), { square: 1, king: false, colour: "black", captured: false });
  assert.deepEqual(at(scene, 50), { square: 50, king: true, colour: "white", captured: false });
});

test("only the side to act has movable men", () => {
  assert.deepEqual(sceneOf(ownTurn()).movable, [38, 7]);
  assert.deepEqual(sceneOf(viewOf(capturing, { you: "black", may: [] })).movable, []);
  assert.deepEqual(sceneOf({ ...ownTurn(), picked: 38 }).targets, [16]);
});

test("captured men stay, pale, until the capture ends", () => {
  const view = ownTurn();
  const whole = choose(begin(moves), 38, 16);
  const half = { ...whole, path: [38, 27] };
  const under = sceneOf({ ...view, play: half });
  assert.deepEqual(squares(under), [7, 21, 27, 32, 40]);
  assert.equal(at(under, 32).captured, true);
  assert.equal(at(under, 21).captured, false);
  assert.deepEqual(squares(sceneOf({ ...view, play: whole })), [7, 16, 40]);
});

test("a man who ends on the last row is crowned", () => {
  const play = choose(begin(moves), 7, 1);
  assert.equal(at(sceneOf({ ...ownTurn(), play }), 1).king, true);
});

test("the last move is marked until one's own begins", () => {
  const last = { seat: "black", dice: [], text: "17x28x39" };
  assert.deepEqual(sceneOf(ownTurn({ last })).marks, { from: [17], to: [39] });
  assert.deepEqual(sceneOf({ ...ownTurn({ last }), play: choose(begin(moves), 7, 1) }).marks, { from: [], to: [] });
  assert.deepEqual(sceneOf(ownTurn({ last: { ...last, text: "huff 12" } })).marks, { from: [], to: [] });
});

test("men that can be huffed are marked for the player who may huff, before the move", () => {
  const huff = { squares: [21], compel: true };
  const view = viewOf({ ...capturing, huff }, { you: "white", may: ["move", "huff 21", "compel"] });
  assert.deepEqual(sceneOf(view).huff, [21]);
  assert.deepEqual(sceneOf({ ...view, play: choose(begin(moves), 7, 1) }).huff, []);
  assert.deepEqual(sceneOf(viewOf({ ...capturing, huff }, { you: "black" })).huff, []);
});

test("the path of a recorded capture is found from the captured men", () => {
  const pieces = { white: [{ square: 38, king: false }], black: [21, 32, 40].map((square) => ({ square, king: false })) };
  assert.deepEqual(pathOf(pieces, [38, 16], [21, 32]), [38, 27, 16]);
  assert.deepEqual(pathOf(pieces, [38, 16], []), [38, 16]);
  assert.deepEqual(pathOf(pieces, [38, 16], [40]), [38, 16]);
});

test("an opponent's capture is animated jump by jump", () => {
  const view = viewOf(capturing, { you: "black" });
  const after = position({ turn: "black", board: { white: { men: [16, 7], kings: [] }, black: { men: [40], kings: [] } } });
  const steps = animate(view, [{ n: 1, game: 1, seat: "white", text: "38x16" }], { game: 1, next: after });
  assert.deepEqual(steps.map(({ scene }) => squares(scene)), [[7, 21, 27, 32, 40], [7, 16, 21, 32, 40]]);
  assert.deepEqual(steps.map(({ sound }) => sound), ["hit", "hit"]);
  assert.equal(at(steps[1].scene, 21).captured, true);
});

test("the player's own move is not animated again when its event comes", () => {
  const view = { ...ownTurn(), play: choose(begin(moves), 38, 16) };
  const after = position({ turn: "black", board: { white: { men: [16, 7], kings: [] }, black: { men: [40], kings: [] } } });
  assert.deepEqual(animate(view, [{ n: 1, game: 1, seat: "white", text: "38x16" }], { game: 1, next: after }), []);
});

test("compelled, the opponent's quiet move goes back; huffed, the man leaves", () => {
  const board = { white: { men: [38], kings: [] }, black: { men: [16, 20], kings: [] } };
  const view = viewOf(position({ board }), { you: "black", last: { seat: "black", dice: [], text: "11-16" } });
  const back = animate(view, [{ n: 1, game: 1, seat: "white", text: "compel" }], { game: 1, next: position({ board }) });
  assert.deepEqual(back.map(({ scene }) => squares(scene)), [[11, 20, 38]]);
  const huffed = animate(view, [{ n: 1, game: 1, seat: "white", text: "huff 20" }], { game: 1, next: position({ board }) });
  assert.deepEqual(huffed.map(({ scene }) => squares(scene)), [[16, 38]]);
});

test("the dice of the opening fall one for each side", () => {
  const view = viewOf(position({ phase: "opening", turn: "chance", colours: null }), { you: "white" });
  const actions = [["white", "roll"], ["black", "roll"], ["chance", "dice 53"]].map(([seat, text], n) => ({ n, game: 1, seat, text }));
  const steps = animate(view, actions, { game: 1, next: position({}) });
  assert.deepEqual(steps.map(({ scene, sound }) => [scene.dice.map(({ value }) => value), sound]), [[[5, 3], "roll"]]);
});

test("a square has a label", () => {
  const scene = { ...sceneOf(ownTurn()), huff: [21] };
  assert.equal(labelOf(scene, 38, at(scene, 38)), "Square 38: white man, can move");
  assert.equal(labelOf(scene, 21, at(scene, 21)), "Square 21: black man, can be huffed");
  assert.equal(labelOf(scene, 2, undefined), "Square 2: empty");
  const picked = { ...sceneOf({ ...ownTurn(), picked: 38 }) };
  assert.equal(labelOf(picked, 38, at(picked, 38)), "Square 38: white man, picked up");
  assert.equal(labelOf(picked, 16, undefined), "Square 16: empty, legal destination");
  assert.equal(labelOf(picked, 27, undefined), "Square 27: empty, on the capture path");
  assert.equal(labelOf(picked, 7, { square: 7, colour: "white", king: true, captured: false }), "Square 7: white king");
});
