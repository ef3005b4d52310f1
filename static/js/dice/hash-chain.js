/**
 * A player's hash chain (bgdice/1, as in games/dice/chain.py): element 0 is published, element k is the k-th shown, and
 * the hash of each is the one before it. Only who has the seed can find the next one.
 */
import { BYTES, sha } from "./hash.js";

/** The elements of a player's chain: more rolls than the longest match asks of one seat. */
export const ELEMENTS = 4096;
/** Elements between two checkpoints. */
export const STEP = 128;
/** How long the page stands still at most, in milliseconds, and how often that is looked at, in hashes. */
const MAX_BUSY_MS = 8;
const CLOCK_CHECK_INTERVAL = 16;

/** H: the element that is shown before this one. @param {Uint8Array} element */
export function link(element) {
  return sha("chain", element);
}

export class Chain {
  /**
   * @param {number} length
   * @param {Uint8Array[]} marks mark j is element `length - j * STEP`; as secret as the seed, which is the first of them
   */
  constructor(length, marks) {
    this.length = length;
    this.marks = marks;
  }

  /**
   * The chain of a seed. The page goes on living meanwhile: `breath` is awaited again and again.
   * @param {Uint8Array} seed
   * @param {{length?: number, breath?: () => Promise<void>, now?: () => number}} [options]
   */
  static async of(seed, { length = ELEMENTS, breath = yieldToPage, now = () => performance.now() } = {}) {
    if (seed.length !== BYTES) throw new RangeError("a seed has 32 bytes");
    const marks = [seed];
    let element = seed;
    let rested = now();
    for (let done = 1; done <= length; done += 1) {
      element = link(element);
      if (done % STEP === 0) marks.push(element);
      if (done % CLOCK_CHECK_INTERVAL === 0 && now() - rested > MAX_BUSY_MS) {
        await breath();
        rested = now();
      }
    }
    return new Chain(length, marks);
  }

  /** Element k; 0 is the published end. Null past the last one. @param {number} k */
  element(k) {
    if (k < 0 || k > this.length) return null;
    const back = this.length - k;
    let element = this.marks[Math.floor(back / STEP)];
    for (let left = back % STEP; left > 0; left -= 1) element = link(element);
    return element;
  }
}

/** Lets the page breathe: what waits, a touch above all, comes first. @returns {Promise<void>} */
export function yieldToPage() {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    // Not a timer: browsers slow those down after some in a row.
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}
