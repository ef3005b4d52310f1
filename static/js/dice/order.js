/** "Roll for me" in a match by correspondence: the box of the page, and what the player has chosen until the server says the same. */
import { part } from "../match/panel.js";

export class Order {
  /** @type {boolean | null} what was chosen, while the server has not said it yet */
  #wish = null;
  /** the id of the choice that nobody answered yet */
  #sent = "";

  /** @param {DiceState} dice @param {Side} side the dice as the player wants them told */
  on(dice, side) {
    return this.#wish === null ? dice : { ...dice, [side]: { ...dice[side], order: this.#wish } };
  }

  /** The player chose, and his choice was sent. @param {boolean} wish @param {string} id */
  chosen(wish, id) {
    this.#wish = wish;
    this.#sent = id;
  }

  /** @param {AckMessage | RefusedMessage} message */
  answered({ t, id }) {
    if (id !== this.#sent) return;
    this.#sent = "";
    if (t === "refused") this.#wish = null;
  }

  /** A state came. One that left before the choice arrived says nothing of it. @param {DiceState} dice @param {Side} side */
  told(dice, side) {
    if (!this.#sent && dice[side].order === this.#wish) this.#wish = null;
  }
}

/** @param {HTMLElement} root @param {(on: boolean) => void} choose */
export function listenOrder(root, choose) {
  const box = /** @type {HTMLInputElement} */ (part(root, "order-box"));
  box.addEventListener("change", () => choose(box.checked));
}

/** Shows the box where the server offers it. @param {HTMLElement} root @param {boolean | undefined} order */
export function showOrder(root, order) {
  part(root, "order").hidden = order === undefined;
  /** @type {HTMLInputElement} */ (part(root, "order-box")).checked = order === true;
}
