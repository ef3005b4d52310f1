/** What binds a match, and the two dice of a roll (bgdice/1, as in games/dice/proof.py). */
import { joined, mac, plain, sha, utf8 } from "./hash.js";

/** @typedef {"A" | "B" | "O"} Roller White's roll, Black's, or the opening: die 1 is White's, die 2 Black's */

/** What a player publishes of their nonce before showing it. @param {Uint8Array} nonce */
export function commitment(nonce) {
  return sha("nonce", nonce);
}

/**
 * X: one number that binds the match, the three chains and both nonces.
 * @param {string} match
 * @param {{s0: Uint8Array, a0: Uint8Array, b0: Uint8Array, nA: Uint8Array, nB: Uint8Array}} promised
 */
export function context(match, { s0, a0, b0, nA, nB }) {
  return sha("ctx", utf8(match), s0, a0, b0, nA, nB);
}

/**
 * The dice of roll i (1, 2, 3 ... over the whole match).
 * @param {Uint8Array} x
 * @param {number} i
 * @param {Roller} roller
 * @param {Uint8Array} s the server's element
 * @param {Uint8Array} c the roller's element; at the opening White's and then Black's
 * @returns {[number, number]}
 */
export function roll(x, i, roller, s, c) {
  const number = new Uint8Array(4);
  new DataView(number.buffer).setUint32(0, i);
  let digest = mac(s, joined(x, number, utf8(roller), c));
  for (;;) {
    const [first, second] = [...digest].filter((byte) => byte < 252).map((byte) => (byte % 6) + 1);
    if (second) return [first, second];
    digest = plain(digest);
  }
}
