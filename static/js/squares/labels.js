/** What a screen reader says of the dark squares and the pieces on them. Pure. */
import { fill, gettext } from "../i18n.js";

/**
 * The button of each square.
 * @param {SquaresScene} scene
 * @returns {(square: number) => import("../board/accessible-grid.js").Cell}
 */
export function cellsOf(scene) {
  const pieces = new Map(scene.pieces.map((piece) => [piece.square, piece]));
  return (square) => {
    const piece = pieces.get(square);
    return {
      label: labelOf(scene, square, piece),
      classes: {
        movable: scene.movable.includes(square),
        picked: scene.picked === square,
        legal: scene.targets.includes(square) || scene.waypoints.includes(square),
        huffable: scene.huff.includes(square),
        white: piece?.colour === "white",
        black: piece?.colour === "black",
        king: !!piece?.king,
      },
    };
  };
}

/**
 * @param {SquaresScene} scene
 * @param {number} square
 * @param {PieceDrawn | undefined} piece
 */
export function labelOf(scene, square, piece) {
  const place = piece
    ? fill(gettext("Square %(number)s: %(piece)s"), { number: square, piece: pieceName(piece) })
    : fill(gettext("Square %(number)s: empty"), { number: square });
  if (scene.picked === square) return fill(gettext("%(place)s, picked up"), { place });
  if (piece?.captured) return fill(gettext("%(place)s, captured"), { place });
  if (scene.targets.includes(square)) return fill(gettext("%(place)s, legal destination"), { place });
  if (scene.waypoints.includes(square)) return fill(gettext("%(place)s, on the capture path"), { place });
  if (scene.huff.includes(square)) return fill(gettext("%(place)s, can be huffed"), { place });
  if (scene.picked === null && scene.movable.includes(square)) return fill(gettext("%(place)s, can move"), { place });
  return place;
}

/** @param {PieceDrawn} piece */
function pieceName({ colour, king }) {
  if (colour === "white") return king ? gettext("white king") : gettext("white man");
  return king ? gettext("black king") : gettext("black man");
}
