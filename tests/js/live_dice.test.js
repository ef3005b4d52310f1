import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOf, hex } from "../../static/js/dice/hash.js";
import { DiceParticipant } from "../../static/js/dice/participant.js";
import { KeyStore, prune } from "../../static/js/dice/key-store.js";
import { commitment } from "../../static/js/dice/proof.js";
import { LiveVerifier } from "../../static/js/dice/live-verifier.js";
import { fairDice, resultText, waitText } from "../../static/js/dice/text.js";
import { MemoryStorage, SEAT, club, forge } from "./fixtures/dice.js";
import { live } from "./fixtures/states.js";

const DAY = 86_400_000;

/** ana's browser, and what her seat sees before anybody gave anything. */
function browser({ storage = new MemoryStorage(), now = () => 1000, opponent = {} } = {}) {
  const keys = new KeyStore("k3xPq9Zt", "white", { storage, now });
  const hand = new DiceParticipant("white", keys, forge);
  const dice = { ready: false, s0: "5e".repeat(32), white: { ...SEAT }, black: { ...SEAT, ...opponent } };
  const state = live({ dice, position: { phase: "opening" }, may: ["roll"] });
  return { keys, hand, dice, state, storage };
}

/** The server takes what this seat owes. */
function take({ hand, state, dice }) {
  const { t, c, ...fields } = hand.owes(state);
  assert.equal(t, "dice");
  Object.assign(dice.white, fields, c && { deposited: true });
  dice.pending = c;
  dice.ready = !!dice.white.end && (!!dice.black.end || dice.black.held);
  return { ...fields, ...(c && { c }) };
}

/** The opening falls: the deposits are used. */
function opened({ dice, state }) {
  Object.assign(dice.white, { shown: dice.pending, used: dice.white.used + 1, deposited: false });
  state.position = { ...state.position, phase: "roll" };
}

const OPPONENT = { end: "b0".repeat(32), commit: "cb".repeat(32) };

test("a browser commits, and shows its nonce only when the opponent has committed", async () => {
  const ana = browser();
  assert.equal(ana.hand.owes(ana.state), null, "the chain is not there yet");
  await ana.hand.open(ana.dice);
  const { end, commit } = take(ana);
  assert.equal(ana.hand.owes(ana.state), null);
  assert.equal(ana.hand.roll(ana.state), "wait");
  Object.assign(ana.dice.black, OPPONENT);
  ana.dice.ready = true;
  const { nonce, c } = take(ana);
  assert.equal(hex(commitment(bytesOf(nonce))), commit);
  const chain = await forge(bytesOf(ana.keys.kept.seed));
  assert.deepEqual([hex(chain.element(0)), hex(chain.element(1))], [end, c]);
  assert.equal(ana.hand.owes(ana.state), null);
  assert.deepEqual(ana.hand.roll(ana.state), {}, "the deposit is the element of the opening");
});

test("nothing is shown to a server that has promised nothing, or that says `ready` too early", async () => {
  for (const lack of [{ s0: null }, { ready: true }]) {
    const ana = browser();
    await ana.hand.open(ana.dice);
    take(ana);
    Object.assign(ana.dice, { ready: true, black: { ...SEAT, ...(lack.ready ? {} : OPPONENT) } }, lack);
    assert.equal(ana.hand.owes(ana.state), null);
  }
});

test("against the computer, which is held from the start, the nonce follows at once", async () => {
  const ana = browser({ opponent: { held: true } });
  await ana.hand.open(ana.dice);
  take(ana);
  assert.deepEqual(Object.keys(take(ana)), ["nonce", "c"]);
});

test("every roll carries the next element, and a new game asks for a deposit as soon as it is there", async () => {
  const ana = browser({ opponent: { held: true } });
  await ana.hand.open(ana.dice);
  take(ana);
  take(ana);
  opened(ana);
  const chain = await forge(bytesOf(ana.keys.kept.seed));
  assert.deepEqual(ana.hand.roll(ana.state), { c: hex(chain.element(2)) });
  assert.deepEqual(ana.hand.roll(ana.state), { c: hex(chain.element(2)) }, "a retry carries the same");
  Object.assign(ana.dice.white, { shown: hex(chain.element(2)), used: 2 });
  assert.equal(ana.hand.owes(ana.state), null);
  ana.state.position.phase = "opening";
  assert.equal(ana.hand.roll(ana.state), "wait");
  assert.deepEqual(ana.hand.owes(ana.state), { t: "dice", c: hex(chain.element(3)) });
  ana.state.ready = ["white"];
  assert.equal(ana.hand.owes(ana.state), null, "the seat has rolled");
});

test("another tab and a reload have the same key, another device has none", async () => {
  const ana = browser();
  await ana.hand.open(ana.dice);
  take(ana);
  const tab = browser({ storage: ana.storage });
  Object.assign(tab.dice.white, ana.dice.white);
  await tab.hand.open(tab.dice);
  assert.equal(tab.hand.lost(tab.dice), false);
  const phone = browser();
  Object.assign(phone.dice.white, ana.dice.white);
  await phone.hand.open(phone.dice);
  assert.equal(phone.hand.lost(phone.dice), true);
  assert.equal(phone.hand.owes(phone.state), null);
  assert.equal(phone.storage.length, 0);
});

test("a device without the key asks before it rolls without one, unless the seat is held or its deposit is there", async () => {
  const phone = browser();
  Object.assign(phone.dice.white, { end: "a0".repeat(32), commit: "ca".repeat(32) });
  await phone.hand.open(phone.dice);
  assert.equal(phone.hand.roll(phone.state), "ask");
  phone.dice.white.deposited = true;
  assert.deepEqual(phone.hand.roll(phone.state), {});
  Object.assign(phone.dice.white, { deposited: false, held: true });
  assert.deepEqual(phone.hand.roll(phone.state), {});
  phone.dice.white.held = false;
  phone.hand.agreed = true;
  assert.deepEqual(phone.hand.roll(phone.state), {});
});

test("a browser whose key was refused takes the one that another tab kept, else it has none", async () => {
  const ana = browser();
  await ana.hand.open(ana.dice);
  const other = JSON.stringify({ ...ana.keys.kept, seed: "0a".repeat(32) });
  ana.storage.setItem(ana.keys.name, other);
  await ana.hand.refused(ana.dice);
  assert.equal(ana.hand.lost(ana.dice), false);
  assert.equal(ana.hand.owes(ana.state).end, hex((await forge(bytesOf("0a".repeat(32)))).element(0)));
  await ana.hand.refused(ana.dice);
  assert.deepEqual([ana.hand.lost(ana.dice), ana.hand.roll(ana.state)], [true, "ask"]);
});

test("a match without proof, and a seat that is held, roll as they always did", async () => {
  const ana = browser();
  assert.deepEqual(ana.hand.roll({ ...ana.state, dice: null }), {});
  ana.dice.white.held = true;
  await ana.hand.open(ana.dice);
  assert.deepEqual([ana.hand.owes(ana.state), ana.hand.roll(ana.state), ana.storage.length], [null, {}, 0]);
});

test("keys are thrown away four weeks after the match, and when nobody came for more than a year", () => {
  const storage = new MemoryStorage();
  const make = (match, now) => {
    const keys = new KeyStore(match, "white", { storage, now: () => now });
    keys.make();
    return keys;
  };
  make("over", 0).over();
  make("left", 0);
  storage.setItem("theme", "dark");
  prune(storage, 28 * DAY);
  assert.equal(storage.length, 3);
  prune(storage, 29 * DAY);
  assert.deepEqual([storage.length, storage.getItem("tablero.dice.over.white")], [2, null]);
  prune(storage, 401 * DAY);
  assert.equal(storage.length, 1);
});

test("a browser that keeps nothing still has a key as long as the page lives", async () => {
  const none = { length: 0, key: () => null, getItem: () => null, setItem: () => { throw new Error("full"); }, removeItem() {} };
  const ana = browser({ storage: none });
  await ana.hand.open(ana.dice);
  assert.equal(typeof ana.hand.owes(ana.state).end, "string");
});

test("the promises are kept from before the nonce was shown, and a later page holds the club to them", async () => {
  const ana = browser({ opponent: { held: true } });
  await ana.hand.open(ana.dice);
  take(ana);
  take(ana);
  const later = new KeyStore("k3xPq9Zt", "white", { storage: ana.storage });
  assert.deepEqual(later.kept.promised, { s0: ana.dice.s0, a0: ana.dice.white.end, cA: ana.dice.white.commit });
  const watch = new LiveVerifier("k3xPq9Zt", later.kept.promised);
  watch.receiveState({ ...ana.dice, s0: "66".repeat(32) });
  assert.deepEqual(watch.fault, { i: 0, why: "changed" });
});

test("rolls are checked as they fall, in their order, whatever order they come in", async () => {
  const at = await club();
  const watch = new LiveVerifier("k3xPq9Zt");
  watch.receiveState(at.state);
  const [first, second, third] = ["O", "A", "B"].map((roller) => at.throw(roller));
  watch.add([third]);
  assert.deepEqual([watch.count, watch.known, watch.fault], [0, 1, null]);
  watch.add([first, { n: 3, game: 1, seat: "white", text: "8/5 6/5" }]);
  assert.equal(watch.count, 1);
  watch.add([first, second, third]);
  assert.deepEqual([watch.count, watch.known, watch.fault], [3, 3, null]);
});

test("a wrong roll, a roll that changed later, and a roll without proof are alarms that stay", async () => {
  const start = async () => {
    const at = await club();
    const watch = new LiveVerifier("k3xPq9Zt");
    watch.receiveState(at.state);
    watch.add([at.throw("O")]);
    return { at, watch };
  };
  const { at, watch } = await start();
  const second = at.throw("A");
  watch.add([{ ...second, text: second.text === "dice 66" ? "dice 65" : "dice 66" }]);
  assert.deepEqual(watch.fault, { i: 2, why: "dice" });
  watch.add([at.throw("B")]);
  assert.deepEqual([watch.fault, watch.count], [{ i: 2, why: "dice" }, 1]);

  const other = await start();
  const first = other.at.rolls[0];
  other.watch.add([{ n: 2, game: 1, seat: "chance", text: `dice ${first.dice.map((die) => (die % 6) + 1).join("")}`, proof: { ...first, dice: undefined } }]);
  assert.deepEqual([other.watch.fault.i, other.watch.fault.why], [1, "changed"]);

  const third = await start();
  third.watch.add([{ n: 5, game: 1, seat: "chance", text: "dice 31" }]);
  assert.deepEqual(third.watch.fault, { i: 2, why: "missing" });
});

test("a state that comes late takes no promise back, and another promise is an alarm", async () => {
  const at = await club();
  const watch = new LiveVerifier("k3xPq9Zt");
  watch.receiveState(at.state);
  watch.receiveState({ ...at.state, ready: false, black: { ...SEAT } });
  assert.equal(watch.fault, null);
  watch.add([at.throw("O")]);
  assert.equal(watch.count, 1);
  watch.receiveState({ ...at.state, black: { ...at.state.black, nonce: "00".repeat(32) } });
  assert.deepEqual(watch.fault, { i: 0, why: "changed" });
});

test("a match without proof is not watched", () => {
  const watch = new LiveVerifier("old");
  watch.receiveState(null);
  watch.add([{ n: 5, game: 1, seat: "chance", text: "dice 31" }]);
  assert.deepEqual([watch.fault, watch.known], [null, 0]);
});

const ANA = { side: "white", name: "ana", bot: false };
const BEA = { side: "black", name: "bea", bot: false };
const words = (watch, seats) => {
  const { kind, text, detail } = fairDice({ fault: null, count: 0, known: 0, ...watch }, { held: [], you: "white", ...seats });
  return [kind, text, detail];
};

test("fair dice are a quiet link, with the details behind it", () => {
  assert.deepEqual(words({}, { waits: [BEA] }), ["waiting", "Preparing dice…", "Waiting for bea's device to prepare the dice…"]);
  assert.deepEqual(words({}, {}), ["good", "Fair dice", ""]);
  assert.deepEqual(words({ count: 1, known: 1 }, {}), ["good", "Fair dice", "1 roll verified."]);
  assert.deepEqual(words({ count: 12, known: 12 }, {}), ["good", "Fair dice", "12 rolls verified."]);
  assert.deepEqual(words({ count: 3, known: 12 }, {})[2], "3 of 12 rolls verified.");
  assert.deepEqual(words({ count: 2, known: 2 }, { held: [BEA] }), [
    "partial", "Fair dice", "2 rolls verified. bea's device doesn't take part in the dice: the server and your device decide those rolls.",
  ]);
  assert.match(words({}, { held: [{ ...BEA, bot: true }] })[2], /computer player/);
  assert.match(words({}, { held: [ANA] })[2], /^Your device doesn't take part/);
  assert.equal(words({ count: 1, known: 1 }, { held: [ANA] })[1], "Fair dice");
  assert.match(words({}, { held: [BEA], you: null })[2], /the other player's device/);
  assert.deepEqual(words({ count: 9, known: 9 }, { held: [ANA, BEA] }).slice(0, 2), ["none", "These dice can't be verified"]);
  assert.deepEqual(words({ fault: { i: 7, why: "dice" } }, { held: [BEA] }), ["wrong", "Roll 7 failed verification", "The dice don't match the numbers they are made from."]);
});

test("a player learns for whom the dice wait, and what the check of the match found", () => {
  assert.equal(waitText([ANA], "white"), "Preparing your dice…");
  assert.equal(resultText({ fault: null, count: 40, held: [] }), "40 rolls verified.");
  assert.equal(resultText({ fault: null, count: 2, held: ["A", "B"] }), "2 rolls verified. Neither player's device took part in the dice, so they can't be verified.");
  assert.equal(resultText({ fault: { i: 3, why: "server" }, count: 2, held: [] }), "Roll 3 failed verification. The server's number doesn't match its commitment.");
});
