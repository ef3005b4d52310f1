/**
 * Moves written by hand: `11-16`, `11 16`, `17x28`, `17x22x28`. What was written is matched against the moves that the
 * server sent; squares between the first and the last choose among several captures.
 */
import { begin, choose } from "./play.js";

/**
 * The squares of a written move, or null when it cannot be read.
 * @param {string} text
 */
export function parseSquares(text) {
  const trimmed = text.trim();
  if (!/^\d{1,2}(?:(?:\s*[-–x×:*,]\s*|\s+)\d{1,2})+$/i.test(trimmed)) return null;
  return trimmed.split(/\D+/).map(Number);
}

/**
 * The play that a written move makes: complete when it names one move, at its goal when several captures end there. Null
 * when no move is meant.
 * @param {SquaresMove[]} moves
 * @param {string} text
 */
export function findPlay(moves, text) {
  const squares = parseSquares(text);
  if (!squares) return null;
  const [from, to] = [squares[0], squares[squares.length - 1]];
  const inner = squares.slice(1, -1);
  const meant = moves.filter((move) => move.from === from && move.to === to && passes(move.path.slice(1, -1), inner));
  const exact = moves.filter((move) => parseSquares(move.text)?.join() === squares.join());
  const found = exact.length === 1 ? exact : meant;
  return found.length ? choose(begin(found), from, to) : null;
}

/**
 * The move that a written one means, from its beginning; of several captures to one square the path remains to be chosen.
 * @param {import("./play.js").Play} play
 * @param {string} text
 * @returns {import("./play.js").Play | null}
 */
export function parse({ moves }, text) {
  const found = findPlay(moves, text);
  return found && { ...found, moves, back: begin(moves) };
}

/** Does a way pass these squares in this order? @param {number[]} path @param {number[]} squares */
function passes(path, squares) {
  let at = 0;
  for (const square of squares) {
    at = path.indexOf(square, at) + 1;
    if (!at) return false;
  }
  return true;
}
