/** What happened, as steps to show before the new position settles: recorded actions become slides of pieces. Pure. */
import { openingDice } from "../board/dice.js";
import { moverOf, opponentOf } from "../board/sides.js";
import { GAME_END, RECORDED_SLIDE } from "../board/timeline.js";
import { rays } from "./geometry.js";
import { parseSquares } from "./notation.js";
import { isComplete } from "./play.js";
import { colourOf, drawn, jumped, moved, piecesNow, piecesOf, sceneOf, without } from "./state.js";

/** @typedef {import("./state.js").View} View */
/** @typedef {import("./state.js").Pieces} Pieces */
/** @typedef {import("../board/timeline.js").AnimationStep<SquaresScene>} AnimationStep */

const TUMBLE = 1500;

/**
 * @param {View} view what is drawn now
 * @param {Action[]} actions what came after it
 * @param {{game: number | null, next: SquaresView | null, direction?: "ccw" | "cw"}} around the number of the game the drawing
 *   belongs to, the position the actions led to (null when it is another game's), the direction of the board
 * @returns {AnimationStep[]}
 */
export function animate(view, actions, { game, next, direction }) {
  /** @type {AnimationStep[]} */
  const steps = [];
  const { position, bottom } = view;
  const base = { ...sceneOf(view, direction), movable: [], picked: null, targets: [], waypoints: [], marks: { from: [], to: [] }, huff: [], dice: [] };
  const shown = actions.filter((action) => game === null || action.game === game);
  let pieces = piecesNow(view).pieces;
  /** @type {Pieces | null} the pieces before the last move, for taking it back */
  let before = view.last ? beforeMove(pieces, view.last.seat, view.last.text) : null;
  /** @param {number[]} [captured] @param {AnimationStep["sound"]} [sound] */
  const slide = (captured = [], sound = "step") =>
    steps.push({ scene: { ...base, pieces: drawn(position, pieces, captured) }, ms: RECORDED_SLIDE, sound });

  shown.forEach(({ seat, text }, at) => {
    const dice = /^dice ([1-6])([1-6])/.exec(text);
    if (dice) {
      const rolled = openingDice([Number(dice[1]), Number(dice[2])], bottom);
      steps.push({ scene: { ...base, dice: rolled, rollKey: `${text} ${at}` }, ms: TUMBLE, sound: "roll" });
    }
    if (seat !== "white" && seat !== "black") return;
    if (text === "compel" && before) {
      [pieces, before] = [before, null];
      slide();
    } else if (text.startsWith("huff ")) {
      pieces = without(pieces, opponentOf(seat), [Number(text.slice(5))]);
      slide([], "hit");
    }
    const squares = parseSquares(text);
    if (!squares) return;
    if (at === 0 && isDrawnAlready(view, seat)) {
      before = piecesOf(position.board);
      return;
    }
    before = pieces;
    const captured = text.includes("x") ? capturedBy(squares, pieces, opponentOf(seat), next, shown.slice(at + 1)) : [];
    const path = pathOf(pieces, squares, captured);
    const colour = colourOf(position, seat);
    for (let i = 1; i < path.length; i += 1) {
      const ends = i === path.length - 1;
      pieces = moved(pieces, { mover: seat, from: path[i - 1], to: path[i], colour, ends });
      const passed = jumped(path.slice(0, i + 1), captured);
      slide(ends ? captured : passed, passed.length ? "hit" : "step");
    }
    pieces = without(pieces, opponentOf(seat), captured);
  });
  if (shown.length && !next) steps.push({ scene: { ...base, pieces: drawn(position, pieces) }, ms: GAME_END, sound: null });
  return steps;
}

/** My own move stands on the board before its event comes. @param {View} view @param {Side} seat */
function isDrawnAlready(view, seat) {
  return !!view.play && moverOf(view.position) === seat && isComplete(view.play);
}

/**
 * The pieces before a quiet move, or null where that was another action.
 * @param {Pieces} pieces
 * @param {Side} seat
 * @param {string} text
 */
function beforeMove(pieces, seat, text) {
  const squares = text.includes("x") ? null : parseSquares(text);
  if (!squares) return null;
  const own = pieces[seat].map((piece) => (piece.square === squares[1] ? { ...piece, square: squares[0] } : piece));
  return { ...pieces, [seat]: own };
}

/**
 * The squares of the pieces of `side` that a capture took, as a record of moves does not name them: those that the later
 * position lacks, save the ones that moved or were huffed in between. Without a later position only a straight way tells.
 * @param {number[]} squares of the capture
 * @param {Pieces} pieces
 * @param {Side} side
 * @param {SquaresView | null} next
 * @param {Action[]} later
 */
function capturedBy(squares, pieces, side, next, later) {
  const standing = pieces[side].map(({ square }) => square);
  if (!next) return jumped(squares, standing);
  const kept = new Set(piecesOf(next.board)[side].map(({ square }) => square));
  for (const { seat, text } of later) {
    if (seat === side) kept.add(parseSquares(text)?.[0] ?? 0);
    else if (text.startsWith("huff ")) kept.add(Number(text.slice(5)));
  }
  return standing.filter((square) => !kept.has(square));
}

/**
 * The squares where a piece lands on a recorded move: straight jumps over each taken piece once, through the squares that
 * the record names. Where no such way is found the piece slides straight on.
 * @param {Pieces} pieces
 * @param {number[]} squares
 * @param {number[]} captured
 */
export function pathOf(pieces, squares, captured) {
  const [from, to] = [squares[0], squares[squares.length - 1]];
  const full = new Set([...pieces.white, ...pieces.black].map(({ square }) => square).filter((square) => square !== from));
  const named = squares.slice(1, -1);
  /** @param {number[]} path @param {number[]} left @returns {number[] | null} */
  const search = (path, left) => {
    const at = path[path.length - 1];
    if (!left.length) return at === to && named.every((square) => path.includes(square)) ? path : null;
    for (const ray of rays(at)) {
      const first = ray.findIndex((square) => full.has(square));
      if (first < 0 || !left.includes(ray[first])) continue;
      for (const landing of ray.slice(first + 1)) {
        if (full.has(landing)) break;
        const found = search([...path, landing], left.filter((square) => square !== ray[first]));
        if (found) return found;
      }
    }
    return null;
  };
  return (captured.length ? search([from], captured) : null) ?? squares;
}
