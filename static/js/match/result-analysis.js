/**
 * The match analysis in the result dialog. The server renders the part: the button that requests the analysis, the
 * progress, or error rates, luck and turning point. This module requests it, and loads it again until it is ready.
 */
import { gettext } from "../i18n.js";
import { part, write } from "./panel.js";

/** How often to look for progress, in milliseconds, and how long to wait after a failed request at most. */
const INTERVAL = 2000;
const LONGEST = 30_000;

/** @typedef {"" | "coming" | "ready"} Stage how far the analysis is; "" when nobody has requested it */

/** The milliseconds until the part is loaded again; null when it is not. Pure. @param {Stage} stage @param {number} failures in a row */
export function delayUntilNext(stage, failures) {
  if (failures) return Math.min(LONGEST, INTERVAL * 2 ** failures);
  return stage === "coming" ? INTERVAL : null;
}

/** What a screen reader is told of a new stage. Pure. @param {Stage} before @param {Stage} stage */
export function stageText(before, stage) {
  if (stage === before) return "";
  if (stage === "coming") return gettext("Analysing…");
  return stage === "ready" ? gettext("The analysis is ready.") : "";
}

export class ResultAnalysis {
  /** @type {Stage} */
  #stage = "";
  #failures = 0;
  #timer = 0;
  /** the latest load: an earlier one that answers later is not shown */
  #turn = 0;
  #requesting = false;

  /** @param {HTMLElement} root @param {HTMLDialogElement} dialog */
  constructor(root, dialog) {
    this.root = root;
    this.dialog = dialog;
    this.status = part(dialog, "analysis-status");
    root.addEventListener("submit", (event) => {
      const form = /** @type {HTMLFormElement} */ (event.target);
      event.preventDefault();
      void this.#load(form.action, { method: "POST", body: new FormData(form) });
    });
    root.addEventListener("click", (event) => {
      const link = /** @type {HTMLElement} */ (event.target).closest("a");
      if (!link?.hash || link.pathname !== location.pathname) return;
      event.preventDefault(); // the address of this page now shows the replay
      location.hash = link.hash;
      location.reload();
    });
    dialog.addEventListener("close", () => clearTimeout(this.#timer));
  }

  /** The analysis in the result of this page; null where nobody will see one. @param {HTMLElement} root */
  static of(root) {
    const dialog = /** @type {HTMLDialogElement} */ (part(root, "result-dialog"));
    const found = dialog.querySelector("[data-part=analysis]");
    return found instanceof HTMLElement ? new ResultAnalysis(found, dialog) : null;
  }

  /** The dialog was opened: shows how far the analysis is. */
  show() {
    if (this.#stage !== "ready") void this.#load(this.root.dataset.url ?? "");
  }

  /** @param {string} url @param {RequestInit} [options] */
  async #load(url, options = {}) {
    if (this.#requesting) return;
    this.#requesting = Boolean(options.method);
    this.#turn += 1;
    const turn = this.#turn;
    clearTimeout(this.#timer);
    const html = await fetch(url, { ...options, headers: { "HX-Request": "true" } })
      .then((answer) => (answer.ok ? answer.text() : null), () => null);
    if (turn !== this.#turn) return;
    this.#requesting = false;
    this.#failures = html === null ? this.#failures + 1 : 0;
    if (!this.#replace(html ?? "") && options.method) this.#refuse(gettext("The analysis couldn't be requested. Try again."));
    const delay = delayUntilNext(this.#stage, this.#failures);
    if (delay !== null && this.dialog.open) this.#timer = window.setTimeout(() => this.show(), delay);
  }

  /** @param {string} text */
  #refuse(text) {
    const note = this.root.querySelector("[data-part=analysis-text]");
    if (note instanceof HTMLElement) write(note, text);
    write(this.status, text);
  }

  /** Shows what the server sent; false if it was something else, such as a page to sign in. @param {string} html */
  #replace(html) {
    const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("[data-stage]");
    if (!(fresh instanceof HTMLElement)) return false;
    const same = fresh.textContent.trim() === this.root.textContent.trim();
    if (same) return true; // a button that is replaced under a finger is never clicked
    const stage = /** @type {Stage} */ (fresh.dataset.stage);
    const focused = this.root.contains(document.activeElement);
    this.root.replaceChildren(document.adoptNode(fresh));
    if (focused) this.root.focus({ preventScroll: true });
    write(this.status, stageText(this.#stage, stage) || (this.status.textContent ?? ""));
    this.#stage = stage;
    return true;
  }
}
