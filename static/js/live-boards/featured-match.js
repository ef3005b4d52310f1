/**
 * One match, large: the board that players play on, as a spectator sees it, with what stands around it. Used by
 * TV and by the stream overlay; parts that a page does not have are passed over.
 */
import { boardFor } from "../boards.js";
import { Clock } from "../match/clock.js";
import { SIDES } from "../board/sides.js";
import { showClocks, showStrips, write } from "../match/panel.js";
import { headline, lastPlay, sentence, terms } from "./captions.js";
import { playBetween, stateOf } from "./feed.js";

const BOTTOM = "white";

export class FeaturedMatch {
  /** @type {string} the match and the family of the board that lies there */
  #shownFor = "";
  /** @type {AnyBoard | null} */
  #board = null;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.clock = new Clock((reading) => showClocks(root, reading, BOTTOM));
  }

  /** @param {LiveBoard} board @param {LiveBoard | null} before what was known of the same match */
  show(board, before) {
    const state = stateOf(board);
    this.#draw(state, this.#shownFor.startsWith(`${board.id} `) ? playBetween(before, board) : []);
    showStrips(this.root, state, BOTTOM, state.position.pips);
    this.clock.set(board.status === "live" ? board.clock : board.clock && { ...board.clock, running: null });
    this.#ratings(board);
    this.#write("terms", terms(board));
    this.#write("title", board.about.title);
    this.#write("headline", headline(board));
    this.#write("last", lastPlay(board));
    this.#write("text", sentence(board));
    this.#write("length", board.about.words.length);
    this.root.dataset.status = board.status;
    this.root.dataset.match = board.id;
  }

  /** @param {State} state @param {Action[]} actions */
  #draw(state, actions) {
    const holder = this.root.querySelector("[data-part=board]");
    if (!holder) return;
    const key = `${state.match.id} ${state.position.family}`;
    if (key !== this.#shownFor) {
      this.#shownFor = key;
      const place = document.createElement("div");
      place.className = "bd";
      holder.replaceChildren(place);
      this.#board = boardFor(place, state.position, { direction: "ccw", bottom: BOTTOM });
    }
    this.#board?.set({ ...state, game: state.match.game }, actions);
  }

  /** @param {LiveBoard} board */
  #ratings({ about }) {
    for (const side of SIDES) {
      const place = this.root.querySelector(`[data-strip="${side === BOTTOM ? "me" : "them"}"] [data-part="rating"]`);
      const rating = about.players[side]?.rating;
      if (place instanceof HTMLElement) write(place, rating ? String(Math.round(rating)) : "");
    }
  }

  /** @param {string} name @param {string} text */
  #write(name, text) {
    const place = this.root.querySelector(`[data-part="${name}"]`);
    if (!(place instanceof HTMLElement)) return;
    write(place, text);
    place.hidden = !text;
  }
}
