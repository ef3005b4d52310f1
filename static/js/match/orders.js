/**
 * Standing orders of a player by correspondence: the answer to a double, and that forced plays are made for them. The
 * server says what stands and what can be said (`orders` in the state); a choice is shown at once. Rolling for them is in
 * dice/auto-roll.js. Contract: docs/protocol.md.
 */
import { opponentOf } from "../board/sides.js";
import { fill, gettext } from "../i18n.js";
import { hide, part, write } from "./panel.js";
import { nameOf } from "./format.js";

/** @typedef {{title: string, stands: string, answers: string[], whole: boolean}} Doubles */

/**
 * What is shown of the answer to a double, or null where there is nothing to say. Pure.
 * @param {State} state
 * @param {boolean} whole the answer is to hold for the whole game, where it could hold for this turn
 * @returns {Doubles | null}
 */
export function doublesOf(state, whole) {
  const { orders, you } = state;
  if (!orders || !you) return null;
  const now = orders.may.includes("double take");
  const game = orders.may.includes("double take game");
  if (!orders.double && !now && !game) return null;
  const values = { name: nameOf(state, opponentOf(you)) };
  const long = game && (whole || !now);
  const title = fill(long ? gettext("If %(name)s doubles in this game") : gettext("If %(name)s doubles now"), values);
  const answers = orders.double ? [] : ["take", "drop"].map((answer) => `double ${answer}${long ? " game" : ""}`);
  return { title, stands: orders.double ? fill(standing(orders.double), values) : "", answers, whole: now && game && !orders.double };
}

/** @param {string} order */
function standing(order) {
  /** @type {Record<string, string>} */
  const sentences = {
    "double take": gettext("If %(name)s doubles now, you take."),
    "double drop": gettext("If %(name)s doubles now, you drop."),
    "double take game": gettext("If %(name)s doubles in this game, you take."),
    "double drop game": gettext("If %(name)s doubles in this game, you drop."),
  };
  return sentences[order];
}

/**
 * The orders as the player wants them: what stands, and on top of it what was chosen since. Pure.
 * @param {OrdersState} orders
 * @param {Iterable<string>} chosen
 * @returns {OrdersState}
 */
export function withChoices(orders, chosen) {
  let { double, forced } = orders;
  for (const order of chosen) {
    if (order.startsWith("forced")) forced = order === "forced on";
    else double = order === "double ask" ? null : order;
  }
  return { ...orders, double, forced };
}

export class Orders {
  /** @type {Map<string, {order: string, done: boolean}>} what was chosen, by its id, until the server has said the same */
  #chosen = new Map();

  /**
   * @param {HTMLElement} root
   * @param {{state: () => State, order: (order: string) => string, sync: () => void, forced: boolean}} page
   *   `forced`: the player's preference, unless this match has an order of its own
   */
  constructor(root, page) {
    this.root = root;
    this.page = page;
    part(root, "orders").addEventListener("change", ({ target }) => {
      const { checked, dataset } = /** @type {HTMLInputElement} */ (target);
      if (dataset.part === "order-forced") this.#choose(checked ? "forced on" : "forced off");
      if (dataset.part === "order-whole") this.show();
    });
    part(root, "orders").addEventListener("click", ({ target }) => {
      const { order } = /** @type {HTMLElement} */ (target).closest("button")?.dataset ?? {};
      if (order) this.#choose(order);
    });
    this.take();
  }

  /** A state came. */
  take() {
    for (const [id, { done }] of this.#chosen) if (done) this.#chosen.delete(id);
    const { orders, match } = this.page.state();
    if (orders?.forced === null && this.page.forced && match.status === "live" && !this.#chosen.size) this.#choose("forced on");
    this.show();
  }

  /** Whether forced plays are made for this player. */
  get forced() {
    return this.#orders()?.forced ?? this.page.forced;
  }

  /** Whether a message answers one of these orders; its refusal is for the page to show. @param {AckMessage | RefusedMessage | WhyMessage} message */
  answer({ t, id }) {
    const chosen = this.#chosen.get(id);
    if (!chosen) return false;
    chosen.done = true;
    if (t === "refused") this.#chosen.delete(id);
    this.page.sync();
    this.show();
    return true;
  }

  /** @param {string} order */
  #choose(order) {
    this.#chosen.set(this.page.order(order), { order, done: false });
    this.show();
  }

  #orders() {
    const { orders } = this.page.state();
    return orders && withChoices(orders, [...this.#chosen.values()].map(({ order }) => order));
  }

  show() {
    const card = part(this.root, "orders");
    const orders = this.#orders();
    hide(card, !orders);
    if (!orders) return;
    const focused = card.contains(document.activeElement) && document.activeElement;
    /** @type {HTMLInputElement} */ (part(card, "order-forced")).checked = orders.forced === true;
    const whole = /** @type {HTMLInputElement} */ (part(card, "order-whole"));
    const doubles = doublesOf({ ...this.page.state(), orders }, whole.checked);
    part(card, "order-doubled").hidden = !doubles;
    if (doubles) {
      write(part(card, "order-if"), doubles.stands || doubles.title);
      part(card, "order-whole-row").hidden = !doubles.whole;
      part(card, "order-back").hidden = !doubles.stands;
      for (const [at, name] of ["order-take", "order-drop"].entries()) {
        const button = part(card, name);
        button.hidden = !doubles.answers.length;
        button.dataset.order = doubles.answers[at] ?? "";
      }
    }
    if (focused instanceof HTMLElement && !focused.checkVisibility()) {
      (doubles ? part(card, doubles.stands ? "order-back" : "order-take") : part(this.root, "headline")).focus({ preventScroll: true });
    }
  }
}
