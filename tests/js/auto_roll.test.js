import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOf, hex } from "../../static/js/dice/hash.js";
import { DiceParticipant } from "../../static/js/dice/participant.js";
import { KeyStore } from "../../static/js/dice/key-store.js";
import { AutoRoll, autoRollText } from "../../static/js/dice/auto-roll.js";
import { MemoryStorage, SEAT, forge } from "./fixtures/dice.js";
import { live } from "./fixtures/states.js";

const ON = { order: true, unless_double: true };
const OFF = { order: false, unless_double: false };
const OPPONENT = { ...SEAT, held: true };

/** ana's browser after the opening roll, in a match where the server may roll for her. */
async function browser({ order = true, ...seatFields } = {}) {
  const keys = new KeyStore("k3xPq9Zt", "white", { storage: new MemoryStorage() });
  const hand = new DiceParticipant("white", keys, forge);
  const fresh = { ready: false, s0: "5e".repeat(32), white: { ...SEAT }, black: OPPONENT };
  await hand.open(fresh);
  const chain = await forge(bytesOf(keys.kept.seed));
  const [end, first, second] = [0, 1, 2].map((k) => hex(chain.element(k)));
  const white = { ...SEAT, end, commit: "cc".repeat(32), nonce: keys.kept.nonce, used: 1, shown: first, order, ...seatFields };
  const state = live({ dice: { ...fresh, ready: true, white }, position: { phase: "move", turn: "black" } });
  return { hand, state, white, first, second };
}

test("the next element is left with the server while the opponent is to play", async () => {
  const { hand, state, second } = await browser();
  assert.deepEqual(hand.owes(state), { t: "dice", order: true, c: second });
  assert.deepEqual(hand.owes({ ...state, position: { phase: "move", turn: "white" } }), { t: "dice", order: true, c: second }, "or while one plays");
});

test("no element is left without an order, nor on the player's own turn when doubling is allowed", async () => {
  const { hand, state } = await browser({ order: false });
  assert.equal(hand.owes(state), null);
  const ordered = await browser();
  assert.equal(ordered.hand.owes({ ...ordered.state, position: { phase: "roll", turn: "white" } }), null);
  assert.equal(ordered.hand.owes({ ...ordered.state, position: { phase: "roll", turn: "black" } }).order, true);
  const live = await browser({ order: null });
  assert.equal(live.hand.owes(live.state), null);
});

test("at an opening there is nothing to decide: what would be laid down is left", async () => {
  const { hand, state, second } = await browser();
  const opening = { ...state, position: { phase: "opening" } };
  assert.deepEqual(hand.owes(opening), { t: "dice", order: true, c: second });
  assert.equal(hand.owes({ ...opening, ready: ["white"] }), null, "the seat has rolled");
  opening.dice.white.deposited = true;
  assert.deepEqual(hand.owes(opening), { t: "dice", order: true, c: second }, "also when it was laid down before");
});

test("a held seat leaves nothing: it needs nothing", async () => {
  const { hand, state } = await browser({ held: true });
  assert.equal(hand.owes(state), null);
});

test("the player's choice counts until the server confirms it", async () => {
  const { state } = await browser({ order: false });
  const order = new AutoRoll();
  const shown = () => order.on(state.dice, "white").white.order;
  order.chosen(ON, "a-1");
  assert.equal(shown(), true);
  order.chosen(OFF, "a-2");
  order.receiveState(state.dice, "white");
  state.dice.white.order = true;
  assert.equal(shown(), false, "the second choice is not answered yet");
  order.answered({ t: "ack", id: "a-2", version: 3 });
  assert.equal(shown(), false);
  state.dice.white.order = false;
  order.receiveState(state.dice, "white");
  state.dice.white.order = true;
  assert.equal(shown(), true);
});

test("an order that spares the cube says so whenever the next element is left", async () => {
  const { hand, state, second } = await browser({ unless_double: true });
  assert.deepEqual(hand.owes(state), { t: "dice", order: true, unless_double: true, c: second });
});

test("the page says whether the next roll is prepared", () => {
  const textOf = (seat) => autoRollText({ ...SEAT, ...seat });
  assert.match(textOf({ order: false }), /^When your turn comes/);
  assert.match(textOf({ order: true, left: true }), /^Ready:/);
  assert.match(textOf({ order: true, left: false }), /^Not ready yet/);
  assert.match(textOf({ order: true, left: false, held: true }), /every turn/);
});

test("a choice that was refused is none", async () => {
  const { state } = await browser({ order: false });
  const order = new AutoRoll();
  order.chosen(ON, "a-1");
  order.answered({ t: "refused", id: "a-1", version: 3, code: "dice_none", ruling: "V", text: "" });
  assert.equal(order.on(state.dice, "white").white.order, false);
});
