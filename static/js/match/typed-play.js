/** The field for a play in notation: the text view has it, elsewhere it comes and goes with a key. */
import { canonical, looksLikePlay } from "../points/notation.js";
import { fill, gettext } from "../i18n.js";
import { part } from "./panel.js";

/**
 * @typedef {object} TypedPlayPage
 * @property {AnyBoard} board
 * @property {() => boolean} plays - whether the user has a seat
 * @property {() => boolean} sent - whether an act waits for its answer
 * @property {(text: string) => string} send - sends an act: its id
 * @property {() => void} done - ends the turn
 * @property {() => void} show - shows the page anew
 * @property {(text: string, ruling?: string | null) => void} note
 */

export class TypedPlay {
  /** the field was asked for */
  wanted = false;
  /** @type {string | null} the id of a play that the board did not find, sent to learn why */
  #actId = null;

  /** @param {HTMLElement} root @param {TypedPlayPage} page */
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.form = /** @type {HTMLFormElement} */ (part(root, "typed"));
    this.form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.open(false);
    });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  /** @param {boolean} open */
  open(open) {
    if (!this.page.plays()) return;
    this.wanted = open;
    this.page.show();
    const field = /** @type {HTMLElement} */ (this.root.querySelector("#typed-play"));
    if (open) field.focus();
    else part(this.root, "headline").focus({ preventScroll: true });
  }

  #submit() {
    const { board, done, note, send, sent } = this.page;
    const field = /** @type {HTMLInputElement} */ (this.form.elements.namedItem("play"));
    if (!field.value.trim()) {
      done();
    } else if (board.type(field.value)) {
      field.value = "";
    } else {
      note(fill(gettext("%(play)s isn't a legal play now."), { play: field.value.trim() }));
      field.select();
      // The server says why: it refuses what the board could not read or find. Meanwhile the player may write on.
      if (looksLikePlay(field.value) && !sent()) this.#actId = send(canonical(field.value).trim());
    }
  }

  /** Shows the server's reason for refusing what was typed; whether the message was one. @param {{t: string, id?: string | null, text?: string, ruling?: string | null}} message */
  answer({ t, id, text = "", ruling = null }) {
    if (t !== "refused" || id !== this.#actId) return false;
    this.#actId = null;
    if (!this.page.board.started) this.page.note(text, ruling);
    return true;
  }
}
