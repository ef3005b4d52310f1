/** The dice in words: what is proved so far, who plays without a key, what is wrong. Pure. */
import { fill, gettext, ngettext } from "../i18n.js";

/** @typedef {import("./verify.js").Fault} Fault */
/** @typedef {{side: Side, name: string, bot: boolean}} Seated a player, the name isolated for use inside a sentence */
/** @typedef {{kind: "waiting" | "good" | "partial" | "none" | "wrong", text: string, detail: string}} FairDice `detail` stands in the dialog */

/**
 * What the page says of its dice: a quiet link, "Fair dice", with the details behind it; an alarm where they are wrong.
 * @param {{fault: Fault | null, count: number, known: number}} verifier
 * @param {{waits?: Seated[], held: Seated[], you: Side | null}} seats whose device has not prepared its dice yet, and who plays without a key
 * @returns {FairDice}
 */
export function fairDice({ fault, count, known }, { waits = [], held, you }) {
  if (fault) return { kind: "wrong", text: alarm(fault), detail: faultText(fault) };
  if (held.length === 2) {
    return { kind: "none", text: gettext("These dice can't be verified"), detail: gettext("Neither player's device takes part in the dice: the server alone decides the rolls.") };
  }
  if (!known && waits.length) {
    const others = waits.some(({ side }) => side !== you);
    return { kind: "waiting", text: gettext("Preparing dice…"), detail: others ? waitText(waits, you) : "" };
  }
  const verified = known ? `${checked(count, known)}.` : "";
  const detail = [verified, ...held.map((seat) => withoutKey(seat, you))].filter(Boolean).join(" ");
  return { kind: held.length ? "partial" : "good", text: gettext("Fair dice"), detail };
}

/** How many rolls are verified. @param {number} count @param {number} [known] */
export function checked(count, known = count) {
  if (count < known) return fill(ngettext("%(count)s of %(known)s roll verified", "%(count)s of %(known)s rolls verified", known), { count, known });
  return fill(ngettext("%(count)s roll verified", "%(count)s rolls verified", count), { count });
}

/** Who decides the rolls of a seat without a key. @param {Seated} seat @param {Side | null} you */
export function withoutKey({ side, name, bot }, you) {
  if (side === you) return gettext("Your device doesn't take part in your rolls: the server and your opponent's device decide them.");
  if (!you) return fill(gettext("%(name)s's device doesn't take part in the dice: the server and the other player's device decide those rolls."), { name });
  if (bot) return fill(gettext("%(name)s is a computer player: the server and your device decide its rolls."), { name });
  return fill(gettext("%(name)s's device doesn't take part in the dice: the server and your device decide those rolls."), { name });
}

/** For whom the dice wait. @param {Seated[]} waits @param {Side | null} you */
export function waitText(waits, you) {
  const other = waits.find(({ side }) => side !== you);
  if (!other) return gettext("Preparing your dice…");
  return fill(gettext("Waiting for %(name)s's device to prepare the dice…"), { name: other.name });
}

/** What is wrong, for the lock and the alarm. @param {Fault} fault */
function alarm({ i }) {
  return i ? fill(gettext("Roll %(number)s failed verification"), { number: i }) : gettext("The dice failed verification");
}

/** Why it is wrong. @param {Fault} fault */
export function faultText({ why, seat }) {
  const side = seat === "A" ? gettext("White") : gettext("Black");
  /** @type {Record<import("./verify.js").Why, string>} */
  const texts = {
    form: gettext("This dice record can't be verified."),
    numbers: gettext("The rolls aren't numbered in sequence."),
    elements: gettext("The number of the player on roll is missing or wrong."),
    server: gettext("The server's number doesn't match its commitment."),
    player: fill(gettext("The number from %(side)s doesn't match its commitment."), { side }),
    back: fill(gettext("%(side)s took part in the dice again after dropping out, which isn't possible."), { side }),
    held: gettext("The record is wrong about which devices take part in the dice."),
    dice: gettext("The dice don't match the numbers they are made from."),
    nonce: fill(gettext("The first number from %(side)s doesn't match its commitment."), { side }),
    changed: gettext("The commitments made before the match have changed."),
    missing: gettext("A roll was played without proof."),
    played: gettext("The dice in the record aren't the ones that were played."),
  };
  return texts[why];
}

/** The result of a check of the whole match. @param {{fault: Fault | null, count: number, held: ("A" | "B")[]}} result */
export function resultText({ fault, count, held }) {
  if (fault) return `${alarm(fault)}. ${faultText(fault)}`;
  const verified = `${checked(count)}.`;
  if (held.length < 2) return verified;
  const unverifiable = gettext("Neither player's device took part in the dice, so they can't be verified.");
  return `${verified} ${unverifiable}`;
}
