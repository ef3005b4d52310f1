/**
 * What is drawn on the damas board: the position that the server sent, plus the move made so far at this screen. Pure.
 * A side is a seat; the colour of its men changes from game to game.
 */
import { openingDice } from "../board/dice.js";
import { SIDES, moverOf, opponentOf } from "../board/sides.js";
import { beginView } from "../board/view.js";
import { between, crowns } from "./geometry.js";
import { begin, forced, isComplete, isStarted, reach, sources } from "./play.js";
import { parseSquares } from "./notation.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {{square: number, king: boolean}} Piece */
/** @typedef {Record<Side, Piece[]>} Pieces by seat */

/** @typedef {import("../board/view.js").View<SquaresView, Play, number>} View `bottom` is a seat */

/**
 * @param {SquaresView} position
 * @param {{you?: Side | null, bottom?: Side, last?: View["last"], may?: string[]}} around
 * @returns {View}
 */
export function viewOf(position, around = {}) {
  return beginView(position, around, begin);
}

/** @param {SquaresView} position */
export function taskOf({ board, tree, huff }) {
  return [board, tree, huff];
}

/** What was begun in a view, for the next one of the same task. @param {View} before @returns {Partial<View>} */
export function resume({ play, picked }) {
  return { play, picked };
}

/** The only move there is; while a man may be huffed there is more to decide. @param {View} view */
export function forcedIn({ play, position }) {
  return play && !position.huff ? forced(play.moves) : null;
}

/**
 * The colour of a seat's men in this game. Before the opening roll decides it White's seat is drawn with the white ones.
 * @param {SquaresView} position
 * @param {Side} seat
 * @returns {Side}
 */
export function colourOf(position, seat) {
  return position.colours?.[seat] ?? seat;
}

/**
 * Is the board drawn from Black's side?
 * @param {Pick<View, "position" | "bottom">} view
 * @param {"ccw" | "cw"} [direction] "cw": the board stands upside down
 */
export function isTurned({ position, bottom }, direction = "ccw") {
  return (colourOf(position, bottom) === "black") !== (direction === "cw");
}

/** @param {SquaresView["board"]} board @returns {Pieces} */
export function piecesOf(board) {
  /** @param {SquaresMen} side */
  const all = ({ men, kings }) => [...men.map((square) => ({ square, king: false })), ...kings.map((square) => ({ square, king: true }))];
  return { white: all(board.white), black: all(board.black) };
}

/**
 * The pieces after one of `mover` went from one square to another; a man who ends on the last row is crowned (D5).
 * @param {Pieces} pieces
 * @param {{mover: Side, from: number, to: number, colour: Side, ends: boolean}} step
 * @returns {Pieces}
 */
export function moved(pieces, { mover, from, to, colour, ends }) {
  const own = pieces[mover].map((piece) =>
    piece.square === from ? { square: to, king: piece.king || (ends && crowns(to, colour)) } : piece,
  );
  return { ...pieces, [mover]: own };
}

/**
 * @param {Pieces} pieces
 * @param {Side} side
 * @param {number[]} squares
 * @returns {Pieces}
 */
export function without(pieces, side, squares) {
  return { ...pieces, [side]: pieces[side].filter(({ square }) => !squares.includes(square)) };
}

/**
 * The squares of the men that a way jumps over.
 * @param {number[]} path
 * @param {number[]} captured all that the move takes
 */
export function jumped(path, captured) {
  const legs = path.slice(1).flatMap((square, i) => between(path[i], square) ?? []);
  return captured.filter((square) => legs.includes(square));
}

/** The pieces as they stand now, and which of them are captured already. @param {View} view */
export function piecesNow({ position, play }) {
  const pieces = piecesOf(position.board);
  const mover = moverOf(position);
  if (!play || !mover || play.path.length < 2) return { pieces, captured: [] };
  const [from, to] = [play.path[0], play.path[play.path.length - 1]];
  const ends = isComplete(play);
  const after = moved(pieces, { mover, from, to, colour: colourOf(position, mover), ends });
  const captured = jumped(play.path, play.left.flatMap((move) => move.taken));
  return ends ? { pieces: without(after, opponentOf(mover), play.left[0].taken), captured: [] } : { pieces: after, captured };
}

/**
 * @param {SquaresView} position whose colours hold
 * @param {Pieces} pieces
 * @param {number[]} captured
 * @returns {PieceDrawn[]}
 */
export function drawn(position, pieces, captured = []) {
  return SIDES.flatMap((seat) =>
    pieces[seat].map((piece) => ({ ...piece, colour: colourOf(position, seat), captured: captured.includes(piece.square) })),
  );
}

/**
 * Everything the board draws.
 * @param {View} view
 * @param {"ccw" | "cw"} [direction]
 * @returns {SquaresScene}
 */
export function sceneOf(view, direction) {
  const { position, play, picked } = view;
  const { pieces, captured } = piecesNow(view);
  const { ends, waypoints } = play && picked !== null ? reach(play, picked) : { ends: [], waypoints: [] };
  return {
    turned: isTurned(view, direction),
    pieces: drawn(position, pieces, captured),
    movable: play ? sources(play) : [],
    picked,
    targets: ends,
    waypoints,
    marks: marksOf(view),
    huff: view.canMove && position.huff && play && !isStarted(play) ? position.huff.squares : [],
    dice: diceOf(view),
    rollKey: position.dice?.join("") ?? "",
  };
}

/** @param {View} view @returns {DieDrawn[]} */
function diceOf({ position, bottom }) {
  return position.phase === "move" || position.phase === "over" ? [] : openingDice(position.dice ?? [], bottom);
}

/** The last move, marked until this side starts its own. @param {View} view */
function marksOf({ last, play, position }) {
  const squares = last && position.phase !== "opening" && !(play && isStarted(play)) ? parseSquares(last.text) : null;
  return squares ? { from: [squares[0]], to: [squares[squares.length - 1]] } : { from: [], to: [] };
}
