/** The check of a decision before it is sent: a blunder is asked about first, if the player wants that. */
import { gettext } from "../i18n.js";

/** @typedef {import("./confirm.js").Question} Question */
/**
 * @typedef {object} CheckPage
 * @property {() => number} version - of the match that is shown
 * @property {(text: string) => void} note - shows what is going on
 * @property {() => void} clear - removes the note
 * @property {(question: Question, follows: () => void) => void} ask
 */

export class DecisionCheck {
  #checking = false;

  /** @param {Pick<import("./hints.js").Hints, "warns" | "warning"> | null} hints @param {CheckPage} page */
  constructor(hints, page) {
    this.hints = hints;
    this.page = page;
  }

  /** What follows is done at once, or after the check; not when the match has moved on meanwhile. @param {string} action @param {() => void} follows */
  run(action, follows) {
    const { hints, page } = this;
    if (!hints?.warns) {
      follows();
      return;
    }
    if (this.#checking) return;
    this.#checking = true;
    const version = page.version();
    page.note(gettext("Checking your decision…"));
    void hints.warning(action).then((warning) => {
      this.#checking = false;
      if (page.version() !== version) return;
      page.clear();
      if (warning) page.ask(warning, follows);
      else follows();
    });
  }
}
