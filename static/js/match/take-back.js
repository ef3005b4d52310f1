/**
 * Taking back one's last play against the computer (ruling B17): the button, and the offer after a blunder, with the best
 * play in it. The server's `may` says which play can be taken back.
 */
import { fill, gettext } from "../i18n.js";
import { decisionText, lossText } from "./hints.js";
import { disable, hide, write } from "./panel.js";

const VERB = /^take-back (\d+)$/;

/**
 * @typedef {object} TakeBackPage
 * @property {() => State} state
 * @property {() => boolean} sent - whether an act waits for its answer
 * @property {(action: string) => void} act
 * @property {(text: string) => void} announce
 * @property {() => void} follow - does what waited for the player's decision
 */

/** The number of the play that can be taken back, or null. Pure. @param {Pick<State, "may">} state */
export function playOf({ may }) {
  const found = may.map((name) => VERB.exec(name)).find(Boolean);
  return found ? Number(found[1]) : null;
}

/**
 * The actions that stand, without those that were taken back. Pure.
 * @template {{n: number, text: string}} A
 * @param {A[]} actions in their order
 * @returns {A[]}
 */
export function standing(actions) {
  /** @type {A[]} */
  const kept = [];
  for (const action of actions) {
    const play = VERB.exec(action.text);
    if (!play) kept.push(action);
    else while (kept.length && kept[kept.length - 1].n >= Number(play[1])) kept.pop();
  }
  return kept;
}

/** What a blunder gave away, and why. Pure but for the language. @param {import("./hints.js").Blunder} blunder */
export function offerText({ best, loss, reasons }) {
  const cost = fill(gettext("That was a blunder: %(best)s is better by %(loss)s points."), { best: decisionText(best), loss: lossText(loss) });
  return [cost, ...reasons.slice(0, 1)].join(" ");
}

export class TakeBack {
  /** the play that was judged last */
  #judged = 0;
  /** the play whose judgement is awaited */
  #asking = 0;
  /** the play that is offered to be taken back */
  #offered = 0;

  /** @param {HTMLElement} root @param {Pick<import("./hints.js").Hints, "tells" | "lastPlay"> | null} hints @param {TakeBackPage} page */
  constructor(root, hints, page) {
    this.hints = hints;
    this.page = page;
    this.button = /** @type {HTMLButtonElement | null} */ (root.querySelector('.match-help [data-do="take-back"]'));
    this.help = /** @type {HTMLElement | null} */ (root.querySelector(".match-help"));
    this.row = /** @type {HTMLElement | null} */ (root.querySelector("[data-part=blunder]"));
    this.text = /** @type {HTMLElement | null} */ (root.querySelector("[data-part=blunder-text]"));
  }

  /** Whether nothing may be rolled automatically: a roll lets the play stand. */
  get holds() {
    const play = playOf(this.page.state());
    return play !== null && (this.#asking === play || this.#offered === play);
  }

  /** A state came: a new play of the player is judged, where they want that. */
  update() {
    const { hints, page } = this;
    const play = playOf(page.state());
    if (play === null || play === this.#judged || !hints?.tells) return;
    this.#judged = this.#asking = play;
    void hints.lastPlay().then((blunder) => {
      if (this.#asking === play) this.#asking = 0;
      if (playOf(page.state()) !== play) return;
      if (blunder) this.#offer(play, offerText(blunder));
      else page.follow();
    });
  }

  /** Takes the last play back. */
  take() {
    const play = playOf(this.page.state());
    if (play !== null && !this.page.sent()) this.page.act(`take-back ${play}`);
  }

  /** The player lets the play stand. */
  keep() {
    this.#offered = 0;
    this.show();
    this.page.follow();
  }

  /** Shows the button and the offer as the state has them; a match that is over needs no help. */
  show() {
    const state = this.page.state();
    const play = playOf(state);
    const able = play !== null && !this.page.sent();
    if (this.button) disable(this.button, !able);
    if (this.help) hide(this.help, state.match.status === "over");
    if (!this.row) return;
    hide(this.row, play === null || play !== this.#offered);
    for (const button of this.row.querySelectorAll("button")) disable(button, !able);
  }

  /** @param {number} play @param {string} text */
  #offer(play, text) {
    this.#offered = play;
    if (this.text) write(this.text, text);
    this.show();
    this.page.announce(text);
  }
}
