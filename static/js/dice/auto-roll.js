/** "Roll for me" in a match by correspondence: the boxes of the page, and what the player has chosen until the server says the same. */
import { gettext } from "../i18n.js";
import { part, write } from "../match/panel.js";

/** @typedef {{order: boolean, unless_double: boolean}} AutoRollChoice `unless_double`: but not where the player could double */

export class AutoRoll {
  /** @type {AutoRollChoice | null} what was chosen, while the server has not said it yet */
  #choice = null;
  /** the id of the choice that nobody answered yet */
  #sent = "";

  /** @param {DiceState} dice @param {Side} side the dice as the player wants them told */
  on(dice, side) {
    return this.#choice === null ? dice : { ...dice, [side]: { ...dice[side], ...this.#choice } };
  }

  /** The player chose, and the choice was sent. @param {AutoRollChoice} choice @param {string} id */
  chosen(choice, id) {
    this.#choice = choice;
    this.#sent = id;
  }

  /** @param {AckMessage | RefusedMessage} message */
  answered({ t, id }) {
    if (id !== this.#sent) return;
    this.#sent = "";
    if (t === "refused") this.#choice = null;
  }

  /** A state came. One that left before the choice arrived says nothing of it. @param {DiceState} dice @param {Side} side */
  receiveState(dice, side) {
    const { order, unless_double } = dice[side];
    if (!this.#sent && order === this.#choice?.order && !!unless_double === this.#choice?.unless_double) this.#choice = null;
  }
}

/** @param {HTMLElement} root @param {string} name */
function checkbox(root, name) {
  return /** @type {HTMLInputElement} */ (part(root, name));
}

/** @param {HTMLElement} root @param {(choice: AutoRollChoice) => void} choose */
export function listenToAutoRoll(root, choose) {
  const [rolls, doubles] = [checkbox(root, "order-box"), checkbox(root, "order-double")];
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
  checkbox(root, "order-box").checked = order;
  part(root, "order-doubles").hidden = !order || !cube;
  checkbox(root, "order-double").checked = order && !seat.unless_double;
  write(part(root, "order-help"), autoRollText(seat));
}
