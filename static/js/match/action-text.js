/** Actions in words: spoken as they happen, and short for the list of plays. Pure. */
import { higherFirst } from "../board/dice.js";
import { fill, gettext } from "../i18n.js";
import { localized } from "../points/notation.js";
import { coloured, nameOf, rollsAgain } from "./format.js";

/** Does an action move pieces on the board? `8/5 6/5*`, `bar/20`, `11-16`, `17x28`. @param {string} text */
export function isPlay(text) {
  return text.includes("/") || /^\d+[-x]\d/.test(text);
}

/**
 * What happened between two states, a sentence each.
 * @param {Action[]} actions
 * @param {State} before
 * @param {State} after
 * @returns {string[]}
 */
export function describeActions(actions, before, after) {
  let draw = before.offer?.draw ?? false;
  const sentences = actions.map((action, at) => {
    if (action.text === "offer-draw") draw = true;
    const answered = after.offer !== null || actions.slice(at + 1).some(({ text }) => text === "accept" || text === "reject");
    const text = sentence(action, after, { draw, answered, opening: before.position.phase === "opening" });
    return action.ordered ? [text, gettext("Played automatically.")].join(" ") : text;
  });
  if (rollsAgain(after) && !rollsAgain(before)) {
    const template = gettext("%(name)s rolls again.");
    sentences.push(fill(template, { name: nameOf(after, /** @type {Side} */ (after.position.turn)) }));
  }
  if (after.position.colours && !before.position.colours) sentences.push(colours(after));
  return sentences.filter(Boolean);
}

/** Who plays which colour. @param {State} state */
function colours(state) {
  const side = coloured(state.position, "white") === "black" ? "white" : "black";
  return fill(gettext("%(name)s plays Black and starts."), { name: nameOf(state, side) });
}

/**
 * @param {Action} action
 * @param {State} state
 * @param {{draw: boolean, answered: boolean, opening: boolean}} about the offer that an answer is to: a draw? an answer to come?
 *   `opening`: each die belongs to a player
 */
function sentence({ seat, text }, state, { draw, answered, opening }) {
  const dice = /^dice ([1-6])([1-6])/.exec(text);
  if (dice) {
    const rolled = [Number(dice[1]), Number(dice[2])];
    const [first, second] = opening ? rolled : higherFirst(rolled);
    return fill(gettext("Dice: %(first)s and %(second)s."), { first, second });
  }
  if (seat === "chance" || text === "roll") return "";
  // The server acts for the side that had to: it passes for a side that cannot move, and says whose time ran out.
  if (seat === "server" && text === "pass") return gettext("No legal play: the turn passes.");
  const name = seat === "server" ? "" : nameOf(state, seat);
  if (isPlay(text)) return fill(gettext("%(name)s plays %(play)s."), { name, play: localized(text) });
  const [verb, value = ""] = text.split(" ");
  /** @type {Record<string, string>} */
  const texts = {
    pass: gettext("%(name)s has no legal play."),
    double: gettext("%(name)s doubles."),
    beaver: gettext("%(name)s beavers."),
    take: gettext("%(name)s takes."),
    drop: gettext("%(name)s drops."),
    name: gettext("%(name)s names %(value)s-%(value)s."),
    huff: gettext("%(name)s huffs the man on %(value)s."),
    compel: gettext("%(name)s compels the capture: the move is taken back."),
    "take-back": gettext("%(name)s takes back the last play."),
    "offer-draw": gettext("%(name)s offers a draw."),
    "claim-draw": gettext("%(name)s claims a draw."),
    end: gettext("%(name)s ends the session."),
    accept: draw ? gettext("%(name)s accepts the draw.") : gettext("%(name)s accepts the resignation."),
    reject: draw ? gettext("%(name)s rejects the draw.") : gettext("%(name)s rejects the resignation."),
    resign: answered ? gettext("%(name)s offers to resign.") : gettext("%(name)s resigns."),
    hold: gettext("A player is away: the server rolls for them."),
    flag: gettext("Time ran out."),
    absent: gettext("Match claimed: a player is away."),
    adjourn: gettext("The match is adjourned."),
    resume: gettext("The match resumes."),
    stop: gettext("The organisers called the match off."),
  };
  return verb in texts ? fill(texts[verb], { name, value }) : "";
}

/** @param {string} text one action, as a cell of the list of plays */
export function actionLabel(text) {
  const [verb, value = ""] = text.split(" ");
  if (isPlay(text)) return localized(text);
  /** @type {Record<string, string>} */
  const words = {
    pass: gettext("No legal play"),
    double: gettext("Doubles"),
    beaver: gettext("Beavers"),
    take: gettext("Takes"),
    drop: gettext("Drops"),
    name: gettext("Names %(value)s-%(value)s"),
    huff: gettext("Huffs %(value)s"),
    compel: gettext("Compels"),
    "offer-draw": gettext("Offers a draw"),
    "claim-draw": gettext("Claims a draw"),
    end: gettext("Ends the session"),
    accept: gettext("Accepts"),
    reject: gettext("Rejects"),
    resign: gettext("Resigns"),
    flag: gettext("Time ran out"),
    absent: gettext("Away"),
    stop: gettext("Called off"),
    start: gettext("Start of the game"),
  };
  return verb in words ? fill(words[verb], { value }) : text;
}
