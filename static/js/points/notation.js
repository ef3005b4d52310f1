/**
 * Plays written by hand: `8/5 6/5`, `24/13`, `bar/20*`, `6/off(2)`. The words may be English, Spanish (`barra/20`,
 * `6/fuera`) or those of the language of the page.
 * What was written is matched against the tree of plays: it is legal only if the tree holds it.
 */
import { BAR, OFF, STOCK, advance, begin, choices, isComplete } from "./play.js";
import { gettext } from "../i18n.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {{from: number, to: number, hit: boolean}} Leg */

/** @type {Record<string, number>} */
const PLACES = { bar: BAR, off: OFF, stock: STOCK };

/** What may be a play, and no other action: `8/5 6/5`, `bar/20`, `11-16`. */
const PLAY = /^\s*(\d|bar|stock)/;

/** The words that are read for each place, in lower case. @returns {Record<string, string>} */
function words() {
  const local = { [gettext("bar")]: "bar", [gettext("off")]: "off", [gettext("stock")]: "stock" };
  const lower = Object.fromEntries(Object.entries(local).map(([word, place]) => [word.toLowerCase(), place]));
  return { barra: "bar", fuera: "off", mano: "stock", ...lower, bar: "bar", off: "off", stock: "stock" };
}

/** A written play in the words of the rules: `bar/20` for `Barra/20`. @param {string} text */
export function canonical(text) {
  const known = words();
  return text.toLowerCase().replace(/\p{L}[\p{L}\p{M}]*/gu, (word) => (Object.hasOwn(known, word) ? known[word] : word));
}

/** Whether a text may be a play, legal or not, and is no other action. @param {string} text */
export function looksLikePlay(text) {
  return PLAY.test(canonical(text));
}

/** A play in the language of its reader: `bar`, `off` and `stock` are words. @param {string} text */
export function localized(text) {
  return text.replace(/\bbar\b/g, gettext("bar")).replace(/\boff\b/g, gettext("off")).replace(/\bstock\b/g, gettext("stock"));
}

/** @param {string} word */
function place(word) {
  if (word in PLACES) return PLACES[word];
  const number = Number(word);
  return /^\d{1,2}$/.test(word) && number >= 0 && number <= BAR ? number : null;
}

/**
 * The legs of a written play, or null when it cannot be read. `24/18/13` is two legs, `6/off(2)` twice the same.
 * @param {string} text
 * @returns {Leg[] | null}
 */
export function parseLegs(text) {
  const written = canonical(text).trim().replace(/\s*\/\s*/g, "/").replace(/\s+([(*])/g, "$1");
  if (!written) return null;
  /** @type {Leg[]} */
  const found = [];
  for (const word of written.split(/[\s,;]+/)) {
    const shape = /^([a-z0-9*/]+?)(?:\((\d)\))?\*?$/.exec(word);
    if (!shape) return null;
    const stops = shape[1].split("/");
    if (stops.length < 2) return null;
    const star = word.endsWith(")*");
    /** @type {Leg[]} */
    const run = [];
    for (let i = 1; i < stops.length; i += 1) {
      const from = place(stops[i - 1].replace("*", ""));
      const to = place(stops[i].replace("*", ""));
      if (from === null || to === null || from <= to) return null;
      run.push({ from, to, hit: stops[i].endsWith("*") || star || (i === stops.length - 1 && word.endsWith("*")) });
    }
    for (let times = Number(shape[2] ?? 1); times > 0; times -= 1) found.push(...run);
  }
  return found;
}

/**
 * The play of the tree that makes exactly these legs, whatever their order; a leg may take several dice.
 * `complete` tells whether the whole roll is played. Null when the tree holds no such play.
 * @param {Tree} tree
 * @param {string} text
 * @returns {{play: Play, complete: boolean} | null}
 */
export function findPlay(tree, text) {
  const wanted = parseLegs(text);
  if (!wanted) return null;
  /** @type {{play: Play, complete: boolean} | null} */
  let partial = null;
  for (const play of walks(begin(tree), wanted)) {
    if (isComplete(play)) return { play, complete: true };
    partial ??= { play, complete: false };
  }
  return partial;
}

/** The play that a written one means, whole or begun; null when it is not legal. @param {Play} play @param {string} text */
export function parse({ tree }, text) {
  return findPlay(tree, text)?.play ?? null;
}

/**
 * All walks that make the legs and nothing else; where a leg was written with a star, walks that hit come first.
 * @param {Play} play
 * @param {Leg[]} left
 * @returns {Generator<Play>}
 */
function* walks(play, left) {
  if (!left.length) {
    yield play;
    return;
  }
  const starred = left.some((leg) => leg.hit);
  const halves = [...choices(play)].sort((a, b) => (starred ? b[3] - a[3] : a[3] - b[3]));
  for (const half of halves) {
    const tried = new Set();
    for (let i = 0; i < left.length; i += 1) {
      const leg = left[i];
      if (leg.from !== half[0] || half[1] < leg.to || tried.has(leg.to)) continue;
      tried.add(leg.to);
      const rest = left.filter((_, at) => at !== i);
      if (half[1] > leg.to) rest.push({ from: half[1], to: leg.to, hit: leg.hit });
      yield* walks(advance(play, half), rest);
    }
  }
}
