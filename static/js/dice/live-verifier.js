/** The dice of a match as they fall: every roll is checked as soon as all before it are. No elements of the page here. */
import { Check, ZERO, diceOf, isDice } from "./verify.js";

/** @typedef {import("./verify.js").Fault} Fault */
/** @typedef {Partial<import("./verify.js").Promises>} Promised what was promised before the first roll, as far as it is known */

export class LiveVerifier {
  /** @type {Fault | null} the first thing that was wrong; it stays */
  fault = null;
  /** @type {Promised} */
  promised = {};
  /** @type {Map<number, TranscriptRoll>} what fell, by its number */
  #rolls = new Map();
  /** @type {Check | null} */
  #check = null;
  /** @type {DiceState | null} */
  #dice = null;

  /** @param {string} match @param {Promised | null} [kept] what this browser kept from an earlier visit */
  constructor(match, kept = null) {
    this.match = match;
    this.promised = { ...kept };
  }

  /** The rolls that are right. */
  get count() {
    return this.#check?.count ?? 0;
  }

  /** The rolls that are known, also those that wait for one before them. */
  get known() {
    return this.#rolls.size;
  }

  /** The seats that were held in a roll so far. */
  get held() {
    return this.#check?.held ?? new Set();
  }

  /** A state came, perhaps one that is older than another: what was promised once may never be another. @param {DiceState | null} dice */
  receiveState(dice) {
    if (!dice) return;
    this.#dice = dice;
    const commitments = commitmentsOf(dice);
    for (const name of /** @type {(keyof typeof commitments)[]} */ (Object.keys(commitments))) {
      const before = this.promised[name];
      if (before && commitments[name] && commitments[name] !== before) this.fault ??= { i: 0, why: "changed" };
      this.promised[name] ??= commitments[name] ?? undefined;
    }
    this.#go();
  }

  /** Actions came, also such that are known. @param {Action[]} actions */
  add(actions) {
    for (const action of actions) {
      if (!isDice(action)) continue;
      const { proof } = action;
      if (!proof) {
        if (this.#dice) this.fault ??= { i: this.count + 1, why: "missing" };
        continue;
      }
      const rolled = { ...proof, dice: diceOf(action.text) };
      const before = this.#rolls.get(proof.i);
      if (before && JSON.stringify(before) !== JSON.stringify(rolled)) this.fault ??= { i: proof.i, why: "changed" };
      this.#rolls.set(proof.i, before ?? rolled);
    }
    this.#go();
  }

  #go() {
    if (this.fault || !this.#dice || !this.#rolls.has(this.count + 1)) return;
    this.#check ??= this.#begin();
    for (let next; this.#check && !this.fault && (next = this.#rolls.get(this.#check.count + 1)); ) {
      this.fault = this.#check.next(next) ?? this.#check.nonces();
    }
  }

  /** With the first roll all promises stand: what a held seat never gave is zero. */
  #begin() {
    const { s0, a0 = ZERO, b0 = ZERO, cA = ZERO, cB = ZERO, nA = ZERO, nB = ZERO } = this.promised;
    try {
      return new Check({ match: this.match, s0: s0 ?? "", a0, b0, cA, cB, nA, nB });
    } catch {
      this.fault = { i: 0, why: "form" };
      return null;
    }
  }
}

/** What a state says of the promises. @param {DiceState} dice */
export function commitmentsOf({ s0, white, black }) {
  return { s0, a0: white.end, b0: black.end, cA: white.commit, cB: black.commit, nA: white.nonce, nB: black.nonce };
}
