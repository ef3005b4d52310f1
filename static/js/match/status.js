/** The first thing that a viewer should know: whose turn it is, and what is asked of them. Pure. */
import { fill, gettext, isolate } from "../i18n.js";
import { higherFirst } from "../board/dice.js";
import { opponentOf } from "../board/sides.js";
import { coloured, drawNear, level, matchResult, nameOf, points, rollsAgain, waitedFor } from "./format.js";

/** @typedef {{headline: string, detail: string}} Status */
/** @typedef {{name: string, dice: string, value: number}} Values */

/** @param {State} state @returns {Status} */
export function statusOf(state) {
  const { match, position, you, offer } = state;
  if (match.status === "over") return { headline: matchResult(state), detail: "" };
  if (match.status === "cancelled") return { headline: gettext("This match was cancelled."), detail: "" };
  if (match.status === "open") return { headline: gettext("Waiting for an opponent."), detail: "" };
  if (state.paused) return state.paused.adjourned ? adjourned(state, state.paused) : paused(state.paused);
  if (offer && !offer.draw) return resigning(state, offer);
  if (position.phase === "opening") return opening(state);
  const side = waitedFor(state);
  if (!side) return { headline: position.phase === "over" ? gettext("The game is over.") : gettext("Rolling the dice…"), detail: "" };
  const values = { name: nameOf(state, side), dice: higherFirst(position.dice ?? []).join("-"), value: position.cube?.offered ?? 0 };
  const status = side === you ? toMove(state, side, values) : toOthers(state, values);
  return { ...status, detail: drawOffered(state) || status.detail || drawNear(position) };
}

/** @param {NonNullable<State["paused"]>} pause @returns {Status} */
function paused({ by, why }) {
  const headline = fill(gettext("Paused by %(name)s. The clocks are stopped."), { name: isolate(by) });
  return { headline, detail: why || gettext("The director will resume the match.") };
}

/** A match that both have to come back to. @param {State} state @param {NonNullable<State["paused"]>} pause @returns {Status} */
function adjourned(state, { ready = [] }) {
  const headline = gettext("Adjourned. The clocks are stopped.");
  const { you } = state;
  if (you && ready.includes(you)) return { headline, detail: gettext("Your opponent has been notified. Waiting for them to return.") };
  const [side] = ready;
  if (side) return { headline, detail: fill(gettext("%(name)s wants to resume."), { name: nameOf(state, side) }) };
  return { headline, detail: gettext("The match resumes when both players are ready.") };
}

/** What is asked of this viewer, whose turn it is. @param {State} state @param {Side} side @param {Values} values @returns {Status} */
function toMove(state, side, values) {
  const { position, may } = state;
  switch (position.phase) {
    case "doubled":
      return decision(state, side, values);
    case "name":
      return { headline: gettext("Name a double"), detail: gettext("You played your 2-1. Now choose a double to play.") };
    case "roll":
      if (rollsAgain(state)) return { headline: gettext("You roll again"), detail: gettext("You played all four numbers of the double.") };
      return { headline: gettext("Your turn"), detail: may.includes("double") ? gettext("Roll or double.") : gettext("Roll the dice.") };
    default:
      if (position.dice) return { headline: fill(gettext("Your turn: play %(dice)s"), values), detail: "" };
      return { headline: yourColour(position, side), detail: mustCapture(position) };
  }
}

/** What the others see of it. @param {State} state @param {Values} values @returns {Status} */
function toOthers(state, values) {
  const { position } = state;
  switch (position.phase) {
    case "doubled":
      return { headline: fill(gettext("Waiting for %(name)s: take or drop at %(value)s"), values), detail: "" };
    case "name":
      return { headline: fill(gettext("Waiting for %(name)s to name a double"), values), detail: "" };
    case "roll":
      return { headline: fill(rollsAgain(state) ? gettext("%(name)s rolls again") : gettext("%(name)s to roll"), values), detail: "" };
    default:
      return { headline: fill(position.dice ? gettext("%(name)s to play %(dice)s") : gettext("%(name)s to move"), values), detail: "" };
  }
}

/** A cube to answer: by the player who was doubled, or after a beaver by the doubler (B16). @param {State} state @param {Side} side @param {Values} values @returns {Status} */
function decision(state, side, values) {
  const { cube } = state.position;
  const named = { ...values, name: nameOf(state, opponentOf(side)) };
  if (cube?.offered && cube.offered > 2 * cube.value) {
    return {
      headline: fill(gettext("%(name)s beavers: the cube goes to %(value)s."), named),
      detail: gettext("Take to play on at this value, or drop."),
    };
  }
  return {
    headline: fill(gettext("%(name)s doubles to %(value)s."), named),
    detail: state.may.includes("beaver")
      ? gettext("Take, drop, or beaver: redouble at once and keep the cube.")
      : "", // the buttons say what is at stake
  };
}

/** @param {GameView} position @param {Side} side */
function yourColour(position, side) {
  return coloured(position, side) === "white" ? gettext("Your turn: you are White") : gettext("Your turn: you are Black");
}

/** @param {GameView} position */
function mustCapture({ tree }) {
  const moves = /** @type {{taken: number[]}[] | null | undefined} */ (tree);
  return moves?.length && moves.every(({ taken }) => taken.length) ? gettext("You must capture.") : "";
}

/** @param {State} state */
function drawOffered({ offer, you }) {
  return offer?.draw && offer.seat === you ? gettext("You offered a draw.") : "";
}

/** @param {State} state @returns {Status} */
function opening({ you, ready, match, may }) {
  if (you && ready.includes(you)) return { headline: gettext("Waiting for your opponent to roll."), detail: gettext("Opening roll") };
  const headline = fill(gettext("Game %(number)s"), { number: match.game });
  if (!you || !may.includes("roll")) return { headline, detail: gettext("Opening roll") };
  if (match.family === "squares") return { headline, detail: gettext("Opening roll: the higher die plays Black and starts.") };
  return { headline, detail: gettext("Opening roll: the higher die starts.") };
}

/** @param {State} state @param {NonNullable<State["offer"]>} offer @returns {Status} */
function resigning(state, offer) {
  const values = { name: nameOf(state, offer.seat), level: level(offer.level), points: points(offer.points) };
  const detail = fill(gettext("%(level)s, %(points)s"), values);
  if (offer.seat === state.you) return { headline: gettext("You offered to resign."), detail };
  return { headline: fill(gettext("%(name)s offers to resign."), values), detail };
}
