/**
 * In a simultaneous exhibition: the host's way to the board that has waited longest, and how many wait. The link works
 * as it is: the site chooses the board when it is followed. It waits for an act that is on its way, so that no roll is
 * left in the middle.
 */
import { write } from "./panel.js";

const OFTEN = 20_000;

/** @typedef {{waiting: number, text: string}} Count */

export class NextBoard {
  /** the link was followed while an act was on its way: it is followed after that */
  #wanted = false;
  #asking = false;
  #waiting = 0;
  #version = -1;

  /**
   * The link of the page, where it has one.
   * @param {HTMLElement} root
   * @param {{busy: () => boolean, announce: (text: string) => void, go?: (url: string) => void}} page
   */
  static of(root, page) {
    const link = root.querySelector('[data-do="next-board"]');
    return link instanceof HTMLAnchorElement ? new NextBoard(root, link, page) : null;
  }

  /**
   * @param {HTMLElement} root
   * @param {HTMLAnchorElement} link
   * @param {{busy: () => boolean, announce: (text: string) => void, go?: (url: string) => void}} page
   */
  constructor(root, link, page) {
    this.root = root;
    this.link = link;
    this.page = page;
    this.#waiting = Number(root.querySelector('[data-part="next-board-count"]')?.textContent);
    link.addEventListener("click", (event) => {
      if (!page.busy()) return;
      event.preventDefault();
      this.#wanted = true;
    });
    document.addEventListener("visibilitychange", () => void this.#ask());
    window.setInterval(() => void this.#ask(), OFTEN);
  }

  /** The page was shown again: follow the link if that was wanted, and count again after each act. @param {number} version */
  update(version) {
    if (this.#wanted && !this.page.busy()) {
      this.#wanted = false;
      this.link.click();
      return;
    }
    if (version === this.#version) return;
    const first = this.#version === -1;
    this.#version = version;
    if (!first) void this.#ask();
  }

  async #ask() {
    if (this.#asking || document.visibilityState !== "visible") return;
    this.#asking = true;
    try {
      const answer = await fetch(this.link.dataset.countUrl ?? "", { headers: { Accept: "application/json" } });
      if (answer.ok) this.#show(/** @type {Count} */ (await answer.json()));
    } catch {
      // without a network the last count stays
    } finally {
      this.#asking = false;
    }
  }

  /** @param {Count} count */
  #show({ waiting, text }) {
    for (const [name, value] of Object.entries({ "next-board-count": String(waiting), "next-board-text": text })) {
      const element = this.root.querySelector(`[data-part="${name}"]`);
      if (element instanceof HTMLElement) write(element, value);
    }
    this.link.classList.toggle("btn-primary", waiting > 0);
    if (waiting > this.#waiting) this.page.announce(text);
    this.#waiting = waiting;
  }
}
