/**
 * The damas board for keyboard and screen reader: a view of its own over the same state. The fifty dark squares are real
 * buttons, five a row as they lie on the board; arrow keys walk them, Enter picks up and puts down, Escape cancels. Laid
 * over the drawing they show the focus there; as a "text board" they are the board.
 */
import { SIZE, boxOf, rows } from "./geometry.js";
import { fill, gettext } from "../words.js";

/**
 * @typedef {object} Keys
 * @property {(square: number) => void} press Enter or a click on a square
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
    this.grid.setAttribute("aria-label", gettext("Board: arrow keys walk the dark squares, Enter picks up and puts down a man, Escape cancels."));
    this.live = document.createElement("p");
    this.live.className = "bd-say";
    this.live.setAttribute("aria-live", "polite");
    element.append(this.grid, this.live);
    /** @type {number[][]} */
    this.rows = [];
    /** @type {Map<number, HTMLButtonElement>} */
    this.buttons = new Map();
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    this.grid.addEventListener("focusin", (event) => this.#rove(/** @type {HTMLElement} */ (event.target)));
  }

  /** Lays the buttons over the drawing. @param {boolean} turned */
  lay(turned) {
    const had = [...this.buttons].find(([, button]) => button === document.activeElement)?.[0];
    this.rows = rows(turned);
    this.buttons.clear();
    this.grid.replaceChildren(
      ...this.rows.map((row) => {
        const line = document.createElement("div");
        line.className = "bd-row";
        line.setAttribute("role", "row");
        line.append(...row.map((square) => this.#cell(square, turned)));
        return line;
      }),
    );
    this.#rove(this.buttons.get(had ?? this.rows[6][2]));
    if (had) this.buttons.get(had)?.focus();
  }

  /** @param {number} square @param {boolean} turned */
  #cell(square, turned) {
    const cell = document.createElement("div");
    cell.setAttribute("role", "gridcell");
    cell.className = "bd-cell";
    const box = boxOf(square, turned);
    for (const [name, length] of Object.entries(box)) cell.style.setProperty(`--${name}`, `${(100 * length) / SIZE}%`);
    const button = document.createElement("button");
    button.type = "button";
    button.tabIndex = -1;
    button.addEventListener("click", () => this.keys.press(square));
    this.buttons.set(square, button);
    cell.append(button);
    return cell;
  }

  /** @param {SquaresScene} scene */
  update(scene) {
    const pieces = new Map(scene.pieces.map((piece) => [piece.square, piece]));
    for (const [square, button] of this.buttons) {
      const piece = pieces.get(square);
      const label = labelOf(scene, square, piece);
      if (button.textContent !== label) button.textContent = label;
      const list = button.classList;
      list.toggle("movable", scene.movable.includes(square));
      list.toggle("picked", scene.picked === square);
      list.toggle("legal", scene.targets.includes(square) || scene.ways.includes(square));
      list.toggle("huffable", scene.huff.includes(square));
      list.toggle("white", piece?.colour === "white");
      list.toggle("black", piece?.colour === "black");
      list.toggle("king", !!piece?.king);
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

  /** @param {HTMLElement | undefined} target */
  #rove(target) {
    if (!(target instanceof HTMLButtonElement)) return;
    for (const button of this.buttons.values()) button.tabIndex = button === target ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = /** @type {Record<string, [number, number]>} */ ({
      ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
      Home: [0, -9], End: [0, 9], PageUp: [-9, 0], PageDown: [9, 0],
    })[event.key];
    if (event.key === "Escape") {
      this.keys.cancel();
      event.preventDefault();
    }
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const r = this.rows.findIndex((row) => row.some((square) => this.buttons.get(square) === event.target));
    if (r < 0) return;
    const at = this.rows[r].findIndex((square) => this.buttons.get(square) === event.target);
    const row = this.rows[Math.max(0, Math.min(9, r + step[0]))];
    this.buttons.get(row[Math.max(0, Math.min(4, at + step[1]))])?.focus();
  }
}

/**
 * @param {SquaresScene} scene
 * @param {number} square
 * @param {PieceDrawn | undefined} piece
 */
export function labelOf(scene, square, piece) {
  const place = piece
    ? fill(gettext("Square %(number)s: %(piece)s"), { number: square, piece: pieceName(piece) })
    : fill(gettext("Square %(number)s: empty"), { number: square });
  if (scene.picked === square) return fill(gettext("%(place)s, picked up"), { place });
  if (piece?.taken) return fill(gettext("%(place)s, taken"), { place });
  if (scene.targets.includes(square)) return fill(gettext("%(place)s, legal from here"), { place });
  if (scene.ways.includes(square)) return fill(gettext("%(place)s, on the way of a capture"), { place });
  if (scene.huff.includes(square)) return fill(gettext("%(place)s, can be huffed"), { place });
  if (scene.picked === null && scene.movable.includes(square)) return fill(gettext("%(place)s, can move"), { place });
  return place;
}

/** @param {PieceDrawn} piece */
function pieceName({ colour, king }) {
  if (colour === "white") return king ? gettext("white king") : gettext("white man");
  return king ? gettext("black king") : gettext("black man");
}
