/** The board of each family of games: the only place of the browser that knows there are several. */
import { createBoard } from "./board/index.js";
import { textOf } from "./board/play.js";
import { createSquares } from "./squares/index.js";

/**
 * The board that draws such a position.
 * @param {HTMLElement} element
 * @param {GameView} position
 * @param {{direction: "ccw" | "cw", bottom: Side}} options
 * @returns {AnyBoard}
 */
export function boardFor(element, position, options) {
  return position.family === "squares" ? createSquares(element, options) : createBoard(element, options);
}

/**
 * A try that the board could not make, as the server reads it: `13/7`, `11-20`.
 * @param {GameView} position
 * @param {{from: number, to: number}} tried
 */
export function triedText({ family }, { from, to }) {
  return family === "squares" ? `${from}-${to}` : textOf([[from, to, 0, 0, -1]]);
}
