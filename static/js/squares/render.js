/**
 * Draws a SquaresScene: what differs from the last drawing is changed, nothing else. Pieces keep their element while they
 * move, so that CSS can slide them. Knows nothing of play.
 */
import { dieGradients, drawDie } from "../board/dice.js";
import { Drawing } from "../board/drawing.js";
import { draw } from "../board/svg.js";
import { pieceGradients } from "../board/textures.js";
import { prefersReducedMotion } from "../board/timeline.js";
import { SIZE, SQUARE, SQUARES, boxOf, cell, centre, dieAt } from "./geometry.js";
import { drawHuff, drawPiece } from "./pieces.js";

/** @typedef {{element: SVGElement, square: number, colour: Side, king: boolean}} Piece */

const FADE = 320; // milliseconds
const DIE = 47;

export class SquaresDrawing extends Drawing {
  /** @type {Piece[]} */
  #pieces = [];
  #rollKey = "";

  /** @param {boolean} turned */
  constructor(turned) {
    super({ width: SIZE, height: SIZE }, "sq", ["marks", "targets", "numbers", "pieces", "huffs", "dice", "lifted"]);
    this.turned = turned;
    this.layers.dice.classList.add("bd-dice");
    this.numbers = SQUARES.map((square) => drawNumber(square, turned));
    this.layers.numbers.append(...this.numbers);
    this.svg.prepend(draw("defs", {}, [...pieceGradients(this.id), ...dieGradients(this.id)]));
  }

  /** @param {SquaresScene} scene */
  draw(scene) {
    this.#placePieces(scene);
    this.#signs(scene);
    this.#dice(scene);
  }

  /** @param {number} square @returns {Piece | null} */
  at(square) {
    return this.#pieces.find((piece) => piece.square === square) ?? null;
  }

  /** @override @param {Piece} piece */
  drop(piece) {
    super.drop(piece);
    this.#put(piece);
  }

  /** @param {SquaresScene} scene */
  #placePieces(scene) {
    const wanted = new Map(scene.pieces.map((piece) => [piece.square, piece]));
    /** @type {Piece[]} */
    const loose = [];
    for (const piece of this.#pieces) {
      const want = wanted.get(piece.square);
      if (want?.colour === piece.colour && want.king === piece.king) wanted.delete(piece.square);
      else loose.push(piece);
    }
    for (const want of wanted.values()) {
      const piece = nearest(loose, want);
      if (piece) loose.splice(loose.indexOf(piece), 1);
      this.#settle(piece ?? this.#newPiece(want), want);
    }
    for (const piece of loose) this.#fade(piece);
    const full = new Set(scene.pieces.map(({ square }) => square));
    this.numbers.forEach((number, i) => number.classList.toggle("covered", full.has(i + 1)));
    const captured = new Set(scene.pieces.filter((piece) => piece.captured).map(({ square }) => square));
    for (const piece of this.#pieces) {
      const { classList } = piece.element;
      classList.toggle("captured", captured.has(piece.square));
      classList.toggle("movable", scene.movable.includes(piece.square));
      classList.toggle("picked", scene.picked === piece.square);
    }
    this.svg.classList.toggle("choosing", scene.picked !== null);
  }

  /** @param {PieceDrawn} want @returns {Piece} */
  #newPiece({ square, colour }) {
    const piece = { element: drawPiece(colour, this.id), square, colour, king: false };
    this.layers.pieces.append(piece.element);
    this.#pieces.push(piece);
    this.#put(piece);
    return piece;
  }

  /** @param {Piece} piece @param {PieceDrawn} want */
  #settle(piece, { square, king }) {
    if (piece.square !== square) this.raise(piece);
    piece.square = square;
    piece.king = king;
    piece.element.classList.toggle("king", king);
    this.#put(piece);
  }

  /** @param {Piece} piece */
  #put(piece) {
    this.slide(piece, centre(piece.square, this.turned));
  }

  /** @param {Piece} piece */
  #fade(piece) {
    this.#pieces.splice(this.#pieces.indexOf(piece), 1);
    if (prefersReducedMotion()) {
      piece.element.remove();
      return;
    }
    piece.element.classList.add("fading");
    window.setTimeout(() => piece.element.remove(), FADE);
  }

  /** @param {SquaresScene} scene */
  #signs({ marks, targets, waypoints, huff }) {
    /** @param {string} kind @returns {(square: number) => [number, string]} */
    const as = (kind) => (square) => [square, kind];
    this.fillLayer("marks", [...marks.from.map(as("from")), ...marks.to.map(as("to"))], ([square, kind]) => this.#mark(square, kind));
    this.fillLayer("targets", [...targets.map(as("end")), ...waypoints.map(as("waypoint"))], ([square, kind]) => this.#target(square, kind));
    this.fillLayer("huffs", huff, (square) => {
      const { x, y } = centre(square, this.turned);
      return draw("g", { transform: `translate(${x} ${y})` }, [drawHuff()]);
    });
  }

  /** @param {number} square @param {string} kind */
  #mark(square, kind) {
    const { x, y } = boxOf(square, this.turned);
    return draw("rect", { class: `sq-mark ${kind}`, x: x + 1.6, y: y + 1.6, width: SQUARE - 3.2, height: SQUARE - 3.2, rx: 2.5 });
  }

  /** Where a move ends: the square glows, with a dot; on the way: a ring. @param {number} square @param {string} kind */
  #target(square, kind) {
    const { x, y } = boxOf(square, this.turned);
    const middle = { cx: x + SQUARE / 2, cy: y + SQUARE / 2 };
    const area = draw("rect", { class: kind === "end" ? "target" : "target-touch", x: x + 1.5, y: y + 1.5, width: SQUARE - 3, height: SQUARE - 3, rx: 2.5 });
    const sign = kind === "end" ? draw("circle", { class: "target-dot", ...middle, r: 7 }) : draw("circle", { class: "sq-waypoint", ...middle, r: 8.5 });
    return draw("g", {}, [area, sign]);
  }

  /** @param {SquaresScene} scene */
  #dice({ dice, rollKey }) {
    const fallen = rollKey !== "" && rollKey !== this.#rollKey;
    this.#rollKey = rollKey;
    this.fillLayer("dice", dice.map((die) => ({ die, rollKey })), ({ die }) => {
      const { x, y } = dieAt(die.atBottom);
      const seat = draw("g", { transform: `translate(${x} ${y})`, class: fallen ? "fallen" : "" });
      seat.append(drawDie(die, this.id, DIE));
      return seat;
    });
  }
}

/** The number in the corner of a square. @param {number} square @param {boolean} turned */
function drawNumber(square, turned) {
  const { x, y } = boxOf(square, turned);
  const label = draw("text", { x: x + 2.6, y: y + 2.6, dy: "0.72em", class: "sq-number" });
  label.textContent = String(square);
  return label;
}

/**
 * The piece that goes to a square: one of its colour, of its kind before all, the nearest.
 * @param {Piece[]} loose
 * @param {PieceDrawn} want
 * @returns {Piece | null}
 */
function nearest(loose, want) {
  const to = cell(want.square);
  /** @param {Piece} piece */
  const far = (piece) => {
    const at = cell(piece.square);
    return Math.hypot(at.row - to.row, at.column - to.column) + (piece.king === want.king ? 0 : 20);
  };
  return loose.filter(({ colour }) => colour === want.colour).sort((a, b) => far(a) - far(b))[0] ?? null;
}
