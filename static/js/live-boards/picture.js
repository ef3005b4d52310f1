/**
 * What a small board draws: a flat picture of a position, as a list of things with their places. Pure, and far less than
 * the large board has: a piece is one circle, nothing is shaded.
 */
import { BOTTOM, HEIGHT, MIDDLE, TOP, SLAB, boxOf, cubeAt, dieAt, plan, room, slot } from "../points/geometry.js";
import { checkersByPlace, sceneOf, viewOf } from "../points/state.js";
import { SIZE, boxOf as squareBox, centre, dieAt as squareDieAt } from "../squares/geometry.js";
import { sceneOf as sceneOfSquares, viewOf as freshSquares } from "../squares/state.js";

/** @typedef {{kind: string, at: string, x: number, y: number}} Spot a piece: `kind` is its colour, with "king" for a king; `at` names its place */
/** @typedef {{x: number, y: number, text: string, kind: string}} Count */
/** @typedef {import("../points/geometry.js").Box & {kind: string}} Bar the checkers of one side in a tray, as one thing */
/** @typedef {{x: number, y: number, value: number, kind: string}} Die */

/**
 * @typedef {object} Picture
 * @property {"points" | "squares"} family
 * @property {string} table names the surface: it is drawn again when this changes
 * @property {number} width
 * @property {number} height
 * @property {Spot[]} pieces
 * @property {Bar[]} bars
 * @property {Count[]} counts
 * @property {Die[]} dice
 * @property {{x: number, y: number, value: number, offered: boolean} | null} cube
 * @property {import("../points/geometry.js").Box[]} marks where the last play went
 */

/**
 * @param {GameView} position
 * @param {State["last"]} last
 * @returns {Picture}
 */
export function picture(position, last) {
  return position.family === "squares"
    ? ofSquares(/** @type {SquaresView} */ (position), last)
    : ofPoints(/** @type {PositionView} */ (position), last);
}

/** The plan of a table, with a tray for checkers that have not entered where there are any. @param {PositionView} position */
export function planOf({ board }) {
  return plan("ccw", board.white.stock > 0 || board.black.stock > 0);
}

/** @param {PositionView} position @param {State["last"]} last @returns {Picture} */
function ofPoints(position, last) {
  const p = planOf(position);
  const scene = sceneOf(viewOf(position, { last }));
  /** @type {Spot[]} */
  const pieces = [];
  /** @type {Bar[]} */
  const bars = [];
  /** @type {Count[]} */
  const counts = [];
  for (const side of /** @type {const} */ (["white", "black"])) {
    for (const [place, count] of checkersByPlace(scene, side)) {
      if (typeof place === "string" && !place.startsWith("bar")) {
        const box = boxOf(p, place);
        const below = place.endsWith("-me");
        const h = count * SLAB;
        bars.push({ kind: side, x: box.x + 5, y: below ? BOTTOM - 5 - h : TOP + 5, w: box.w - 10, h });
        counts.push({ x: box.x + box.w / 2, y: below ? HEIGHT - TOP / 2 : TOP / 2, text: String(count), kind: "tray" });
        continue;
      }
      const shown = Math.min(count, room(place));
      for (let i = 0; i < shown; i += 1) pieces.push({ kind: side, at: `${place}:${i}`, ...at(slot(p, place, i)) });
      if (count > shown) counts.push({ ...at(slot(p, place, count - 1)), text: String(count), kind: side });
    }
  }
  const split = new Set(scene.dice.map((die) => die.atBottom)).size > 1;
  const dice = scene.dice.map(({ value, atBottom, mark, dim }, i) => ({
    ...at(split ? dieAt(p, atBottom, 0, 1) : dieAt(p, atBottom, i, scene.dice.length)),
    value,
    kind: `${mark ?? ""}${dim ? " dim" : ""}`,
  }));
  const { cube } = scene;
  return {
    family: "points",
    table: p.stock ? "stock" : "points",
    width: p.width,
    height: HEIGHT,
    pieces,
    bars,
    counts,
    dice,
    cube: cube && { ...at(cubeAt(p, cube.at)), value: cube.value, offered: cube.at.startsWith("offer") },
    marks: [...scene.marks.from, ...scene.marks.to].map((place) => markOf(p, place)),
  };
}

/** @param {import("../points/geometry.js").Plan} p @param {Place} place */
function markOf(p, place) {
  const box = boxOf(p, place);
  const below = typeof place === "number" ? place <= 12 : String(place).endsWith("me");
  const x = box.x + box.w / 2 - 15;
  if (String(place).startsWith("bar")) return { x, y: MIDDLE + (below ? 30 : -36), w: 30, h: 6 };
  return { x, y: below ? BOTTOM + 3 : TOP - 9, w: 30, h: 6 };
}

/** @param {SquaresView} position @param {State["last"]} last @returns {Picture} */
function ofSquares(position, last) {
  const scene = sceneOfSquares(freshSquares(position, { last }));
  const { turned } = scene;
  return {
    family: "squares",
    table: turned ? "squares turned" : "squares",
    width: SIZE,
    height: SIZE,
    pieces: scene.pieces.map(({ square, colour, king }) => ({
      kind: king ? `${colour} king` : colour,
      at: String(square),
      ...centre(square, turned),
    })),
    bars: [],
    counts: [],
    dice: scene.dice.map(({ value, atBottom, mark }) => ({ ...squareDieAt(atBottom), value, kind: mark ?? "" })),
    cube: null,
    marks: [...scene.marks.from, ...scene.marks.to].map((square) => squareBox(square, turned)),
  };
}

/** @param {{x: number, y: number}} spot */
function at({ x, y }) {
  return { x, y };
}

/**
 * Which pieces stay, which move, which are added and which removed: those of one kind are all alike.
 * @template {{kind: string, at: string}} Drawn
 * @param {Drawn[]} drawn
 * @param {Spot[]} wanted
 * @returns {{moved: [Drawn, Spot][], added: Spot[], removed: Drawn[]}} `moved` holds also those that stay
 */
export function pieceChanges(drawn, wanted) {
  const free = new Map(drawn.map((piece) => [`${piece.kind} ${piece.at}`, piece]));
  /** @type {[Drawn, Spot][]} */
  const moved = [];
  /** @type {Spot[]} */
  const unplaced = [];
  for (const spot of wanted) {
    const key = `${spot.kind} ${spot.at}`;
    const piece = free.get(key);
    if (piece) {
      free.delete(key);
      moved.push([piece, spot]);
    } else {
      unplaced.push(spot);
    }
  }
  /** @type {Spot[]} */
  const added = [];
  for (const spot of unplaced) {
    const entry = [...free].find(([, piece]) => piece.kind === spot.kind);
    if (entry) {
      free.delete(entry[0]);
      moved.push([entry[1], spot]);
    } else {
      added.push(spot);
    }
  }
  return { moved, added, removed: [...free.values()] };
}
