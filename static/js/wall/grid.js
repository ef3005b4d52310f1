/** The figures of a wall in their places. All that came since the last frame of the screen is drawn in one. */
import { Figure } from "./figure.js";

const TICK = 1000;

export class Grid {
  /** @type {Map<string, Figure>} */
  figures = new Map();
  /** @type {Map<string, WallBoard>} */
  #waiting = new Map();
  #asked = false;

  /**
   * @param {HTMLElement} element
   * @param {{link?: boolean, label?: (id: string) => string}} [options]
   */
  constructor(element, options = {}) {
    this.element = element;
    this.options = options;
    this.watch = new IntersectionObserver((seen) => {
      for (const { target, isIntersecting } of seen) this.figures.get(/** @type {HTMLElement} */ (target).dataset.match ?? "")?.see(isIntersecting);
    }, { rootMargin: "80px" });
    setInterval(() => this.#tick(), TICK);
  }

  /**
   * Exactly these boards, in this order; a figure that stays is not touched. A new one has its text from the first
   * moment: it is a link, and the server does not tell again what the page knows.
   * @param {string[]} ids
   * @param {Map<string, WallBoard>} boards what is known of them
   */
  lay(ids, boards) {
    for (const [id, figure] of this.figures) {
      if (ids.includes(id)) continue;
      this.watch.unobserve(figure.element);
      figure.element.remove();
      this.figures.delete(id);
    }
    ids.forEach((id, at) => {
      let figure = this.figures.get(id);
      if (!figure) {
        figure = new Figure(id, this.options);
        const board = boards.get(id);
        if (board) figure.show(board);
        this.figures.set(id, figure);
        this.watch.observe(figure.element);
      }
      const here = this.element.children[at];
      if (here !== figure.element) this.element.insertBefore(figure.element, here ?? null);
      figure.label(this.options.label?.(id) ?? "");
    });
    this.element.dataset.count = String(ids.length);
  }

  /** @param {WallBoard} board */
  show(board) {
    this.#waiting.set(board.id, board);
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      for (const one of this.#waiting.values()) this.figures.get(one.id)?.show(one);
      this.#waiting.clear();
    });
  }

  #tick() {
    if (document.hidden) return;
    for (const figure of this.figures.values()) figure.tick();
  }
}
