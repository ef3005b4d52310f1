/** The actions of a match as far as this page knows them: those that came, and those before it was opened. */
import { standing } from "./take-back.js";

export class Record {
  /** @type {Action[]} */
  #actions = [];

  /** @param {string} apiUrl */
  constructor(apiUrl) {
    this.apiUrl = apiUrl;
  }

  /** @param {Action[]} actions also such that are known already */
  keep(actions) {
    const known = new Set(this.#actions.map((action) => action.n));
    this.#actions.push(...actions.filter((action) => !known.has(action.n)));
    this.#actions.sort((a, b) => a.n - b.n);
  }

  /** Every action up to a version, or null while some are missing. @param {number} version */
  whole(version) {
    return this.#actions.length === version ? this.#actions : null;
  }

  /** The actions of a game that stand. @param {number} game */
  ofGame(game) {
    return standing(this.#actions.filter((action) => action.game === game));
  }

  /** Asks for everything up to a version, page by page; what cannot be had now comes with a later event. @param {number} version @param {(actions: Action[]) => void} [onActions] */
  async load(version, onActions = () => {}) {
    try {
      for (let after = 0, pages = 0; after < version && pages < 40; pages += 1) {
        const answer = await fetch(`${this.apiUrl}sync/?after=${after}`, { headers: { Accept: "application/json" } });
        /** @type {{actions?: Action[]}} */
        const { actions = [] } = await answer.json();
        if (!actions.length) break;
        this.keep(actions);
        onActions(actions);
        after = actions[actions.length - 1].n;
      }
    } catch {
      // The list of plays stays short; play itself does not need it.
    }
  }
}
