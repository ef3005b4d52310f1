/** A diagram on the hundred squares of damas. */
import { createSquaresBoard } from "../squares/board.js";
import { centre } from "../squares/geometry.js";
import { arrow, overlay } from "./arrows.js";

/**
 * @typedef {object} Squares
 * @property {SquaresView} position
 * @property {string} play
 * @property {number[]} path the squares of the move, or none
 * @property {number[]} taken
 */

/** @param {HTMLElement} place @param {Squares} content */
export function squares(place, { position, path, taken }) {
  const element = document.createElement("div");
  element.inert = true;
  place.replaceChildren(element);
  const board = createSquaresBoard(element, { bottom: "white" });
  const situation = { position, you: null, may: [], last: null };
  board.set(situation);
  const marks = path.slice(1).map((square, i) => arrow(centre(path[i], false), centre(square, false), "play", 0));
  const layer = overlay(element.querySelector("svg:last-of-type"), marks);
  return {
    /** @param {boolean} on */
    show(on) {
      layer?.classList.toggle("faded", on);
      board.set(on ? { ...situation, position: { ...position, board: after(position, path, taken) } } : situation);
    },
  };
}

/**
 * The men after the move; a man on the last row is crowned.
 * @param {SquaresView} position @param {number[]} path @param {number[]} captured
 * @returns {SquaresView["board"]}
 */
function after({ board, turn }, path, captured) {
  const mover = turn === "black" ? "black" : "white";
  const other = mover === "white" ? "black" : "white";
  const [from, to] = [path[0], path[path.length - 1]];
  const last = mover === "white" ? to <= 5 : to >= 46;
  const king = board[mover].kings.includes(from) || last;
  /** @param {number[]} occupied */
  const without = (occupied) => occupied.filter((square) => square !== from && !captured.includes(square));
  const own = { men: without(board[mover].men), kings: without(board[mover].kings) };
  (king ? own.kings : own.men).push(to);
  return /** @type {SquaresView["board"]} */ ({
    [mover]: own,
    [other]: { men: without(board[other].men), kings: without(board[other].kings) },
  });
}
