/**
 * The board for keyboard and screen reader: a view of its own over the same state. Twenty-four points, bar and off are
 * real buttons in two rows as they lie on the table; arrow keys walk them, Enter picks up and puts down, Escape cancels.
 * Laid over the drawing they show the focus there; as a "text board" they are the board.
 */
import { HEIGHT, boxOf, rows } from "./geometry.js";
import { placesOf } from "./render.js";
import { fill, gettext, ngettext } from "../words.js";

/** @typedef {import("./geometry.js").Plan} Plan */

/**
 * @typedef {object} Keys
 * @property {(place: Place) => void} press Enter or a click on a place
 * @property {() => void} cancel
 */

export class AccessibleBoard {
  /**
   * @param {HTMLElement} element
   * @param {Keys} keys
   */
  constructor(element, keys) {
    this.keys = keys;
    this.grid = document.createElement("div");
    this.grid.className = "bd-grid";
    this.grid.setAttribute("role", "grid");
    this.grid.setAttribute("aria-label", gettext("Board: arrow keys walk the points, Enter picks up and puts down a checker, Escape cancels."));
    this.live = document.createElement("p");
    this.live.className = "bd-say";
    this.live.setAttribute("aria-live", "polite");
    element.append(this.grid, this.live);
    /** @type {Place[][]} */
    this.rows = [];
    /** @type {Map<Place, HTMLButtonElement>} */
    this.buttons = new Map();
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    this.grid.addEventListener("focusin", (event) => this.#rove(/** @type {HTMLElement} */ (event.target)));
  }

  /** Lays the buttons over the drawing. @param {Plan} p */
  lay(p) {
    this.rows = rows(p);
    this.buttons.clear();
    this.grid.replaceChildren(
      ...this.rows.map((row) => {
        const line = document.createElement("div");
        line.className = "bd-row";
        line.setAttribute("role", "row");
        line.append(...row.map((place) => this.#cell(p, place)));
        return line;
      }),
    );
    this.#rove(/** @type {HTMLElement} */ (this.buttons.get(6)));
  }

  /** @param {Plan} p @param {Place} place */
  #cell(p, place) {
    const cell = document.createElement("div");
    cell.setAttribute("role", "gridcell");
    cell.className = "bd-cell";
    const box = boxOf(p, place);
    cell.style.setProperty("--x", `${(100 * box.x) / p.width}%`);
    cell.style.setProperty("--y", `${(100 * box.y) / HEIGHT}%`);
    cell.style.setProperty("--w", `${(100 * box.w) / p.width}%`);
    cell.style.setProperty("--h", `${(100 * box.h) / HEIGHT}%`);
    const button = document.createElement("button");
    button.type = "button";
    button.tabIndex = -1;
    button.addEventListener("click", () => this.keys.press(place));
    this.buttons.set(place, button);
    cell.append(button);
    return cell;
  }

  /** @param {Scene} scene */
  update(scene) {
    const white = placesOf(scene, "white");
    const black = placesOf(scene, "black");
    for (const [place, button] of this.buttons) {
      const label = this.#label(scene, place, white.get(place) ?? 0, black.get(place) ?? 0);
      if (button.textContent !== label) button.textContent = label;
      const list = button.classList;
      list.toggle("movable", scene.movable.includes(place));
      list.toggle("picked", scene.picked === place);
      list.toggle("legal", scene.targets.includes(place));
      list.toggle("white", white.has(place));
      list.toggle("black", black.has(place));
    }
  }

  /** Speaks a sentence. @param {string} text */
  say(text) {
    if (!text) return;
    const line = document.createElement("span");
    line.textContent = text;
    this.live.append(line, " ");
    while (this.live.childElementCount > 6) this.live.firstElementChild?.remove();
  }

  /** @param {Scene} scene @param {Place} place @param {number} white @param {number} black */
  #label(scene, place, white, black) {
    const named = fill(gettext("%(place)s: %(men)s"), { place: placeName(place, scene.bottom), men: men(white, black) });
    if (scene.picked === place) return fill(gettext("%(place)s, picked up"), { place: named });
    if (scene.targets.includes(place)) return fill(gettext("%(place)s, legal from here"), { place: named });
    if (scene.picked === null && scene.movable.includes(place)) return fill(gettext("%(place)s, can move"), { place: named });
    return named;
  }

  /** @param {HTMLElement | undefined} target */
  #rove(target) {
    if (!(target instanceof HTMLButtonElement)) return;
    for (const button of this.buttons.values()) button.tabIndex = button === target ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = /** @type {Record<string, [number, number]>} */ ({
      ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -99], End: [0, 99],
    })[event.key];
    if (event.key === "Escape") {
      this.keys.cancel();
      event.preventDefault();
    }
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    for (const [r, row] of this.rows.entries()) {
      const c = row.findIndex((place) => this.buttons.get(place) === event.target);
      if (c < 0) continue;
      const next = this.rows[Math.max(0, Math.min(1, r + step[0]))];
      this.buttons.get(next[Math.max(0, Math.min(next.length - 1, c + step[1]))])?.focus();
      return;
    }
  }
}

/** @param {number} white @param {number} black */
function men(white, black) {
  if (white) return fill(ngettext("%(count)s white checker", "%(count)s white checkers", white), { count: white });
  if (black) return fill(ngettext("%(count)s black checker", "%(count)s black checkers", black), { count: black });
  return gettext("empty");
}

/**
 * @param {Place} place
 * @param {Side} bottom
 */
export function placeName(place, bottom) {
  if (typeof place === "number") return fill(gettext("Point %(number)s"), { number: place });
  const [kind, whose] = place.split("-");
  const white = (whose === "me") === (bottom === "white");
  if (kind === "bar") return white ? gettext("White's bar") : gettext("Black's bar");
  if (kind === "off") return white ? gettext("Borne off by White") : gettext("Borne off by Black");
  return white ? gettext("White's stock") : gettext("Black's stock");
}
