/**
 * The board for keyboard and screen reader, a view of its own over the same state: every place is a real button, in rows
 * as they lie on the board. Arrow keys walk them, Enter picks up and puts down, Escape cancels. Laid over the drawing the
 * buttons show the focus there; in the text view they are the board.
 */

/**
 * @template Place
 * @typedef {import("./layout.js").Layout<Place>} Layout
 */
/**
 * @typedef {object} Cell
 * @property {string} label what a screen reader says
 * @property {Record<string, boolean>} classes of the button
 */

/** @template Place */
export class AccessibleGrid {
  /** @type {Place[][]} */
  #rows = [];
  /** @type {Map<Place, HTMLButtonElement>} */
  buttons = new Map();
  /** @type {WeakMap<HTMLButtonElement, string>} */
  #shown = new WeakMap();

  /**
   * @param {HTMLElement} element
   * @param {{label: string, press: (place: Place) => void, cancel: () => void}} options `press`: Enter or a click on a place
   */
  constructor(element, { label, press, cancel }) {
    this.press = press;
    this.cancel = cancel;
    this.grid = document.createElement("div");
    this.grid.className = "bd-grid";
    this.grid.setAttribute("role", "grid");
    this.grid.setAttribute("aria-label", label);
    this.live = document.createElement("p");
    this.live.className = "bd-say";
    this.live.setAttribute("aria-live", "polite");
    element.append(this.grid, this.live);
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    this.grid.addEventListener("focusin", (event) => this.#rove(/** @type {HTMLElement} */ (event.target)));
  }

  /** Lays the buttons over the drawing; the focus stays on its place. @param {Layout<Place>} layout */
  lay(layout) {
    const focused = [...this.buttons].find(([, button]) => button === document.activeElement)?.[0];
    this.#rows = layout.rows;
    this.buttons.clear();
    this.grid.replaceChildren(
      ...layout.rows.map((row) => {
        const line = document.createElement("div");
        line.className = "bd-row";
        line.setAttribute("role", "row");
        line.append(...row.map((place) => this.#cell(layout, place)));
        return line;
      }),
    );
    this.#rove(this.buttons.get(focused ?? layout.first));
    if (focused !== undefined) this.buttons.get(focused)?.focus();
  }

  /** @param {Layout<Place>} layout @param {Place} place */
  #cell({ width, height, boxOf }, place) {
    const cell = document.createElement("div");
    cell.setAttribute("role", "gridcell");
    cell.className = "bd-cell";
    const { x, y, w, h } = boxOf(place);
    const shares = { x: x / width, y: y / height, w: w / width, h: h / height };
    for (const [name, share] of Object.entries(shares)) cell.style.setProperty(`--${name}`, `${100 * share}%`);
    const button = document.createElement("button");
    button.type = "button";
    button.tabIndex = -1;
    button.addEventListener("click", () => this.press(place));
    this.buttons.set(place, button);
    cell.append(button);
    return cell;
  }

  /** @param {(place: Place) => Cell} cellOf */
  update(cellOf) {
    for (const [place, button] of this.buttons) {
      const { label, classes } = cellOf(place);
      const cell = JSON.stringify([label, classes]);
      if (this.#shown.get(button) === cell) continue;
      this.#shown.set(button, cell);
      if (button.textContent !== label) button.textContent = label;
      for (const [name, on] of Object.entries(classes)) button.classList.toggle(name, on);
    }
  }

  /** Speaks a sentence. The last six can be read again, none of them twice. @param {string} text */
  announce(text) {
    const last = this.live.lastElementChild?.textContent ?? "";
    if (!text || (last !== text && last.includes(text))) return; // a longer sentence has just said it
    for (const spoken of [...this.live.children]) if (spoken.textContent === text) spoken.remove();
    const line = document.createElement("span");
    line.textContent = text;
    this.live.append(line, " ");
    while (this.live.childElementCount > 6) this.live.firstElementChild?.remove();
  }

  /** @param {HTMLElement | undefined} target */
  #rove(target) {
    if (!(target instanceof HTMLButtonElement)) return;
    for (const button of this.buttons.values()) button.tabIndex = button === target ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const rows = this.#rows;
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -Infinity], End: [0, Infinity] };
    if (rows.length > 2) Object.assign(steps, { PageUp: [-Infinity, 0], PageDown: [Infinity, 0] });
    if (event.key === "Escape") {
      this.cancel();
      event.preventDefault();
    }
    const step = steps[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    for (const [r, row] of rows.entries()) {
      const c = row.findIndex((place) => this.buttons.get(place) === event.target);
      if (c < 0) continue;
      const next = rows[within(r + step[0], rows.length)];
      this.buttons.get(next[within(c + step[1], next.length)])?.focus();
      return;
    }
  }
}

/** The index nearest to one that may lie outside. @param {number} index @param {number} length */
function within(index, length) {
  return Math.max(0, Math.min(length - 1, index));
}
