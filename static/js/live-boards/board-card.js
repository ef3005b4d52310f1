/**
 * A live board: a figure with a text for screen readers, and a picture with names, ratings, pips, clocks and
 * score. Everything in it leads to the table. Nothing in it is spoken by itself.
 */
import { LOW, face, read } from "../match/clock.js";
import { SIDES } from "../board/sides.js";
import { coloured, halves } from "../match/format.js";
import { gettext } from "../i18n.js";
import { MiniBoard } from "./mini-board.js";
import { headline, lastPlay, sentence, terms, turnOf } from "./captions.js";

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
    this.rating = make("span", "live-board-rating");
    this.pips = make("span", "live-board-pips");
    this.clock = make("span", "live-board-time");
    this.score = make("b", "live-board-score");
    this.element = make("span", "live-board-strip", make("span", "live-board-side"), make("span", "live-board-player", this.name, this.rating), this.pips, this.clock, this.score);
  }

  /** @param {LiveBoard} board @param {Side} side @param {boolean} turn */
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

export class BoardCard {
  /** @type {LiveBoard | null} */
  #board = null;
  #dirty = false;
  /** only what is in sight is drawn */
  #visible = false;

  /** @param {string} id @param {{link?: boolean}} [options] */
  constructor(id, { link = true } = {}) {
    this.id = id;
    this.small = new MiniBoard();
    this.strips = { white: new Strip(), black: new Strip() };
    this.text = make("span", "visually-hidden");
    this.head = make("span", "live-board-head");
    this.table = make("span", "live-board-table");
    this.terms = make("span", "live-board-terms");
    this.head.append(this.table, this.terms);
    this.line = make("span", "live-board-line");
    this.over = make("span", "live-board-over");
    this.over.hidden = true;
    const board = make("span", "live-board-drawing", this.small.svg, this.over);
    const picture = make("span", "live-board-picture", this.head, this.strips.black.element, board, this.strips.white.element, this.line);
    picture.setAttribute("aria-hidden", "true");
    const inner = make(link ? "a" : "div", "live-board-link", this.text, picture);
    if (inner instanceof HTMLAnchorElement) inner.href = `/match/${id}/`;
    this.element = make("figure", "live-board", inner);
    this.element.dataset.match = id;
  }

  /** Which table of a tournament this is. @param {string} table */
  label(table) {
    write(this.table, table);
  }

  /** @param {boolean} visible */
  setVisible(visible) {
    this.#visible = visible;
    if (visible && this.#dirty) this.#draw();
  }

  /** @param {LiveBoard} board */
  show(board) {
    this.#board = board;
    write(this.text, sentence(board));
    this.#dirty = true;
    if (this.#visible) this.#draw();
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

  /** The clocks run on between two messages. */
  tick() {
    const board = this.#board;
    if (!board || !this.#visible) return;
    const reading = board.clock && read(board.clock, board.status === "live" ? performance.now() - board.receivedAt : 0);
    for (const side of SIDES) this.strips[side].tick(reading, side);
  }
}
