import assert from "node:assert/strict";
import { test } from "node:test";
import { actionLabel, describeActions, isPlay } from "../../static/js/match/action-text.js";
import { damas, live, plain } from "./fixtures/states.js";

/** What is said of actions, written [seat, text]. */
const spoken = (list, before, after) =>
  describeActions(list.map(([seat, text], i) => ({ n: i + 1, game: 1, seat, text })), before, after).map(plain);

test("an action that moves pieces is a play, whatever the game", () => {
  assert.deepEqual(["8/5 6/5*", "bar/20", "stock/22", "11-16", "17x28x39"].filter(isPlay).length, 5);
  assert.deepEqual(["roll", "dice 31", "name 6", "huff 32", "compel", "offer-draw", "resign 1", "pass"].filter(isPlay), []);
});

test("a whole turn of acey-deucey is describeActions, to the new roll", () => {
  const before = live({ position: { phase: "name" } });
  const after = live({ last: { seat: "white", dice: [6, 6], text: "stock/19(4)" } });
  assert.deepEqual(spoken([["white", "name 6"], ["white", "stock/19(4)"]], before, after), [
    "ana names 6-6.", "ana plays stock/19(4).", "ana rolls again.",
  ]);
});

test("moves, huffing and compelling are describeActions by the names of the players", () => {
  const state = damas();
  const list = [["black", "11-16"], ["white", "huff 16"], ["white", "compel"], ["black", "17x28"]];
  assert.deepEqual(spoken(list, state, state), [
    "bea plays 11-16.", "ana huffs the man on 16.", "ana compels the capture: the move is taken back.", "bea plays 17x28.",
  ]);
});

test("the colours are describeActions once they are drawn", () => {
  const before = damas({ position: { phase: "opening", turn: "chance", colours: null } });
  const after = damas({ position: { turn: "white", colours: { white: "black", black: "white" } } });
  assert.deepEqual(spoken([["chance", "dice 53"]], before, after), ["Dice: 5 and 3.", "ana plays Black and starts."]);
});

test("an answer names what it answers: a draw or a resignation", () => {
  const none = damas();
  const drawn = damas({ offer: { seat: "white", draw: true, level: 0, points: 0 } });
  assert.deepEqual(spoken([["black", "accept"]], drawn, none), ["bea accepts the draw."]);
  assert.deepEqual(spoken([["white", "offer-draw"], ["black", "reject"]], none, none), ["ana offers a draw.", "bea rejects the draw."]);
  assert.deepEqual(spoken([["black", "reject"]], live({ offer: { seat: "white", level: 1, points: 1 } }), live()), ["bea rejects the resignation."]);
});

test("a resignation that needs no response is not an offer", () => {
  const offered = live({ offer: { seat: "white", level: 1, points: 1 } });
  assert.deepEqual(spoken([["white", "resign 1"]], live(), offered), ["ana offers to resign."]);
  assert.deepEqual(spoken([["white", "resign 1"], ["black", "accept"]], live(), live()), ["ana offers to resign.", "bea accepts the resignation."]);
  assert.deepEqual(spoken([["white", "resign 1"]], damas(), damas()), ["ana resigns."]);
  assert.deepEqual(spoken([["white", "resign match"]], live(), live()), ["ana resigns."]);
});

test("a match cancelled by the organisers is announced", () => {
  assert.deepEqual(spoken([["server", "stop"]], live(), live()), ["The organisers called the match off."]);
  assert.equal(actionLabel("stop"), "Called off");
});

test("a cell of the list is short", () => {
  const cells = ["8/5 6/5", "name 6", "huff 32", "compel", "offer-draw", "resign match", "end", "17x28"].map(actionLabel);
  assert.deepEqual(cells, ["8/5 6/5", "Names 6-6", "Huffs 32", "Compels", "Offers a draw", "Resigns", "Ends the session", "17x28"]);
});
