/** What the preferences let the page do without a press: roll, play a forced play. */
import { gettext } from "../i18n.js";

/** How long a forced play is seen before it begins, and again before it is sent. */
const FORCED_PAUSE = 800;

/**
 * @typedef {object} AutomaticPage
 * @property {AnyBoard} board
 * @property {() => State} state
 * @property {() => boolean} sent - whether an act waits for its answer
 * @property {() => boolean} waits - whether a roll waits for the dice, or for the player
 * @property {() => boolean} asks - whether a question is open: a forced play, which would close it, waits for the answer
 * @property {() => boolean} rolls - whether the player wants rolls without a press
 * @property {() => boolean} forced - whether the player wants forced plays without a press
 * @property {() => number} game - the last game that the player has started
 * @property {() => void} roll
 * @property {() => void} done - ends the turn
 */

export class AutomaticActs {
  /** the version that was last answered, so that nothing is sent twice */
  #answered = -1;

  /** @param {AutomaticPage} page */
  constructor(page) {
    this.page = page;
  }

  run() {
    const { board, forced, game, roll, rolls, sent, waits } = this.page;
    const state = this.page.state();
    const { phase, huff } = state.position;
    if (!state.you || this.#answered === state.version || sent() || waits() || state.offer) return;
    const canRoll = state.may.includes("roll") && !state.may.includes("double") && rolls();
    const showsRoll = phase !== "opening" || game() === state.match.game;
    if (canRoll && showsRoll) {
      this.#answered = state.version;
      roll();
    } else if (forced() && board.forced && !huff && !state.may.includes("claim-draw")) {
      this.#answered = state.version;
      window.setTimeout(() => this.#force(state.version), FORCED_PAUSE);
    }
  }

  /** @param {number} version */
  #force(version) {
    const { asks, board, done, sent, state } = this.page;
    if (state().version !== version || board.started || sent()) return;
    if (asks()) {
      window.setTimeout(() => this.#force(version), FORCED_PAUSE);
      return;
    }
    board.playForced();
    board.announce(gettext("Forced play."));
    const send = () => {
      if (state().version !== version) return;
      if (asks()) window.setTimeout(send, FORCED_PAUSE);
      else done();
    };
    const wait = () => {
      if (board.complete) window.setTimeout(send, FORCED_PAUSE);
      else if (board.started && state().version === version) window.setTimeout(wait, 120);
    };
    wait();
  }
}
