/** The first thing that a viewer should know: whose turn it is, and what is asked of him. Pure. */
import { fill, gettext, isolate } from "../words.js";
import { rival } from "../board/state.js";
import { coloured, drawNear, level, matchResult, nameOf, points, rollsAgain, waitedFor } from "./words.js";

/** @typedef {{headline: string, detail: string}} Status */
/** @typedef {{name: string, dice: string, value: number}} Values */

/** @param {State} state @returns {Status} */
export function statusOf(state) {
  const { match, position, you, offer } = state;
  if (match.status === "over") return { headline: matchResult(state), detail: "" };
  if (match.status === "cancelled") return { headline: gettext("This match was cancelled."), detail: "" };
  if (match.status === "open") return { headline: gettext("Waiting for a rival."), detail: "" };
  if (state.paused) return state.paused.adjourned ? adjourned(state, state.paused) : paused(state.paused);
  if (offer && !offer.draw) return resigning(state, offer);
  if (position.phase === "opening") return opening(state);
  const side = waitedFor(state);
  if (!side) return { headline: position.phase === "over" ? gettext("The game is over.") : gettext("The dice fall."), detail: "" };
  const values = { name: nameOf(state, side), dice: position.dice?.join("-") ?? "", value: position.cube?.offered ?? 0 };
  const said = side === you ? asked(state, side, values) : watched(state, values);
  return { ...said, detail: drawOffered(state) || said.detail || drawNear(position) };
}

/** @param {NonNullable<State["paused"]>} pause @returns {Status} */
function paused({ by, why }) {
  const headline = fill(gettext("Paused by %(name)s: both clocks stand."), { name: isolate(by) });
  return { headline, detail: why || gettext("The match goes on when the director says so.") };
}

/** A match that both have to come back to. @param {State} state @param {NonNullable<State["paused"]>} pause @returns {Status} */
function adjourned(state, { ready = [] }) {
  const headline = gettext("Adjourned: both clocks stand.");
  const { you } = state;
  if (you && ready.includes(you)) return { headline, detail: gettext("Waiting for your rival, who is told.") };
  const [side] = ready;
  if (side) return { headline, detail: fill(gettext("%(name)s wants to go on."), { name: nameOf(state, side) }) };
  return { headline, detail: gettext("The match goes on when both players want to.") };
}

/** What is asked of this viewer, whose turn it is. @param {State} state @param {Side} side @param {Values} values @returns {Status} */
function asked(state, side, values) {
  const { position, may } = state;
  switch (position.phase) {
    case "doubled":
      return decision(state, side, values);
    case "name":
      return { headline: gettext("Name a double"), detail: gettext("Your 1-2 is played: now choose the double that you play with it.") };
    case "roll":
      if (rollsAgain(state)) return { headline: gettext("You roll again"), detail: gettext("All four numbers of the double are played.") };
      return { headline: gettext("Your turn"), detail: may.includes("double") ? gettext("Roll, or double first.") : gettext("Roll the dice.") };
    default:
      if (position.dice) return { headline: fill(gettext("Your turn: play %(dice)s"), values), detail: "" };
      return { headline: yourMen(position, side), detail: mustTake(position) };
  }
}

/** What the others see of it. @param {State} state @param {Values} values @returns {Status} */
function watched(state, values) {
  const { position } = state;
  switch (position.phase) {
    case "doubled":
      return { headline: fill(gettext("%(name)s decides: take or drop %(value)s"), values), detail: "" };
    case "name":
      return { headline: fill(gettext("%(name)s names a double"), values), detail: "" };
    case "roll":
      return { headline: fill(rollsAgain(state) ? gettext("%(name)s rolls again") : gettext("%(name)s is to roll"), values), detail: "" };
    default:
      return { headline: fill(position.dice ? gettext("%(name)s plays %(dice)s") : gettext("%(name)s is to move"), values), detail: "" };
  }
}

/** A cube to answer: his who was doubled, or after a beaver the doubler's (B16). @param {State} state @param {Side} side @param {Values} values @returns {Status} */
function decision(state, side, values) {
  const { cube } = state.position;
  const named = { ...values, name: nameOf(state, rival(side)) };
  if (cube?.offered && cube.offered > 2 * cube.value) {
    return {
      headline: fill(gettext("%(name)s beavers: the cube goes to %(value)s."), named),
      detail: gettext("Play on at this value, or drop."),
    };
  }
  return {
    headline: fill(gettext("%(name)s doubles to %(value)s."), named),
    detail: state.may.includes("beaver")
      ? gettext("Take the cube, drop, or beaver: turn it once more and keep it.")
      : gettext("Take the cube, or drop and lose the game at its present value."),
  };
}

/** @param {GameView} position @param {Side} side */
function yourMen(position, side) {
  return coloured(position, side) === "white" ? gettext("Your turn: you have White") : gettext("Your turn: you have Black");
}

/** @param {GameView} position */
function mustTake({ tree }) {
  const moves = /** @type {{taken: number[]}[] | null | undefined} */ (tree);
  return moves?.length && moves.every(({ taken }) => taken.length) ? gettext("You have to capture.") : "";
}

/** @param {State} state */
function drawOffered({ offer, you }) {
  return offer?.draw && offer.seat === you ? gettext("You offered a draw.") : "";
}

/** @param {State} state @returns {Status} */
function opening({ you, ready, match, may }) {
  if (you && ready.includes(you)) return { headline: gettext("Waiting for your rival to roll."), detail: gettext("Opening roll") };
  const headline = fill(gettext("Game %(number)s"), { number: match.game });
  if (!you || !may.includes("roll")) return { headline, detail: gettext("Opening roll") };
  if (match.family === "squares") return { headline, detail: gettext("Opening roll: the higher die has Black and begins.") };
  return { headline, detail: gettext("Opening roll: the higher die starts.") };
}

/** @param {State} state @param {NonNullable<State["offer"]>} offer @returns {Status} */
function resigning(state, offer) {
  const values = { name: nameOf(state, offer.seat), what: level(offer.level), points: points(offer.points) };
  const detail = fill(gettext("%(what)s, %(points)s"), values);
  if (offer.seat === state.you) return { headline: gettext("You offered to resign."), detail };
  return { headline: fill(gettext("%(name)s offers to resign."), values), detail };
}
