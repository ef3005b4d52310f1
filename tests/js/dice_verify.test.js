import assert from "node:assert/strict";
import { test } from "node:test";
import { Chain, link } from "../../static/js/dice/hash-chain.js";
import { bytesOf, hex, isHex } from "../../static/js/dice/hash.js";
import { commitment, roll } from "../../static/js/dice/proof.js";
import { checkTranscript, rolledDice } from "../../static/js/dice/verify.js";
import { ZERO, club, vector } from "./fixtures/dice.js";

const check = (transcript, options = {}) => checkTranscript(transcript, { breath: async () => {}, ...options });
const faultOf = async (transcript, options) => (await check(transcript, options)).fault;

test("a chain has the elements of the vector, whichever is asked for first", async () => {
  const { chain_of_32_zero_bytes: elements } = vector("primitives");
  const chain = await Chain.of(new Uint8Array(32), { length: 3 });
  assert.deepEqual([3, 1, 0, 2].map((k) => hex(chain.element(k))), [3, 1, 0, 2].map((k) => elements[k]));
  assert.deepEqual([chain.element(-1), chain.element(4)], [null, null]);
});

test("each element of a whole chain is what the next one hashes to, and a slow page breathes meanwhile", async () => {
  let [breaths, time] = [0, 0];
  const chain = await Chain.of(bytesOf("ab".repeat(32)), { breath: async () => { breaths += 1; }, now: () => (time += 5) });
  assert.equal(breaths, 4096 / 32);
  for (const k of [0, 1, 127, 128, 129, 4095]) assert.equal(hex(link(chain.element(k + 1))), hex(chain.element(k)));
  assert.equal(hex(chain.element(4096)), "ab".repeat(32));
});

test("a roll has the dice of the vector", () => {
  for (const { X, i, who: roller, s, c, dice } of vector("primitives").rolls) {
    const elements = roller === "O" ? new Uint8Array([...bytesOf(c.slice(0, 64)), ...bytesOf(c.slice(64))]) : bytesOf(c);
    assert.deepEqual(roll(bytesOf(X), i, roller, bytesOf(s), elements), dice);
  }
});

test("only 64 small hex digits are 32 bytes", () => {
  assert.deepEqual([isHex(ZERO), isHex("AB".repeat(32)), isHex("ab"), isHex(null)], [true, false, false, false]);
  assert.throws(() => bytesOf(`${ZERO}0`), TypeError);
});

test("the good transcript of the reference is right to its last roll", async () => {
  const transcript = vector("transcript1");
  assert.deepEqual(await check(transcript), { fault: null, count: transcript.rolls.length, held: [] });
});

test("the tampered ones of the reference are wrong where they were changed", async () => {
  const good = vector("transcript1");
  const dice = vector("tampered_dice");
  const changed = dice.rolls.findIndex((each, at) => JSON.stringify(each) !== JSON.stringify(good.rolls[at])) + 1;
  assert.deepEqual(await faultOf(dice), { i: changed, why: "dice" });
  const nonce = await faultOf(vector("tampered_nonce"));
  assert.ok(nonce.why === "dice" ? nonce.i === 1 : nonce.why === "nonce", JSON.stringify(nonce));
});

test("every kind of change is called wrong at its roll", async () => {
  const at = await club();
  for (const roller of "OABAB") at.throw(roller);
  const wrong = (change) => {
    const transcript = at.transcript();
    change(transcript, transcript.rolls);
    return faultOf(transcript);
  };
  const other = "cd".repeat(32);
  assert.deepEqual(await wrong((transcript) => { transcript.v = "bgdice/2"; }), { i: 0, why: "form" });
  assert.deepEqual(await wrong((transcript) => { transcript.s0 = "no"; }), { i: 0, why: "form" });
  assert.deepEqual(await wrong((transcript) => { transcript.rolls = null; }), { i: 0, why: "form" });
  assert.deepEqual(await wrong((_, rolls) => { rolls.splice(2, 1); }), { i: 3, why: "numbers" });
  assert.deepEqual(await wrong((_, rolls) => { rolls[1] = null; }), { i: 2, why: "numbers" });
  assert.deepEqual(await wrong((_, rolls) => { rolls[1].who = "B"; }), { i: 2, why: "elements" });
  assert.deepEqual(await wrong((_, rolls) => { rolls[1].who = "constructor"; }), { i: 2, why: "elements" });
  assert.deepEqual(await wrong((_, rolls) => { rolls[3].s = other; }), { i: 4, why: "server" });
  assert.deepEqual(await wrong((_, rolls) => { rolls[3].a = other; }), { i: 4, why: "player", seat: "A" });
  assert.deepEqual(await wrong((_, rolls) => { rolls[2].held = true; }), { i: 3, why: "held" });
  assert.deepEqual(await wrong((_, rolls) => { rolls[4].dice = [7, 1]; }), { i: 5, why: "dice" });
  assert.deepEqual(await wrong((transcript) => { transcript.cB = other; }), { i: 0, why: "nonce", seat: "B" });
  assert.deepEqual(await wrong((transcript) => { transcript.match = "another"; }), { i: 1, why: "dice" });
});

test("a held seat gives zeros from then on, and cannot come back", async () => {
  const at = await club();
  for (const roller of "OA") at.throw(roller);
  at.state.white.held = true;
  for (const roller of "BAB") at.throw(roller);
  assert.deepEqual(await check(at.transcript()), { fault: null, count: 5, held: ["A"] });
  at.state.white.held = false;
  at.throw("A");
  assert.deepEqual(await faultOf(at.transcript()), { i: 6, why: "back", seat: "A" });
});

test("seats that never sent anything are no error, and both are reported as held", async () => {
  const at = await club();
  for (const side of ["white", "black"]) Object.assign(at.state[side], { end: null, commit: null, nonce: null, held: true });
  for (const roller of "OAB") at.throw(roller);
  assert.deepEqual(await check(at.transcript()), { fault: null, count: 3, held: ["A", "B"] });
});

test("a transcript has to tell of the dice that were played, and of the promises that this browser kept", async () => {
  const at = await club();
  const played = rolledDice(["O", "A", "B"].map((roller) => at.throw(roller)));
  const transcript = at.transcript();
  assert.equal(await faultOf(transcript, { played, promised: { s0: transcript.s0, a0: transcript.a0 } }), null);
  assert.deepEqual(await faultOf(transcript, { promised: { b0: ZERO } }), { i: 0, why: "changed" });
  assert.deepEqual(await faultOf(transcript, { played: [...played, [1, 2]] }), { i: 4, why: "missing" });
  assert.deepEqual(await faultOf(transcript, { played: [played[0], [6, 6].map((die, n) => (played[1][n] === die ? 1 : die)), played[2]] }), { i: 2, why: "played" });
});

test("progress is reported, and a long match is checked in slices", async () => {
  const at = await club();
  for (let count = 0; count < 60; count += 1) at.throw("AB"[count % 2]);
  const seen = [];
  let breaths = 0;
  await check(at.transcript(), { onProgress: (done, of) => seen.push([done, of]), breath: async () => { breaths += 1; } });
  assert.deepEqual([seen.at(-1), breaths], [[60, 60], 0]);
});

test("the commitment to a nonce is that of the reference", () => {
  const { nA, cA } = vector("transcript1");
  assert.equal(hex(commitment(bytesOf(nA))), cA);
});
