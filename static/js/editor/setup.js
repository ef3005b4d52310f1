/**
 * A position that is set up by hand: checkers go from one place to another, fifteen a side. Pure. Places are White's: "me" is
 * White, and a point has White's number.
 */

import { SIDES, opponentOf } from "../board/sides.js";

/**
 * @typedef {object} Setup what an XGID says
 * @property {Checkers} checkers
 * @property {Side} turn
 * @property {"roll" | "move" | "doubled"} phase
 * @property {number[]} dice two numbers while the phase is "move", else none
 * @property {{value: number, owner: Side | null, cap: number}} cube a cap of 1: no cube
 * @property {number} length 0: a free session
 * @property {Record<Side, number>} score
 * @property {boolean} crawford
 * @property {boolean} jacoby
 * @property {boolean} beavers
 */

export const CHECKERS = 15;

/** @returns {SideCheckers} */
const none = () => ({ points: Array(24).fill(0), bar: 0, off: CHECKERS, stock: 0 });

/** All checkers in the trays. @returns {Checkers} */
export function cleared() {
  return { white: none(), black: none() };
}

/** How many checkers of a side stand on a place. @param {Checkers} checkers @param {Side} side @param {Place} place */
export function countAt(checkers, side, place) {
  const own = checkers[side];
  if (typeof place === "number") return own.points[(side === "white" ? place : 25 - place) - 1];
  const [kind, whose] = place.split("-");
  if ((whose === "me") !== (side === "white")) return 0;
  return kind === "bar" ? own.bar : own.off;
}

/** Whose checkers stand on a place. @param {Checkers} checkers @param {Place} place @returns {Side | null} */
export function sideAt(checkers, place) {
  return SIDES.find((side) => countAt(checkers, side, place) > 0) ?? null;
}

/** Whether a checker of a side may be put on a place: any place of its own, and a point that the opponent does not hold. @param {Checkers} checkers @param {Side} side @param {Place} place */
export function canPut(checkers, side, place) {
  if (typeof place === "number") return countAt(checkers, opponentOf(side), place) === 0;
  return !place.startsWith("stock") && place.endsWith("-me") === (side === "white");
}

/** One checker of a side from a place where it stands to a place where it may. @param {Checkers} checkers @param {Side} side @param {Place} from @param {Place} to @returns {Checkers} */
export function put(checkers, side, from, to) {
  const own = changed(changed(checkers[side], side, from, -1), side, to, 1);
  return /** @type {Checkers} */ ({ ...checkers, [side]: own });
}

/** @param {SideCheckers} own @param {Side} side @param {Place} place @param {number} by @returns {SideCheckers} */
function changed(own, side, place, by) {
  if (typeof place !== "number") {
    return place.startsWith("bar") ? { ...own, bar: own.bar + by } : { ...own, off: own.off + by };
  }
  const points = [...own.points];
  points[(side === "white" ? place : 25 - place) - 1] += by;
  return { ...own, points };
}

/** The tray of a side. @param {Side} side @returns {Place} */
export function tray(side) {
  return side === "white" ? "off-me" : "off-them";
}

/** @param {SideCheckers} own */
export function pips(own) {
  return own.points.reduce((sum, count, index) => sum + count * (index + 1), own.bar * 25);
}

/** The same position with the colours exchanged. @param {Setup} setup @returns {Setup} */
export function exchanged(setup) {
  const { checkers, score, cube } = setup;
  return {
    ...setup,
    checkers: { white: checkers.black, black: checkers.white },
    score: { white: score.black, black: score.white },
    turn: opponentOf(setup.turn),
    cube: { ...cube, owner: cube.owner && opponentOf(cube.owner) },
  };
}

/** Whether the game may be the Crawford game: exactly one player is a point away. @param {Setup} setup */
export function mayBeCrawford({ length, score }) {
  return length > 1 && (score.white === length - 1) !== (score.black === length - 1);
}

/**
 * The setup with what cannot be taken back: a score inside the match, no cube in a match to one point, no Crawford game
 * where there can be none, and the cube of a double where its doubler has it.
 * @param {Setup} setup @returns {Setup}
 */
export function tidied(setup) {
  const { length } = setup;
  const most = length ? length - 1 : Infinity;
  const score = { white: Math.min(setup.score.white, most), black: Math.min(setup.score.black, most) };
  const crawford = setup.crawford && mayBeCrawford({ ...setup, score });
  const cubeless = length === 1 || setup.cube.cap === 1;
  const phase = setup.phase === "doubled" && (cubeless || crawford) ? "roll" : setup.phase;
  const cube = cubeless || crawford ? { ...setup.cube, value: 1, owner: null } : { ...setup.cube };
  if (cube.value === 1) cube.owner = null;
  if (phase === "doubled" && cube.owner) cube.owner = setup.turn;
  const money = length ? { jacoby: false, beavers: false } : {};
  return { ...setup, ...money, score, crawford, phase, cube, dice: phase === "move" ? setup.dice : [] };
}
