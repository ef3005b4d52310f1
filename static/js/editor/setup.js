/**
 * A position that is set up by hand: men go from one place to another, fifteen a side. Pure. Places are White's: "me" is
 * White, and a point has White's number.
 */

/**
 * @typedef {object} Setup what an XGID says
 * @property {Men2} men
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

export const MEN = 15;

/** @param {Side} side @returns {Side} */
const rival = (side) => (side === "white" ? "black" : "white");

/** @returns {Men} */
const none = () => ({ points: Array(24).fill(0), bar: 0, off: MEN, stock: 0 });

/** All men in the trays. @returns {Men2} */
export function cleared() {
  return { white: none(), black: none() };
}

/** How many men of a side stand on a place. @param {Men2} men @param {Side} side @param {Place} place */
export function countAt(men, side, place) {
  const own = men[side];
  if (typeof place === "number") return own.points[(side === "white" ? place : 25 - place) - 1];
  const [kind, whose] = place.split("-");
  if ((whose === "me") !== (side === "white")) return 0;
  return kind === "bar" ? own.bar : own.off;
}

/** Whose men stand on a place. @param {Men2} men @param {Place} place @returns {Side | null} */
export function sideAt(men, place) {
  return /** @type {Side[]} */ (["white", "black"]).find((side) => countAt(men, side, place) > 0) ?? null;
}

/** Whether a man of a side may be put on a place: any place of his own, and a point that the rival does not hold. @param {Men2} men @param {Side} side @param {Place} place */
export function canPut(men, side, place) {
  if (typeof place === "number") return countAt(men, rival(side), place) === 0;
  return !place.startsWith("stock") && place.endsWith("-me") === (side === "white");
}

/** One man of a side from a place where he stands to a place where he may. @param {Men2} men @param {Side} side @param {Place} from @param {Place} to @returns {Men2} */
export function put(men, side, from, to) {
  const own = changed(changed(men[side], side, from, -1), side, to, 1);
  return /** @type {Men2} */ ({ ...men, [side]: own });
}

/** @param {Men} own @param {Side} side @param {Place} place @param {number} by @returns {Men} */
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

/** @param {Men} own */
export function pips(own) {
  return own.points.reduce((sum, count, index) => sum + count * (index + 1), own.bar * 25);
}

/** The same position with the colours exchanged. @param {Setup} setup @returns {Setup} */
export function exchanged(setup) {
  const { men, score, cube } = setup;
  return {
    ...setup,
    men: { white: men.black, black: men.white },
    score: { white: score.black, black: score.white },
    turn: rival(setup.turn),
    cube: { ...cube, owner: cube.owner && rival(cube.owner) },
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
