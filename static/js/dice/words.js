/** The dice in words: what is proved so far, who plays without a key, what is wrong. Pure. */
import { fill, gettext, ngettext } from "../words.js";

/** @typedef {import("./verify.js").Fault} Fault */
/** @typedef {{side: Side, name: string, bot: boolean}} Seated a player, his name isolated for use inside a sentence */
/** @typedef {{kind: "waiting" | "good" | "partial" | "none" | "wrong", text: string, detail: string}} Said */

/**
 * What the lock says.
 * @param {{fault: Fault | null, count: number, known: number}} watch
 * @param {{waits?: Seated[], held: Seated[], you: Side | null}} seats whose browser has not locked his dice yet, and who plays without a key
 * @returns {Said}
 */
export function lockOf({ fault, count, known }, { waits = [], held, you }) {
  if (fault) return { kind: "wrong", text: alarm(fault), detail: faultText(fault) };
  if (held.length === 2) {
    return { kind: "none", text: gettext("Nothing can be proved here"), detail: gettext("Both players play without a key: the club's computer alone decides the rolls.") };
  }
  const detail = held.map((seat) => withoutKey(seat, you)).join(" ");
  if (!known) {
    if (waits.length) return { kind: "waiting", text: gettext("The dice are being locked"), detail: waitText(waits, you) };
    return { kind: held.length ? "partial" : "good", text: gettext("The dice are locked"), detail };
  }
  if (held.length && count === known) return { kind: "partial", text: checkedWithout(count, held[0], you), detail };
  return { kind: held.length ? "partial" : "good", text: checked(count, known), detail };
}

/** How many rolls are checked, where a player has no key. @param {number} count @param {Seated} seat @param {Side | null} you */
function checkedWithout(count, { side, name }, you) {
  const said = side === you
    ? ngettext("%(count)s roll checked; you have no key", "%(count)s rolls checked; you have no key", count)
    : ngettext("%(count)s roll checked; %(name)s has no key", "%(count)s rolls checked; %(name)s has no key", count);
  return fill(said, { count, name });
}

/** How many rolls are checked. @param {number} count @param {number} [known] */
export function checked(count, known = count) {
  if (count < known) return fill(ngettext("%(count)s of %(known)s roll checked", "%(count)s of %(known)s rolls checked", known), { count, known });
  return fill(ngettext("%(count)s roll, checked", "%(count)s rolls, all checked", count), { count });
}

/** Who decides the rolls of a seat without a key. @param {Seated} seat @param {Side | null} you */
export function withoutKey({ side, name, bot }, you) {
  if (side === you) return gettext("You play without a key: your rolls are decided by the club's computer and your rival's number.");
  if (!you) return fill(gettext("%(name)s plays without a key: those rolls are decided by the club's computer and the other player's number."), { name });
  if (bot) return fill(gettext("%(name)s is a computer player and has no key: its rolls are decided by the club's computer and your number."), { name });
  return fill(gettext("%(name)s plays without a key: those rolls are decided by the club's computer and your number."), { name });
}

/** For whom the dice wait. @param {Seated[]} waits @param {Side | null} you */
export function waitText(waits, you) {
  const other = waits.find(({ side }) => side !== you);
  if (!other) return gettext("Your browser is locking its dice.");
  return fill(gettext("Waiting for the browser of %(name)s to lock its dice."), { name: other.name });
}

/** What is wrong, for the lock and the alarm. @param {Fault} fault */
function alarm({ i }) {
  return i ? fill(gettext("Roll %(number)s is wrong"), { number: i }) : gettext("The dice are not those that were locked");
}

/** Why it is wrong. @param {Fault} fault */
export function faultText({ why, seat }) {
  const whose = seat === "A" ? gettext("White") : gettext("Black");
  /** @type {Record<import("./verify.js").Why, string>} */
  const said = {
    form: gettext("This is no record of dice that can be checked."),
    numbers: gettext("The rolls are not numbered 1, 2, 3 without a gap."),
    elements: gettext("It does not carry the numbers of the one who rolled."),
    server: gettext("The number of the club's computer is not the next one of its locked list."),
    player: fill(gettext("The number of %(side)s is not the next one of the locked list."), { side: whose }),
    back: fill(gettext("%(side)s played without a key before, and cannot have one again."), { side: whose }),
    held: gettext("It does not say rightly who plays without a key."),
    dice: gettext("The dice are not what the numbers say."),
    nonce: fill(gettext("The first number of %(side)s is not the one that was promised."), { side: whose }),
    changed: gettext("What was locked before the match is not what the club says now."),
    missing: gettext("A roll was played that carries no proof."),
    played: gettext("The record has other dice than those that were played."),
  };
  return said[why];
}

/** The result of a check of the whole match. @param {{fault: Fault | null, count: number, held: ("A" | "B")[]}} result */
export function resultText({ fault, count, held }) {
  if (fault) return `${alarm(fault)}. ${faultText(fault)}`;
  const good = `${checked(count)}.`;
  if (held.length === 2) return `${good} ${gettext("Both players played without a key, so nothing is proved.")}`;
  return good;
}
