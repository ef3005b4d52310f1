/** The frame of every board: surface, drawing and grid of buttons, laid out anew when the board is turned. */
import { AccessibleGrid } from "./accessible-grid.js";
import { listenToPointer } from "./pointer.js";

/** Stands for a method that a family of boards has to define. @returns {never} */
export function abstract() {
  throw new Error("a family of boards defines this");
}

/**
 * @template Place
 * @template {import("./drawing.js").Drawing} Drawing
 */
export class BoardFrame {
  /** @type {import("./drawing.js").Movable | null} the piece that follows the pointer */
  #lifted = null;
  #stopListening = () => {};

  /**
   * @param {HTMLElement} element
   * @param {string} label of the grid, for screen readers
   */
  constructor(element, label) {
    this.element = element;
    element.classList.add("bd");
    element.replaceChildren();
    /** @type {AccessibleGrid<Place>} */
    this.a11y = new AccessibleGrid(element, { label, press: (place) => this.press(place), cancel: () => this.cancel() });
    /** @type {SVGElement | null} */
    this.surface = null;
  }

  /** What lies on the board in its present direction. @abstract @returns {{layout: import("./layout.js").Layout<Place>, surface: SVGElement, drawing: Drawing}} */
  lay() {
    return abstract();
  }

  /** What the pointer may do. @abstract @returns {Omit<import("./pointer.js").PointerHost<Place>, "layout" | "lift" | "release">} */
  pointer() {
    return abstract();
  }

  /** The piece that a drag takes along. @abstract @returns {import("./drawing.js").Movable | null} */
  liftable() {
    return abstract();
  }

  /** Enter or a click on the button of a place. @abstract @param {Place} _place */
  press(_place) {
    abstract();
  }

  /** Escape. @abstract */
  cancel() {
    abstract();
  }

  /** Draws surface, pieces and grid from nothing. */
  build() {
    this.#stopListening();
    this.surface?.remove();
    this.drawing?.svg.remove();
    const { layout, surface, drawing } = this.lay();
    this.surface = surface;
    this.drawing = drawing;
    this.element.prepend(surface, drawing.svg);
    this.a11y.lay(layout);
    this.#stopListening = listenToPointer(drawing.svg, {
      ...this.pointer(),
      layout: () => layout,
      lift: (x, y) => {
        this.#lifted ??= this.liftable();
        if (this.#lifted) drawing.lift(this.#lifted, x, y);
      },
      release: () => {
        if (this.#lifted) drawing.drop(this.#lifted);
        this.#lifted = null;
      },
    });
  }

  /** Speaks a sentence. @param {string} text */
  announce(text) {
    this.a11y.announce(text);
  }
}
