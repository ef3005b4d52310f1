/**
 * Where the squares of the damas board lie, in the units of its drawing. Pure. The fifty dark squares are numbered as in
 * PDN: 1 to 5 in the row where Black starts, 46 to 50 in White's. `turned` draws the board from Black's side.
 */

export const SQUARE = 54;
export const FRAME = 26;
export const FIELD = 10 * SQUARE;
export const SIZE = FIELD + 2 * FRAME;
export const MIDDLE = SIZE / 2;
/** The radius of a man. */
export const PIECE_RADIUS = 21.6;

/** @typedef {import("../board/layout.js").Box} Box */

export const SQUARES = Array.from({ length: 50 }, (_, i) => i + 1);

/** Row and column of a square, from 0, seen from White's side. @param {number} square */
export function cell(square) {
  const row = Math.floor((square - 1) / 5);
  return { row, column: 2 * ((square - 1) % 5) + (row % 2 ? 0 : 1) };
}

/**
 * The dark square in a row and column, or null.
 * @param {number} row
 * @param {number} column
 */
export function squareIn(row, column) {
  if (row < 0 || row > 9 || column < 0 || column > 9 || (row + column) % 2 === 0) return null;
  return 5 * row + Math.floor(column / 2) + 1;
}

/**
 * @param {number} square
 * @param {boolean} turned
 * @returns {Box}
 */
export function boxOf(square, turned) {
  const { row, column } = cell(square);
  const [r, c] = turned ? [9 - row, 9 - column] : [row, column];
  return { x: FRAME + c * SQUARE, y: FRAME + r * SQUARE, w: SQUARE, h: SQUARE };
}

/**
 * @param {number} square
 * @param {boolean} turned
 */
export function centre(square, turned) {
  const { x, y } = boxOf(square, turned);
  return { x: x + SQUARE / 2, y: y + SQUARE / 2 };
}

/**
 * The dark square under a spot of the drawing, or null on a light one and on the frame.
 * @param {number} x
 * @param {number} y
 * @param {boolean} turned
 */
export function squareAt(x, y, turned) {
  const [row, column] = [Math.floor((y - FRAME) / SQUARE), Math.floor((x - FRAME) / SQUARE)];
  return turned ? squareIn(9 - row, 9 - column) : squareIn(row, column);
}

/** The squares in rows as they lie on the screen, for walking them with arrow keys. @param {boolean} turned */
export function rows(turned) {
  const all = turned ? [...SQUARES].reverse() : SQUARES;
  return Array.from({ length: 10 }, (_, row) => all.slice(5 * row, 5 * row + 5));
}

/**
 * The squares between two of one diagonal, in order; null when they share none.
 * @param {number} from
 * @param {number} to
 */
export function between(from, to) {
  const [a, b] = [cell(from), cell(to)];
  const steps = Math.abs(b.row - a.row);
  if (!steps || steps !== Math.abs(b.column - a.column)) return null;
  const [down, right] = [Math.sign(b.row - a.row), Math.sign(b.column - a.column)];
  return Array.from({ length: steps - 1 }, (_, i) => 5 * (a.row + (i + 1) * down) + Math.floor((a.column + (i + 1) * right) / 2) + 1);
}

/**
 * The squares of a diagonal beyond `square`, nearest first, for each of the four ways.
 * @param {number} square
 * @returns {number[][]}
 */
export function rays(square) {
  const { row, column } = cell(square);
  return [[-1, -1], [-1, 1], [1, -1], [1, 1]].map(([down, right]) => {
    const ray = [];
    for (let i = 1; ; i += 1) {
      const next = squareIn(row + i * down, column + i * right);
      if (next === null) return ray;
      ray.push(next);
    }
  });
}

/**
 * Is this the last row for the men of a colour, where they are crowned?
 * @param {number} square
 * @param {Side} colour
 */
export function crowns(square, colour) {
  return cell(square).row === (colour === "black" ? 9 : 0);
}

/** The middle of the die of the side at the bottom, or of its opponent's. @param {boolean} atBottom */
export function dieAt(atBottom) {
  return { x: FRAME + FIELD * (atBottom ? 0.7 : 0.3), y: MIDDLE };
}

/**
 * @param {boolean} turned
 * @returns {import("../board/layout.js").Layout<number>}
 */
export function layoutOf(turned) {
  const lines = rows(turned);
  return {
    width: SIZE,
    height: SIZE,
    rows: lines,
    first: lines[6][2],
    boxOf: (square) => boxOf(square, turned),
    placeAt: (x, y) => squareAt(x, y, turned),
    near: (x, y) => near(x, y, turned),
  };
}

/** The squares whose middle is near a spot. @param {number} x @param {number} y @param {boolean} turned */
function near(x, y, turned) {
  const far = 0.3 * SQUARE;
  return [[-far, 0], [far, 0], [0, -far], [0, far]].flatMap(([dx, dy]) => {
    const square = squareAt(x + dx, y + dy, turned);
    if (square === null) return [];
    const middle = centre(square, turned);
    return Math.hypot(middle.x - x, middle.y - y) < 0.8 * SQUARE ? [square] : [];
  });
}
