/** What happened, as steps to show before the new position settles: recorded actions become slides of pieces. Pure. */
import { rival } from "../board/state.js";
import { rays } from "./geometry.js";
import { isComplete } from "./play.js";
import { colourOf, drawn, jumped, moved, moverOf, openingDice, piecesNow, piecesOf, sceneOf, without } from "./state.js";
import { squaresOf } from "./typed.js";

/** @typedef {import("./state.js").View} View */
/** @typedef {import("./state.js").Pieces} Pieces */
/** @typedef {{scene: SquaresScene, ms: number, sound: "step" | "hit" | "roll" | null}} Moment */

const SLIDE = 240;
const TUMBLE = 1500;
const REST = 1400;

/**
 * @param {View} view what is drawn now
 * @param {Action[]} actions what came after it
 * @param {SquaresView | null} next the position they led to, null when it is another game's
 * @param {number | null} game the number of the game the drawing belongs to
 * @returns {Moment[]}
 */
export function story(view, actions, next, game) {
  /** @type {Moment[]} */
  const moments = [];
  const { position, bottom } = view;
  const base = { ...sceneOf(view), movable: [], picked: null, targets: [], ways: [], marks: { from: [], to: [] }, huff: [], dice: [] };
  const told = actions.filter((action) => game === null || action.game === game);
  let pieces = piecesNow(view).pieces;
  /** @type {Pieces | null} the pieces before the last move, for taking it back */
  let before = view.last ? takenBack(pieces, view.last.seat, view.last.text) : null;
  /** @param {number[]} [taken] @param {Moment["sound"]} [sound] */
  const slide = (taken = [], sound = "step") =>
    moments.push({ scene: { ...base, pieces: drawn(position, pieces, taken) }, ms: SLIDE, sound });

  told.forEach(({ seat, text }, at) => {
    const dice = /^dice ([1-6])([1-6])/.exec(text);
    if (dice) {
      const thrown = openingDice([Number(dice[1]), Number(dice[2])], bottom);
      moments.push({ scene: { ...base, dice: thrown, rollKey: `${text} ${at}` }, ms: TUMBLE, sound: "roll" });
    }
    if (seat !== "white" && seat !== "black") return;
    if (text === "compel" && before) {
      [pieces, before] = [before, null];
      slide();
    } else if (text.startsWith("huff ")) {
      pieces = without(pieces, rival(seat), [Number(text.slice(5))]);
      slide([], "hit");
    }
    const squares = squaresOf(text);
    if (!squares) return;
    if (at === 0 && drawnAlready(view, seat)) {
      before = piecesOf(position.board);
      return;
    }
    before = pieces;
    const taken = text.includes("x") ? takenBy(squares, pieces, rival(seat), next, told.slice(at + 1)) : [];
    const way = wayOf(pieces, squares, taken);
    const colour = colourOf(position, seat);
    for (let i = 1; i < way.length; i += 1) {
      const ends = i === way.length - 1;
      pieces = moved(pieces, { mover: seat, from: way[i - 1], to: way[i], colour, ends });
      const gone = jumped(way.slice(0, i + 1), taken);
      slide(ends ? taken : gone, gone.length ? "hit" : "step");
    }
    pieces = without(pieces, rival(seat), taken);
  });
  if (told.length && !next) moments.push({ scene: { ...base, pieces: drawn(position, pieces) }, ms: REST, sound: null });
  return moments;
}

/** My own move stands on the board before its event comes. @param {View} view @param {Side} seat */
function drawnAlready(view, seat) {
  return !!view.play && moverOf(view.position) === seat && isComplete(view.play);
}

/**
 * The pieces before a quiet move, or null where that was another action.
 * @param {Pieces} pieces
 * @param {Side} seat
 * @param {string} text
 */
function takenBack(pieces, seat, text) {
  const squares = text.includes("x") ? null : squaresOf(text);
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
function takenBy(squares, pieces, side, next, later) {
  const standing = pieces[side].map(({ square }) => square);
  if (!next) return jumped(squares, standing);
  const kept = new Set(piecesOf(next.board)[side].map(({ square }) => square));
  for (const { seat, text } of later) {
    if (seat === side) kept.add(squaresOf(text)?.[0] ?? 0);
    else if (text.startsWith("huff ")) kept.add(Number(text.slice(5)));
  }
  return standing.filter((square) => !kept.has(square));
}

/**
 * The squares where a piece lands on a recorded move: straight jumps over each taken piece once, through the squares that
 * the record names. Where no such way is found the piece slides straight on.
 * @param {Pieces} pieces
 * @param {number[]} squares
 * @param {number[]} taken
 */
export function wayOf(pieces, squares, taken) {
  const [from, to] = [squares[0], squares[squares.length - 1]];
  const full = new Set([...pieces.white, ...pieces.black].map(({ square }) => square).filter((square) => square !== from));
  const named = squares.slice(1, -1);
  /** @param {number[]} path @param {number[]} left @returns {number[] | null} */
  const search = (path, left) => {
    const here = path[path.length - 1];
    if (!left.length) return here === to && named.every((square) => path.includes(square)) ? path : null;
    for (const ray of rays(here)) {
      const at = ray.findIndex((square) => full.has(square));
      if (at < 0 || !left.includes(ray[at])) continue;
      for (const landing of ray.slice(at + 1)) {
        if (full.has(landing)) break;
        const found = search([...path, landing], left.filter((square) => square !== ray[at]));
        if (found) return found;
      }
    }
    return null;
  };
  return (taken.length ? search([from], taken) : null) ?? squares;
}
