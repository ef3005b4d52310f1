/** "Roll for me" in a match by correspondence: the boxes of the page, and what the player has chosen until the server says the same. */
import { gettext } from "../i18n.js";
import { part, write } from "../match/panel.js";

/** @typedef {{order: boolean, unless_double: boolean}} Wish `unless_double`: but not where the player could double */

export class AutoRoll {
  /** @type {Wish | null} what was chosen, while the server has not said it yet */
  #wish = null;
  /** the id of the choice that nobody answered yet */
  #sent = "";

  /** @param {DiceState} dice @param {Side} side the dice as the player wants them told */
  on(dice, side) {
    return this.#wish === null ? dice : { ...dice, [side]: { ...dice[side], ...this.#wish } };
  }

  /** The player chose, and the choice was sent. @param {Wish} wish @param {string} id */
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
    const { order, unless_double } = dice[side];
    if (!this.#sent && order === this.#wish?.order && !!unless_double === this.#wish?.unless_double) this.#wish = null;
  }
}

/** @param {HTMLElement} root @param {string} name */
function box(root, name) {
  return /** @type {HTMLInputElement} */ (part(root, name));
}

/** @param {HTMLElement} root @param {(wish: Wish) => void} choose */
export function listenToAutoRoll(root, choose) {
  const [rolls, doubles] = [box(root, "order-box"), box(root, "order-double")];
  const chosen = () => choose({ order: rolls.checked, unless_double: rolls.checked && !doubles.checked });
  for (const each of [rolls, doubles]) each.addEventListener("change", chosen);
}

/**
 * What is ordered, in a sentence. Pure.
 * @param {DiceSeat} seat
 */
export function autoRollText({ order, left, held }) {
  if (!order) return gettext("When your turn comes, the site rolls for you: once per visit.");
  if (held) return gettext("The site rolls for you every turn.");
  if (left) return gettext("Ready: the site rolls for you as soon as it's your turn.");
  return gettext("Not ready yet: you will have to roll yourself next turn.");
}

/** Shows the boxes where the server offers them. @param {HTMLElement} root @param {DiceSeat} seat @param {boolean} cube whether the game has a cube */
export function showAutoRoll(root, seat, cube) {
  const order = seat.order === true;
  part(root, "order").hidden = seat.order === undefined;
  box(root, "order-box").checked = order;
  part(root, "order-doubles").hidden = !order || !cube;
  box(root, "order-double").checked = order && !seat.unless_double;
  write(part(root, "order-help"), autoRollText(seat));
}
