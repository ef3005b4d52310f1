/**
 * This browser's part in the dice of a seat: what it owes the server at each moment, and the element of each roll. It shows
 * nothing before the server and the opponent have committed to their part, and no element twice.
 */
import { opponentOf } from "../board/sides.js";
import { Chain, link } from "./hash-chain.js";
import { bytesOf, hex } from "./hash.js";
import { commitment } from "./proof.js";
import { commitmentsOf } from "./live-verifier.js";

/** @typedef {{t: "dice", end: string, commit: string} | {t: "dice", nonce: string, c: string} | {t: "dice", c: string} | {t: "dice", order: boolean, unless_double?: boolean, c?: string}} DiceFrame a frame without its id */
/** @typedef {{c?: string} | "wait" | "ask"} Roll what a roll carries; "wait" for the locking, "ask" the player whether to go on without a key */

export class DiceParticipant {
  /** @type {Chain | null} */
  #chain = null;
  #end = "";
  /** no key here, and none can be given any more */
  #lost = false;
  /** the server refused what this browser owes */
  #refused = false;
  /** the player agreed to roll without a key */
  agreed = false;

  /**
   * @param {Side} side
   * @param {import("./key-store.js").KeyStore} keys
   * @param {(seed: Uint8Array) => Promise<Chain>} [forge]
   */
  constructor(side, keys, forge = (seed) => Chain.of(seed)) {
    this.side = side;
    this.keys = keys;
    this.forge = forge;
  }

  /** Takes the key out of the browser's storage, or makes one while that is still possible. @param {DiceState} dice */
  async open(dice) {
    const seat = dice[this.side];
    this.keys.touch();
    if (seat.held) return;
    const kept = this.keys.kept ?? (seat.end ? null : this.keys.make());
    this.#lost = !kept;
    if (!kept) return;
    await this.#forge(kept.seed);
    // Two tabs may have made a key in the same moment: the one that stayed is everybody's.
    const now = this.keys.read();
    if (now && now.seed !== kept.seed) {
      this.keys.kept = now;
      await this.#forge(now.seed);
    }
  }

  /** @param {string} seed */
  async #forge(seed) {
    this.#chain = await this.forge(bytesOf(seed));
    this.#end = hex(/** @type {Uint8Array} */ (this.#chain.element(0)));
  }

  /** Is the key of this seat on another device, or lost? @param {DiceState} dice */
  lost(dice) {
    const seat = dice[this.side];
    if (seat.held) return false;
    return this.#lost || this.#refused || (this.#chain !== null && seat.end !== null && seat.end !== this.#end);
  }

  /** The server did not take what this browser sent. The other tabs' key may be the right one. @param {DiceState} dice */
  async refused(dice) {
    const now = this.keys.read();
    if (now && now.seed !== this.keys.kept?.seed) {
      this.keys.kept = now;
      await this.#forge(now.seed);
    } else if (!dice[this.side].held) {
      this.#refused = true;
    }
  }

  /**
   * What is to be sent now: the hand, the nonce with the first deposit, what is left for a roll that the server is to make,
   * or the deposit for the opening of another game. Nothing is left at a turn that has come: there the player may double.
   * @param {Pick<State, "dice" | "match" | "position" | "ready">} state
   * @returns {DiceFrame | null}
   */
  owes({ dice, match, position, ready }) {
    if (!dice || !this.#chain || match.status !== "live" || this.lost(dice)) return null;
    const seat = dice[this.side];
    const { kept } = this.keys;
    if (seat.held || !kept) return null;
    if (!seat.end) return { t: "dice", end: this.#end, commit: hex(commitment(bytesOf(kept.nonce))) };
    if (!dice.ready || !promised(dice, this.side)) return null;
    const opening = position.phase === "opening" && !ready.includes(this.side);
    const deciding = position.phase === "roll" && position.turn === this.side;
    const leaves = seat.order && !deciding && (opening || position.phase !== "opening");
    if (seat.nonce && !leaves && (!opening || seat.deposited)) return null;
    const c = this.element(dice);
    if (!c) return null;
    if (seat.nonce) return leaves ? { t: "dice", order: true, ...(seat.unless_double && { unless_double: true }), c } : { t: "dice", c };
    const { nA, nB, ...before } = commitmentsOf(dice);
    this.keys.keep(clean(before));
    return { t: "dice", nonce: kept.nonce, c };
  }

  /**
   * What a roll carries now.
   * @param {Pick<State, "dice" | "position">} state
   * @returns {Roll}
   */
  roll({ dice, position }) {
    if (!dice) return {};
    const seat = dice[this.side];
    const opening = position.phase === "opening";
    if (seat.held || (opening && seat.deposited)) return {};
    if (this.lost(dice)) return this.agreed ? {} : "ask";
    if (opening || !this.#chain) return "wait";
    const c = this.element(dice);
    if (c) return { c };
    return this.agreed ? {} : "ask";
  }

  /** The next element of this seat, which nobody has seen; null when the chain is used up or is not this seat's. @param {DiceState} dice */
  element(dice) {
    const { shown, end, used } = dice[this.side];
    const last = shown ?? end;
    const follows = (/** @type {number} */ k) => {
      const element = this.#chain?.element(k);
      return element && hex(link(element)) === last ? hex(element) : null;
    };
    return follows(used + 1);
  }
}

/** Have the server and the opponent committed to their part? @param {DiceState} dice @param {Side} side */
function promised(dice, side) {
  const other = dice[opponentOf(side)];
  return !!dice.s0 && (other.held || (!!other.end && !!other.commit));
}

/** @param {Record<string, string | null>} fields */
function clean(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value));
}
