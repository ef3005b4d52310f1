/**
 * What is drawn on the damas board: the position that the server sent, plus the move made so far at this screen. Pure.
 * A side is a seat; the colour of its men changes from game to game.
 */
import { rival } from "../board/state.js";
import { between, crowns } from "./geometry.js";
import { begin, isComplete, reach, sources, started } from "./play.js";
import { squaresOf } from "./typed.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {{square: number, king: boolean}} Piece */
/** @typedef {Record<Side, Piece[]>} Pieces by seat */

/**
 * @typedef {object} View
 * @property {SquaresView} position
 * @property {State["last"]} last
 * @property {Side} bottom the seat at the bottom of the screen
 * @property {"ccw" | "cw"} direction "cw": the board stands upside down
 * @property {boolean} mine may this viewer move now?
 * @property {Play | null} play the move under way, when it is this viewer's
 * @property {number | null} picked the square a piece was picked up from
 */

/**
 * @param {SquaresView} position
 * @param {{you?: Side | null, bottom?: Side, direction?: View["direction"], last?: View["last"], may?: string[]}} around
 * @returns {View}
 */
export function fresh(position, { you = null, bottom = you ?? "white", direction = "ccw", last = null, may = [] } = {}) {
  const mine = you !== null && position.turn === you && may.includes("move") && !!position.tree;
  return { position, last, bottom, direction, mine, play: mine && position.tree ? begin(position.tree) : null, picked: null };
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

/** @param {SquaresView} position @returns {Side | null} */
export function moverOf({ turn }) {
  return turn === "white" || turn === "black" ? turn : null;
}

/** Is the board drawn from Black's side? @param {Pick<View, "position" | "bottom" | "direction">} view */
export function isTurned({ position, bottom, direction }) {
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
 * @param {number[]} taken all that the move takes
 */
export function jumped(path, taken) {
  const legs = path.slice(1).flatMap((square, i) => between(path[i], square) ?? []);
  return taken.filter((square) => legs.includes(square));
}

/** The pieces as they stand now, and which of them are taken already. @param {View} view */
export function piecesNow({ position, play }) {
  const pieces = piecesOf(position.board);
  const mover = moverOf(position);
  if (!play || !mover || play.path.length < 2) return { pieces, taken: [] };
  const [from, to] = [play.path[0], play.path[play.path.length - 1]];
  const ends = isComplete(play);
  const after = moved(pieces, { mover, from, to, colour: colourOf(position, mover), ends });
  const taken = jumped(play.path, play.left.flatMap((move) => move.taken));
  return ends ? { pieces: without(after, rival(mover), play.left[0].taken), taken: [] } : { pieces: after, taken };
}

/**
 * @param {SquaresView} position whose colours hold
 * @param {Pieces} pieces
 * @param {number[]} taken
 * @returns {PieceDrawn[]}
 */
export function drawn(position, pieces, taken = []) {
  return /** @type {Side[]} */ (["white", "black"]).flatMap((seat) =>
    pieces[seat].map((piece) => ({ ...piece, colour: colourOf(position, seat), taken: taken.includes(piece.square) })),
  );
}

/**
 * Everything the board draws.
 * @param {View} view
 * @returns {SquaresScene}
 */
export function sceneOf(view) {
  const { position, play, picked } = view;
  const { pieces, taken } = piecesNow(view);
  const { ends, ways } = play && picked !== null ? reach(play, picked) : { ends: [], ways: [] };
  return {
    turned: isTurned(view),
    pieces: drawn(position, pieces, taken),
    movable: play ? sources(play) : [],
    picked,
    targets: ends,
    ways,
    marks: marksOf(view),
    huff: view.mine && position.huff && play && !started(play) ? position.huff.squares : [],
    dice: diceOf(view),
    rollKey: position.dice?.join("") ?? "",
  };
}

/** @param {View} view @returns {DieDrawn[]} */
function diceOf({ position, bottom }) {
  return position.phase === "move" || position.phase === "over" ? [] : openingDice(position.dice ?? [], bottom);
}

/**
 * One die for each seat, White's first.
 * @param {number[]} dice
 * @param {Side} bottom
 * @returns {DieDrawn[]}
 */
export function openingDice([white, black], bottom) {
  return /** @type {[Side, number | undefined][]} */ ([["white", white], ["black", black]]).flatMap(([side, value]) =>
    value ? [{ value, used: false, dim: false, mine: side === bottom, mark: side }] : [],
  );
}

/** The last move, marked until this side starts its own. @param {View} view */
function marksOf({ last, play, position }) {
  const squares = last && position.phase !== "opening" && !(play && started(play)) ? squaresOf(last.text) : null;
  return squares ? { from: [squares[0]], to: [squares[squares.length - 1]] } : { from: [], to: [] };
}
