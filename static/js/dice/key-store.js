/**
 * The key of one seat of one match, as this browser keeps it: the seed of its chain and its nonce. Whoever has them could
 * foresee this seat's half of its rolls, so they never leave this file but as hashes, or when it is their time. Every tab
 * of the browser shares them; another device has none.
 */
import { bytesOf, hex, secret } from "./hash.js";

const NAME = "tablero.dice.";
const DAY = 86_400_000;
/** How long a key is kept after its match was seen to be over, and when nobody came back to the match. */
const WEEKS_AFTER = 28 * DAY;
const UNSEEN = 400 * DAY;

/** @typedef {{seed: string, nonce: string, seen: number, over?: number, promised?: import("./live-verifier.js").Promised}} Kept */

export class KeyStore {
  /**
   * @param {string} match
   * @param {Side} side
   * @param {{storage?: Storage | null, now?: () => number}} [options] without a storage the key lives as long as the page
   */
  constructor(match, side, { storage = local(), now = Date.now } = {}) {
    this.name = `${NAME}${match}.${side}`;
    this.storage = storage;
    this.now = now;
    /** @type {Kept | null} */
    this.kept = this.read();
  }

  /** What this browser has kept; null when it has no key of this match. @returns {Kept | null} */
  read() {
    try {
      const kept = JSON.parse(this.storage?.getItem(this.name) ?? "null");
      if (!kept) return null;
      bytesOf(kept.seed);
      bytesOf(kept.nonce);
      return kept;
    } catch {
      return null;
    }
  }

  /** Makes a key, unless another tab was quicker. @returns {Kept} */
  make() {
    this.kept = this.read() ?? { seed: hex(secret()), nonce: hex(secret()), seen: this.now() };
    this.#write();
    return this.kept;
  }

  /** The player is here, and the match goes on. Old keys of other matches are thrown away. */
  touch() {
    prune(this.storage, this.now());
    if (!this.kept) return;
    this.kept.seen = this.now();
    this.#write();
  }

  /** What was promised before this seat showed its nonce: a later page holds the club to it. @param {import("./live-verifier.js").Promised} promised */
  keep(promised) {
    if (!this.kept || this.kept.promised) return;
    this.kept.promised = promised;
    this.#write();
  }

  /** The match is over: the key is kept some weeks more. */
  over() {
    if (!this.kept || this.kept.over) return;
    this.kept.over = this.now();
    this.#write();
  }

  #write() {
    try {
      this.storage?.setItem(this.name, JSON.stringify(this.kept));
    } catch {
      // A full or forbidden storage: the key lives as long as this page.
    }
  }
}

/** @param {Storage | null} storage @param {number} now */
export function prune(storage, now) {
  try {
    const names = Array.from({ length: storage?.length ?? 0 }, (_, at) => storage?.key(at) ?? "");
    for (const name of names.filter((each) => each.startsWith(NAME))) {
      const { seen = 0, over = null } = readable(storage?.getItem(name));
      if (over === null ? now - seen > UNSEEN : now - over > WEEKS_AFTER) storage?.removeItem(name);
    }
  } catch {
    // Then nothing is thrown away this time.
  }
}

/** @param {string | null | undefined} text @returns {Partial<Kept>} */
function readable(text) {
  try {
    return JSON.parse(text ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** The storage of this browser, where it may be used. */
function local() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
