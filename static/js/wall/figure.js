/**
 * One board of a wall: a figure with a text for those who listen, and a picture with names, ratings, pips, clocks and
 * score. Everything in it leads to the table. Nothing in it is spoken by itself.
 */
import { LOW, face, read } from "../match/clock.js";
import { SIDES, coloured, halves } from "../match/words.js";
import { gettext } from "../words.js";
import { SmallBoard } from "./small.js";
import { headline, lastPlay, sentence, terms, turnOf } from "./words.js";

/** @param {string} tag @param {string} name @param {(Node | string)[]} children */
export function make(tag, name, ...children) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...children);
  return element;
}

/** @param {Element} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

class Strip {
  constructor() {
    this.name = make("bdi", "");
    this.rating = make("span", "wb-rating");
    this.pips = make("span", "wb-pips");
    this.clock = make("span", "wb-time");
    this.score = make("b", "wb-score");
    this.element = make("span", "wb-strip", make("span", "wb-side"), make("span", "wb-who", this.name, this.rating), this.pips, this.clock, this.score);
  }

  /** @param {WallBoard} board @param {Side} side @param {boolean} turn */
  show({ about, position, score, result }, side, turn) {
    const player = about.players[side];
    write(this.name, player?.name ?? "…");
    write(this.rating, player?.bot ? gettext("computer") : player?.rating ? String(Math.round(player.rating)) : "");
    write(this.pips, position.pips ? String(position.pips[side]) : "");
    write(this.score, halves(score[side]));
    this.element.dataset.side = coloured(position, side);
    this.element.classList.toggle("turn", turn);
    this.element.classList.toggle("won", result?.winner === side);
  }

  /** @param {import("../match/clock.js").Reading | null} reading @param {Side} side */
  tick(reading, side) {
    write(this.clock, reading ? face(reading.left[side]) : "");
    const running = reading?.running === side;
    this.clock.classList.toggle("running", running);
    this.clock.classList.toggle("low", running && reading.delay === 0 && reading.left[side] < LOW);
  }
}

export class Figure {
  /** @type {WallBoard | null} */
  #board = null;
  #dirty = false;
  /** whether it is in sight: what is not is drawn when it comes there */
  #seen = false;

  /** @param {string} id @param {{link?: boolean}} [options] */
  constructor(id, { link = true } = {}) {
    this.id = id;
    this.small = new SmallBoard();
    this.strips = { white: new Strip(), black: new Strip() };
    this.text = make("span", "visually-hidden");
    this.head = make("span", "wb-head");
    this.table = make("span", "wb-table");
    this.terms = make("span", "wb-terms");
    this.head.append(this.table, this.terms);
    this.line = make("span", "wb-line");
    this.over = make("span", "wb-over");
    this.over.hidden = true;
    const board = make("span", "wb-board", this.small.svg, this.over);
    const picture = make("span", "wb-picture", this.head, this.strips.black.element, board, this.strips.white.element, this.line);
    picture.setAttribute("aria-hidden", "true");
    const inner = make(link ? "a" : "div", "wb-link", this.text, picture);
    if (inner instanceof HTMLAnchorElement) inner.href = `/match/${id}/`;
    this.element = make("figure", "wb", inner);
    this.element.dataset.match = id;
  }

  /** Which table of a tournament this is. @param {string} table */
  label(table) {
    write(this.table, table);
  }

  /** @param {boolean} seen */
  see(seen) {
    this.#seen = seen;
    if (seen && this.#dirty) this.#draw();
  }

  /** @param {WallBoard} board */
  show(board) {
    this.#board = board;
    write(this.text, sentence(board));
    this.#dirty = true;
    if (this.#seen) this.#draw();
  }

  #draw() {
    const board = this.#board;
    if (!board) return;
    this.#dirty = false;
    const turn = turnOf(board);
    for (const side of SIDES) this.strips[side].show(board, side, turn === side);
    write(this.terms, terms(board));
    const over = board.status === "over";
    write(this.line, over ? "" : lastPlay(board) || headline(board));
    this.over.hidden = !over;
    write(this.over, over ? headline(board) : "");
    this.element.classList.toggle("is-over", over);
    this.small.show(board.position, board.last);
    this.tick();
  }

  /** The clocks run on between two words of the server. */
  tick() {
    const board = this.#board;
    if (!board || !this.#seen) return;
    const reading = board.clock && read(board.clock, board.status === "live" ? performance.now() - board.heard : 0);
    for (const side of SIDES) this.strips[side].tick(reading, side);
  }
}
