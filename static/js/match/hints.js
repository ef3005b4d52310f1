/**
 * Hints in an unrated match against the computer: what the engine would decide and why, on request; and, if the player
 * wants, a word before a blunder is played. The page has the dialog only where hints are allowed; the server decides.
 */
import { fill, gettext } from "../i18n.js";
import { localized } from "../points/notation.js";
import { csrf } from "./page.js";
import { part, write } from "./panel.js";

/** How long to wait between two questions for an answer, in milliseconds, and how often to ask. */
const PAUSE = 400;
const TRIES = 40;
/** How long a play waits for its judgement before it is sent anyway. */
const PATIENCE = 6000;
const WARN = "tablero.hints.warn";
const TELL = "tablero.hints.tell";

/** @typedef {{text: string, equity: number, loss: number}} Option */
/** @typedef {{play: string} | {last: true}} Asked what is judged */
/** @typedef {{text: string, loss: number, grade: string, reasons: string[]}} Judged */
/** @typedef {{best: string, loss: number, reasons: string[]}} Blunder what was best in the place of a blunder */
/** @typedef {{status: string, kind: string | null, options: Option[], reasons: string[], judged: Judged | null}} Hint */

/** A decision in words: a play as it is written here, a cube action by its name. Pure. @param {string} text */
export function decisionText(text) {
  const names = { double: gettext("Double"), roll: gettext("Don't double"), take: gettext("Take"), drop: gettext("Drop") };
  return names[/** @type {keyof typeof names} */ (text)] ?? localized(text);
}

/** Points with three decimals, as the reader writes them. Pure. @param {number} loss */
export function lossText(loss) {
  return new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 3, maximumFractionDigits: 3 }).format(loss);
}

/**
 * What is asked before a blunder is played. Pure but for the language.
 * @param {Judged} judged @param {Hint} hint
 * @returns {import("./confirm.js").Question}
 */
export function warningOf({ loss, reasons }, { options }) {
  const cost = fill(gettext("%(best)s is better by %(loss)s points."), { best: decisionText(options[0].text), loss: lossText(loss) });
  return { title: gettext("That's a blunder. Are you sure?"), text: [cost, ...reasons].join(" "), facts: [], yes: gettext("Go ahead") };
}

/** A switch that this device remembers. @param {HTMLInputElement} box @param {string} key */
function stored(box, key) {
  try {
    box.checked = (localStorage.getItem(key) ?? (box.defaultChecked ? "on" : "off")) === "on";
  } catch {
    // a browser without storage asks again on every page
  }
  box.addEventListener("change", () => {
    try {
      localStorage.setItem(key, box.checked ? "on" : "off");
    } catch {
      // it holds for this page
    }
  });
  return box;
}

export class Hints {
  /** @param {HTMLElement} root @param {HTMLDialogElement} dialog */
  constructor(root, dialog) {
    this.root = root;
    this.dialog = dialog;
    this.url = dialog.dataset.url ?? "";
    this.warn = stored(/** @type {HTMLInputElement} */ (part(dialog, "hint-warn")), WARN);
    this.tell = stored(/** @type {HTMLInputElement} */ (part(dialog, "hint-tell")), TELL);
  }

  /** The hints of this page, or null where none are given. @param {HTMLElement} root */
  static of(root) {
    const dialog = root.querySelector("[data-part=hint-dialog]");
    return dialog instanceof HTMLDialogElement ? new Hints(root, dialog) : null;
  }

  /** Whether the player wants to hear of a blunder before it is played. */
  get warns() {
    return this.warn.checked;
  }

  /** Whether the player wants to hear of a blunder after it was played; who was warned before knows. */
  get tells() {
    return this.tell.checked && !this.warns;
  }

  /** Shows what the engine would decide now. */
  async show() {
    write(part(this.dialog, "hint-best"), gettext("Thinking…"));
    part(this.dialog, "hint-options").replaceChildren();
    part(this.dialog, "hint-reasons").replaceChildren();
    if (!this.dialog.open) this.dialog.showModal();
    try {
      this.#fill(await this.#answer({ play: "" }));
    } catch (error) {
      write(part(this.dialog, "hint-best"), error instanceof Refusal ? error.message : gettext("The hint could not be loaded. Try again."));
    }
  }

  /**
   * The warning before a decision, if it is a blunder; null where it is none, or where nobody could say in time.
   * @param {string} action
   */
  async warning(action) {
    const hint = await this.#inTime({ play: action });
    return hint?.judged?.grade === "blunder" ? warningOf(hint.judged, hint) : null;
  }

  /** What was best in the place of the last play, if that was a blunder; else null. @returns {Promise<Blunder | null>} */
  async lastPlay() {
    const hint = await this.#inTime({ last: true });
    if (hint?.judged?.grade !== "blunder") return null;
    return { best: hint.options[0].text, loss: hint.judged.loss, reasons: hint.judged.reasons };
  }

  /** The answer, or null where it does not come in time. @param {Asked} asked @returns {Promise<Hint | null>} */
  #inTime(asked) {
    /** @type {Promise<null>} */
    const late = new Promise((resolve) => { window.setTimeout(() => resolve(null), PATIENCE); });
    return Promise.race([this.#answer(asked).catch(() => null), late]);
  }

  /** @param {Asked} asked @returns {Promise<Hint>} */
  async #answer(asked) {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const headers = { "Content-Type": "application/json", "X-CSRFToken": csrf() };
      const answer = await fetch(this.url, { method: "POST", headers, body: JSON.stringify(asked) });
      const body = await answer.json();
      if (!answer.ok) throw new Refusal(body.text ?? "");
      if (body.status === "ready") return body;
      if (body.status === "failed") break;
      await new Promise((resolve) => { window.setTimeout(resolve, PAUSE); });
    }
    throw new Error("no hint");
  }

  /** @param {Hint} hint */
  #fill({ options, reasons }) {
    const [best, ...others] = options;
    write(part(this.dialog, "hint-best"), decisionText(best.text));
    part(this.dialog, "hint-options").replaceChildren(...others.map(({ text, loss }) =>
      item(fill(gettext("%(play)s: %(loss)s points less"), { play: decisionText(text), loss: lossText(loss) }))));
    part(this.dialog, "hint-reasons").replaceChildren(...reasons.map(item));
  }
}

/** What the server says why it gives no hint. */
class Refusal extends Error {}

/** @param {string} text */
function item(text) {
  const line = document.createElement("li");
  line.textContent = text;
  return line;
}
