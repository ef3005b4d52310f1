/** The page of a match analysis: its errors one after another on the board, with arrows for what was played and what was better. */
import { boardFor } from "../boards.js";
import { moved, recordedLegs } from "../points/state.js";
import { arrows, overlay } from "../rules/arrows.js";
import { embedded } from "../match/page.js";
import { fill, gettext } from "../i18n.js";
import { filtered, neighbour } from "./error-filter.js";

/**
 * @typedef {object} Moment
 * @property {number} n
 * @property {Side} side
 * @property {"play" | "double" | "take"} kind
 * @property {string} played
 * @property {string} best
 * @property {PositionView} position
 */
/** @typedef {"before" | "played" | "better"} Sight */

const BENDS = { played: -0.14, better: 0.14 };

class ErrorReview {
  /** @type {Element | null} */
  #layer = null;
  /** @type {number[]} */
  #shown = [];
  #now = -1;

  /**
   * @param {HTMLElement} root
   * @param {{steps: Moment[], bottom: Side, direction: "ccw" | "cw"}} content
   */
  constructor(root, { steps: moments, bottom, direction }) {
    this.root = root;
    this.moments = moments;
    this.bottom = bottom;
    this.items = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[data-step]")]);
    const stage = this.#part("stage");
    stage.hidden = false;
    this.#part("filter").hidden = false;
    this.board = boardFor(this.#part("board"), moments[0].position, { bottom, direction });
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-show]"))) button.hidden = false;
    this.#listen();
    this.#filter();
    root.classList.add("ready");
  }

  /** @param {string} name */
  #part(name) {
    return /** @type {HTMLElement} */ (this.root.querySelector(`[data-part="${name}"]`));
  }

  #listen() {
    this.root.addEventListener("click", (event) => {
      const on = /** @type {HTMLElement} */ (event.target);
      const item = /** @type {HTMLElement | null} */ (on.closest(".error-item-head"))?.closest("[data-step]");
      const button = /** @type {HTMLElement | null} */ (on.closest("[data-go],[data-see]"));
      if (button?.dataset.go) this.#go(/** @type {"next"} */ (button.dataset.go));
      else if (button?.dataset.see) this.#showSight(/** @type {Sight} */ (button.dataset.see));
      else if (item instanceof HTMLElement) this.#to(Number(item.dataset.step), { scroll: true });
      const worst = /** @type {HTMLAnchorElement | null} */ (on.closest("a[data-worst]"));
      if (worst) this.#show(this.items.findIndex(({ id }) => `#${id}` === worst.hash));
    });
    this.root.addEventListener("change", (event) => {
      if (/** @type {HTMLElement} */ (event.target).matches("[data-filter]")) this.#filter();
    });
    document.addEventListener("keydown", (event) => {
      const direction = /** @type {Record<string, "back" | "next">} */ ({ ArrowLeft: "back", ArrowRight: "next" })[event.key];
      const on = /** @type {HTMLElement} */ (event.target);
      if (!direction || event.altKey || event.ctrlKey || event.metaKey || on.closest("input, select, textarea, [role=grid]")) return;
      event.preventDefault();
      this.#go(direction);
    });
  }

  #filter() {
    /** @param {string} name */
    const value = (name) => /** @type {HTMLSelectElement} */ (this.root.querySelector(`[data-filter="${name}"]`)).value;
    const facts = this.items.map(({ dataset }) => ({ side: dataset.side ?? "", grade: dataset.grade ?? "" }));
    this.#shown = filtered(facts, { side: value("side"), grade: value("grade") });
    this.items.forEach((item, n) => (item.hidden = !this.#shown.includes(n)));
    this.#part("none").hidden = this.#shown.length > 0;
    this.#part("stage").hidden = this.#shown.length === 0;
    if (!this.#shown.includes(this.#now)) this.#to(this.#shown[0] ?? -1);
    else this.#count();
  }

  /** Shows an error on the board, also one that the filter hides. @param {number} n */
  #show(n) {
    if (!this.#shown.includes(n)) {
      for (const [name, value] of Object.entries({ side: "", grade: "doubtful" }))
        /** @type {HTMLSelectElement} */ (this.root.querySelector(`[data-filter="${name}"]`)).value = value;
      this.#filter();
    }
    this.#to(n, { scroll: true });
  }

  /** @param {"next" | "back"} direction */
  #go(direction) {
    this.#to(neighbour(this.#shown, this.#now, direction), { follow: true });
  }

  /** @param {number} n @param {{scroll?: boolean, follow?: boolean}} [how] */
  #to(n, { scroll = false, follow = false } = {}) {
    this.#now = n;
    this.items.forEach((item, at) => item.classList.toggle("is-here", at === n));
    this.#count();
    if (n < 0) return;
    this.#showSight("before");
    const narrow = matchMedia("(width < 60rem)").matches;
    if (follow && !narrow) this.items[n].scrollIntoView({ block: "nearest" });
    const button = this.items[n].querySelector("[data-show]");
    if (scroll && button instanceof HTMLElement) button.focus({ preventScroll: true });
  }

  #count() {
    const values = { number: this.#shown.indexOf(this.#now) + 1, of: this.#shown.length };
    this.#part("count").textContent = fill(gettext("%(number)s of %(of)s"), values);
  }

  /** The position before, with both arrows, or the one after a play. @param {Sight} sight */
  #showSight(sight) {
    const moment = this.moments[this.#now];
    if (!moment) return;
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll("[data-see]"))) {
      button.setAttribute("aria-pressed", String(button.dataset.see === sight));
      button.hidden = moment.kind !== "play";
    }
    const { position, side, kind } = moment;
    const text = sight === "played" ? moment.played : moment.best;
    const after = sight !== "before" && kind === "play";
    const checkers = after ? recordedLegs(text).reduce((all, leg) => moved(all, side, leg), position.board) : position.board;
    this.board.set({ position: { ...position, board: checkers }, you: null, may: [], last: null });
    this.#layer?.remove();
    this.#layer = after || kind !== "play" ? null : this.#arrows(moment);
  }

  /** @param {Moment} moment */
  #arrows({ side, position, played, best }) {
    const { plan } = /** @type {import("../points/board.js").PointsBoardApi} */ (this.board);
    /** @param {string} text @param {"played" | "better"} kind */
    const drawn = (text, kind) =>
      arrows(plan, position.board, recordedLegs(text), kind, { side, bottom: this.bottom, bend: BENDS[kind] });
    return overlay(this.root.querySelector(".bd-play"), [...drawn(best, "better"), ...drawn(played, "played")]);
  }
}

const root = document.getElementById("mistakes");
const content = embedded("report-board");
if (root && content?.steps.length) new ErrorReview(root, content);
