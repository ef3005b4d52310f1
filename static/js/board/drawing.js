/** Draws what changes on a board, in layers; what differs from the last picture is changed, nothing else. */
import { draw } from "./svg.js";

/** @typedef {{element: SVGElement}} Movable */

let drawings = 0;

export class Drawing {
  /** @type {Map<string, string>} what each layer shows */
  #contents = new Map();

  /**
   * @param {{width: number, height: number}} size
   * @param {string} prefix of the layers' classes
   * @param {string[]} names of the layers, the lowest first; there is one called `pieces` and one called `lifted`
   */
  constructor({ width, height }, prefix, names) {
    drawings += 1;
    this.id = `drawing${drawings}`;
    this.svg = draw("svg", { class: "bd-play", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    this.layers = Object.fromEntries(names.map((name) => [name, draw("g", { class: `${prefix}-${name}` })]));
    this.svg.append(...Object.values(this.layers));
  }

  /** The piece follows the pointer until `drop`. @param {Movable} piece @param {number} x @param {number} y */
  lift({ element }, x, y) {
    if (element.parentNode !== this.layers.lifted) {
      this.layers.lifted.append(element);
      element.classList.add("lifted");
    }
    element.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** The piece lies on the board again. @param {Movable} piece */
  drop({ element }) {
    element.classList.remove("lifted");
    this.#moveOnTop(element);
  }

  /** The piece lies on top of all others. @param {Movable} piece */
  raise({ element }) {
    if (!element.classList.contains("lifted") && this.layers.pieces.lastElementChild !== element) this.#moveOnTop(element);
  }

  /** What lies in the drawing is moved in it so that CSS can go on to slide it. @param {SVGElement} element */
  #moveOnTop(element) {
    const { pieces } = this.layers;
    if ("moveBefore" in Element.prototype) {
      pieces.moveBefore(element, null);
      return;
    }
    pieces.append(element);
    void getComputedStyle(element).transform; // CSS slides nothing that was just inserted: its present place is computed first
  }

  /** CSS slides the piece to a spot, unless it follows the pointer. @param {Movable} piece @param {{x: number, y: number}} spot */
  slide({ element }, { x, y }) {
    if (element.classList.contains("lifted")) return;
    const transform = `translate(${x}px, ${y}px)`;
    if (element.style.transform !== transform) element.style.transform = transform;
  }

  /**
   * Rebuilds a small layer only when its content changed.
   * @template T
   * @param {string} name @param {T[]} items @param {(item: T) => SVGElement} make
   */
  fillLayer(name, items, make) {
    const content = JSON.stringify(items);
    if (this.#contents.get(name) === content) return;
    this.#contents.set(name, content);
    this.layers[name].replaceChildren(...items.map(make));
  }
}
