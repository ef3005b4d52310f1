/** The two sides of a match. Pure. */

/** @type {readonly Side[]} */
export const SIDES = ["white", "black"];

/** @param {Side} side @returns {Side} */
export function opponentOf(side) {
  return side === "white" ? "black" : "white";
}

/** The side to move; null while the dice or nobody is to. @param {Pick<GameView, "turn">} position @returns {Side | null} */
export function moverOf({ turn }) {
  return turn === "white" || turn === "black" ? turn : null;
}
