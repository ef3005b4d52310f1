/**
 * Where things lie on the board of 24 points, in the units of its drawing. Pure. Computed for the home board at the right
 * (checkers run counter-clockwise) and mirrored for the other direction.
 */

/** @typedef {import("../board/layout.js").Box} Box */

/** The diameter of a checker. */
export const CHECKER = 46;
export const POINT = 50;
const SIDE = 20;
const STRIP = 34;
const FIELD = 536;
const BARW = 54;
const RAIL = 12;
const TRAY = 56;
/** How high a checker stands in a tray, seen from its edge. */
export const SLAB = 14.5;

export const HEIGHT = FIELD + 2 * STRIP;
export const TOP = STRIP;
export const BOTTOM = STRIP + FIELD;
export const MIDDLE = HEIGHT / 2;
export const PEAK = 222;

/**
 * @typedef {object} Plan
 * @property {number} width
 * @property {boolean} stock is there a tray for checkers not yet entered?
 * @property {boolean} mirrored
 */

/**
 * @param {"ccw" | "cw"} direction
 * @param {boolean} stock
 * @returns {Plan}
 */
export function plan(direction, stock) {
  const width = SIDE + (stock ? TRAY + RAIL : 0) + 12 * POINT + BARW + RAIL + TRAY + SIDE;
  return { width, stock, mirrored: direction === "cw" };
}

/** @param {Plan} p */
const left = (p) => SIDE + (p.stock ? TRAY + RAIL : 0);
/** @param {Plan} p */
const right = (p) => left(p) + 6 * POINT + BARW;

/**
 * @param {Plan} p
 * @param {Box} box
 * @returns {Box}
 */
function mirrored(p, box) {
  return p.mirrored ? { ...box, x: p.width - box.x - box.w } : box;
}

/** The two halves of the playing field. @param {Plan} p */
export function fields(p) {
  return [left(p), right(p)].map((x) => mirrored(p, { x, y: TOP, w: 6 * POINT, h: FIELD }));
}

/** @param {Plan} p */
export function barBox(p) {
  return mirrored(p, { x: left(p) + 6 * POINT, y: 0, w: BARW, h: HEIGHT });
}

/**
 * The tray of checkers borne off, or of the stock; each side's half of it.
 * @param {Plan} p
 * @param {"off" | "stock"} kind
 * @param {boolean} me
 */
export function trayBox(p, kind, me) {
  const x = kind === "off" ? right(p) + 6 * POINT + RAIL : SIDE;
  const h = FIELD / 2 - 16;
  return mirrored(p, { x, y: me ? BOTTOM - h : TOP, w: TRAY, h });
}

/**
 * The column of a point, by the viewer's number.
 * @param {Plan} p
 * @param {number} n
 * @returns {Box}
 */
export function pointBox(p, n) {
  const column = n <= 12 ? 12 - n : n - 13;
  const x = column < 6 ? left(p) + column * POINT : right(p) + (column - 6) * POINT;
  return mirrored(p, { x, y: n <= 12 ? MIDDLE : TOP, w: POINT, h: FIELD / 2 });
}

/**
 * The outline of a point, its tip a little rounded.
 * @param {Plan} p
 * @param {number} n
 */
export function pointShape(p, n) {
  const box = pointBox(p, n);
  const base = n <= 12 ? BOTTOM : TOP;
  const up = n <= 12 ? -1 : 1;
  const tip = base + up * PEAK;
  const [a, b, middle] = [box.x + 2.5, box.x + POINT - 2.5, box.x + POINT / 2];
  return `M${a} ${base}L${middle - 1.6} ${tip - up * 4}Q${middle} ${tip + up * 1.5} ${middle + 1.6} ${tip - up * 4}L${b} ${base}Z`;
}

/**
 * The box of any place, for pointing and for focus.
 * @param {Plan} p
 * @param {Place} place
 * @returns {Box}
 */
export function boxOf(p, place) {
  if (typeof place === "number") return pointBox(p, place);
  const [kind, owner] = place.split("-");
  const me = owner === "me";
  if (kind === "bar") {
    const bar = barBox(p);
    return { x: bar.x, y: me ? MIDDLE : TOP, w: bar.w, h: FIELD / 2 };
  }
  return trayBox(p, kind === "off" ? "off" : "stock", me);
}

/**
 * The centre of the `index`-th checker (from 0) on a place. Those above the fifth (third on the bar) lie on the last one.
 * @param {Plan} p
 * @param {Place} place
 * @param {number} index
 * @returns {{x: number, y: number, slab: boolean}}
 */
export function slot(p, place, index) {
  const box = boxOf(p, place);
  const x = box.x + box.w / 2;
  if (typeof place === "number") {
    const depth = CHECKER / 2 + 2 + Math.min(index, 4) * CHECKER;
    return { x, y: place <= 12 ? BOTTOM - depth : TOP + depth, slab: false };
  }
  const me = place.endsWith("-me");
  if (place.startsWith("bar")) {
    const depth = 62 + Math.min(index, 2) * (CHECKER + 1);
    return { x, y: me ? MIDDLE + depth : MIDDLE - depth, slab: false };
  }
  const depth = 12 + (index + 0.5) * SLAB;
  return { x, y: me ? BOTTOM - depth : TOP + depth, slab: true };
}

/** How many checkers a place shows one by one before a count is written. @param {Place} place */
export function room(place) {
  if (typeof place === "number") return 5;
  return place.startsWith("bar") ? 3 : 15;
}

/**
 * The middle of the `index`-th of `count` dice.
 * @param {Plan} p
 * @param {boolean} atBottom
 * @param {number} index
 * @param {number} count
 */
export function dieAt(p, atBottom, index, count) {
  const halves = fields(p).sort((a, b) => a.x - b.x);
  const half = halves[atBottom ? 1 : 0];
  return { x: half.x + half.w / 2 + (index - (count - 1) / 2) * 54, y: MIDDLE };
}

/**
 * @param {Plan} p
 * @param {string} at
 */
export function cubeAt(p, at) {
  const bar = barBox(p);
  const x = bar.x + bar.w / 2;
  if (at === "me") return { x, y: BOTTOM - 24 };
  if (at === "them") return { x, y: TOP + 24 };
  if (at === "middle") return { x, y: MIDDLE };
  return { x, y: MIDDLE + (at === "offer-me" ? 8 : -8) }; // dice and buttons have their places beside the bar
}

/** The left and the right half of the playing field, as shares of the width of the board. @param {Plan} p */
export function halvesOf(p) {
  return fields(p).map(({ x, w }) => ({ x: x / p.width, w: w / p.width })).sort((a, b) => a.x - b.x);
}

/**
 * The place under a spot of the drawing, or null on the frame.
 * @param {Plan} p
 * @param {number} x
 * @param {number} y
 * @returns {Place | null}
 */
export function placeAt(p, x, y) {
  /** @type {Place[]} */
  const places = ["bar-me", "bar-them", "off-me", "off-them"];
  if (p.stock) places.push("stock-me", "stock-them");
  for (let n = 1; n <= 24; n += 1) places.push(n);
  for (const place of places) {
    const box = boxOf(p, place);
    const [above, below] = [box.y <= TOP + 1 ? STRIP : 0, box.y + box.h >= BOTTOM - 1 ? STRIP : 0];
    if (x >= box.x && x < box.x + box.w && y >= box.y - above && y < box.y + box.h + below) return place;
  }
  return null;
}

/**
 * The places in rows as they lie on the table, for walking them with arrow keys.
 * @param {Plan} p
 * @returns {Place[][]}
 */
export function rows(p) {
  /** @param {number} a @param {number} b @returns {Place[]} */
  const run = (a, b) => Array.from({ length: 6 }, (_, i) => a + (i * (b - a)) / 5);
  /** @type {Place[]} */
  const top = [...run(13, 18), "bar-them", ...run(19, 24), "off-them"];
  /** @type {Place[]} */
  const bottom = [...run(12, 7), "bar-me", ...run(6, 1), "off-me"];
  if (p.stock) {
    top.unshift("stock-them");
    bottom.unshift("stock-me");
  }
  return p.mirrored ? [top.reverse(), bottom.reverse()] : [top, bottom];
}

/**
 * @param {Plan} p
 * @returns {import("../board/layout.js").Layout<Place>}
 */
export function layoutOf(p) {
  return {
    width: p.width,
    height: HEIGHT,
    rows: rows(p),
    first: 6,
    boxOf: (place) => boxOf(p, place),
    placeAt: (x, y) => placeAt(p, x, y),
    near: (x, y) => [[-18, 0], [18, 0], [0, -30], [0, 30]].flatMap(([dx, dy]) => placeAt(p, x + dx, y + dy) ?? []),
  };
}
