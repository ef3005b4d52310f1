/**
 * The check of the dice: roll after roll as they fall, or a whole transcript at once. What it accepts and where it stops
 * is the same as in docs/verify_dice.py.
 */
import { link, yieldToPage } from "./hash-chain.js";
import { bytesOf, hex, isHex, joined } from "./hash.js";
import { commitment, context, roll } from "./proof.js";

/** @typedef {"form" | "numbers" | "elements" | "server" | "player" | "back" | "held" | "dice" | "nonce" | "changed" | "missing" | "played"} Why */
/** @typedef {{i: number, why: Why, seat?: "A" | "B"}} Fault the first wrong roll, 0 before all of them; whose seat, where it is one */
/** @typedef {{match: string, s0: string, a0: string, b0: string, cA: string, cB: string, nA: string, nB: string}} Promises */

export const ZERO = "0".repeat(64);

const SEATS = /** @type {Map<string, ("A" | "B")[]>} */ (new Map([["A", ["A"]], ["B", ["B"]], ["O", ["A", "B"]]]));
const NAMES = /** @type {const} */ (["s0", "a0", "b0", "cA", "cB", "nA", "nB"]);
const AT_ONCE = 64;

/** The rolls of a match, checked in their order against what was promised before the first one. */
export class Check {
  /** the rolls that are right so far */
  count = 0;
  /** @type {Set<"A" | "B">} the seats that gave nothing more since some roll */
  held = new Set();
  /** @type {Set<"A" | "B">} the seats that have shown an element */
  #shown = new Set();

  /** @param {Promises} promised every number as 64 hex digits. Throws TypeError otherwise */
  constructor(promised) {
    const [s0, a0, b0, , , nA, nB] = NAMES.map((name) => bytesOf(promised[name]));
    this.promised = promised;
    this.x = context(promised.match, { s0, a0, b0, nA, nB });
    this.server = promised.s0;
    this.last = { A: promised.a0, B: promised.b0 };
  }

  /**
   * The next roll: null when it is right, else what is wrong with it.
   * @param {TranscriptRoll} received
   * @returns {Fault | null}
   */
  next(received) {
    const i = this.count + 1;
    if (received?.i !== i) return { i, why: "numbers" };
    const seats = SEATS.get(received.who);
    const present = [received.a, received.b].map((c) => c !== undefined);
    if (!seats || present[0] !== seats.includes("A") || present[1] !== seats.includes("B")) return { i, why: "elements" };
    if (!isHex(received.s) || hex(link(bytesOf(received.s))) !== this.server) return { i, why: "server" };
    const elements = [];
    let zeros = 0;
    for (const seat of seats) {
      const c = seat === "A" ? received.a : received.b;
      const zero = c === ZERO && received.held === true;
      const wrong = zero ? null : this.#element(seat, c);
      if (wrong) return { i, why: wrong, seat };
      if (zero) this.held.add(seat);
      zeros += Number(zero);
      elements.push(bytesOf(c));
    }
    if ((received.held === undefined ? false : received.held) !== zeros > 0) return { i, why: "held" };
    this.server = received.s;
    const dice = roll(this.x, i, received.who, bytesOf(received.s), joined(...elements));
    if (JSON.stringify(received.dice) !== JSON.stringify(dice)) return { i, why: "dice" };
    this.count = i;
    return null;
  }

  /** @param {"A" | "B"} seat @param {unknown} c @returns {Why | null} */
  #element(seat, c) {
    if (this.held.has(seat)) return "back";
    if (!isHex(c) || hex(link(bytesOf(c))) !== this.last[seat]) return "player";
    this.last[seat] = c;
    this.#shown.add(seat);
    return null;
  }

  /** Whether both nonces were those that were promised. A seat that never gave anything may have given none. @returns {Fault | null} */
  nonces() {
    const { nA, nB, cA, cB } = this.promised;
    for (const [seat, nonce, promised] of /** @type {["A" | "B", string, string][]} */ ([["A", nA, cA], ["B", nB, cB]])) {
      const never = nonce === ZERO && !this.#shown.has(seat);
      if (!never && hex(commitment(bytesOf(nonce))) !== promised) return { i: 0, why: "nonce", seat };
    }
    return null;
  }
}

/**
 * Checks a whole transcript, and that it tells of the dice that were played.
 * @param {unknown} received
 * @param {{played?: number[][] | null, promised?: Partial<Promises> | null, onProgress?: (done: number, of: number) => void, breath?: () => Promise<void>}} [options]
 * `played` are the dice of the record in their order, `promised` what this browser kept from before the first roll
 * @returns {Promise<{fault: Fault | null, count: number, held: ("A" | "B")[]}>} how many rolls are right, and which seats were held
 */
export async function checkTranscript(received, { played = null, promised = null, onProgress = () => {}, breath = yieldToPage } = {}) {
  const transcript = /** @type {Transcript} */ (received);
  /** @type {Check} */
  let check;
  try {
    if (transcript.v !== "bgdice/1" || typeof transcript.match !== "string" || !Array.isArray(transcript.rolls)) throw new TypeError("form");
    check = new Check(transcript);
  } catch {
    return { fault: { i: 0, why: "form" }, count: 0, held: [] };
  }
  /** @param {Fault | null} fault */
  const answer = (fault) => ({ fault, count: check.count, held: [...check.held].sort() });
  if (promised && Object.entries(promised).some(([name, value]) => value && transcript[/** @type {"s0"} */ (name)] !== value)) {
    return answer({ i: 0, why: "changed" });
  }
  const { rolls } = transcript;
  for (const [at, each] of rolls.entries()) {
    const fault = check.next(each);
    if (fault) return answer(fault);
    if (played && JSON.stringify(played[at]) !== JSON.stringify(each.dice)) return answer({ i: at + 1, why: "played" });
    if (check.count % AT_ONCE === 0) {
      onProgress(check.count, rolls.length);
      await breath();
    }
  }
  onProgress(rolls.length, rolls.length);
  if (played && played.length > rolls.length) return answer({ i: rolls.length + 1, why: "missing" });
  return answer(check.nonces());
}

/** The dice of recorded actions, in their order. @param {Pick<Action, "seat" | "text">[]} actions @returns {number[][]} */
export function rolledDice(actions) {
  return actions.filter(isDice).map(({ text }) => diceOf(text));
}

/** @param {Pick<Action, "seat" | "text">} action */
export function isDice({ seat, text }) {
  return seat === "chance" && /^dice [1-6][1-6]/.test(text);
}

/** @param {string} text `dice 31` */
export function diceOf(text) {
  return [Number(text[5]), Number(text[6])];
}
