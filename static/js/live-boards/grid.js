/** Live boards in their places. All that came since the last frame of the screen is drawn in one. */
import { BoardCard } from "./board-card.js";

const TICK = 1000;

export class BoardGrid {
  /** @type {Map<string, BoardCard>} */
  cards = new Map();
  /** @type {Map<string, LiveBoard>} */
  #waiting = new Map();
  #scheduled = false;

  /**
   * @param {HTMLElement} element
   * @param {{link?: boolean, label?: (id: string) => string}} [options]
   */
  constructor(element, options = {}) {
    this.element = element;
    this.options = options;
    this.watch = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) this.cards.get(/** @type {HTMLElement} */ (target).dataset.match ?? "")?.setVisible(isIntersecting);
    }, { rootMargin: "80px" });
    setInterval(() => this.#tick(), TICK);
  }

  /**
   * Exactly these boards, in this order; a card that stays is not touched. A new one has its text from the first
   * moment: it is a link, and the server does not tell again what the page knows.
   * @param {string[]} ids
   * @param {Map<string, LiveBoard>} boards what is known of them
   */
  lay(ids, boards) {
    for (const [id, card] of this.cards) {
      if (ids.includes(id)) continue;
      this.watch.unobserve(card.element);
      card.element.remove();
      this.cards.delete(id);
    }
    ids.forEach((id, at) => {
      let card = this.cards.get(id);
      if (!card) {
        card = new BoardCard(id, this.options);
        const board = boards.get(id);
        if (board) card.show(board);
        this.cards.set(id, card);
        this.watch.observe(card.element);
      }
      const here = this.element.children[at];
      if (here !== card.element) this.element.insertBefore(card.element, here ?? null);
      card.label(this.options.label?.(id) ?? "");
    });
    this.element.dataset.count = String(ids.length);
  }

  /** @param {LiveBoard} board */
  show(board) {
    this.#waiting.set(board.id, board);
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      for (const next of this.#waiting.values()) this.cards.get(next.id)?.show(next);
      this.#waiting.clear();
    });
  }

  #tick() {
    if (document.hidden) return;
    for (const card of this.cards.values()) card.tick();
  }
}
