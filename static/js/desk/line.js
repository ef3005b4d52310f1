/**
 * What a director means by a line such as "12 7-4", "maría 7 4" or "c2-3 garcía": the results that it can stand for.
 * Pure: no document, no network. The rules of a score stay with the server, which refuses what cannot be.
 */

/**
 * @typedef {object} OpenPairing
 * @property {string} key
 * @property {string[]} places what stands for the pairing: its mark, its board, its number
 * @property {string} label
 * @property {number} length
 * @property {[number, string][]} sides entrant number and name of the two
 * @property {boolean} [series] it is a whole series: its points are matches, and `length` of them win it
 */

/**
 * @typedef {object} Meaning a result; without `points` the score is not known
 * @property {OpenPairing} pairing
 * @property {number} winner which side, 0 or 1
 * @property {[string, string] | null} points of the winner and of the loser
 * @property {"played" | "walkover"} how
 */

const NUMBER = String.raw`\d{1,3}(?:[.,]5)?`;
const SCORE = new RegExp(String.raw`(?:^|\s)(${NUMBER})\s*[-–—:/\s]\s*(${NUMBER})$`, "u");
const LOSER = new RegExp(String.raw`\s(${NUMBER})$`, "u");
const WALKOVER = /(?:^|\s)w\.?o\.?$/u;

/** Without case, accents and doubled blanks. @param {string} text */
export function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/gu, " ").trim();
}

/**
 * The results that a line can stand for, the best first; none where it names no open pairing.
 * @param {string} text
 * @param {OpenPairing[]} pairings
 * @returns {Meaning[]}
 */
export function meanings(text, pairings) {
  return fitting(lineMeanings(text, pairings));
}

/**
 * Of a series and its present match the one whose score it can be: "2-1" or "7-4". Both, where it can be either.
 * @param {Meaning[]} found
 */
function fitting(found) {
  if (!found.some(({ pairing }) => pairing.series)) return found;
  const ends = found.filter(({ pairing: { series, length }, points }) =>
    !points || (series ? Number(points[0]) === length : Number(points[0]) >= length));
  return ends.length ? ends : found;
}

/** @param {string} text @param {OpenPairing[]} pairings @returns {Meaning[]} */
function lineMeanings(text, pairings) {
  const line = plain(text);
  if (!line) return [];
  const whole = read(line, null, "played", pairings); // "1-3" is a pairing, not a score of nobody
  if (whole.length) return whole;
  if (WALKOVER.test(line)) return read(line.replace(WALKOVER, ""), null, "walkover", pairings);
  const score = SCORE.exec(line);
  if (score) return read(line.slice(0, score.index), [score[1], score[2]], "played", pairings);
  const loser = LOSER.exec(line);
  return loser ? read(line.slice(0, loser.index), [null, loser[1]], "played", pairings) : [];
}

/**
 * @param {string} who a place, a name, or both
 * @param {[string | null, string] | null} points of the one named first, else of the pairing's first player
 * @param {"played" | "walkover"} how
 * @param {OpenPairing[]} pairings
 * @returns {Meaning[]}
 */
function read(who, points, how, pairings) {
  const words = who.trim().split(" ").filter(Boolean);
  if (!words.length) return [];
  const atPlace = pairings.flatMap((pairing) => {
    const names = afterPlace(words, pairing);
    return names ? results(pairing, names, points, how) : [];
  });
  if (atPlace.length) return atPlace; // "1 7-4" is the first match, not that of Walk-in 10
  const found = pairings.flatMap((pairing) => results(pairing, words, points, how));
  const exact = found.filter(({ pairing, winner }) => words.join(" ") === plain(pairing.sides[winner][1]));
  return exact.length ? exact : found;
}

/**
 * The words after those that name the place of a pairing; null where they name another place, or none.
 * @param {string[]} words
 * @param {OpenPairing} pairing
 */
function afterPlace(words, pairing) {
  for (const place of pairing.places) {
    const parts = place.split(" ");
    if (parts.every((part, at) => words[at] === part)) return words.slice(parts.length);
  }
  return null;
}

/**
 * The results of a pairing for the players who are named; for both of them without a name.
 * @param {OpenPairing} pairing
 * @param {string[]} names
 * @param {[string | null, string] | null} points
 * @param {"played" | "walkover"} how
 */
function results(pairing, names, points, how) {
  const sides = [0, 1].filter((side) => isNamed(pairing.sides[side][1], names));
  const found = sides.map((side) => result(pairing, side, points, how, names.length > 0)).filter((meaning) => meaning !== null);
  return found.filter((meaning, at) => !found.slice(0, at).some((other) => isSame(other, meaning)));
}

/** Whether each word begins a word of the name. @param {string} name @param {string[]} words */
function isNamed(name, words) {
  const parts = plain(name).split(/[\s.,'-]+/u);
  return words.every((word) => parts.some((part) => part.startsWith(word)) || plain(name).startsWith(word));
}

/**
 * @param {OpenPairing} pairing
 * @param {number} side the one whose points come first
 * @param {[string | null, string] | null} points
 * @param {"played" | "walkover"} how
 * @param {boolean} named whether the line names that side
 * @returns {Meaning | null}
 */
function result(pairing, side, points, how, named) {
  if (!points) return { pairing, winner: side, points: null, how };
  const own = (points[0] ?? (named ? String(pairing.length) : "")).replace(",", ".");
  const other = points[1].replace(",", ".");
  if (!own || (!named && side !== 0)) return null; // without a name the first number is the first player's
  if (points[0] === null && Number(other) >= pairing.length) return null; // more digits are to come
  return Number(own) >= Number(other)
    ? { pairing, winner: side, points: [own, other], how }
    : { pairing, winner: 1 - side, points: [other, own], how };
}

/** @param {Meaning} one @param {Meaning} other */
function isSame(one, other) {
  return one.pairing.key === other.pairing.key && one.winner === other.winner && String(one.points) === String(other.points);
}

/** The line that means a pairing and its winner; a score can follow. @param {Meaning} meaning */
export function completed({ pairing, winner }) {
  return `${pairing.label} ${pairing.sides[winner][1]} `;
}

/** The fields that the server takes. @param {Meaning} meaning @returns {Record<string, string>} */
export function fields({ pairing, winner, points, how }) {
  const sides = pairing.sides.map(([number]) => number);
  /** @type {Record<string, string>} */
  const score = points ? { won: points[0], lost: points[1] } : {};
  return { ...score, key: pairing.key, of: sides.join(" "), winner: String(sides[winner]), how };
}
