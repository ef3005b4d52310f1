/** The board of each family of games: the only place of the browser that knows there are several. */
import { createPointsBoard } from "./points/board.js";
import { notationOf } from "./points/play.js";
import { createSquaresBoard } from "./squares/board.js";

/**
 * The board that draws such a position.
 * @param {HTMLElement} element
 * @param {GameView} position
 * @param {{direction: "ccw" | "cw", bottom: Side}} options
 * @returns {AnyBoard}
 */
export function boardFor(element, position, options) {
  return position.family === "squares" ? createSquaresBoard(element, options) : createPointsBoard(element, options);
}

/**
 * A try that the board could not make, as the server reads it: `13/7`, `11-20`.
 * @param {GameView} position
 * @param {{from: number, to: number}} tried
 */
export function triedText({ family }, { from, to }) {
  return family === "squares" ? `${from}-${to}` : notationOf([[from, to, 0, 0, -1]]);
}
