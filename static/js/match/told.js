/** Actions in words: spoken as they happen, and short for the list of plays. Pure. */
import { fill, gettext } from "../words.js";
import { written } from "../board/typed.js";
import { coloured, nameOf, rollsAgain } from "./words.js";

/** Does an action move men on the board? `8/5 6/5*`, `bar/20`, `11-16`, `17x28`. @param {string} text */
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
export function told(actions, before, after) {
  let draw = before.offer?.draw ?? false;
  const sentences = actions.map((action, at) => {
    if (action.text === "offer-draw") draw = true;
    const answered = after.offer !== null || actions.slice(at + 1).some(({ text }) => text === "accept" || text === "reject");
    const said = sentence(action, after, { draw, answered });
    return action.ordered ? [said, gettext("It was ordered beforehand.")].join(" ") : said;
  });
  if (rollsAgain(after) && !rollsAgain(before)) {
    const again = gettext("%(name)s rolls again.");
    sentences.push(fill(again, { name: nameOf(after, /** @type {Side} */ (after.position.turn)) }));
  }
  if (after.position.colours && !before.position.colours) sentences.push(colours(after));
  return sentences.filter(Boolean);
}

/** Who plays which men. @param {State} state */
function colours(state) {
  const side = coloured(state.position, "white") === "black" ? "white" : "black";
  return fill(gettext("%(name)s has Black and begins."), { name: nameOf(state, side) });
}

/**
 * @param {Action} action
 * @param {State} state
 * @param {{draw: boolean, answered: boolean}} about the offer that an answer is to: a draw? an answer to come?
 */
function sentence({ seat, text }, state, { draw, answered }) {
  const dice = /^dice ([1-6])([1-6])/.exec(text);
  if (dice) return fill(gettext("Dice: %(one)s and %(two)s."), { one: dice[1], two: dice[2] });
  if (seat === "chance" || text === "roll") return "";
  // The server acts for the side that had to: it passes for him who cannot move, and says whose time ran out.
  if (seat === "server" && text === "pass") return gettext("No legal play: the turn passes.");
  const name = seat === "server" ? "" : nameOf(state, seat);
  if (isPlay(text)) return fill(gettext("%(name)s plays %(play)s."), { name, play: written(text) });
  const [verb, value = ""] = text.split(" ");
  /** @type {Record<string, string>} */
  const said = {
    pass: gettext("%(name)s has no legal play."),
    double: gettext("%(name)s doubles."),
    beaver: gettext("%(name)s beavers."),
    take: gettext("%(name)s takes."),
    drop: gettext("%(name)s drops."),
    name: gettext("%(name)s names double %(value)s."),
    huff: gettext("%(name)s huffs the man on %(value)s."),
    compel: gettext("%(name)s compels: the move is taken back."),
    "offer-draw": gettext("%(name)s offers a draw."),
    "claim-draw": gettext("%(name)s claims a draw."),
    end: gettext("%(name)s ends the session."),
    accept: draw ? gettext("%(name)s accepts the draw.") : gettext("%(name)s accepts the resignation."),
    reject: draw ? gettext("%(name)s rejects the draw.") : gettext("%(name)s rejects the resignation."),
    resign: answered ? gettext("%(name)s offers to resign.") : gettext("%(name)s resigns."),
    hold: gettext("A player is away: the server rolls for him."),
    flag: gettext("The time ran out."),
    absent: gettext("The match is claimed: a player is away."),
    adjourn: gettext("The match is adjourned."),
    resume: gettext("The match goes on."),
    stop: gettext("The organisers call the match off."),
  };
  return verb in said ? fill(said[verb], { name, value }) : "";
}

/** @param {string} text one action, as a cell of the list of plays */
export function short(text) {
  const [verb, value = ""] = text.split(" ");
  if (isPlay(text)) return written(text);
  /** @type {Record<string, string>} */
  const words = {
    pass: gettext("No play"),
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
